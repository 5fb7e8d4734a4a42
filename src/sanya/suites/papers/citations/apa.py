"""APA, seventh edition: the reference list of psychology, nursing and the social sciences, as plain text.

Its rules for missing data: without authors the title takes their place; without a date it is "n.d."; a part that is
unknown is left out together with its punctuation. Italics are left to the reader's word processor.
"""

from __future__ import annotations

import re

from sanya.suites.papers.citations.reference import Reference, get_initials, is_thai_name, join_thai_name
from sanya.suites.papers.pubmed.record import RETRACTION_IN, Author

_MAX_AUTHORS = 20
_SMALL_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "as",
        "at",
        "but",
        "by",
        "de",
        "der",
        "des",
        "di",
        "du",
        "et",
        "for",
        "in",
        "la",
        "le",
        "of",
        "on",
        "or",
        "the",
        "to",
        "und",
        "with",
    ]
)


def format_apa(reference: Reference) -> str:
    authors = _join_authors([_format_author(author) for author in reference.record.authors])
    title = reference.title or "[Title not available]"
    if reference.is_translated:
        title = f"[{title}]"
    date = f"({reference.date_parts[0] if reference.date_parts else 'n.d.'})."
    head = [_end_sentence(authors), date, _end_sentence(title)] if authors else [_end_sentence(title), date]
    parts = [*head, _end_sentence(_format_source(reference)), _format_address(reference), _format_retraction(reference)]
    return " ".join(filter(None, parts))


def _format_author(author: Author) -> str:
    if author.collective or not author.last:
        return author.collective or author.fore or ""
    if is_thai_name(author):
        return join_thai_name(author)
    initials = _format_initials(author)
    return f"{author.last}, {initials}" if initials else author.last


def _format_initials(author: Author) -> str:
    """Return the initials with stops; a hyphenated given name keeps its hyphen: Jean-Pierre is J.-P."""
    names = (author.fore or "").split()
    if any("-" in name for name in names):
        spelt = ["-".join(f"{part[0].upper()}." for part in name.split("-") if part) for name in names]
        return " ".join(spelt)
    return " ".join(f"{letter}." for letter in get_initials(author))


def _join_authors(names: list[str]) -> str:
    names = [name for name in names if name]
    if len(names) > _MAX_AUTHORS:
        return ", ".join(names[: _MAX_AUTHORS - 1]) + f", . . . {names[-1]}"
    if len(names) < 2:
        return "".join(names)
    return ", ".join(names[:-1]) + f", & {names[-1]}"


def _format_source(reference: Reference) -> str:
    record = reference.record
    parts = [convert_to_title_case(reference.main_journal_title or "")]
    if record.volume or record.issue:
        parts.append((record.volume or "") + (f"({record.issue})" if record.issue else ""))
    if pages := reference.pages:
        parts.append("–".join(filter(None, pages)))
    return ", ".join(filter(None, parts))


def convert_to_title_case(title: str) -> str:
    """Capitalise the words of a journal's title, which PubMed gives in lower case, as APA wants them."""
    words = re.split(r"(\s+)", title)
    return "".join(
        word if index and word in _SMALL_WORDS else word[:1].upper() + word[1:] for index, word in enumerate(words)
    )


def _format_address(reference: Reference) -> str:
    return f"https://doi.org/{reference.record.doi}" if reference.record.doi else ""


def _format_retraction(reference: Reference) -> str:
    links = [link for link in reference.record.links if link.kind == RETRACTION_IN]
    if links:
        return f"(Retraction published: {links[0].citation.rstrip('. ')})"
    return "(Retracted)" if reference.record.is_retracted else ""


def _end_sentence(text: str) -> str:
    return text if not text or text.endswith((".", "?", "!")) else f"{text}."
