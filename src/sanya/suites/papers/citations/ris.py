"""RIS: the tagged format that EndNote, Zotero, Mendeley and most databases read."""

from __future__ import annotations

from collections.abc import Iterator

from sanya.suites.papers.citations.reference import Reference
from sanya.suites.papers.pubmed.record import Author


def format_ris(reference: Reference) -> str:
    lines = [f"{tag}  - {_join_lines(value)}" for tag, value in _list_fields(reference) if value]
    return "\r\n".join(["TY  - JOUR", *lines, "ER  - "])


def _list_fields(reference: Reference) -> Iterator[tuple[str, str | None]]:
    record, pages = reference.record, reference.pages
    for author in record.authors:
        yield "AU", _format_author(author)
    yield "TI", reference.title
    yield "JF", record.journal
    yield "JA", record.journal_abbreviation
    if reference.date_parts:
        year, month, day = (*reference.date_parts, None, None)[:3]
        yield "PY", str(year)
        yield "DA", f"{year}/{'' if month is None else f'{month:02d}'}/{'' if day is None else f'{day:02d}'}/"
    yield "VL", record.volume
    yield "IS", record.issue
    yield "SP", pages.first if pages else None
    yield "EP", pages.last if pages else None
    yield "SN", record.issn
    yield "DO", record.doi
    yield "AN", record.pmid if reference.url else None
    yield "C2", record.pmcid
    yield "LA", ", ".join(record.languages)
    for heading in record.mesh:
        yield "KW", heading.descriptor
    yield "AB", record.abstract
    for notice in reference.notices:
        yield "N1", notice.sentence
    yield "UR", reference.url


def _format_author(author: Author) -> str:
    return author.collective or ", ".join(filter(None, (author.last, author.fore or author.initials)))


def _join_lines(text: str | None) -> str:
    """Return the value on one line: a line end would begin another field."""
    return " ".join((text or "").split())
