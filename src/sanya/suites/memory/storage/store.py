"""What the suite keeps, as its parts ask for it. Everything is asked for by namespace, and nothing of another is given.

Writing goes through `writing()`: one transaction and one revision, with the search kept in step.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Protocol

from sanya.kernel.database import Database, Row, Transaction, Value
from sanya.kernel.revisions import read_revision
from sanya.kernel.sql import format_placeholders
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
from sanya.suites.memory.storage.writer import MemoryWriter, begin_writing

_AT_ONCE = 400
_LENGTHS = (1, 2, 5, 10, 20, 50, 100, 200, _AT_ONCE)
_EDGES_OF_A_MEMORY = 5
# Said so that SQLite takes the index of the ids: without figures about the data it would rather walk a whole namespace.
_IN_NAMESPACE = "namespace || '' = ?"


class MemoryIndexPort(Protocol):
    """The search that is kept in step with what is written."""

    async def prepare(self) -> None:
        """Opens whatever `update` needs: that may itself write, which it cannot inside a transaction."""
        ...

    async def update(self, transaction: Transaction, memories: Sequence[Memory]) -> None:
        """Brings, replaces or (where retired) takes away memories, in the transaction that changed them."""
        ...


class RowReader(Protocol):
    """A database, or a transaction that sees what it has itself written."""

    async def fetch(self, sql: str, params: Sequence[Value] = ()) -> list[Row]: ...


class MemoryStore:
    def __init__(self, database: Database, search: MemoryIndexPort | None = None) -> None:
        self.database = database
        self._search = search

    @asynccontextmanager
    async def write_transaction(self, arrivals: int = 0) -> AsyncIterator[MemoryWriter]:
        """One transaction. `arrivals` is how many new memories it will bring (`writer.next_arrival`)."""
        if self._search is not None:
            await self._search.prepare()
        async with self.database.transaction() as transaction:
            writer = await begin_writing(transaction, arrivals)
            yield writer
            if self._search is not None and writer.to_reindex:
                await self._search.update(transaction, list(writer.to_reindex.values()))

    def make_reader(self, writer: MemoryWriter) -> MemoryReader:
        """Reads inside the writer's transaction."""
        return MemoryReader(writer.transaction)

    @property
    def reader(self) -> MemoryReader:
        return MemoryReader(self.database, self.database)

    async def read_revision(self) -> int:
        """Rises with every change of what is kept."""
        return await read_revision(self.database, "memory")


