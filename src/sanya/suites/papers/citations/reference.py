"""A journal article as the citation formats need it: names, dates, pages and notes in one form."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from sanya.suites.papers.indexing.fields import build_source_url
from sanya.suites.papers.pubmed.record import RETRACTION_IN, Author, PaperRecord

_NOTICES = {
    RETRACTION_IN: "Retraction in",
    "expression_of_concern_in": "Expression of concern in",
    "erratum_in": "Erratum in",
}
_SUFFIX = r"((?:\.[A-Za-z]+\d+)?)"  # of pages that are only online: 1595-603.e9
_PAGE_RANGE = re.compile(rf"([A-Za-z]*)(\d+){_SUFFIX}\s*[-–]\s*([A-Za-z]*)(\d+){_SUFFIX}")
_THAI = re.compile(r"[\u0e00-\u0e7f]")
_PLACE = re.compile(r"\s*\([^()]*\)\s*$")


class PageRange(NamedTuple):
    first: str
    last: str | None


class Notice(NamedTuple):
    """A notice about the paper: what it is and where it was published."""

    kind: str
    citation: str
    pmid: str | None

    @property
    def sentence(self) -> str:
        end = f" PMID: {self.pmid}." if self.pmid else ""
        return f"{self.kind}: {self.citation.rstrip('. ')}.{end}"


@dataclass(frozen=True, slots=True)
class Reference:
    record: PaperRecord

    @property
    def title(self) -> str | None:
        """The title without its final full stop, and without PubMed's brackets around a translated one."""
        title = self.record.title or self.record.vernacular_title
        if title is None:
            return None
        title = title.strip().removesuffix(".")
        return title[1:-1] if self.is_translated else title

    @property
    def is_translated(self) -> bool:
        """True where the title is PubMed's translation, which it prints in brackets."""
        title = (self.record.title or "").strip().removesuffix(".")
        return title.startswith("[") and title.endswith("]")

    @property
    def main_journal_title(self) -> str | None:
        """The journal without what NLM adds: a place in parentheses, a subtitle after a colon."""
        journal = self.record.journal
        return _PLACE.sub("", journal.split(" : ")[0]) if journal else None

    @property
    def date_parts(self) -> tuple[int, ...]:
        return tuple(map(int, self.record.pdat.split("-"))) if self.record.pdat else ()

    @property
    def pages(self) -> PageRange | None:
        """The pages with the last one written out: 123-30 is 123 to 130."""
        text = (self.record.pages or "").split(",")[0].split(";")[0].strip()
        match = _PAGE_RANGE.fullmatch(text)
        if match is None:
            return PageRange(text, None) if text else None
        prefix, first, suffix, last_prefix, last, last_suffix = match.groups()
        if len(last) < len(first):
            last = first[: len(first) - len(last)] + last
        return PageRange(prefix + first + suffix, (last_prefix or prefix) + last + last_suffix)

    @property
    def url(self) -> str | None:
        return build_source_url(self.record.pmid)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Retraction first, then concerns, then errata."""
        links = [link for kind in _NOTICES for link in self.record.links if link.kind == kind]
        return tuple(Notice(_NOTICES[link.kind], link.citation, link.pmid) for link in links)

    @property
    def missing(self) -> tuple[str, ...]:
        """The names of the fields that a citation should have and PubMed does not give."""
        fields = {
            "author": self.record.authors,
            "title": self.title,
            "journal": self.record.journal,
            "date": self.record.pdat,
            "volume": self.record.volume,
            "pages": self.record.pages,
        }
        return tuple(name for name, value in fields.items() if not value)


def is_thai_name(author: Author) -> bool:
    """Return whether the name is in Thai script, which is never shortened to initials or turned around."""
    return bool(_THAI.search(f"{author.last or ''}{author.fore or ''}"))


def join_thai_name(author: Author) -> str:
    return " ".join(filter(None, (author.fore, author.last)))


def get_initials(author: Author) -> str:
    """Return the initials without stops: PubMed's own, else the first letters of the given names."""
    if author.initials:
        return author.initials.replace(".", "").replace(" ", "")
    return "".join(word[0].upper() for word in re.split(r"[\s-]+", author.fore or "") if word)
