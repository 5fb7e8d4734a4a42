"""Reads records as the National Library of Medicine writes them, several times faster than an XML parser can.

It walks over the elements once, from each to the next. What comes again and again in a file (tags, journals, headings,
substances, days) is read once and remembered. Whatever is written in another way gives None, and `pubmed_xml` reads it:
the two agree on every record that this one reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from sanya.suites.papers.pubmed_dates import medline_date, moment, partial_date
from sanya.suites.papers.pubmed_markup import single_blanks, text_of
from sanya.suites.papers.pubmed_xml import BadRecord, element_of, link_kind, other_abstract_of
from sanya.suites.papers.record import Author, Link, MeshHeading, Qualifier, Record, Section, Substance

_LESS = "\x01"  # stands for &lt; while the text is cut up; XML cannot hold this character
# Words with single blanks between them, no markup: a text that needs no more work.
_WORDS = rf"[^< \t\n\r{_LESS}]++(?: [^< \t\n\r{_LESS}]++)*+"
_DAY = r"\s*<Year>(\d{4})</Year>\s*<Month>(\w+)</Month>\s*<Day>(\d+)</Day>\s*"
_HEAD = re.compile(r"<PubmedArticle>\s*<MedlineCitation [^<>]*>\s*<PMID[^<>]*>(\d+)</PMID>")
_TAG = re.compile(r"<(\w+)(?: [^<>]*)?(?<!/)>")
_BETWEEN = re.compile(r"</MedlineCitation>\s*<PubmedData>")
_END = re.compile(r"</PubmedData>\s*</PubmedArticle>")
_WHOLE_DAY = re.compile(_DAY)
_JOURNAL = re.compile(
    rf"\s*(?:<ISSN[^<>]*>({_WORDS})</ISSN>\s*)?<JournalIssue [^<>]*>\s*"
    rf"(?:<Volume>({_WORDS})</Volume>\s*)?(?:<Issue>({_WORDS})</Issue>\s*)?"
    r"<PubDate>\s*(?:<Year>(\d{4})</Year>\s*(?:<Month>(\w+)</Month>\s*(?:<Day>(\d+)</Day>\s*)?)?"
    rf"(?:<Season>\w+</Season>\s*)?|<MedlineDate>({_WORDS})</MedlineDate>\s*)</PubDate>\s*</JournalIssue>\s*"
    rf"<Title>({_WORDS})</Title>\s*(?:<ISOAbbreviation>({_WORDS})</ISOAbbreviation>\s*)?"
)
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
    rf"(?:<NlmUniqueID>[^<]*</NlmUniqueID>\s*)?(?:<ISSNLinking>({_WORDS})</ISSNLinking>\s*)?"
)
_SUBSTANCE = re.compile(
    rf"\s*<Chemical>\s*<RegistryNumber>({_WORDS})</RegistryNumber>\s*"
    rf'<NameOfSubstance UI="(\w+)">({_WORDS})</NameOfSubstance>\s*'
)
_LINK = re.compile(
    rf'<CommentsCorrections RefType="(\w+)">\s*<RefSource>({_WORDS})</RefSource>\s*(?:<PMID[^<>]*>(\d+)</PMID>)?'
)
_TERM = rf'Name UI="(\w+)" MajorTopicYN="([YN])"(?: Type="\w+")?>({_WORDS})'
# A heading in pieces, which it falls into at each closing tag.
_DESCRIPTOR = re.compile(rf"\s*<MeshHeading>\s*<Descriptor{_TERM}")
_QUALIFIER = re.compile(rf"(?:Descriptor|Qualifier)Name>\s*<Qualifier{_TERM}")
_HEADING_END = re.compile(r"(?:Descriptor|Qualifier)Name>\s*")
_KEYWORD = re.compile(rf"<Keyword [^<>]*>({_WORDS})<")
_ENTREZ_TAG = '<PubMedPubDate PubStatus="entrez">'
_ENTREZ = re.compile(rf"{_DAY}(?:<Hour>(\d+)</Hour>\s*(?:<Minute>(\d+)</Minute>\s*)?)?")
_ARTICLE_ID = re.compile(rf'<ArticleId IdType="(\w+)">({_WORDS})<')
_ENTITIES = {"amp;": "&", "lt;": _LESS, "gt;": ">", "quot;": '"', "apos;": "'"}
_REMEMBERED = 50_000
_REMEMBERED_NEAR = 2_000  # of what comes again soon, and seldom later

Values = dict[str, Any]


class _Unusual(Exception):
    """Something is written otherwise than usual."""


def record_of_plain(xml: str) -> Record | None:
    """The record, or None where it is not written as usual."""
    # The single characters first: to look for one costs next to nothing, and most records have none of them.
    if ("!" in xml and "<!" in xml) or ("?" in xml and "<?" in xml) or _LESS in xml:
        return None
    try:
        values = _read(_without_entities(xml) if "&" in xml else xml)
    except (_Unusual, BadRecord):
        return None
    # As `Record(**values)`, in a tenth of the time: what is missing has its default on the class.
    record = object.__new__(Record)
    record.__dict__.update(values)
    return record


def _without_entities(xml: str) -> str:
    first, *rest = xml.split("&")
    parted = [one.partition(";") for one in rest]
    try:
        return first + "".join([_ENTITIES[name + end] + text for name, end, text in parted])
    except KeyError:
        raise _Unusual from None


def _read(xml: str) -> Values:
    head = _HEAD.match(xml)
    if head is None:
        raise _Unusual
    values: Values = {"pmid": head[1]}
    between = _BETWEEN.match(xml, _walk(xml, head.end(), _CITATION, values))
    if between is None or _END.match(xml, _walk(xml, between.end(), _DATA, values)) is None:
        raise _Unusual
    if "journal" not in values:
        raise _Unusual
    return values


Reading = Callable[[Values, str, int, int], None]


class _Elements(dict[str, tuple[Reading | None, str, int]]):
    """What may stand in one part of a record. For each opening tag, as it is written: what reads the element, its
    closing tag, and how long that is."""

    def __init__(self, readings: Mapping[str, Reading | None]) -> None:
        super().__init__()
        self._readings = readings

    def __missing__(self, tag: str) -> tuple[Reading | None, str, int]:
        found = _TAG.fullmatch(tag)
        if found is None or found[1] not in self._readings:
            raise _Unusual
        closing = f"</{found[1]}>"
        element = self._readings[found[1]], closing, len(closing)
        if len(self) < _REMEMBERED_NEAR:
            self[tag] = element
        return element


def _walk(xml: str, at: int, elements: _Elements, values: Values) -> int:
    """Reads elements, one after the other, up to a closing tag, before which it stops."""
    find = xml.find
    while True:
        start = find("<", at)
        if start != at and not xml[at:start].isspace():
            raise _Unusual
        if xml[start + 1] == "/":
            return start
        inside = find(">", start) + 1
        read, closing, length = elements[xml[start:inside]]
        end = find(closing, inside)
        if end < 0:
            raise _Unusual
        if read is not None:
            read(values, xml, inside, end)
        at = end + length


def _text(text: str) -> str | None:
    """A field's text; markup in it is read by the XML parser."""
    if "<" in text:
        return text_of(element_of(f"<text>{_escaped(text)}</text>")) or None
    if _LESS in text:
        text = text.replace(_LESS, "<")
    return single_blanks(text) or None


