"""Vancouver: the reference style of biomedical journals, as PubMed prints it (NLM, "Citing Medicine").

Its rules for missing data: without authors the title comes first; without a date it says so; a part that is unknown is
left out together with its punctuation. Notices of retraction, concern and correction follow the reference.
"""

from __future__ import annotations

from sanya.suites.papers.citations.reference import Reference, get_initials, is_thai_name, join_thai_name
from sanya.suites.papers.pubmed.record import Author

_MAX_AUTHORS = 6
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def format_vancouver(reference: Reference) -> str:
    record = reference.record
    parts = [
        _end_sentence(_format_authors(record.authors)),
        _end_sentence(_format_title(reference)),
        format_place(reference),
        f"PMID: {record.pmid}." if reference.url else "",
        f"PMCID: {record.pmcid}." if record.pmcid else "",
        *(notice.sentence for notice in reference.notices),
    ]
    return " ".join(filter(None, parts))


def format_place(reference: Reference) -> str:
    """Return where the paper appeared: N Engl J Med. 2018 May 17;378(20):1865-1876. doi: 10.1056/NEJMoa1715274."""
    record = reference.record
    parts = [
        _end_sentence(record.journal_abbreviation or reference.main_journal_title or ""),
        _end_sentence(_format_issue(reference)),
        f"doi: {record.doi}." if record.doi else "",
    ]
    return " ".join(filter(None, parts))


def _format_authors(authors: tuple[Author, ...]) -> str:
    names = [_format_author(author) for author in authors[:_MAX_AUTHORS]]
    if len(authors) > _MAX_AUTHORS:
        names.append("et al")
    return ", ".join(filter(None, names))


def _format_author(author: Author) -> str:
    if author.collective:
        return author.collective
    if is_thai_name(author):
        return join_thai_name(author)
    return " ".join(filter(None, (author.last, get_initials(author))))


def _format_title(reference: Reference) -> str:
    title = reference.title or "[Title not available]"
    return f"[{title}]" if reference.is_translated else title


def _format_issue(reference: Reference) -> str:
    """Return the date, volume, issue and pages: 2018 May 17;378(20):1865-1876."""
    record = reference.record
    volume = (record.volume or "") + (f"({record.issue})" if record.issue else "")
    issue = _format_date(reference.date_parts) + (f";{volume}" if volume else "")
    return f"{issue}:{record.pages}" if record.pages else issue


def _format_date(parts: tuple[int, ...]) -> str:
    if not parts:
        return "[date unknown]"
    year, *rest = parts
    return " ".join([str(year), *(_MONTHS[month - 1] for month in rest[:1]), *map(str, rest[1:])])


def _end_sentence(text: str) -> str:
    return text if not text or text.endswith((".", "?", "!")) else f"{text}."
