"""What the suite keeps, as its tools ask for it: nodes and their edges by index, or all of it at one revision."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

from sanya.kernel.database import Database, Row
from sanya.kernel.revisions import read_revision
from sanya.kernel.sql import format_placeholders
from sanya.suites.herbs.graph.model import DOCUMENT, Edge, EdgeType, Graph, Name, Node, NodeType, Source
from sanya.suites.herbs.graph.rows import (
    EDGE_COLUMNS,
    NAME_COLUMNS,
    NODE_COLUMNS,
    SOURCE_COLUMNS,
    read_edge,
    read_name,
    read_node,
    read_source,
)

SUITE = "herbs"
Value = TypeVar("Value", bound=Hashable)
_SELECT_NODES = f"SELECT {NODE_COLUMNS} FROM herb_nodes"  # noqa: S608 - names of our own, here and below
_SELECT_EDGES = f"SELECT {EDGE_COLUMNS} FROM herb_edges"  # noqa: S608
_SELECT_NAMES = f"SELECT {NAME_COLUMNS} FROM herb_names"  # noqa: S608
_SELECT_SOURCES = f"SELECT {SOURCE_COLUMNS} FROM herb_sources"  # noqa: S608
# As many values as one statement takes: beyond, several statements.
_VALUES_A_STATEMENT = 512


class HerbStore:
    """Reads through the database port alone."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._graph: Graph | None = None

    async def revision(self) -> int:
        return await read_revision(self.database, "herbs")

    async def node(self, node_id: str) -> Node | None:
        return (await self.nodes_by_id([node_id])).get(node_id)

    async def nodes_by_id(self, ids: Iterable[str]) -> dict[str, Node]:
        """Those that exist, by id."""
        rows = await self._of_ids(f"{_SELECT_NODES} WHERE id IN ", ids)
        return {node.id: node for node in map(read_node, rows)}

    async def nodes(self, type: NodeType, after: str = "", limit: int = 1000) -> list[Node]:
        """Nodes of one type by id, at most `limit`, behind the one whose id is `after`."""
        sql = f"{_SELECT_NODES} WHERE type = ? AND id > ? ORDER BY id LIMIT ?"
        return [read_node(row) for row in await self.database.fetch(sql, (type, after, limit), touches=limit)]

    async def ids_beginning(self, type: NodeType, text: str, limit: int) -> list[str]:
        sql = "SELECT id FROM herb_nodes WHERE type = ? AND id >= ? AND id < ? ORDER BY id LIMIT ?"
        last = text + chr(sys.maxunicode)
        return [str(id) for (id,) in await self.database.fetch(sql, (type, text, last, limit), touches=limit)]

    async def edges(self, of: str, types: Sequence[EdgeType] = (), limit: int = 5000) -> list[Edge]:
        """The statements about one node, from it and to it, by id."""
        found = [*await self.edges_from([of], types, limit), *await self.edges_to([of], types, limit)]
        return [edge for _, edge in sorted({edge.id: edge for edge in found}.items())][:limit]

    async def edges_from(self, ids: Iterable[str], types: Sequence[EdgeType] = (), limit: int = 5000) -> list[Edge]:
        return await self._edges("from_id", ids, types, limit)

    async def edges_to(self, ids: Iterable[str], types: Sequence[EdgeType] = (), limit: int = 5000) -> list[Edge]:
        return await self._edges("to_id", ids, types, limit)

    async def edges_between(
        self, ids: Iterable[str], to: Sequence[str] | None, types: Sequence[EdgeType], limit: int
    ) -> list[Edge]:
        """The statements from these nodes, to those of `to` or to any, by id; at most `limit`."""
        found: list[Row] = []
        of_ends = "" if to is None else f" AND to_id IN ({format_placeholders(to) or 'NULL'})"
        for some in _parts(ids):
            sql = (
                f"{_SELECT_EDGES} WHERE from_id IN ({format_placeholders(some)}) "
                f"AND type IN ({format_placeholders(types)}){of_ends} ORDER BY id LIMIT ?"
            )
            found += await self.database.fetch(sql, (*some, *types, *(to or ()), limit - len(found)))
        return [read_edge(row) for row in found]

    async def labels(self, ids: Iterable[str]) -> list[Row]:
        """id, type, Thai and English label of each: less to read than whole nodes."""
        return await self._of_ids("SELECT id, type, label_th, label_en FROM herb_nodes WHERE id IN ", ids)

    async def statements_of(self, triples: Iterable[tuple[str, EdgeType, str]]) -> list[Row]:
        """The edges of these ends and types, by id: from, to, type, strength, basis, review, sources."""
        found: dict[str, Row] = {}
        for some in _parts(triples):
            sql = (
                "SELECT from_id, to_id, type, strength, basis, review, sources, id "  # noqa: S608 - marks alone
                f"FROM (VALUES {', '.join(['(?, ?, ?)'] * len(some))}) AS wanted "
                "JOIN herb_edges ON from_id = wanted.column1 AND type = wanted.column2 AND to_id = wanted.column3"
            )
            rows = await self.database.fetch(sql, [one for three in some for one in three], touches=len(some))
            found |= {str(row[-1]): row for row in rows}
        return [row for _, row in sorted(found.items())]

    async def count_facts(self, ids: Iterable[str], types: Sequence[EdgeType]) -> dict[str, int]:
        """How many facts of these types there are from each node; none is not listed. What was only read in a document
        is no record: nobody has looked at it."""
        found: list[Row] = []
        for some in _parts(ids):
            sql = (
                "SELECT from_id, COUNT(DISTINCT fact) FROM herb_edges "  # noqa: S608 - marks alone
                f"WHERE from_id IN ({format_placeholders(some)}) AND type IN ({format_placeholders(types)}) "
                "AND basis <> ? GROUP BY from_id"
            )
            found += await self.database.fetch(sql, (*some, *types, DOCUMENT))
        return {str(id): int(str(count)) for id, count in found}

    async def names(self, ids: Iterable[str]) -> list[Name]:
        """All names of these nodes, the main ones first."""
        rows = await self._of_ids(f"{_SELECT_NAMES} WHERE node_id IN ", ids)
        return sorted(map(read_name, rows), key=lambda name: (name.node_id, name.kind != "main", name.lang, name.name))

    async def sources(self, ids: Iterable[str]) -> dict[str, Source]:
        rows = await self._of_ids(f"{_SELECT_SOURCES} WHERE id IN ", ids)
        return {source.id: source for source in map(read_source, rows)}

    async def snapshot(self) -> Graph:
        """All of the graph, read once for each revision."""
        revision = await self.revision()
        if self._graph is None or self._graph.revision != revision:
            self._graph = await self._read_graph(revision)
        return self._graph

    async def all_nodes(self) -> tuple[Node, ...]:
        return tuple((await self.snapshot()).nodes.values())

    async def all_edges(self) -> tuple[Edge, ...]:
        return (await self.snapshot()).edges

    async def _read_graph(self, revision: int) -> Graph:
        fetch = self.database.fetch
        nodes = await fetch(f"{_SELECT_NODES} ORDER BY id")
        edges = await fetch(f"{_SELECT_EDGES} ORDER BY id")
        names = await fetch(f"{_SELECT_NAMES} ORDER BY node_id, name_key")
        sources = await fetch(f"{_SELECT_SOURCES} ORDER BY id")
        return Graph(
            revision=revision,
            nodes={node.id: node for node in map(read_node, nodes)},
            edges=tuple(map(read_edge, edges)),
            names=tuple(map(read_name, names)),
            sources={source.id: source for source in map(read_source, sources)},
        )

    async def _edges(self, end: str, ids: Iterable[str], types: Sequence[EdgeType], limit: int) -> list[Edge]:
        found: list[Row] = []
        of_types = f" AND type IN ({format_placeholders(types)})" if types else ""
        for some in _parts(ids):
            sql = f"{_SELECT_EDGES} WHERE {end} IN ({format_placeholders(some)}){of_types} ORDER BY id LIMIT ?"
            found += await self.database.fetch(sql, (*some, *types, limit), touches=None)
        return [read_edge(row) for row in found]

    async def _of_ids(self, sql: str, ids: Iterable[str]) -> list[Row]:
        found: list[Row] = []
        for some in _parts(ids):
            found += await self.database.fetch(f"{sql}({format_placeholders(some)})", some, touches=len(some))
        return found


def _parts(values: Iterable[Value]) -> Iterator[list[Value]]:
    """The values, each once, in lists that one statement takes. A list is filled up to a power of two with its last
    value: statements of few lengths are prepared once and kept."""
    every = list(dict.fromkeys(values))
    for start in range(0, len(every), _VALUES_A_STATEMENT):
        some = every[start : start + _VALUES_A_STATEMENT]
        yield some + some[-1:] * ((1 << (len(some) - 1).bit_length()) - len(some))
