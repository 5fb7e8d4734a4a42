"""Queries: everything that the suite reads of a namespace."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Protocol

from sanya.suite.citations import StandingRecord, read_standings
from sanya.suite.store import Database, Row, Value, format_placeholders
from sanya.suites.memory.storage.records import (
    AnyRecord,
    Contradiction,
    EdgeRelation,
    Memory,
    MemoryEdge,
    MemoryNode,
    MemorySource,
    NodeKind,
    fold_name,
    from_row,
    list_columns,
)

_MAX_IDS = 400
# IN lists have only these lengths, so that SQLite parses few statements and finds the others in its cache.
_IN_LIST_LENGTHS = (1, 2, 5, 10, 20, 50, 100, 200, _MAX_IDS)
_EDGES_PER_MEMORY = 5
_MAX_SHARED_NAMES = 24
# A word that more nodes have tells none of them from the others, and to count all of them would cost more with every
# memory.
_MAX_BEARERS = 500
_BEARERS = (
    "SELECT node_id FROM (SELECT node_id FROM memory_names WHERE namespace = ? AND folded = ? "  # noqa: S608
    f"ORDER BY node_id LIMIT {_MAX_BEARERS}) AS bearers"
)
# The expression keeps SQLite from the index on the namespace. Without statistics it would prefer that one and read a
# whole namespace instead of a few ids.
_IN_NAMESPACE = "namespace || '' = ?"


class RowReader(Protocol):
    """A database, or a transaction that sees its own writes."""

    async def fetch(self, sql: str, params: Sequence[Value] = ()) -> list[Row]: ...


class MemoryReader:
    def __init__(self, row_reader: RowReader, database: Database | None = None) -> None:
        self._row_reader = row_reader
        self._database = database

    async def find_memory(self, namespace: str, memory_id: str) -> Memory | None:
        """Return a memory, retired or not: nothing that was acknowledged becomes unreadable."""
        return (await self.find_memories(namespace, [memory_id])).get(memory_id)

    async def find_memories(self, namespace: str, ids: Sequence[str]) -> dict[str, Memory]:
        memories = await self._find_by_ids(Memory, f"{_IN_NAMESPACE} AND id", (namespace,), ids, 1)
        return {memory.id: memory for memory in memories}

    async def list_unconsolidated(self, limit: int, namespace: str | None = None) -> list[Memory]:
        """Return memories that wait for consolidation, of one namespace or of all, in the order of arrival."""
        where = "consolidated_at IS NULL AND retired_at IS NULL"
        if namespace is None:
            return await self._select(Memory, f"{where} ORDER BY arrival LIMIT ?", (limit,))
        return await self._select(Memory, f"{where} AND {_IN_NAMESPACE} ORDER BY arrival LIMIT ?", (namespace, limit))

    async def list_by_arrival(self, namespace: str, after: int = 0, limit: int = 1000) -> list[Memory]:
        """Return memories that are not retired, in the order of arrival."""
        return await self._select(
            Memory,
            "namespace = ? AND arrival > ? AND retired_at IS NULL ORDER BY arrival LIMIT ?",
            (namespace, after, limit),
        )

    async def list_latest(self, namespace: str, after: int, limit: int) -> list[Memory]:
        """Return the newest memories that arrived after a number, the newest first."""
        return await self._select(
            Memory,
            "namespace = ? AND arrival > ? AND retired_at IS NULL ORDER BY arrival DESC LIMIT ?",
            (namespace, after, limit),
        )

    async def read_traces(self, namespace: str, ids: Sequence[str]) -> list[Row]:
        """Return what ranking needs of each memory that is not retired; `ranking.MemoryTrace` names the columns."""
        found: list[Row] = []
        for batch in _split_into_batches(ids):
            found += await self._fetch_few(
                "SELECT m.id, m.episode, m.place, m.letter, m.digit, m.arrival, t.speaker, t.asks, t.length, t.keys, "  # noqa: S608
                "m.created_at "
                "FROM memories m JOIN memory_traces t ON t.memory_id = m.id "
                f"WHERE m.{_IN_NAMESPACE} AND m.retired_at IS NULL AND m.id IN ({format_placeholders(batch)})",
                (namespace, *batch),
                len(batch),
            )
        return found

    async def find_linked(self, namespace: str, memory_ids: Sequence[str], node_ids: Sequence[str]) -> set[str]:
        """Return the ids of those memories that state an edge from or to one of the nodes."""
        if not memory_ids or not node_ids:
            return set()
        marks = format_placeholders(node_ids)
        rows = await self._row_reader.fetch(
            f"SELECT DISTINCT memory_id FROM memory_edges WHERE memory_id IN ({format_placeholders(memory_ids)}) "  # noqa: S608
            f"AND {_IN_NAMESPACE} AND (from_id IN ({marks}) OR to_id IN ({marks}))",
            (*memory_ids, namespace, *node_ids, *node_ids),
        )
        return {str(row[0]) for row in rows}

    async def read_previous_texts(self, memory_ids: Sequence[str]) -> dict[str, str]:
        """Return the text right before each memory in its episode, if there is one."""
        found: dict[str, str] = {}
        for batch in _split_into_batches(memory_ids):
            rows = await self._row_reader.fetch(
                "SELECT m.id, p.content FROM memories m JOIN memories p "  # noqa: S608
                "ON p.namespace = m.namespace AND p.episode = m.episode AND p.place = m.place - 1 "
                f"WHERE m.id IN ({format_placeholders(batch)})",
                batch,
            )
            found |= {str(memory_id): str(content) for memory_id, content in rows}
        return found

    async def find_followers(self, memory_ids: Sequence[str]) -> list[Memory]:
        """Return the memories right after these in their episodes, without retired ones."""
        columns = ", ".join(f"n.{name}" for name in list_columns(Memory))
        found: list[Memory] = []
        for batch in _split_into_batches(memory_ids):
            rows = await self._row_reader.fetch(
                f"SELECT DISTINCT {columns} FROM memories m JOIN memories n "  # noqa: S608
                "ON n.namespace = m.namespace AND n.episode = m.episode AND n.place = m.place + 1 "
                f"WHERE m.id IN ({format_placeholders(batch)}) AND n.retired_at IS NULL",
                batch,
            )
            found += [from_row(Memory, row) for row in rows]
        return found

    async def read_last_places(self, namespace: str, episodes: Sequence[str]) -> dict[str, int]:
        """Return the last place that is taken in each episode that has begun."""
        found: dict[str, int] = {}
        for batch in _split_into_batches(episodes):
            rows = await self._row_reader.fetch(
                "SELECT episode, MAX(place) FROM memories "  # noqa: S608
                f"WHERE namespace = ? AND episode IN ({format_placeholders(batch)}) GROUP BY episode",
                (namespace, *batch),
            )
            found |= {str(episode): int(str(place)) for episode, place in rows}
        return found

    async def find_sources(self, memory_ids: Sequence[str]) -> dict[str, list[MemorySource]]:
        """Return the sources of each memory, in the order of their ids."""
        columns = ", ".join(f"s.{name}" for name in list_columns(MemorySource))
        found: dict[str, list[MemorySource]] = {memory_id: [] for memory_id in memory_ids}
        for batch in _split_into_batches(memory_ids):
            rows = await self._fetch_few(
                f"SELECT p.memory_id, {columns} FROM memory_provenance p JOIN memory_sources s ON s.id = p.source_id "  # noqa: S608
                f"WHERE p.memory_id IN ({format_placeholders(batch)}) ORDER BY p.memory_id, s.id",
                batch,
                len(batch),
            )
            for row in rows:
                found[str(row[0])].append(from_row(MemorySource, row[1:]))
        return found

    async def read_paper_standings(self, paper_ids: Sequence[str]) -> dict[str, StandingRecord]:
        """Return the papers of these ids that were retracted, doubted or corrected."""
        return await read_standings(self._row_reader, paper_ids) if paper_ids else {}

    async def find_sources_of_lineage(self, namespace: str, lineage: str, limit: int = 1000) -> list[MemorySource]:
        return await self._select(
            MemorySource, "namespace = ? AND lineage = ? ORDER BY id LIMIT ?", (namespace, lineage, limit)
        )

    async def find_nodes(self, namespace: str, ids: Sequence[str]) -> dict[str, MemoryNode]:
        nodes = await self._find_by_ids(MemoryNode, f"{_IN_NAMESPACE} AND id", (namespace,), ids, 1)
        return {node.id: node for node in nodes}

    async def find_nodes_sharing_names(self, namespace: str, names: Sequence[str], limit: int) -> list[str]:
        """Return the ids of the nodes that have most of these names, those with more of them first."""
        folded = sorted({fold_name(name) for name in names})[:_MAX_SHARED_NAMES]
        bearers = " UNION ALL ".join([_BEARERS] * len(folded))
        rows = await self._row_reader.fetch(
            f"SELECT node_id FROM ({bearers}) AS bearers GROUP BY node_id ORDER BY COUNT(*) DESC, node_id LIMIT ?",  # noqa: S608
            (*(part for name in folded for part in (namespace, name)), limit),
        )
        return [str(row[0]) for row in rows]

    async def find_nodes_by_name(self, namespace: str, names: Sequence[str]) -> dict[str, list[MemoryNode]]:
        """Return the nodes with each folded name or alias, without merged ones, in the order of their ids."""
        folded = sorted({fold_name(name) for name in names})
        columns = ", ".join(f"n.{name}" for name in list_columns(MemoryNode))
        found: dict[str, list[MemoryNode]] = {}
        for batch in _split_into_batches(folded):
            rows = await self._fetch_few(
                f"SELECT m.folded, {columns} FROM memory_names m JOIN memory_nodes n ON n.id = m.node_id "  # noqa: S608
                f"WHERE m.namespace = ? AND m.folded IN ({format_placeholders(batch)}) AND n.merged_into IS NULL "
                "ORDER BY n.id",
                (namespace, *batch),
                len(batch),
            )
            for row in rows:
                found.setdefault(str(row[0]), []).append(from_row(MemoryNode, row[1:]))
        return found

    async def complete_names(self, namespace: str, text: str, limit: int) -> list[str]:
        """Return names of entities and events that begin with a text."""
        start = fold_name(text)
        rows = await self._fetch_few(
            "SELECT m.folded, n.name FROM memory_names m JOIN memory_nodes n ON n.id = m.node_id "
            "WHERE m.namespace = ? AND m.folded >= ? AND m.folded < ? AND n.merged_into IS NULL "
            "AND n.kind NOT IN ('claim', 'rule') ORDER BY m.folded, n.name LIMIT ?",
            (namespace, start, start + chr(sys.maxunicode), limit),
            limit,
        )
        return list(dict.fromkeys(str(name) for _, name in rows))

    async def list_nodes_of_kind(self, namespace: str, kind: NodeKind, limit: int = 10_000) -> list[MemoryNode]:
        """Return nodes in the order of time, without merged ones."""
        return await self._select(
            MemoryNode,
            "namespace = ? AND kind = ? AND merged_into IS NULL ORDER BY happened_at, id LIMIT ?",
            (namespace, kind, limit),
        )

    async def find_edges_from(self, namespace: str, ids: Sequence[str], *relations: EdgeRelation) -> list[MemoryEdge]:
        return await self._find_edges(namespace, "from_id", ids, relations)

    async def find_edges_to(self, namespace: str, ids: Sequence[str], *relations: EdgeRelation) -> list[MemoryEdge]:
        return await self._find_edges(namespace, "to_id", ids, relations)

    async def find_edges_stated_by(self, namespace: str, memory_ids: Sequence[str]) -> list[MemoryEdge]:
        """Return the edges that these memories state."""
        return await self._find_by_ids(
            MemoryEdge, f"{_IN_NAMESPACE} AND memory_id", (namespace,), memory_ids, _EDGES_PER_MEMORY
        )

    async def find_contradictions(self, namespace: str, memory_ids: Sequence[str]) -> list[Contradiction]:
        """Return the contradictions in which one of the memories is either side."""
        found: dict[str, Contradiction] = {}
        for side in ("memory_id", "other_id"):
            rows = await self._find_by_ids(Contradiction, f"namespace = ? AND {side}", (namespace,), memory_ids, 1)
            found |= {contradiction.id: contradiction for contradiction in rows}
        return [found[key] for key in sorted(found)]

    async def _find_edges(
        self, namespace: str, side: str, ids: Sequence[str], relations: tuple[EdgeRelation, ...]
    ) -> list[MemoryEdge]:
        edges = await self._find_by_ids(MemoryEdge, f"namespace = ? AND {side}", (namespace,), ids)
        return [edge for edge in edges if not relations or edge.relation in relations]

    async def _fetch_few(self, sql: str, params: Sequence[Value], touches: int) -> list[Row]:
        """Fetch rows that an index bounds. Outside a transaction, few rows are read without a thread."""
        if self._database is None:
            return await self._row_reader.fetch(sql, params)
        return await self._database.fetch(sql, params, touches=touches)

    async def _select(self, kind: type[AnyRecord], where: str, params: Sequence[Value]) -> list[AnyRecord]:
        sql = f"SELECT {', '.join(list_columns(kind))} FROM {kind.table} WHERE {where}"  # noqa: S608 - our own names
        return [from_row(kind, row) for row in await self._row_reader.fetch(sql, params)]

    async def _find_by_ids(
        self,
        kind: type[AnyRecord],
        column: str,
        before: Sequence[Value],
        ids: Sequence[str],
        rows_per_id: int | None = None,
    ) -> list[AnyRecord]:
        """Return the records with these ids. `rows_per_id` is their usual number; None means that it is not bounded."""
        found: list[AnyRecord] = []
        for batch in _split_into_batches(sorted(set(ids))):
            sql = (
                f"SELECT {', '.join(list_columns(kind))} FROM {kind.table} "  # noqa: S608 - names of our own
                f"WHERE {column} IN ({format_placeholders(batch)}) ORDER BY {kind.key[0]}"
            )
            params = (*before, *batch)
            if rows_per_id is None:
                rows = await self._row_reader.fetch(sql, params)
            else:
                rows = await self._fetch_few(sql, params, rows_per_id * len(batch))
            found += [from_row(kind, row) for row in rows]
        return found


def _split_into_batches(ids: Sequence[str]) -> list[list[str]]:
    """Split ids into batches of a few fixed lengths, padded by repeating the last id."""
    batches = []
    for start in range(0, len(ids), _MAX_IDS):
        batch = list(ids[start : start + _MAX_IDS])
        length = next(length for length in _IN_LIST_LENGTHS if length >= len(batch))
        batches.append([*batch, *[batch[-1]] * (length - len(batch))])
    return batches