def _escaped(markup: str) -> str:
    return markup.replace("&", "&amp;").replace(_LESS, "&lt;")


def _revised(values: Values, xml: str, start: int, end: int) -> None:
    values["lr"] = _moment(_WHOLE_DAY, xml[start:end])


@lru_cache(_REMEMBERED)
def _moment(pattern: re.Pattern[str], block: str) -> str | None:
    found = pattern.fullmatch(block)
    if found is None:
        raise _Unusual
    return moment(*found.groups())


def _article(values: Values, xml: str, start: int, end: int) -> None:
    if _walk(xml, start, _ARTICLE, values) != end:
        raise _Unusual


def _journal(values: Values, xml: str, start: int, end: int) -> None:
    values |= _journal_values(xml[start:end])


@lru_cache(_REMEMBERED_NEAR)
def _journal_values(block: str) -> Values:
    """Those who share an issue stand side by side in a file."""
    found = _JOURNAL.fullmatch(block)
    if found is None:
        raise _Unusual
    issn, volume, issue, year, month, day, words, journal, abbreviation = found.groups()
    pdat = partial_date(year, month, day) if year else medline_date(words or "")
    return {
        "issn": issn,
        "volume": volume,
        "issue": issue,
        "journal": journal,
        "journal_abbreviation": abbreviation,
        "pdat": pdat,
    }


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
    found = _AUTHOR.findall(xml, start, end)
    if len(found) != xml.count("</Author>", start, end):
        raise _Unusual
    values["authors"] = tuple(
        [Author(last or None, fore or None, initials or None, group or None) for last, fore, initials, group in found]
    )


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
    found = _WHOLE_DAY.fullmatch(xml, start, end)
    if found is None:
        raise _Unusual
    values["pdat"] = partial_date(*found.groups())


