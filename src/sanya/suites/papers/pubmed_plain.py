"""Reads records as the National Library of Medicine writes them, several times faster than an XML parser can.

It walks over the elements once, from each to the next. What comes again and again in a file (types, headings,
substances) is read once and remembered. Whatever is written in another way gives None, and `pubmed_xml` reads it: the
two agree on every record that this one reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from itertools import starmap
from typing import Any

from sanya.suites.papers.pubmed_dates import medline_date, moment, partial_date
from sanya.suites.papers.pubmed_markup import single_blanks, text_of
from sanya.suites.papers.pubmed_xml import BadRecord, element_of, link_kind, other_abstract_of
from sanya.suites.papers.record import Author, Link, MeshHeading, Qualifier, Record, Section, Substance

_LESS = "\x01"  # stands for &lt; while the text is cut up; XML cannot hold this character
# Words with single blanks between them, no markup: a text that needs no more work.
_WORDS = rf"[^< \t\n\r{_LESS}]++(?: [^< \t\n\r{_LESS}]++)*+"
_DAY = r"\s*<Year>(\d{4})</Year>\s*<Month>(\w+)</Month>\s*<Day>(\d+)</Day>\s*"
_HEAD = re.compile(
    r"<PubmedArticle>\s*<MedlineCitation [^<>]*>\s*<PMID[^<>]*>(\d+)</PMID>\s*"
    r"(?:<DateCompleted>(?:\s*<\w+>\w+</\w+>)*\s*</DateCompleted>\s*)?"
    rf"(?:<DateRevised>{_DAY}</DateRevised>\s*)?"
    rf"<Article [^<>]*>\s*<Journal>\s*(?:<ISSN[^<>]*>({_WORDS})</ISSN>\s*)?<JournalIssue [^<>]*>\s*"
    rf"(?:<Volume>({_WORDS})</Volume>\s*)?(?:<Issue>({_WORDS})</Issue>\s*)?"
    r"<PubDate>\s*(?:<Year>(\d{4})</Year>\s*(?:<Month>(\w+)</Month>\s*(?:<Day>(\d+)</Day>\s*)?)?"
    rf"(?:<Season>\w+</Season>\s*)?|<MedlineDate>({_WORDS})</MedlineDate>\s*)</PubDate>\s*</JournalIssue>\s*"
    rf"<Title>({_WORDS})</Title>\s*(?:<ISOAbbreviation>({_WORDS})</ISOAbbreviation>\s*)?</Journal>\s*"
)
_HEAD_NAMES = ("pmid", "issn", "volume", "issue", "journal", "journal_abbreviation")
_OPENING = re.compile(r"\s*<(\w+)(?: [^<>]*)?(?<!/)>")
_BETWEEN = re.compile(r"\s*</MedlineCitation>\s*<PubmedData>")
_END = re.compile(r"\s*</PubmedData>\s*</PubmedArticle>")
_PAGES = re.compile(rf"\s*(?:<StartPage>[^<]*</StartPage>\s*(?:<EndPage>[^<]*</EndPage>\s*)?)?<MedlinePgn>({_WORDS})<")
_ABSTRACT_TEXT = re.compile(
    r'\s*<AbstractText(?: Label="([^"<\t\n]*)")?(?: NlmCategory="([^"<\t\n]*)")?>'
    r"([^<]*(?:<(?!/?AbstractText)[^<]*)*)</AbstractText>"
)
_AUTHOR = re.compile(
    rf"<Author [^<>]*>\s*<(?:LastName>({_WORDS})</LastName>\s*(?:<ForeName>({_WORDS})</ForeName>\s*)?"
    rf"(?:<Initials>({_WORDS})</Initials>)?|CollectiveName>({_WORDS})</CollectiveName>)"
)
_PUB_TYPE = re.compile(rf"<PublicationType [^<>]*>({_WORDS})<")
_JOURNAL_INFO = re.compile(
    rf"\s*(?:<Country>[^<]*</Country>\s*)?<MedlineTA>({_WORDS})</MedlineTA>[^<]*"
    rf"(?:<NlmUniqueID>[^<]*</NlmUniqueID>\s*)?(?:<ISSNLinking>({_WORDS})</ISSNLinking>\s*)?$"
)
_SUBSTANCE = re.compile(
    rf"<Chemical>\s*<RegistryNumber>({_WORDS})</RegistryNumber>\s*"
    rf'<NameOfSubstance UI="(\w+)">({_WORDS})</NameOfSubstance>'
)
_LINK = re.compile(
    rf'<CommentsCorrections RefType="(\w+)">\s*<RefSource>({_WORDS})</RefSource>\s*(?:<PMID[^<>]*>(\d+)</PMID>)?'
)
_TERM = rf'Name UI="(\w+)" MajorTopicYN="([YN])"(?: Type="\w+")?>({_WORDS})</'
_HEADING = re.compile(
    rf"<MeshHeading>\s*<Descriptor{_TERM}DescriptorName>\s*((?:<Qualifier[^<]*</QualifierName>\s*)*)</M"
)
_QUALIFIER = re.compile(f"<Qualifier{_TERM}")
_KEYWORD = re.compile(rf"<Keyword [^<>]*>({_WORDS})<")
_ENTREZ = re.compile(
    rf'<PubMedPubDate PubStatus="entrez">{_DAY}(?:<Hour>(\d+)</Hour>\s*(?:<Minute>(\d+)</Minute>\s*)?)?</PubMedPubDate>'
)
_ARTICLE_ID = re.compile(rf'<ArticleId IdType="(\w+)">({_WORDS})<')
_STRANGE_ENTITY = re.compile("&(?!(?:amp|lt|gt|quot|apos);)")
_REMEMBERED = 20_000

Values = dict[str, Any]
_author = partial(tuple.__new__, Author)


class _Unusual(Exception):
    """Something is written otherwise than usual."""


def record_of_plain(xml: str) -> Record | None:
    """The record, or None where it is not written as usual."""
    # The single characters first: to look for one costs next to nothing, and most records have none of them.
    if ("!" in xml and "<!" in xml) or ("?" in xml and "<?" in xml) or _LESS in xml:
        return None
    if "&" in xml:
        if _STRANGE_ENTITY.search(xml):
            return None
        xml = xml.replace("&lt;", _LESS).replace("&gt;", ">").replace("&quot;", '"').replace("&apos;", "'")
        xml = xml.replace("&amp;", "&")
    try:
        values = _read(xml)
    except (_Unusual, BadRecord):
        return None
    # As `Record(**values)`, in a tenth of the time: what is missing has its default on the class.
    record = object.__new__(Record)
    record.__dict__.update(values)
    return record


def _read(xml: str) -> Values:
    head = _HEAD.match(xml)
    if head is None:
        raise _Unusual
    pmid, year, month, day, issn, volume, issue, *dates, journal, abbreviation = head.groups()
    values: Values = dict(
        zip(_HEAD_NAMES, (pmid, issn, volume, issue, journal, abbreviation), strict=True),
        pdat=_issue_date(*dates),
        lr=moment(year, month, day) if year else None,
    )
    at = _walk(xml, head.end(), _ARTICLE, values)
    if not xml.startswith("</Article>", at):
        raise _Unusual
    between = _BETWEEN.match(xml, _walk(xml, at + 10, _CITATION, values))
    if between is None or _END.match(xml, _walk(xml, between.end(), _DATA, values)) is None:
        raise _Unusual
    return values


def _walk(xml: str, at: int, parts: Mapping[str, Reading | None], values: Values) -> int:
    """Reads elements, one after the other, up to a closing tag, before which it stops."""
    while (opening := _OPENING.match(xml, at)) is not None:
        name = opening[1]
        start = opening.end()
        end = xml.find(_closing(name), start)
        if end < 0 or name not in parts:
            raise _Unusual
        read = parts[name]
        if read is not None:
            read(values, xml, start, end)
        at = end + len(name) + 3
    return _skip_blanks(xml, at)


def _skip_blanks(xml: str, at: int) -> int:
    found = xml.find("<", at)
    if found < 0 or xml[at:found].strip():
        raise _Unusual
    return found


@lru_cache(100)
def _closing(name: str) -> str:
    return f"</{name}>"


def _text(text: str) -> str | None:
    """A field's text; markup in it is read by the XML parser."""
    if "<" in text:
        return text_of(element_of(f"<text>{_escaped(text)}</text>")) or None
    if _LESS in text:
        text = text.replace(_LESS, "<")
    return single_blanks(text) or None


