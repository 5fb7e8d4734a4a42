"""A PubMed record from its XML, in whatever way that is written. `pubmed_usual` reads the usual way of writing faster
and gives the same.

The XML is of one record, cut out of its file: there is no DTD, so an entity cannot be declared, let alone expanded or
fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element, ParseError, XMLParser

from sanya.suites.papers.pubmed_dates import medline_date, moment, partial_date
from sanya.suites.papers.pubmed_markup import text_of
from sanya.suites.papers.record import (
    Author,
    Link,
    MeshHeading,
    OtherAbstract,
    Qualifier,
    Record,
    Section,
    Substance,
)

# Records name MathML by this prefix, which their file declares.
_MATHML = "http://www.w3.org/1998/Math/MathML"
_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


class BadRecord(ValueError):
    """XML that is no record; the message says what is wrong with it."""


def element_of(xml: str) -> Element:
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


def record_of_xml(xml: str) -> Record:
    """Reads `<PubmedArticle>` and `<PubmedBookArticle>`."""
    element = element_of(xml)
    if element.tag == "PubmedBookArticle":
        return _book_record(element)
    citation = element.find("MedlineCitation")
    if element.tag != "PubmedArticle" or citation is None:
        raise BadRecord(f"<{element.tag}> is no PubMed record")
    article = citation.find("Article")
    article = Element("Article") if article is None else article
    journal = article.find("Journal")
    journal = Element("Journal") if journal is None else journal
    ids = _article_ids(element.findall("PubmedData/ArticleIdList/ArticleId"))
    return Record(
        pmid=_pmid(citation),
        title=text_of(article.find("ArticleTitle")) or None,
        vernacular_title=text_of(article.find("VernacularTitle")) or None,
        sections=sections_of(article.findall("Abstract/AbstractText")),
        other_abstracts=tuple(other_abstract_of(one) for one in citation.findall("OtherAbstract")),
        journal=_text(journal, "Title") or _text(citation, "MedlineJournalInfo/MedlineTA"),
        journal_abbreviation=_text(journal, "ISOAbbreviation") or _text(citation, "MedlineJournalInfo/MedlineTA"),
        issn=_text(journal, "ISSN") or _text(citation, "MedlineJournalInfo/ISSNLinking"),
        volume=_text(journal, "JournalIssue/Volume"),
        issue=_text(journal, "JournalIssue/Issue"),
        pages=_text(article, "Pagination/MedlinePgn"),
        pub_types=_texts(article.findall("PublicationTypeList/PublicationType")),
        mesh=tuple(_mesh_heading(one) for one in citation.findall("MeshHeadingList/MeshHeading")),
        keywords=_texts(citation.findall("KeywordList/Keyword")),
        authors=_authors(article.findall("AuthorList/Author")),
        languages=_texts(article.findall("Language")),
        pdat=_publication_date(article.find("ArticleDate"), journal.find("JournalIssue/PubDate")),
        edat=_entrez_date(element.findall("PubmedData/History/PubMedPubDate")),
        lr=_moment(citation.find("DateRevised")),
        pmcid=ids.get("pmc"),
        doi=ids.get("doi") or _located_doi(article.findall("ELocationID")),
        links=_links(citation.findall("CommentsCorrectionsList/CommentsCorrections")),
        substances=tuple(_substance(one) for one in citation.findall("ChemicalList/Chemical")),
    )


def _book_record(element: Element) -> Record:
    """A chapter or a book of the NCBI Bookshelf: the book stands where an article has its journal."""
    document = element.find("BookDocument")
    if document is None:
        raise BadRecord("<PubmedBookArticle> without a <BookDocument>")
    book = document.find("Book")
    book = Element("Book") if book is None else book
    ids = _article_ids(element.findall("PubmedBookData/ArticleIdList/ArticleId"))
    return Record(
        pmid=_pmid(document),
        title=text_of(document.find("ArticleTitle")) or text_of(book.find("BookTitle")) or None,
        vernacular_title=text_of(document.find("VernacularTitle")) or None,
        sections=sections_of(document.findall("Abstract/AbstractText")),
        journal=text_of(book.find("BookTitle")) or None,
        pages=_text(document, "Pagination/MedlinePgn"),
        pub_types=_texts(document.findall("PublicationType")),
        keywords=_texts(document.findall("KeywordList/Keyword")),
        authors=_authors(document.findall("AuthorList/Author") or book.findall("AuthorList/Author")),
        languages=_texts(document.findall("Language")),
        pdat=_publication_date(document.find("ContributionDate"), book.find("PubDate")),
        edat=_entrez_date(element.findall("PubmedBookData/History/PubMedPubDate")),
        lr=_moment(document.find("DateRevised")),
        pmcid=ids.get("pmc"),
        doi=ids.get("doi"),
    )


def sections_of(texts: Iterable[Element]) -> tuple[Section, ...]:
    sections = ((one.get("Label") or None, one.get("NlmCategory") or None, text_of(one)) for one in texts)
    return tuple(Section(*one) for one in sections if one[2])


def other_abstract_of(element: Element) -> OtherAbstract:
    texts = sections_of(element.findall("AbstractText"))
    return OtherAbstract(element.get("Type") or None, element.get("Language") or None, texts)


def link_kind(ref_type: str) -> str:
    """'ExpressionOfConcernIn' as 'expression_of_concern_in'."""
    return _CAPITAL.sub("_", ref_type.replace("and", "And")).lower()


def _pmid(element: Element) -> str:
    pmid = _text(element, "PMID") or ""
    if not pmid.isascii() or not pmid.isdecimal():
        raise BadRecord(f"a PMID is digits, not {pmid[:20]!r}")
    return pmid


def _text(element: Element, path: str) -> str | None:
    return text_of(element.find(path)) or None


def _texts(elements: Iterable[Element]) -> tuple[str, ...]:
    return tuple(text for text in map(text_of, elements) if text)


def _authors(elements: Iterable[Element]) -> tuple[Author, ...]:
    parts = ("LastName", "ForeName", "Initials", "CollectiveName")
    found = (Author(*(_text(one, part) for part in parts)) for one in elements)
    return tuple(one for one in found if any(one))


def _mesh_heading(element: Element) -> MeshHeading:
    descriptor = element.find("DescriptorName")
    if descriptor is None:
        raise BadRecord("a <MeshHeading> without a <DescriptorName>")
    qualifiers = tuple(Qualifier(*_term(one)) for one in element.findall("QualifierName"))
    return MeshHeading(*_term(descriptor), qualifiers)


def _term(element: Element) -> tuple[str, str | None, bool]:
    return text_of(element), element.get("UI") or None, element.get("MajorTopicYN") == "Y"


def _links(elements: Iterable[Element]) -> tuple[Link, ...]:
    """What old files list as `Cites` are references, which say nothing about the record itself."""
    return tuple(
        Link(link_kind(one.get("RefType", "")), _text(one, "PMID"), _text(one, "RefSource") or "")
        for one in elements
        if one.get("RefType") != "Cites"
    )


def _substance(element: Element) -> Substance:
    name = element.find("NameOfSubstance")
    ui = None if name is None else name.get("UI") or None
    return Substance(text_of(name), ui, _text(element, "RegistryNumber"))


def _publication_date(article_date: Element | None, issue_date: Element | None) -> str | None:
    for one in (article_date, issue_date):
        if one is not None:
            found = partial_date(_text(one, "Year"), _text(one, "Month"), _text(one, "Day"))
            found = found or medline_date(_text(one, "MedlineDate") or "")
            if found:
                return found
    return None


def _entrez_date(elements: Iterable[Element]) -> str | None:
    found = {one.get("PubStatus"): one for one in elements}
    return _moment(found.get("entrez", found.get("pubmed")))


def _moment(element: Element | None) -> str | None:
    if element is None:
        return None
    return moment(*(_text(element, part) for part in ("Year", "Month", "Day", "Hour", "Minute")))


def _article_ids(elements: Iterable[Element]) -> dict[str | None, str]:
    return {one.get("IdType"): text_of(one) for one in elements if text_of(one)}


def _located_doi(elements: Iterable[Element]) -> str | None:
    return next((text_of(one) for one in elements if one.get("EIdType") == "doi" and text_of(one)), None)