class MemoryReader:
    def __init__(self, reading: RowReader, database: Database | None = None) -> None:
        self._reading = reading
        self._database = database

    async def find_memory(self, namespace: str, one: str) -> Memory | None:
        """Retired ones too: nothing that was acknowledged becomes unreadable."""
        return (await self.find_memories(namespace, [one])).get(one)

    async def find_memories(self, namespace: str, ids: Sequence[str]) -> dict[str, Memory]:
        found = await self._find_by_ids(Memory, f"{_IN_NAMESPACE} AND id", (namespace,), ids, 1)
        return {one.id: one for one in found}

    async def list_unconsolidated(self, limit: int, namespace: str | None = None) -> list[Memory]:
        """Of all namespaces or of one, in the order of arrival."""
        where = "consolidated_at IS NULL AND retired_at IS NULL"
        if namespace is None:
            return await self._select(Memory, f"{where} ORDER BY arrival LIMIT ?", (limit,))
        return await self._select(Memory, f"{where} AND {_IN_NAMESPACE} ORDER BY arrival LIMIT ?", (namespace, limit))

    async def list_by_arrival(self, namespace: str, after: int = 0, limit: int = 1000) -> list[Memory]:
        """Memories that are not retired, in the order of arrival."""
        return await self._select(
            Memory,
            "namespace = ? AND arrival > ? AND retired_at IS NULL ORDER BY arrival LIMIT ?",
            (namespace, after, limit),
        )

    async def list_latest(self, namespace: str, after: int, limit: int) -> list[Memory]:
        """The last `limit` memories that arrived after another, the newest first."""
        return await self._select(
            Memory,
            "namespace = ? AND arrival > ? AND retired_at IS NULL ORDER BY arrival DESC LIMIT ?",
            (namespace, after, limit),
        )

    async def around(self, namespace: str, arrival: int, reach: int) -> list[Memory]:
        """Up to `reach` memories on each side of an arrival, in order; the middle one included."""
        before = await self._select(
            Memory,
            "namespace = ? AND arrival <= ? AND retired_at IS NULL ORDER BY arrival DESC LIMIT ?",
            (namespace, arrival, reach + 1),
        )
        return [*reversed(before), *await self.list_by_arrival(namespace, arrival, reach)]

    async def read_traces(self, namespace: str, ids: Sequence[str]) -> list[Row]:
        """Of each memory that is not retired what ranking looks at: `ranking.Trace` names the columns."""
        found: list[Row] = []
        for some in _split_into_batches(ids):
            found += await self._fetch_few(
                "SELECT m.id, m.episode, m.place, m.letter, m.digit, m.arrival, t.speaker, t.asks, t.length, t.keys "  # noqa: S608
                "FROM memories m JOIN memory_traces t ON t.memory_id = m.id "
                f"WHERE m.{_IN_NAMESPACE} AND m.retired_at IS NULL AND m.id IN ({format_placeholders(some)})",
                (namespace, *some),
                len(some),
            )
        return found

    async def find_linked(self, namespace: str, memory_ids: Sequence[str], node_ids: Sequence[str]) -> set[str]:
        """Those of the memories that say something of one of the nodes."""
        if not memory_ids or not node_ids:
            return set()
        marks = format_placeholders(node_ids)
        rows = await self._reading.fetch(
            f"SELECT DISTINCT memory_id FROM memory_edges WHERE memory_id IN ({format_placeholders(memory_ids)}) "  # noqa: S608
            f"AND {_IN_NAMESPACE} AND (from_id IN ({marks}) OR to_id IN ({marks}))",
            (*memory_ids, namespace, *node_ids, *node_ids),
        )
        return {str(row[0]) for row in rows}

    async def read_previous_texts(self, memory_ids: Sequence[str]) -> dict[str, str]:
        """For each memory the text that came right before it in its episode, where there is one."""
        found: dict[str, str] = {}
        for some in _split_into_batches(memory_ids):
            rows = await self._reading.fetch(
                "SELECT m.id, p.content FROM memories m JOIN memories p "  # noqa: S608
                "ON p.namespace = m.namespace AND p.episode = m.episode AND p.place = m.place - 1 "
                f"WHERE m.id IN ({format_placeholders(some)})",
                some,
            )
            found |= {str(one): str(content) for one, content in rows}
        return found

    async def find_followers(self, memory_ids: Sequence[str]) -> list[Memory]:
        """The memories that came right after these in their episodes, retired ones left out."""
        columns = ", ".join(f"n.{name}" for name in list_columns(Memory))
        found: list[Memory] = []
        for some in _split_into_batches(memory_ids):
            rows = await self._reading.fetch(
                f"SELECT DISTINCT {columns} FROM memories m JOIN memories n "  # noqa: S608
                "ON n.namespace = m.namespace AND n.episode = m.episode AND n.place = m.place + 1 "
                f"WHERE m.id IN ({format_placeholders(some)}) AND n.retired_at IS NULL",
                some,
            )
            found += [from_row(Memory, row) for row in rows]
        return found

    async def read_last_places(self, namespace: str, episodes: Sequence[str]) -> dict[str, int]:
        """How far each episode has come; those that have not begun are left out."""
        found: dict[str, int] = {}
        for some in _split_into_batches(episodes):
            rows = await self._reading.fetch(
                "SELECT episode, MAX(place) FROM memories "  # noqa: S608
                f"WHERE namespace = ? AND episode IN ({format_placeholders(some)}) GROUP BY episode",
                (namespace, *some),
            )
            found |= {str(episode): int(str(place)) for episode, place in rows}
        return found

    async def find_sources(self, memory_ids: Sequence[str]) -> dict[str, list[MemorySource]]:
        """The sources of each memory, in the order of their ids."""
        columns = ", ".join(f"s.{name}" for name in list_columns(MemorySource))
        found: dict[str, list[MemorySource]] = {one: [] for one in memory_ids}
        for some in _split_into_batches(memory_ids):
            rows = await self._fetch_few(
                f"SELECT p.memory_id, {columns} FROM memory_provenance p JOIN memory_sources s ON s.id = p.source_id "  # noqa: S608
                f"WHERE p.memory_id IN ({format_placeholders(some)}) ORDER BY p.memory_id, s.id",
                some,
                len(some),
            )
            for row in rows:
                found[str(row[0])].append(from_row(MemorySource, row[1:]))
        return found

    async def memories_from(self, namespace: str, source_ids: Sequence[str]) -> list[str]:
        found = []
        for some in _split_into_batches(source_ids):
            rows = await self._reading.fetch(
                "SELECT DISTINCT p.memory_id FROM memory_provenance p JOIN memory_sources s ON s.id = p.source_id "  # noqa: S608
                f"WHERE s.namespace = ? AND p.source_id IN ({format_placeholders(some)}) ORDER BY p.memory_id",
                (namespace, *some),
            )
            found += [str(row[0]) for row in rows]
        return found

    async def find_sources_of_lineage(self, namespace: str, lineage: str, limit: int = 1000) -> list[MemorySource]:
        return await self._select(
            MemorySource, "namespace = ? AND lineage = ? ORDER BY id LIMIT ?", (namespace, lineage, limit)
        )

    async def find_nodes(self, namespace: str, ids: Sequence[str]) -> dict[str, MemoryNode]:
        found = await self._find_by_ids(MemoryNode, f"{_IN_NAMESPACE} AND id", (namespace,), ids, 1)
        return {one.id: one for one in found}

    async def find_nodes_by_name(self, namespace: str, names: Sequence[str]) -> dict[str, list[MemoryNode]]:
        """By folded name, the nodes that have it as name or alias (merged ones left out), in the order of ids."""
        folded = sorted({fold_name(name) for name in names})
        columns = ", ".join(f"n.{name}" for name in list_columns(MemoryNode))
        found: dict[str, list[MemoryNode]] = {}
        for some in _split_into_batches(folded):
            rows = await self._fetch_few(
                f"SELECT m.folded, {columns} FROM memory_names m JOIN memory_nodes n ON n.id = m.node_id "  # noqa: S608
                f"WHERE m.namespace = ? AND m.folded IN ({format_placeholders(some)}) AND n.merged_into IS NULL "
                "ORDER BY n.id",
                (namespace, *some),
                len(some),
            )
            for row in rows:
                found.setdefault(str(row[0]), []).append(from_row(MemoryNode, row[1:]))
        return found

    async def complete_names(self, namespace: str, text: str, limit: int) -> list[str]:
        """Names of what the memories of a namespace speak of, for completion; claims and rules have none."""
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
        """In the order of time; merged ones left out."""
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
        """What these memories say: the edges whose provenance they are."""
        return await self._find_by_ids(
            MemoryEdge, f"{_IN_NAMESPACE} AND memory_id", (namespace,), memory_ids, _EDGES_OF_A_MEMORY
        )

    async def find_contradictions(self, namespace: str, memory_ids: Sequence[str]) -> list[Contradiction]:
        """In which any of them is either side."""
        found: dict[str, Contradiction] = {}
        for side in ("memory_id", "other_id"):
            for one in await self._find_by_ids(Contradiction, f"namespace = ? AND {side}", (namespace,), memory_ids, 1):
                found[one.id] = one
        return [found[one] for one in sorted(found)]

    async def _find_edges(
        self, namespace: str, side: str, ids: Sequence[str], relations: tuple[EdgeRelation, ...]
    ) -> list[MemoryEdge]:
        found = await self._find_by_ids(MemoryEdge, f"namespace = ? AND {side}", (namespace,), ids)
        return [one for one in found if not relations or one.relation in relations]

    async def _fetch_few(self, sql: str, params: Sequence[Value], touches: int) -> list[Row]:
        """For reads that an index bounds: outside a transaction few rows are read in place, which saves a thread."""
        if self._database is None:
            return await self._reading.fetch(sql, params)
        return await self._database.fetch(sql, params, touches=touches)

    async def _select(self, kind: type[AnyRecord], where: str, params: Sequence[Value]) -> list[AnyRecord]:
        sql = f"SELECT {', '.join(list_columns(kind))} FROM {kind.table} WHERE {where}"  # noqa: S608 - our own names
        return [from_row(kind, row) for row in await self._reading.fetch(sql, params)]

    async def _find_by_ids(
        self, kind: type[AnyRecord], column: str, before: Sequence[Value], ids: Sequence[str], each: int | None = None
    ) -> list[AnyRecord]:
        """`each` is how many rows there are of an id, as a rule; None where there may be any number."""
        found: list[AnyRecord] = []
        for some in _split_into_batches(sorted(set(ids))):
            sql = (
                f"SELECT {', '.join(list_columns(kind))} FROM {kind.table} "  # noqa: S608 - names of our own
                f"WHERE {column} IN ({format_placeholders(some)}) ORDER BY {kind.key[0]}"
            )
            params = (*before, *some)
            if each is None:
                rows = await self._reading.fetch(sql, params)
            else:
                rows = await self._fetch_few(sql, params, each * len(some))
            found += [from_row(kind, row) for row in rows]
        return found


def _split_into_batches(ids: Sequence[str]) -> list[list[str]]:
    """Lists of a few lengths only, filled up by repeating the last: so statements are few, and each is parsed once."""
    parts = []
    for start in range(0, len(ids), _AT_ONCE):
        some = list(ids[start : start + _AT_ONCE])
        length = next(one for one in _LENGTHS if one >= len(some))
        parts.append([*some, *[some[-1]] * (length - len(some))])
    return parts