def _escaped(markup: str) -> str:
    return markup.replace("&", "&amp;").replace(_LESS, "&lt;")


def _issue_date(year: str | None, month: str | None, day: str | None, words: str | None) -> str | None:
    return partial_date(year, month, day) if year else medline_date(words or "")


def _title(values: Values, xml: str, start: int, end: int) -> None:
    values["title"] = _text(xml[start:end])


def _vernacular_title(values: Values, xml: str, start: int, end: int) -> None:
    values["vernacular_title"] = _text(xml[start:end])


def _pages(values: Values, xml: str, start: int, end: int) -> None:
    found = _PAGES.match(xml, start, end)
    if found is None:
        raise _Unusual
    values["pages"] = found[1]


def _location(values: Values, xml: str, start: int, end: int) -> None:
    if 'EIdType="doi"' in xml[xml.rfind("<", 0, start) : start]:
        values.setdefault("doi", _text(xml[start:end]))


def _abstract(values: Values, xml: str, start: int, end: int) -> None:
    found = []
    while (one := _ABSTRACT_TEXT.match(xml, start, end)) is not None:
        text = _text(one[3])
        if text:
            found.append(Section(_attribute(one[1]), _attribute(one[2]), text))
        start = one.end()
    if xml.find("<AbstractText", start, end) >= 0:
        raise _Unusual
    values["sections"] = tuple(found)


