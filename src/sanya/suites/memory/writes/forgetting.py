"""Forgetting: the one thing that destroys. What a memory said leaves every table, the search and its vectors; that
something was forgotten stays, without what it was.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from sanya.kernel.database import Transaction
from sanya.kernel.sql import format_placeholders
from sanya.suites.memory.recall.indexing import NAMESPACE, MemoryIndex
from sanya.suites.memory.recall.working_memory import WorkingMemory
from sanya.suites.memory.storage.store import MemoryStore
from sanya.suites.memory.storage.writer import MemoryWriter

if TYPE_CHECKING:
    from sanya.retrieval.search import Library

_OF_A_MEMORY = (
    "DELETE FROM memory_traces WHERE memory_id = ?",
    "DELETE FROM memory_readings WHERE memory_id = ?",
    "DELETE FROM memory_provenance WHERE memory_id = ?",
    "DELETE FROM memory_edges WHERE memory_id = ?",
    "DELETE FROM memory_edges WHERE from_id = ?",
    "DELETE FROM memory_edges WHERE to_id = ?",
    "DELETE FROM memory_contradictions WHERE memory_id = ?",
    "DELETE FROM memory_contradictions WHERE other_id = ?",
    "DELETE FROM memories WHERE id = ?",
)
_ORPHANS = (
    "DELETE FROM memory_sources WHERE namespace = ? AND id NOT IN (SELECT source_id FROM memory_provenance)",
    "DELETE FROM memory_nodes WHERE namespace = ? AND id NOT IN (SELECT from_id FROM memory_edges) "
    "AND id NOT IN (SELECT to_id FROM memory_edges) "
    "AND id NOT IN (SELECT merged_into FROM memory_nodes WHERE merged_into IS NOT NULL)",
    "DELETE FROM memory_names WHERE namespace = ? AND node_id NOT IN (SELECT id FROM memory_nodes)",
)
_BURY = "INSERT INTO memory_tombstones (memory_id, namespace, forgotten_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"


class IndexEraser(Protocol):
    """How the shared search is made to forget: `remove` only ends a document, earlier states still have it."""

    async def __call__(self, transaction: Transaction, namespace: str, ids: Sequence[str]) -> None: ...


@dataclass(frozen=True, slots=True)
class Forgetter:
    store: MemoryStore
    index: MemoryIndex
    erase: IndexEraser
    working: WorkingMemory

    async def forget(self, namespace: str, ids: Sequence[str], at: str) -> list[str]:
        """Forgets those that are there and says which they were. Of those that were forgotten before it is made sure:
        whoever began with them may have been stopped before the search had forgotten them too."""
        library = await self.index.open_library()
        buried = await self._find_tombstones(namespace, ids)
        known = await self._forget(namespace, ids, at, library)
        if buried or known:
            await self.working.release(namespace, [*buried, *known])
            await library.rebuild(NAMESPACE)
        return known

    async def _find_tombstones(self, namespace: str, ids: Sequence[str]) -> list[str]:
        sql = (
            f"SELECT memory_id FROM memory_tombstones WHERE namespace = ? AND memory_id IN ({format_placeholders(ids)})"  # noqa: S608
        )
        rows = await self.store.database.fetch(sql, (namespace, *ids)) if ids else []
        return [str(row[0]) for row in rows]

    async def _forget(self, namespace: str, ids: Sequence[str], at: str, library: Library) -> list[str]:
        async with self.store.write_transaction() as writer:
            reader = self.store.make_reader(writer)
            known = sorted(await reader.find_memories(namespace, ids))
            if not known:
                return []
            from sanya.suites.memory.graph.removal import remove_from_graph  # here: it takes long to load

            known = sorted({*known, *await remove_from_graph(writer, namespace, known)})
            # What was said right after one is embedded together with it, so its place in the search is made anew.
            after = [one for one in await reader.find_followers(known) if one.id not in known]
            await _delete(writer, namespace, known, at)
            await library.remove(NAMESPACE, [*known, *(one.id for one in after)], writer.transaction)
            await self.erase(writer.transaction, NAMESPACE, [*known, *(one.id for one in after)])
            writer.to_reindex |= {one.id: one for one in after}
        return known


async def _delete(writer: MemoryWriter, namespace: str, ids: Sequence[str], at: str) -> None:
    corrections = await writer.transaction.fetch(
        "SELECT id, target_id, changes FROM memory_corrections WHERE namespace = ?", (namespace,)
    )
    gone = set(ids)
    for one, target, changes in corrections:
        if str(target) in gone or _is_mentioned(str(changes), gone):
            await writer.transaction.execute("DELETE FROM memory_corrections WHERE id = ?", (one,))
    for one in ids:
        for sql in _OF_A_MEMORY:
            await writer.transaction.execute(sql, (one,))
        await writer.transaction.execute(_BURY, (one, namespace, at))
    for sql in _ORPHANS:
        await writer.transaction.execute(sql, (namespace,))
    await _scrub(writer, namespace, gone)


async def _scrub(writer: MemoryWriter, namespace: str, gone: set[str]) -> None:
    """A memory that others were merged into still tells their contents in its history."""
    rows = await writer.transaction.fetch(
        "SELECT id, properties FROM memories WHERE namespace = ? AND properties LIKE '%\"merged\"%'", (namespace,)
    )
    for one, raw in rows:
        properties = json.loads(str(raw))
        kept = [entry for entry in properties.get("merged", []) if entry.get("id") not in gone]
        if len(kept) != len(properties.get("merged", [])):
            properties["merged"] = kept
            await writer.transaction.execute(
                "UPDATE memories SET properties = ? WHERE id = ?", (json.dumps(properties, ensure_ascii=False), one)
            )


def _is_mentioned(changes: str, ids: set[str]) -> bool:
    return any(one in changes for one in ids)
