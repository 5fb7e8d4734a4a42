"""A PubMed record from its XML, in whatever way that is written. `pubmed_usual` reads the usual way of writing faster
and gives the same.

The XML is of one record, cut out of its file: there is no DTD, so an entity cannot be declared, let alone expanded or
fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element, ParseError, XMLParser

from sanya.suites.papers.pubmed.dates import format_partial_date, format_timestamp, parse_medline_date
from sanya.suites.papers.pubmed.markup import extract_text
from sanya.suites.papers.pubmed.record import (
    Author,
    MeshHeading,
    OtherAbstract,
    PaperRecord,
    PublicationLink,
    Qualifier,
    Section,
    Substance,
)

# Records name MathML by this prefix, which their file declares.
_MATHML = "http://www.w3.org/1998/Math/MathML"
_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


class BadRecord(ValueError):
    """XML that is no record; the message says what is wrong with it."""


def parse_element(xml: str) -> Element:
    """The one element that the text is. A document type is refused, wherever it stands."""
    if "<!DOCTYPE" in xml:
        raise BadRecord("a document type inside a record")
    parser = XMLParser()  # noqa: S314 - without a document type there are no entities to expand
    try:
        parser.feed(f'<record xmlns:mml="{_MATHML}">')
        parser.feed(xml)
        parser.feed("</record>")
        found: Element = parser.close()
    except (ParseError, ValueError) as error:
        raise BadRecord(f"not well-formed ({error})") from None
    if len(found) != 1 or (found.text or "").strip() or (found[0].tail or "").strip():
        raise BadRecord("not one element")
    return found[0]


def parse_record(xml: str) -> PaperRecord:
    """Reads `<PubmedArticle>` and `<PubmedBookArticle>`."""
    element = parse_element(xml)
    if element.tag == "PubmedBookArticle":
        return _read_book_record(element)
    citation = element.find("MedlineCitation")
    if element.tag != "PubmedArticle" or citation is None:
        raise BadRecord(f"<{element.tag}> is no PubMed record")
    article = citation.find("Article")
    article = Element("Article") if article is None else article
    journal = article.find("Journal")
    journal = Element("Journal") if journal is None else journal
    ids = _read_article_ids(element.findall("PubmedData/ArticleIdList/ArticleId"))
    return PaperRecord(
        pmid=_read_pmid(citation),
        title=extract_text(article.find("ArticleTitle")) or None,
        vernacular_title=extract_text(article.find("VernacularTitle")) or None,
        sections=_read_sections(article.findall("Abstract/AbstractText")),
        other_abstracts=tuple(_read_other_abstract(one) for one in citation.findall("OtherAbstract")),
        journal=_read_text(journal, "Title") or _read_text(citation, "MedlineJournalInfo/MedlineTA"),
        journal_abbreviation=_read_text(journal, "ISOAbbreviation")
        or _read_text(citation, "MedlineJournalInfo/MedlineTA"),
        issn=_read_text(journal, "ISSN") or _read_text(citation, "MedlineJournalInfo/ISSNLinking"),
        volume=_read_text(journal, "JournalIssue/Volume"),
        issue=_read_text(journal, "JournalIssue/Issue"),
        pages=_read_text(article, "Pagination/MedlinePgn"),
        pub_types=_read_texts(article.findall("PublicationTypeList/PublicationType")),
        mesh=tuple(_read_mesh_heading(one) for one in citation.findall("MeshHeadingList/MeshHeading")),
        keywords=_read_texts(citation.findall("KeywordList/Keyword")),
        authors=_read_authors(article.findall("AuthorList/Author")),
        languages=_read_texts(article.findall("Language")),
        pdat=_read_publication_date(article.find("ArticleDate"), journal.find("JournalIssue/PubDate")),
        edat=_read_entrez_date(element.findall("PubmedData/History/PubMedPubDate")),
        lr=_read_timestamp(citation.find("DateRevised")),
        pmcid=ids.get("pmc"),
        doi=ids.get("doi") or _find_doi(article.findall("ELocationID")),
        links=_read_links(citation.findall("CommentsCorrectionsList/CommentsCorrections")),
        substances=tuple(_read_substance(one) for one in citation.findall("ChemicalList/Chemical")),
    )


def _read_book_record(element: Element) -> PaperRecord:
    """A chapter or a book of the NCBI Bookshelf: the book stands where an article has its journal."""
    document = element.find("BookDocument")
    if document is None:
        raise BadRecord("<PubmedBookArticle> without a <BookDocument>")
    book = document.find("Book")
    book = Element("Book") if book is None else book
    ids = _read_article_ids(element.findall("PubmedBookData/ArticleIdList/ArticleId"))
    return PaperRecord(
        pmid=_read_pmid(document),
        title=extract_text(document.find("ArticleTitle")) or extract_text(book.find("BookTitle")) or None,
        vernacular_title=extract_text(document.find("VernacularTitle")) or None,
        sections=_read_sections(document.findall("Abstract/AbstractText")),
        journal=extract_text(book.find("BookTitle")) or None,
        pages=_read_text(document, "Pagination/MedlinePgn"),
        pub_types=_read_texts(document.findall("PublicationType")),
        keywords=_read_texts(document.findall("KeywordList/Keyword")),
        authors=_read_authors(document.findall("AuthorList/Author") or book.findall("AuthorList/Author")),
        languages=_read_texts(document.findall("Language")),
        pdat=_read_publication_date(document.find("ContributionDate"), book.find("PubDate")),
        edat=_read_entrez_date(element.findall("PubmedBookData/History/PubMedPubDate")),
        lr=_read_timestamp(document.find("DateRevised")),
        pmcid=ids.get("pmc"),
        doi=ids.get("doi"),
    )


def _read_sections(texts: Iterable[Element]) -> tuple[Section, ...]:
    sections = ((one.get("Label") or None, one.get("NlmCategory") or None, extract_text(one)) for one in texts)
    return tuple(Section(*one) for one in sections if one[2])


def _read_other_abstract(element: Element) -> OtherAbstract:
    texts = _read_sections(element.findall("AbstractText"))
    return OtherAbstract(element.get("Type") or None, element.get("Language") or None, texts)


def to_link_kind(ref_type: str) -> str:
    """'ExpressionOfConcernIn' as 'expression_of_concern_in'."""
    return _CAPITAL.sub("_", ref_type.replace("and", "And")).lower()


def _read_pmid(element: Element) -> str:
    pmid = _read_text(element, "PMID") or ""
    if not pmid.isascii() or not pmid.isdecimal():
        raise BadRecord(f"a PMID is digits, not {pmid[:20]!r}")
    return pmid


def _read_text(element: Element, path: str) -> str | None:
    return extract_text(element.find(path)) or None


def _read_texts(elements: Iterable[Element]) -> tuple[str, ...]:
    return tuple(text for text in map(extract_text, elements) if text)


def _read_authors(elements: Iterable[Element]) -> tuple[Author, ...]:
    parts = ("LastName", "ForeName", "Initials", "CollectiveName")
    found = (Author(*(_read_text(one, part) for part in parts)) for one in elements)
    return tuple(one for one in found if any(one))


def _read_mesh_heading(element: Element) -> MeshHeading:
    descriptor = element.find("DescriptorName")
    if descriptor is None:
        raise BadRecord("a <MeshHeading> without a <DescriptorName>")
    qualifiers = tuple(Qualifier(*_read_term(one)) for one in element.findall("QualifierName"))
    return MeshHeading(*_read_term(descriptor), qualifiers)


def _read_term(element: Element) -> tuple[str, str | None, bool]:
    return extract_text(element), element.get("UI") or None, element.get("MajorTopicYN") == "Y"


def _read_links(elements: Iterable[Element]) -> tuple[PublicationLink, ...]:
    """What old files list as `Cites` are references, which say nothing about the record itself."""
    return tuple(
        PublicationLink(
            to_link_kind(one.get("RefType", "")), _read_text(one, "PMID"), _read_text(one, "RefSource") or ""
        )
        for one in elements
        if one.get("RefType") != "Cites"
    )


def _read_substance(element: Element) -> Substance:
    name = element.find("NameOfSubstance")
    ui = None if name is None else name.get("UI") or None
    return Substance(extract_text(name), ui, _read_text(element, "RegistryNumber"))


def _read_publication_date(article_date: Element | None, issue_date: Element | None) -> str | None:
    for one in (article_date, issue_date):
        if one is not None:
            found = format_partial_date(_read_text(one, "Year"), _read_text(one, "Month"), _read_text(one, "Day"))
            found = found or parse_medline_date(_read_text(one, "MedlineDate") or "")
            if found:
                return found
    return None


def _read_entrez_date(elements: Iterable[Element]) -> str | None:
    found = {one.get("PubStatus"): one for one in elements}
    return _read_timestamp(found.get("entrez", found.get("pubmed")))


def _read_timestamp(element: Element | None) -> str | None:
    if element is None:
        return None
    return format_timestamp(*(_read_text(element, part) for part in ("Year", "Month", "Day", "Hour", "Minute")))


def _read_article_ids(elements: Iterable[Element]) -> dict[str | None, str]:
    return {one.get("IdType"): extract_text(one) for one in elements if extract_text(one)}


def _find_doi(elements: Iterable[Element]) -> str | None:
    return next((extract_text(one) for one in elements if one.get("EIdType") == "doi" and extract_text(one)), None)