def _attribute(text: str | None) -> str | None:
    return text.replace(_LESS, "<") if text else None


def _authors(values: Values, xml: str, start: int, end: int) -> None:
    found = [one.groups() for one in _AUTHOR.finditer(xml, start, end)]
    if len(found) != xml.count("</Author>", start, end):
        raise _Unusual
    values["authors"] = tuple(map(_author, found))


def _language(values: Values, xml: str, start: int, end: int) -> None:
    text = _text(xml[start:end])
    values["languages"] = (*values.get("languages", ()), *((text,) if text else ()))


def _pub_types(values: Values, xml: str, start: int, end: int) -> None:
    values["pub_types"] = _types(xml[start:end])


@lru_cache(_REMEMBERED)
def _types(block: str) -> tuple[str, ...]:
    return _each(_PUB_TYPE, block, block.count("</"))


def _each(pattern: re.Pattern[str], block: str, number: int) -> tuple[str, ...]:
    found = pattern.findall(block)
    if len(found) != number:
        raise _Unusual
    return tuple(found)


def _article_date(values: Values, xml: str, start: int, end: int) -> None:
    found = _DAY_ALONE.fullmatch(xml, start, end)
    if found is None:
        raise _Unusual
    values["pdat"] = partial_date(*found.groups())


_DAY_ALONE = re.compile(_DAY)


def _journal_info(values: Values, xml: str, start: int, end: int) -> None:
    abbreviation, issn = _info(xml[start:end])
    values["journal_abbreviation"] = values["journal_abbreviation"] or abbreviation
    values["issn"] = values["issn"] or issn


@lru_cache(_REMEMBERED)
def _info(block: str) -> tuple[str | None, str | None]:
    found = _JOURNAL_INFO.match(block)
    if found is None:
        raise _Unusual
    return found[1], found[2]


def _substances(values: Values, xml: str, start: int, end: int) -> None:
    found = _SUBSTANCE.findall(xml, start, end)
    if len(found) != xml.count("</Chemical>", start, end):
        raise _Unusual
    values["substances"] = tuple(starmap(_substance, found))


