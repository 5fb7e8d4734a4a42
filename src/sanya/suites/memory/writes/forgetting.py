"""Forgetting: the only operation that destroys content.

The content of a memory is deleted from every table, from the search index and its vectors, and from the histories that
quote it. A tombstone with its id stays.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from sanya.suite.store import Transaction, format_placeholders
from sanya.suites.memory.recall.indexing import NAMESPACE, MemoryIndex
from sanya.suites.memory.recall.working_memory import WorkingMemory
from sanya.suites.memory.storage.store import MemoryStore
from sanya.suites.memory.storage.writer import MemoryWriter

RULE_TYPE = "Rule"

if TYPE_CHECKING:
    from sanya.suite.search import Library

_DELETE_MEMORY = (
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
_DELETE_ORPHANS = (
    "DELETE FROM memory_sources WHERE namespace = ? AND id NOT IN (SELECT source_id FROM memory_provenance)",
    "DELETE FROM memory_nodes WHERE namespace = ? AND id NOT IN (SELECT from_id FROM memory_edges) "
    "AND id NOT IN (SELECT to_id FROM memory_edges) "
    "AND id NOT IN (SELECT merged_into FROM memory_nodes WHERE merged_into IS NOT NULL)",
    "DELETE FROM memory_names WHERE namespace = ? AND node_id NOT IN (SELECT id FROM memory_nodes)",
)
_ADD_TOMBSTONE = (
    "INSERT INTO memory_tombstones (memory_id, namespace, forgotten_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
)


class IndexEraser(Protocol):
    """Erases documents from the search index. Removing one only ends its validity; older snapshots still have it."""

    async def __call__(self, transaction: Transaction, namespace: str, ids: Sequence[str]) -> None: ...


class ForgettingPreview(NamedTuple):
    """Ids of the memories that forgetting one erases, and of those that it changes."""

    erased: tuple[str, ...]
    affected: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Forgetter:
    store: MemoryStore
    index: MemoryIndex
    erase: IndexEraser
    working: WorkingMemory

    async def forget(self, namespace: str, ids: Sequence[str], at: str) -> list[str]:
        """Forget memories and return the ids of those that existed.

        For ids that were forgotten before, the index is rebuilt again: the process that forgot them may have been
        stopped before it came to that.
        """
        library = await self.index.open_library()
        tombstones = await self._find_tombstones(namespace, ids)
        forgotten = await self._forget(namespace, ids, at, library)
        if tombstones or forgotten:
            await self.working.release(namespace, [*tombstones, *forgotten])
            await library.rebuild(NAMESPACE)
        return forgotten

    async def describe_forgetting(self, namespace: str, memory_id: str) -> ForgettingPreview | None:
        """Return what forgetting a memory would erase and affect, or None if there is no such memory."""
        reader = self.store.reader
        if await reader.find_memory(namespace, memory_id) is None:
            return None
        derived = await reader.find_edges_to(namespace, [memory_id], "derived_from")
        memories = await reader.find_memories(namespace, [edge.from_id for edge in derived])
        rules = sorted(memory.id for memory in memories.values() if memory.type == RULE_TYPE)
        replaced = await reader.find_edges_from(namespace, [memory_id], "supersedes")
        affected = {*memories, *(edge.to_id for edge in replaced)} - {*rules, memory_id}
        return ForgettingPreview((memory_id, *rules), tuple(sorted(affected)))

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
            # A follower is embedded together with the text before it, so it must be indexed again.
            followers = [memory for memory in await reader.find_followers(known) if memory.id not in known]
            await _delete(writer, namespace, known, at)
            erased_ids = [*known, *(memory.id for memory in followers)]
            await library.remove(NAMESPACE, erased_ids, writer.transaction)
            await self.erase(writer.transaction, NAMESPACE, erased_ids)
            writer.to_reindex |= {memory.id: memory for memory in followers}
        return known


async def _delete(writer: MemoryWriter, namespace: str, ids: Sequence[str], at: str) -> None:
    corrections = await writer.transaction.fetch(
        "SELECT id, target_id, changes FROM memory_corrections WHERE namespace = ?", (namespace,)
    )
    forgotten = set(ids)
    for correction_id, target, changes in corrections:
        if str(target) in forgotten or _is_mentioned(str(changes), forgotten):
            await writer.transaction.execute("DELETE FROM memory_corrections WHERE id = ?", (correction_id,))
    for memory_id in ids:
        for sql in _DELETE_MEMORY:
            await writer.transaction.execute(sql, (memory_id,))
        await writer.transaction.execute(_ADD_TOMBSTONE, (memory_id, namespace, at))
    for sql in _DELETE_ORPHANS:
        await writer.transaction.execute(sql, (namespace,))
    await _scrub(writer, namespace, forgotten)


async def _scrub(writer: MemoryWriter, namespace: str, forgotten: set[str]) -> None:
    """Remove forgotten contents from the histories of memories that they were merged into."""
    rows = await writer.transaction.fetch(
        "SELECT id, properties FROM memories WHERE namespace = ? AND properties LIKE '%\"merged\"%'", (namespace,)
    )
    for memory_id, stored in rows:
        properties = json.loads(str(stored))
        remaining = [entry for entry in properties.get("merged", []) if entry.get("id") not in forgotten]
        if len(remaining) != len(properties.get("merged", [])):
            properties["merged"] = remaining
            await writer.transaction.execute(
                "UPDATE memories SET properties = ? WHERE id = ?",
                (json.dumps(properties, ensure_ascii=False), memory_id),
            )


def _is_mentioned(changes: str, ids: set[str]) -> bool:
    return any(memory_id in changes for memory_id in ids)
