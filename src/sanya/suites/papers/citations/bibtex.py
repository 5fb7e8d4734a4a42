"""BibTeX: one `@article` for each paper, in UTF-8 as biber and current BibTeX read it."""

from __future__ import annotations

import re
import unicodedata

from sanya.suites.papers.citations.reference import Reference
from sanya.suites.papers.pubmed.record import Author

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def format_bibtex(reference: Reference) -> str:
    record = reference.record
    fields = {
        "author": " and ".join(filter(None, map(_format_author, record.authors))),
        # The inner braces keep the capitals of the title in every style.
        "title": f"{{{_escape(reference.title)}}}" if reference.title else "",
        "journal": _escape(record.journal or ""),
        "year": str(reference.date_parts[0]) if reference.date_parts else "",
        "volume": _escape(record.volume or ""),
        "number": _escape(record.issue or ""),
        "pages": "--".join(filter(None, map(_escape, filter(None, reference.pages or ())))),
        "issn": record.issn or "",
        # A DOI and an address are taken literally by the styles that print them.
        "doi": record.doi or "",
        "pmid": record.pmid if reference.url else "",
        "pmcid": record.pmcid or "",
        "url": reference.url or "",
        "language": ", ".join(record.languages),
        "note": _escape(" ".join(notice.sentence for notice in reference.notices)),
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    if len(reference.date_parts) > 1:
        lines.append(f"  month = {_MONTHS[reference.date_parts[1] - 1]},")
    return "\n".join([f"@article{{{make_key(reference)},", *lines, "}"])


def make_key(reference: Reference) -> str:
    """Return a key that is unique and readable: the first author, the year and the PMID."""
    first = next((author.last or author.collective for author in reference.record.authors), None) or "anonymous"
    plain = unicodedata.normalize("NFKD", first).encode("ascii", "ignore").decode("ascii")
    name = re.sub(r"[^A-Za-z0-9]", "", plain).lower() or "paper"
    return f"{name}{reference.date_parts[0] if reference.date_parts else ''}_{reference.record.pmid}"


def _format_author(author: Author) -> str:
    if author.collective:
        return f"{{{_escape(author.collective)}}}"
    return ", ".join(_escape(part) for part in (author.last, author.fore or author.initials) if part)


def _escape(text: str) -> str:
    return "".join(_ESCAPES.get(character, character) for character in text)
