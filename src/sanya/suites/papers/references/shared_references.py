"""Finds papers that cite the same works as a paper, that cite it, or that it cites."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from sanya.suite.store import Database, expand_in_list
from sanya.suites.papers.corpus import CorpusState
from sanya.suites.papers.pubmed.record import PaperRecord

_BATCH_VALUES = 400
# A work that so many stored papers cite says nothing of a common subject; methods and statistics are cited so.
_MOST_CITING = 500
_OF_PAPER = "SELECT DISTINCT reference FROM paper_references WHERE pmid = ? AND origin = 'fulltext'"
_COUNTS = "SELECT reference, count(*) FROM paper_references WHERE reference IN (:values) GROUP BY reference"
_CITING = "SELECT DISTINCT pmid, reference FROM paper_references WHERE reference IN (:values)"
_LENGTHS = "SELECT pmid, count(DISTINCT reference) FROM paper_references WHERE pmid IN (:values) GROUP BY pmid"


class CitationRelation(NamedTuple):
    """A relation to another paper by citations; `strength` is from 0 to 1."""

    shared: tuple[str, ...]
    cites: bool
    is_cited: bool
    strength: float


_DIRECT = 0.5
"""Strength of one paper citing the other."""
_COUPLING = 3.0
"""Two papers on one question share a fifth to a third of their references, so a third counts as much as all."""


@dataclass(frozen=True, slots=True)
class SharedReferences:
    database: Database

    async def find(self, source: PaperRecord, limit: int, state: CorpusState) -> dict[str, CitationRelation]:
        """Return the papers related by citations, the closest first. An earlier state knows only the references of
        PubMed's records, for full texts have no history."""
        references = list(dict.fromkeys((*source.references, *await self._list_fulltext_references(source, state))))
        shared = await self._find_citing(references, source.pmid)
        names = name_paper(source)
        citing = {str(row[0]) for row in await self._fetch(_CITING, names)} - {source.pmid}
        cited = {reference.removeprefix("pmid:") for reference in references if reference.startswith("pmid:")}
        lengths = await self._count_references(shared)
        found: dict[str, CitationRelation] = {}
        for pmid in sorted({*shared, *citing, *cited} - {source.pmid}, key=int):
            works = tuple(shared.get(pmid, ()))
            direct = _DIRECT if pmid in citing or pmid in cited else 0.0
            coupling = len(works) / sqrt(len(references) * max(lengths.get(pmid, 0), 1)) if works else 0.0
            strength = min(1.0, direct + _COUPLING * coupling)
            found[pmid] = CitationRelation(works, pmid in cited, pmid in citing, round(strength, 6))
        closest = sorted(found, key=lambda pmid: (-found[pmid].strength, int(pmid)))
        return {pmid: found[pmid] for pmid in closest[:limit]}

    async def _list_fulltext_references(self, source: PaperRecord, state: CorpusState) -> list[str]:
        if state.seq is not None:
            return []
        return [str(reference) for (reference,) in await self.database.fetch(_OF_PAPER, (source.pmid,))]

    async def _find_citing(self, references: Sequence[str], pmid: str) -> dict[str, list[str]]:
        """Return the works that other papers cite as well, by paper."""
        counts = {str(work): int(str(count)) for work, count in await self._fetch(_COUNTS, references)}
        telling = [work for work in references if 1 < counts.get(work, 0) <= _MOST_CITING]
        shared: dict[str, list[str]] = {}
        for other, work in await self._fetch(_CITING, telling):
            if str(other) != pmid:
                shared.setdefault(str(other), []).append(str(work))
        return {other: sorted(works, key=references.index) for other, works in shared.items()}

    async def _count_references(self, pmids: Iterable[str]) -> dict[str, int]:
        return {str(pmid): int(str(count)) for pmid, count in await self._fetch(_LENGTHS, list(pmids))}

    async def _fetch(self, sql: str, values: Sequence[str]) -> list[tuple[object, ...]]:
        rows: list[tuple[object, ...]] = []
        for start in range(0, len(values), _BATCH_VALUES):
            batch = values[start : start + _BATCH_VALUES]
            rows += await self.database.fetch(expand_in_list(sql, batch), batch)
        return rows


def name_paper(record: PaperRecord) -> list[str]:
    """Return the names by which a reference list may have this paper."""
    names = [f"pmid:{record.pmid}"]
    if record.doi:
        names.append(f"doi:{record.doi.lower()}")
    if record.pmcid:
        names.append(f"pmcid:{record.pmcid}")
    return names
