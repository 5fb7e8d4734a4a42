"""Retracted papers among the sources of the graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sanya.suite.citations import read_changes, read_standings, save_position
from sanya.suite.store import Database, advance_revision, expand_in_list
from sanya.suites.herbs.graph.model import HerbSource

FOLLOWER = "herbs"
_BATCH_VALUES = 400
_CITED = "SELECT count(*) FROM herb_sources WHERE pmid IN (:values)"
_CITED_NODES = "SELECT count(*) FROM herb_nodes WHERE id IN (:values)"


async def mark_standings(database: Database, sources: Mapping[str, HerbSource]) -> dict[str, HerbSource]:
    """Return the sources, each with what became of its paper."""
    standings = await read_standings(database, [f"pmid:{source.pmid}" for source in sources.values() if source.pmid])
    return {
        id: replace(source, standing=standings[f"pmid:{source.pmid}"].standing)
        if f"pmid:{source.pmid}" in standings
        else source
        for id, source in sources.items()
    }


async def follow_retractions(database: Database) -> int:
    """Have the graph read again if papers that it cites were retracted or corrected; return how many it cites."""
    changes = await read_changes(database, FOLLOWER)
    if not changes:
        return 0
    pmids = [change.pmid for change in changes]
    cited = await _count(database, _CITED, pmids)
    cited += await _count(database, _CITED_NODES, [f"pmid:{pmid}" for pmid in pmids])
    async with database.transaction() as transaction:
        if cited:
            await advance_revision(transaction, "herbs")
        await save_position(transaction, FOLLOWER, changes[-1].seq)
    return cited


async def _count(database: Database, sql: str, values: list[str]) -> int:
    total = 0
    for start in range(0, len(values), _BATCH_VALUES):
        batch = values[start : start + _BATCH_VALUES]
        rows = await database.fetch(expand_in_list(sql, batch), batch)
        total += int(str(rows[0][0]))
    return total
