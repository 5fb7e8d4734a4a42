"""Reads headings, their place in the tree and the papers under them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sanya.suite.store import Database, expand_in_list
from sanya.suites.papers.indexing.name_folding import fold_name
from sanya.suites.papers.indexing.paper_facts import NAME_PREFIX

_MOST_NEIGHBOURS = 60
_BATCH_VALUES = 400
# A heading is known from a record, from the imported file, or from both.
_KNOWN = (
    "(SELECT ui, name, folded FROM mesh_descriptors UNION "
    "SELECT ui, name, folded FROM mesh_terms WHERE is_heading = 1 AND ui NOT IN (SELECT ui FROM mesh_descriptors))"
)
_BY_UI = f"SELECT ui, name FROM {_KNOWN} AS known WHERE ui = ?"  # noqa: S608 - texts of our own, as below
_BY_NAME = f"SELECT ui, name FROM {_KNOWN} AS known WHERE folded = ? ORDER BY ui"  # noqa: S608
_BY_ENTRY_TERM = (
    "SELECT d.ui, d.name FROM mesh_entry_terms t JOIN mesh_descriptors d ON d.ui = t.ui "
    "WHERE t.folded = ? ORDER BY d.ui"
)
_ALL_NAMES = f"SELECT ui, name, folded FROM {_KNOWN} AS known ORDER BY ui"  # noqa: S608
_COUNTS = "SELECT heading, count(*) FROM paper_headings WHERE qualifier = '' AND heading IN (:values) GROUP BY heading"
_PAPERS = "SELECT count(*), coalesce(sum(is_major), 0) FROM paper_headings WHERE heading = ? AND qualifier = ''"
_QUALIFIERS = (
    "SELECT p.qualifier, t.name, count(*), sum(p.is_major) FROM paper_headings p "
    "JOIN mesh_terms t ON t.ui = p.qualifier WHERE p.heading = ? AND p.qualifier <> '' "
    "GROUP BY p.qualifier, t.name ORDER BY count(*) DESC, t.name"
)
_DOCUMENTS = (
    "SELECT p.pmid, p.is_major FROM paper_headings p JOIN paper_versions v ON v.pmid = p.pmid AND v.to_seq IS NULL "
    "WHERE p.heading = ? AND p.qualifier = '' ORDER BY p.is_major DESC, v.edat DESC, p.pmid DESC LIMIT ?"
)
_TREE = "SELECT number FROM mesh_tree WHERE ui = ? ORDER BY number"
_AT = (
    "SELECT t.number, d.ui, d.name FROM mesh_tree t JOIN mesh_descriptors d ON d.ui = t.ui "
    "WHERE t.number IN (:values) ORDER BY t.number"
)
_BELOW = (
    "SELECT t.number, d.ui, d.name FROM mesh_tree t JOIN mesh_descriptors d ON d.ui = t.ui "
    "WHERE t.number > ? AND t.number < ? ORDER BY t.number"
)
_UNDER = (
    "SELECT DISTINCT p.pmid FROM mesh_tree t JOIN paper_headings p ON p.heading = t.ui AND p.qualifier = '' "
    "WHERE t.number = ? OR (t.number > ? AND t.number < ?)"
)
_DETAILS = "SELECT scope_note, release FROM mesh_descriptors WHERE ui = ?"
_ENTRY_TERMS = "SELECT term FROM mesh_entry_terms WHERE ui = ? ORDER BY term"
_RELEASE = "SELECT release FROM mesh_descriptors LIMIT 1"


class Heading(NamedTuple):
    ui: str
    name: str


class NamedHeading(NamedTuple):
    ui: str
    name: str
    folded: str


class TreePlace(NamedTuple):
    number: str
    ui: str
    name: str


class QualifierCount(NamedTuple):
    ui: str
    name: str
    papers: int
    major: int


@dataclass(frozen=True, slots=True)
class Headings:
    database: Database

    async def find_by_ui(self, ui: str) -> list[Heading]:
        return [Heading(str(found), str(name)) for found, name in await self.database.fetch(_BY_UI, (ui,))]

    async def find_by_name(self, name: str) -> list[Heading]:
        """Return the headings of this name. Where records give MeSH's id, those that give none do not count."""
        rows = await self.database.fetch(_BY_NAME, (fold_name(name),))
        found = [Heading(str(ui), str(heading)) for ui, heading in rows]
        return [heading for heading in found if not heading.ui.startswith(NAME_PREFIX)] or found

    async def find_by_entry_term(self, term: str) -> list[Heading]:
        rows = await self.database.fetch(_BY_ENTRY_TERM, (fold_name(term),))
        return [Heading(str(ui), str(name)) for ui, name in rows]

    async def list_names(self) -> list[NamedHeading]:
        return [NamedHeading(str(ui), str(name), str(key)) for ui, name, key in await self.database.fetch(_ALL_NAMES)]

    async def count_papers(self, uis: Iterable[str]) -> dict[str, int]:
        """Return the number of papers under each heading alone."""
        wanted, counts = list(dict.fromkeys(uis)), dict[str, int]()
        for start in range(0, len(wanted), _BATCH_VALUES):
            batch = wanted[start : start + _BATCH_VALUES]
            rows = await self.database.fetch(expand_in_list(_COUNTS, batch), batch)
            counts |= {str(ui): int(str(count)) for ui, count in rows}
        return counts

    async def count_major(self, ui: str) -> tuple[int, int]:
        """Return the number of papers under a heading, and of those of which it is a major topic."""
        ((papers, major),) = await self.database.fetch(_PAPERS, (ui,))
        return int(str(papers)), int(str(major))

    async def list_qualifiers(self, ui: str) -> list[QualifierCount]:
        rows = await self.database.fetch(_QUALIFIERS, (ui,))
        return [
            QualifierCount(str(qualifier), str(name), int(str(papers)), int(str(major)))
            for qualifier, name, papers, major in rows
        ]

    async def list_papers(self, ui: str, limit: int) -> dict[str, bool]:
        """Return PMIDs under a heading and whether it is a major topic; major topics first, then the newest."""
        return {str(pmid): bool(major) for pmid, major in await self.database.fetch(_DOCUMENTS, (ui, limit))}

    async def list_tree_numbers(self, ui: str) -> list[str]:
        return [str(number) for (number,) in await self.database.fetch(_TREE, (ui,))]

    async def list_broader(self, numbers: Sequence[str]) -> list[TreePlace]:
        """Return all headings above these places, the broadest first."""
        parts = [number.split(".") for number in numbers]
        above = sorted({".".join(part[:length]) for part in parts for length in range(1, len(part))})
        if not above:
            return []
        rows = await self.database.fetch(expand_in_list(_AT, above[:_BATCH_VALUES]), above[:_BATCH_VALUES])
        return [TreePlace(*map(str, row)) for row in rows]

    async def list_narrower(self, numbers: Sequence[str]) -> list[TreePlace]:
        """Return the headings right below these places."""
        places = []
        for number in numbers:
            rows = [TreePlace(*map(str, row)) for row in await self.database.fetch(_BELOW, _span_below(number))]
            places += [place for place in rows if place.number.count(".") == number.count(".") + 1]
        return places[:_MOST_NEIGHBOURS]

    async def count_below(self, numbers: Sequence[str]) -> int:
        """Return the number of papers under these places of the tree or any below them."""
        pmids: set[str] = set()
        for number in numbers:
            rows = await self.database.fetch(_UNDER, (number, *_span_below(number)))
            pmids.update(str(pmid) for (pmid,) in rows)
        return len(pmids)

    async def read_details(self, ui: str) -> tuple[str | None, str | None]:
        """Return the scope note and the release, for a descriptor of an imported file."""
        rows = await self.database.fetch(_DETAILS, (ui,))
        return (None if rows[0][0] is None else str(rows[0][0]), str(rows[0][1])) if rows else (None, None)

    async def list_entry_terms(self, ui: str) -> list[str]:
        return [str(term) for (term,) in await self.database.fetch(_ENTRY_TERMS, (ui,))]

    async def read_release(self) -> str | None:
        rows = await self.database.fetch(_RELEASE)
        return str(rows[0][0]) if rows else None


def _span_below(number: str) -> tuple[str, str]:
    """Return the bounds between which all tree numbers below this one sort: `/` follows `.` in ASCII."""
    return f"{number}.", f"{number}/"