def _journal_info(values: Values, xml: str, start: int, end: int) -> None:
    abbreviation, issn = _info(xml[start:end])
    if abbreviation and not values.get("journal_abbreviation"):
        values["journal_abbreviation"] = abbreviation
    if issn and not values.get("issn"):
        values["issn"] = issn


@lru_cache(_REMEMBERED)
def _info(block: str) -> tuple[str | None, str | None]:
    found = _JOURNAL_INFO.fullmatch(block)
    if found is None:
        raise _Unusual
    return found[1], found[2]


class _Members(dict[str, Any]):
    """The members of a list, each as it is written up to its closing tag: most were read before."""

    def __init__(self, read: Callable[[str], Any]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, xml: str) -> Any:
        if len(self) >= _REMEMBERED:
            self.clear()
        found = self[xml] = self._read(xml)
        return found

    def of(self, xml: str, start: int, end: int, closing: str) -> tuple[Any, ...]:
        *members, rest = xml[start:end].split(closing)
        if rest.strip():
            raise _Unusual
        return tuple(map(self.__getitem__, members))


def _substance(xml: str) -> Substance:
    found = _SUBSTANCE.fullmatch(xml)
    if found is None:
        raise _Unusual
    return Substance(found[3], found[2], found[1])


def _heading(xml: str) -> MeshHeading:
    descriptor, *qualifiers, end = xml.split("</")
    if not _HEADING_END.fullmatch(end):
        raise _Unusual
    name, ui, is_major = _known_descriptors[descriptor]
    return MeshHeading(name, ui, is_major, tuple(map(_known_qualifiers.__getitem__, qualifiers)))


def _descriptor(xml: str) -> tuple[str, str, bool]:
    found = _DESCRIPTOR.fullmatch(xml)
    if found is None:
        raise _Unusual
    return found[3], found[1], found[2] == "Y"


def _qualifier(xml: str) -> Qualifier:
    found = _QUALIFIER.fullmatch(xml)
    if found is None:
        raise _Unusual
    return Qualifier(found[3], found[1], found[2] == "Y")


_known_substances = _Members(_substance)
_known_headings = _Members(_heading)
_known_descriptors = _Members(_descriptor)
_known_qualifiers = _Members(_qualifier)


def _substances(values: Values, xml: str, start: int, end: int) -> None:
    values["substances"] = _known_substances.of(xml, start, end, "</Chemical>")


def _mesh(values: Values, xml: str, start: int, end: int) -> None:
    values["mesh"] = _known_headings.of(xml, start, end, "</MeshHeading>")


def _links(values: Values, xml: str, start: int, end: int) -> None:
    found = _LINK.findall(xml, start, end)
    if len(found) != xml.count("</CommentsCorrections>", start, end):
        raise _Unusual
    values["links"] = tuple(Link(_kind(kind), pmid or None, source) for kind, source, pmid in found if kind != "Cites")


_kind = lru_cache(100)(link_kind)


def _other_abstract(values: Values, xml: str, start: int, end: int) -> None:
    part = xml[xml.rfind("<OtherAbstract", 0, start) : end]
    read = other_abstract_of(element_of(f"{_escaped(part)}</OtherAbstract>"))
    values["other_abstracts"] = (*values.get("other_abstracts", ()), read)


def _keywords(values: Values, xml: str, start: int, end: int) -> None:
    found = _each(_KEYWORD, block := xml[start:end], block.count("</Keyword>"))
    values["keywords"] = values.get("keywords", ()) + found


def _history(values: Values, xml: str, start: int, end: int) -> None:
    at = xml.find(_ENTREZ_TAG, start, end)
    if at < 0:
        raise _Unusual
    at += len(_ENTREZ_TAG)
    values["edat"] = _moment(_ENTREZ, xml[at : xml.find("</PubMedPubDate>", at, end)])


def _ids(values: Values, xml: str, start: int, end: int) -> None:
    found = _ARTICLE_ID.findall(xml, start, end)
    if len(found) != xml.count("</ArticleId>", start, end):
        raise _Unusual
    for kind, value in found:
        if kind in ("doi", "pmc"):
            values["pmcid" if kind == "pmc" else kind] = value


# The elements that stand in each part of a record; those without a reader are passed over.
_ARTICLE = _Elements(
    {
        "Journal": _journal,
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
)
_CITATION = _Elements(
    {
        "DateCompleted": None,
        "DateRevised": _revised,
        "Article": _article,
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
)
_DATA = _Elements(
    {
        "History": _history,
        "PublicationStatus": None,
        "ArticleIdList": _ids,
        "ObjectList": None,
        "ReferenceList": None,
    }
)
