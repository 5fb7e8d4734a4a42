"""Reads a PubMed record from XML of any form. `fast_reader` reads the usual form faster, with the same result.

The XML is that of one record, cut out of its file. It has no DTD, so no entity can be declared, expanded or fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element, ParseError, XMLParser

from sanya.suites.papers.pubmed.cited_works import name_cited_work
from sanya.suites.papers.pubmed.dates import format_partial_date, format_utc_time, parse_medline_date
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

# Records use the prefix `mml` of this namespace; only the file around them declares it.
_MATHML = "http://www.w3.org/1998/Math/MathML"
_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


class BadRecord(ValueError):
    """XML that is no PubMed record; the message says what is wrong."""


def parse_element(xml: str) -> Element:
    """Parse a single element. A document type anywhere in the text is refused."""
    if "<!DOCTYPE" in xml:
        raise BadRecord("it declares a document type")
    parser = XMLParser()  # noqa: S314 - no document type, so no entities to expand
    try:
        parser.feed(f'<record xmlns:mml="{_MATHML}">')
        parser.feed(xml)
        parser.feed("</record>")
        wrapper: Element = parser.close()
    except (ParseError, ValueError) as error:
        raise BadRecord(f"its XML is not well-formed ({error})") from None
    if len(wrapper) != 1 or (wrapper.text or "").strip() or (wrapper[0].tail or "").strip():
        raise BadRecord("it is not a single XML element")
    return wrapper[0]


def parse_record(xml: str) -> PaperRecord:
    """Read a `<PubmedArticle>` or a `<PubmedBookArticle>`."""
    element = parse_element(xml)
    if element.tag == "PubmedBookArticle":
        return _read_book_record(element)
    citation = element.find("MedlineCitation")
    if element.tag != "PubmedArticle" or citation is None:
        raise BadRecord(f"<{element.tag}> is not a PubMed record")
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
        other_abstracts=tuple(_read_other_abstract(abstract) for abstract in citation.findall("OtherAbstract")),
        journal=_read_text(journal, "Title") or _read_text(citation, "MedlineJournalInfo/MedlineTA"),
        journal_abbreviation=_read_text(journal, "ISOAbbreviation")
        or _read_text(citation, "MedlineJournalInfo/MedlineTA"),
        issn=_read_text(journal, "ISSN") or _read_text(citation, "MedlineJournalInfo/ISSNLinking"),
        volume=_read_text(journal, "JournalIssue/Volume"),
        issue=_read_text(journal, "JournalIssue/Issue"),
        pages=_read_text(article, "Pagination/MedlinePgn"),
        pub_types=_read_texts(article.findall("PublicationTypeList/PublicationType")),
        mesh=tuple(_read_mesh_heading(heading) for heading in citation.findall("MeshHeadingList/MeshHeading")),
        keywords=_read_texts(citation.findall("KeywordList/Keyword")),
        authors=_read_authors(article.findall("AuthorList/Author")),
        languages=_read_texts(article.findall("Language")),
        pdat=_read_publication_date(article.find("ArticleDate"), journal.find("JournalIssue/PubDate")),
        edat=_read_entrez_date(element.findall("PubmedData/History/PubMedPubDate")),
        lr=_read_timestamp(citation.find("DateRevised")),
        pmcid=ids.get("pmc"),
        doi=ids.get("doi") or _find_doi(article.findall("ELocationID")),
        links=_read_links(citation.findall("CommentsCorrectionsList/CommentsCorrections")),
        substances=tuple(_read_substance(chemical) for chemical in citation.findall("ChemicalList/Chemical")),
        references=_read_references(element, citation),
    )


def _read_book_record(element: Element) -> PaperRecord:
    """Read a book or a chapter of the NCBI Bookshelf; the book takes the place of the journal."""
    document = element.find("BookDocument")
    if document is None:
        raise BadRecord("a <PubmedBookArticle> has no <BookDocument>")
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
    sections = (
        Section(text.get("Label") or None, text.get("NlmCategory") or None, extract_text(text)) for text in texts
    )
    return tuple(section for section in sections if section.text)


def _read_other_abstract(element: Element) -> OtherAbstract:
    texts = _read_sections(element.findall("AbstractText"))
    return OtherAbstract(element.get("Type") or None, element.get("Language") or None, texts)


def to_link_kind(ref_type: str) -> str:
    """Convert 'ExpressionOfConcernIn' to 'expression_of_concern_in'."""
    return _CAPITAL.sub("_", ref_type.replace("and", "And")).lower()


def _read_pmid(element: Element) -> str:
    pmid = _read_text(element, "PMID") or ""
    if not pmid.isascii() or not pmid.isdecimal():
        raise BadRecord(f"its PMID is {pmid[:20]!r} and not a number")
    return pmid


def _read_text(element: Element, path: str) -> str | None:
    return extract_text(element.find(path)) or None


def _read_texts(elements: Iterable[Element]) -> tuple[str, ...]:
    return tuple(text for text in map(extract_text, elements) if text)


def _read_authors(elements: Iterable[Element]) -> tuple[Author, ...]:
    parts = ("LastName", "ForeName", "Initials", "CollectiveName")
    authors = (Author(*(_read_text(element, part) for part in parts)) for element in elements)
    return tuple(author for author in authors if any(author))


def _read_mesh_heading(element: Element) -> MeshHeading:
    descriptor = element.find("DescriptorName")
    if descriptor is None:
        raise BadRecord("a <MeshHeading> has no <DescriptorName>")
    qualifiers = tuple(Qualifier(*_read_term(qualifier)) for qualifier in element.findall("QualifierName"))
    return MeshHeading(*_read_term(descriptor), qualifiers)


def _read_term(element: Element) -> tuple[str, str | None, bool]:
    return extract_text(element), element.get("UI") or None, element.get("MajorTopicYN") == "Y"


def _read_links(elements: Iterable[Element]) -> tuple[PublicationLink, ...]:
    """Read links to other publications. `Cites`, in old files, are references; `_read_references` reads those."""
    return tuple(
        PublicationLink(
            to_link_kind(element.get("RefType", "")),
            _read_text(element, "PMID"),
            _read_text(element, "RefSource") or "",
        )
        for element in elements
        if element.get("RefType") != "Cites"
    )


def _read_references(element: Element, citation: Element) -> tuple[str, ...]:
    """Read the reference list, each work once."""
    works = []
    for listed in element.findall("PubmedData/ReferenceList"):
        for reference in listed.iter("Reference"):
            ids = _read_article_ids(reference.findall("ArticleIdList/ArticleId"))
            works.append(name_cited_work(ids.get("pubmed"), ids.get("doi"), ids.get("pmc")))
    for link in citation.findall("CommentsCorrectionsList/CommentsCorrections"):
        if link.get("RefType") == "Cites":
            works.append(name_cited_work(_read_text(link, "PMID"), None, None))
    return tuple(dict.fromkeys(filter(None, works)))


def _read_substance(element: Element) -> Substance:
    name = element.find("NameOfSubstance")
    ui = None if name is None else name.get("UI") or None
    return Substance(extract_text(name), ui, _read_text(element, "RegistryNumber"))


def _read_publication_date(article_date: Element | None, issue_date: Element | None) -> str | None:
    for element in (article_date, issue_date):
        if element is not None:
            date = format_partial_date(*(_read_text(element, part) for part in ("Year", "Month", "Day")))
            date = date or parse_medline_date(_read_text(element, "MedlineDate") or "")
            if date:
                return date
    return None


def _read_entrez_date(elements: Iterable[Element]) -> str | None:
    by_status = {element.get("PubStatus"): element for element in elements}
    return _read_timestamp(by_status.get("entrez", by_status.get("pubmed")))


def _read_timestamp(element: Element | None) -> str | None:
    if element is None:
        return None
    return format_utc_time(*(_read_text(element, part) for part in ("Year", "Month", "Day", "Hour", "Minute")))


def _read_article_ids(elements: Iterable[Element]) -> dict[str | None, str]:
    return {element.get("IdType"): text for element in elements if (text := extract_text(element))}


def _find_doi(elements: Iterable[Element]) -> str | None:
    return next(
        (text for element in elements if element.get("EIdType") == "doi" and (text := extract_text(element))), None
    )