@lru_cache(_REMEMBERED)
def _substance(number: str, ui: str, name: str) -> Substance:
    return Substance(name, ui, number)


def _links(values: Values, xml: str, start: int, end: int) -> None:
    found = _LINK.findall(xml, start, end)
    if len(found) != xml.count("</CommentsCorrections>", start, end):
        raise _Unusual
    values["links"] = tuple(Link(_kind(kind), pmid or None, source) for kind, source, pmid in found if kind != "Cites")


_kind = lru_cache(100)(link_kind)


def _mesh(values: Values, xml: str, start: int, end: int) -> None:
    found = _HEADING.findall(xml, start, end)
    if len(found) != xml.count("</MeshHeading>", start, end):
        raise _Unusual
    values["mesh"] = tuple(starmap(_heading, found))


@lru_cache(_REMEMBERED)
def _heading(ui: str, major: str, name: str, qualifiers: str) -> MeshHeading:
    return MeshHeading(name, ui, major == "Y", _qualifiers(qualifiers) if qualifiers else ())


@lru_cache(_REMEMBERED)
def _qualifiers(block: str) -> tuple[Qualifier, ...]:
    found = _QUALIFIER.findall(block)
    if len(found) != block.count("</"):
        raise _Unusual
    return tuple(Qualifier(name, ui, major == "Y") for ui, major, name in found)


def _other_abstract(values: Values, xml: str, start: int, end: int) -> None:
    part = xml[xml.rfind("<OtherAbstract", 0, start) : end]
    read = other_abstract_of(element_of(f"{_escaped(part)}</OtherAbstract>"))
    values["other_abstracts"] = (*values.get("other_abstracts", ()), read)


def _keywords(values: Values, xml: str, start: int, end: int) -> None:
    found = _each(_KEYWORD, block := xml[start:end], block.count("</Keyword>"))
    values["keywords"] = values.get("keywords", ()) + found


def _history(values: Values, xml: str, start: int, end: int) -> None:
    at = xml.find('<PubMedPubDate PubStatus="entrez">', start, end)
    found = _ENTREZ.match(xml, at) if at >= 0 else None
    if found is None:
        raise _Unusual
    values["edat"] = moment(*found.groups())


def _ids(values: Values, xml: str, start: int, end: int) -> None:
    found = _ARTICLE_ID.findall(xml, start, end)
    if len(found) != xml.count("</ArticleId>", start, end):
        raise _Unusual
    for kind, value in found:
        if kind in ("doi", "pmc"):
            values["pmcid" if kind == "pmc" else kind] = value


Reading = Callable[[Values, str, int, int], None]
# The elements that stand in each part of a record; those without a reader are passed over.
_ARTICLE: dict[str, Reading | None] = {
    "ArticleTitle": _title,
    "Pagination": _pages,
    "ELocationID": _location,
    "Abstract": _abstract,
    "AuthorList": _authors,
    "Language": _language,
    "DataBankList": None,
    "GrantList": None,
    "PublicationTypeList": _pub_types,
    "VernacularTitle": _vernacular_title,
    "ArticleDate": _article_date,
}
_CITATION: dict[str, Reading | None] = {
    "MedlineJournalInfo": _journal_info,
    "ChemicalList": _substances,
    "SupplMeshList": None,
    "CitationSubset": None,
    "CommentsCorrectionsList": _links,
    "GeneSymbolList": None,
    "MeshHeadingList": _mesh,
    "NumberOfReferences": None,
    "PersonalNameSubjectList": None,
    "OtherID": None,
    "OtherAbstract": _other_abstract,
    "KeywordList": _keywords,
    "CoiStatement": None,
    "SpaceFlightMission": None,
    "InvestigatorList": None,
    "GeneralNote": None,
}
_DATA: dict[str, Reading | None] = {
    "History": _history,
    "PublicationStatus": None,
    "ArticleIdList": _ids,
    "ObjectList": None,
    "ReferenceList": None,
}
