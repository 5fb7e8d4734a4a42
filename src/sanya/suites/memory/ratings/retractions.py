"""Retractions: a paper that a memory rests on was retracted, doubted or corrected.

A retraction and an expression of concern count as a contradiction by the publisher: they worsen the digit, and the
memory no longer corroborates others (`rerating`). A correction is noted and worsens nothing. The kernel's port says
what has changed; this module finds the memories, rates them again and logs the event.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace

from sanya.suite.citations import StandingRecord, read_changes, save_position
from sanya.suites.memory.ratings.rerating import RatingChange, find_peers, rerate
from sanya.suites.memory.ratings.source_papers import list_paper_ids
from sanya.suites.memory.storage.identifiers import make_correction_id
from sanya.suites.memory.storage.records import Memory, MemorySource, from_row, list_columns
from sanya.suites.memory.storage.store import MemoryStore
from sanya.suites.memory.storage.writer import MemoryWriter

FOLLOWER = "memory"
NOTICES = "paper_notices"
"""The property of a memory that lists what is held against its papers."""
EVENT = "paper_notice"

# Sources that may name a paper; the names are then read exactly.
_CITING = (
    f"SELECT {', '.join(list_columns(MemorySource))} FROM memory_sources WHERE "  # noqa: S608 - names of our own
    + " OR ".join(
        f"lower({column}) LIKE '{pattern}'"
        for column in ("type", "ref", "citation")
        for pattern in ("%pmid%", "%pubmed%", "%10.%/%")
    )
)
_MEMORIES_OF = "SELECT memory_id FROM memory_provenance WHERE source_id = ? ORDER BY memory_id"
_LOG = """
INSERT INTO memory_corrections
    (id, namespace, target_id, action, payload, caller, changes, created_at, undone_at, revision)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, ?) ON CONFLICT (id) DO NOTHING"""


async def follow_retractions(store: MemoryStore) -> int:
    """Rate the memories again whose papers changed their standing, and return how many rest on such a paper."""
    changes = await read_changes(store.database, FOLLOWER)
    if not changes:
        return 0
    affected = await _find_affected(store, changes)
    if not affected:
        async with store.database.transaction() as transaction:
            await save_position(transaction, FOLLOWER, changes[-1].seq)
        return 0
    async with store.write_transaction() as writer:
        for (namespace, memory_id), notices in affected.items():
            await _apply(store, writer, namespace, memory_id, notices)
        await save_position(writer.transaction, FOLLOWER, changes[-1].seq)
    return len(affected)


async def _find_affected(
    store: MemoryStore, changes: Iterable[StandingRecord]
) -> dict[tuple[str, str], list[StandingRecord]]:
    by_id: dict[str, StandingRecord] = {}
    for change in changes:
        by_id[f"pmid:{change.pmid}"] = change
        if change.doi:
            by_id[f"doi:{change.doi}"] = change
    affected: dict[tuple[str, str], list[StandingRecord]] = {}
    for source in [from_row(MemorySource, row) for row in await store.database.fetch(_CITING)]:
        for found in {by_id[id] for id in list_paper_ids([source]) if id in by_id}:
            for (memory_id,) in await store.database.fetch(_MEMORIES_OF, (source.id,)):
                affected.setdefault((source.namespace, str(memory_id)), []).append(found)
    return dict(sorted(affected.items()))


async def _apply(
    store: MemoryStore, writer: MemoryWriter, namespace: str, memory_id: str, notices: list[StandingRecord]
) -> None:
    reader = store.make_reader(writer)
    memory = await reader.find_memory(namespace, memory_id)
    if memory is None or memory.retired_at is not None:
        return
    first_change = len(writer.changes)
    noted = replace(memory, properties=_note(memory, notices))
    await writer.put(noted)
    # What rests on a retracted paper no longer corroborates the memories that say the same.
    peers = [peer.id for peer in await find_peers(reader, noted)]
    ratings = await rerate(store, writer, namespace, [memory_id, *peers])
    await _log_event(writer, noted, notices, ratings, first_change)


def _note(memory: Memory, notices: list[StandingRecord]) -> Mapping[str, object]:
    changed = {notice.pmid for notice in notices}
    known = memory.properties.get(NOTICES)
    kept = [entry for entry in (known if isinstance(known, list) else []) if entry.get("pmid") not in changed]
    fresh = [
        {"pmid": notice.pmid, "standing": notice.standing, "notices": list(notice.notices), "at": notice.changed_at}
        for notice in notices
        if notice.standing
    ]
    properties = {name: value for name, value in memory.properties.items() if name != NOTICES}
    return {**properties, NOTICES: [*kept, *fresh]} if kept or fresh else properties


async def _log_event(
    writer: MemoryWriter,
    memory: Memory,
    notices: list[StandingRecord],
    ratings: list[RatingChange],
    first_change: int,
) -> None:
    changes = [[change.table, change.before, change.after] for change in writer.changes[first_change:]]
    payload = {
        "papers": [{"pmid": notice.pmid, "standing": notice.standing} for notice in notices],
        "changed": [{"id": change.id, "before": str(change.before), "after": str(change.after)} for change in ratings],
    }
    key = f"{EVENT} {memory.id} {max(notice.seq for notice in notices)}"
    values = (make_correction_id(key), memory.namespace, memory.id, EVENT, json.dumps(payload), "papers")
    at = notices[-1].changed_at
    await writer.transaction.execute(_LOG, (*values, json.dumps(changes, ensure_ascii=False), at, writer.revision))
