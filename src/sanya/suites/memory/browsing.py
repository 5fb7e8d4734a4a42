"""Browsing: memories by time, type, source, entity and rating, and what is known of one person or thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sanya.suite import Context, Cursors, NotFound
from sanya.suite.store import Value
from sanya.suites.memory.contract import (
    EntityEntry,
    GetEntityInput,
    GetEntityResult,
    ListedMemory,
    ListMemoriesInput,
    ListMemoriesResult,
)
from sanya.suites.memory.namespaces import Namespaces
from sanya.suites.memory.ratings.rating import parse_rating
from sanya.suites.memory.recall.causal_chains import summarise
from sanya.suites.memory.recall.validity import load_replacements
from sanya.suites.memory.storage.records import Memory, MemoryNode, from_row, list_columns
from sanya.suites.memory.storage.store import MemoryStore
from sanya.suites.memory.times import parse_as_of, parse_since

_MAX_ENTITIES = 5
_OF_ENTITY = (
    "id IN (SELECT memory_id FROM memory_edges WHERE namespace = ? AND relation IN ('participates', 'mentions') "
    "AND (from_id IN ({ids}) OR to_id IN ({ids})))"
)
_OF_SOURCE = (
    "id IN (SELECT p.memory_id FROM memory_provenance p JOIN memory_sources s ON s.id = p.source_id "
    "WHERE s.namespace = ? AND s.ref = ?)"
)


@dataclass(frozen=True, slots=True)
class MemoryBrowser:
    store: MemoryStore
    namespaces: Namespaces
    cursors: Cursors

    async def list_memories(self, request: ListMemoriesInput, context: Context) -> ListMemoriesResult:
        namespace = self.namespaces.find_namespace(context.caller)
        query: dict[str, Any] = {
            "tool": "list_memories",
            "namespace": namespace,
            **request.model_dump(mode="json", exclude={"cursor", "limit"}),
        }
        where, params = await self._build_filters(request, namespace)
        if request.cursor is not None:
            where.append("arrival < ?")
            params.append(int(self.cursors.open(query, request.cursor)[0]))
        found = await self._select(where, [*params, request.limit + 1], "arrival DESC")
        page = found[: request.limit]
        more = self.cursors.seal(query, [page[-1].arrival]) if len(found) > request.limit else None
        return ListMemoriesResult(memories=await self._describe(namespace, page), next_cursor=more)

    async def get_entity(self, request: GetEntityInput, context: Context) -> GetEntityResult:
        namespace = self.namespaces.find_namespace(context.caller)
        nodes = await self._find_entities(namespace, request.entity)
        entries = []
        for node in nodes[:_MAX_ENTITIES]:
            where, params = _filter_by_entities(namespace, [node.id])
            memories = await self._select(
                ["namespace = ?", "retired_at IS NULL", where],
                [namespace, *params, request.limit],
                "created_at, arrival",
            )
            entries.append(
                EntityEntry(
                    id=node.id,
                    type=node.dynamic_type or node.kind,
                    name=node.name,
                    aliases=node.aliases,
                    memories=await self._describe(namespace, memories),
                )
            )
        return GetEntityResult(entities=tuple(entries))

    async def _build_filters(self, request: ListMemoriesInput, namespace: str) -> tuple[list[str], list[Value]]:
        where, params = ["namespace = ?", "retired_at IS NULL"], list[Value]([namespace])
        rating = parse_rating(request.min_confidence)
        conditions: list[tuple[str, Value | None]] = [
            ("created_at >= ?", parse_since(request.since, "since") if request.since else None),
            ("created_at <= ?", parse_as_of(request.until, "until") if request.until else None),
            ("type = ?", request.type),
            ("letter <= ?", rating.letter),
            ("digit <= ?", rating.digit),
        ]
        for condition, value in conditions:
            if value is not None:
                where.append(condition)
                params.append(value)
        if request.source is not None:
            where.append(_OF_SOURCE)
            params += [namespace, request.source]
        if request.entity is not None:
            nodes = await self._find_entities(namespace, request.entity)
            condition, more = _filter_by_entities(namespace, [node.id for node in nodes])
            where.append(condition)
            params += more
        return where, params

    async def _find_entities(self, namespace: str, entity: str) -> list[MemoryNode]:
        """Return the entities with an id, a name or an alias; a merged one leads to the one that it became."""
        reader = self.store.reader
        nodes = await reader.find_nodes(namespace, [entity])
        merged = [node.merged_into for node in nodes.values() if node.merged_into]
        nodes = {**nodes, **await reader.find_nodes(namespace, merged)} if merged else nodes
        named = await reader.find_nodes_by_name(namespace, [entity])
        candidates = [*nodes.values(), *(node for same_name in named.values() for node in same_name)]
        found = {
            node.id: node for node in candidates if node.kind in ("agent", "artifact") and node.merged_into is None
        }
        if not found:
            raise NotFound(f"nothing is known of {entity[:80]!r}; use a name or a participant id from get_memory")
        return list(found.values())

    async def _select(self, where: Sequence[str], params: Sequence[Value], order: str) -> list[Memory]:
        rows = await self.store.database.fetch(
            f"SELECT {', '.join(list_columns(Memory))} FROM memories "  # noqa: S608 - names of our own
            f"WHERE {' AND '.join(where)} ORDER BY {order} LIMIT ?",
            params,
        )
        return [from_row(Memory, row) for row in rows]

    async def _describe(self, namespace: str, memories: Sequence[Memory]) -> tuple[ListedMemory, ...]:
        replacements = await load_replacements(self.store.reader, namespace, [memory.id for memory in memories])
        return tuple(
            ListedMemory(
                id=memory.id,
                type=memory.type,
                summary=summarise(memory.content),
                confidence=str(memory.rating),
                created_at=memory.created_at,
                superseded_by=replacements[memory.id].memory_id if memory.id in replacements else None,
            )
            for memory in memories
        )


def _filter_by_entities(namespace: str, ids: Sequence[str]) -> tuple[str, list[Value]]:
    marks = ", ".join("?" for _ in ids)
    return _OF_ENTITY.format(ids=marks), [namespace, *ids, *ids]
