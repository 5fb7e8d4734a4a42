"""Reads of the graph's tables: nodes, edges, names and sources by index, or the whole graph at one revision."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import orjson

from sanya.suite.citations import PaperReader
from sanya.suite.store import Database, Row, format_placeholders, read_revision
from sanya.suites.herbs.graph.decided_statements import READ_DECIDED, DecidedStatements, read_decided, split_rejected
from sanya.suites.herbs.graph.model import (
    DOCUMENT,
    EdgeType,
    HerbEdge,
    HerbGraph,
    HerbName,
    HerbNode,
    HerbSource,
    NodeType,
)
from sanya.suites.herbs.graph.retractions import mark_standings
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
_Key = TypeVar("_Key", bound=Hashable)
_SELECT_NODES = f"SELECT {NODE_COLUMNS} FROM herb_nodes"  # noqa: S608 - names of our own, here and below
_SELECT_EDGES = f"SELECT {EDGE_COLUMNS} FROM herb_edges"  # noqa: S608
_SELECT_NAMES = f"SELECT {NAME_COLUMNS}, name_key FROM herb_names"  # noqa: S608
_SELECT_SOURCES = f"SELECT {SOURCE_COLUMNS} FROM herb_sources"  # noqa: S608
# Longer lists of values are split over several statements.
_MAX_VALUES_PER_STATEMENT = 512


@dataclass(frozen=True, slots=True)
class _GraphRows:
    """The rows of all tables of the graph as they were read."""

    nodes: list[Row]
    edges: list[Row]
    names: list[Row]
    sources: dict[str, HerbSource]


class HerbStore:
    """`read_paper` reads papers that the graph cites, where they are stored here. `graph` is the graph as this database
    was read before; it serves until the revision changes."""

    def __init__(
        self, database: Database, read_paper: PaperReader | None = None, graph: HerbGraph | None = None
    ) -> None:
        self.database = database
        self.read_paper = read_paper
        self._graph = graph
        self._reading = asyncio.Lock()
        self._decided: tuple[int, DecidedStatements] | None = None

    async def read_revision(self) -> int:
        return await read_revision(self.database, SUITE)

    async def load_decided(self) -> DecidedStatements:
        """Return the statements that the owner's reviewers decided, by id, read once for each revision."""
        revision = await self.read_revision()
        if self._decided is None or self._decided[0] != revision:
            self._decided = revision, await self._read_decided()
        return self._decided[1]

    async def get_node(self, node_id: str) -> HerbNode | None:
        return (await self.get_nodes([node_id])).get(node_id)

    async def get_nodes(self, ids: Iterable[str]) -> dict[str, HerbNode]:
        """Return the nodes that exist, by id."""
        rows = await self._fetch_by_ids(f"{_SELECT_NODES} WHERE id IN ", ids)
        return {node.id: node for node in map(read_node, rows)}

    async def complete_ids(self, type: NodeType, text: str, limit: int) -> list[str]:
        """Return ids of nodes of one type that begin with `text`."""
        sql = "SELECT id FROM herb_nodes WHERE type = ? AND id >= ? AND id < ? ORDER BY id LIMIT ?"
        last = text + chr(sys.maxunicode)
        return [str(id) for (id,) in await self.database.fetch(sql, (type, text, last, limit), touches=limit)]

    async def list_edges(
        self, node_id: str, types: Sequence[EdgeType] = (), limit: int = 5000, *, with_rejected: bool = False
    ) -> list[HerbEdge]:
        """Return the edges from and to one node, by id; those of rejected statements on request only."""
        rows = {
            edge.id: edge
            for end in ("from_id", "to_id")
            for edge in await self._read_edges_at(end, [node_id], types, limit)
        }
        edges = [edge for _, edge in sorted(rows.items())][:limit]
        kept, rejected = split_rejected(edges, await self.load_decided())
        return sorted([*kept, *rejected], key=lambda edge: edge.id) if with_rejected else kept

    async def list_edges_from(
        self, ids: Iterable[str], types: Sequence[EdgeType] = (), limit: int = 5000
    ) -> list[HerbEdge]:
        return await self._drop_rejected(await self._read_edges_at("from_id", ids, types, limit))

    async def list_edges_to(
        self, ids: Iterable[str], types: Sequence[EdgeType] = (), limit: int = 5000
    ) -> list[HerbEdge]:
        return await self._drop_rejected(await self._read_edges_at("to_id", ids, types, limit))

    async def list_edges_between(
        self, from_ids: Iterable[str], to_ids: Sequence[str] | None, types: Sequence[EdgeType], limit: int
    ) -> list[HerbEdge]:
        """Return at most `limit` edges from these nodes to `to_ids`, or to any node where that is None, by id."""
        rows: list[Row] = []
        end_condition = "" if to_ids is None else f" AND to_id IN ({format_placeholders(to_ids) or 'NULL'})"
        for batch in _split_values(from_ids):
            sql = (
                f"{_SELECT_EDGES} WHERE from_id IN ({format_placeholders(batch)}) "
                f"AND type IN ({format_placeholders(types)}){end_condition} ORDER BY id LIMIT ?"
            )
            rows += await self.database.fetch(sql, (*batch, *types, *(to_ids or ()), limit - len(rows)))
        return await self._drop_rejected([read_edge(row) for row in rows])

    async def read_labels(self, ids: Iterable[str]) -> list[Row]:
        """Return id, type, Thai label and English label of each node, which is less to read than whole nodes."""
        return await self._fetch_by_ids("SELECT id, type, label_th, label_en FROM herb_nodes WHERE id IN ", ids)

    async def list_statements(self, triples: Iterable[tuple[str, EdgeType, str]]) -> list[Row]:
        """Return the edges with these ends and types as decided, by id: from, to, type, strength, basis, review,
        sources, data, id."""
        decided = await self.load_decided()
        rows_by_id: dict[str, Row] = {}
        for batch in _split_values(triples):
            sql = (
                "SELECT from_id, to_id, type, strength, basis, review, sources, data, fact, id "  # noqa: S608 - placeholders alone
                f"FROM (VALUES {', '.join(['(?, ?, ?)'] * len(batch))}) AS wanted "
                "JOIN herb_edges ON from_id = wanted.column1 AND type = wanted.column2 AND to_id = wanted.column3"
            )
            rows = await self.database.fetch(sql, [value for triple in batch for value in triple], touches=len(batch))
            rows_by_id |= {str(row[-1]): row for row in rows}
        shown = (_apply_to_row(row, decided) for _, row in sorted(rows_by_id.items()))
        return [row for row in shown if row is not None]

    async def count_facts(self, ids: Iterable[str], types: Sequence[EdgeType]) -> dict[str, int]:
        """Count the facts of these types that each node states; nodes without any are not listed.

        Statements of ingested documents do not count: nobody has reviewed them.
        """
        rows: list[Row] = []
        for batch in _split_values(ids):
            sql = (
                "SELECT from_id, COUNT(DISTINCT fact) FROM herb_edges "  # noqa: S608 - placeholders alone
                f"WHERE from_id IN ({format_placeholders(batch)}) AND type IN ({format_placeholders(types)}) "
                "AND basis <> ? AND fact NOT IN (SELECT fact FROM herb_decided_statements WHERE is_hidden = 1) "
                "GROUP BY from_id"
            )
            rows += await self.database.fetch(sql, (*batch, *types, DOCUMENT))
        return {str(id): int(str(count)) for id, count in rows}

    async def list_names(self, ids: Iterable[str]) -> list[HerbName]:
        """Return all names of these nodes, the main ones first."""
        rows = await self._fetch_by_ids(f"{_SELECT_NAMES} WHERE node_id IN ", ids)
        return sorted(map(read_name, rows), key=lambda name: (name.node_id, name.kind != "main", name.lang, name.name))

    async def get_sources(self, ids: Iterable[str]) -> dict[str, HerbSource]:
        """Return the sources that exist, by id."""
        wanted = list(ids)
        rows = await self._fetch_by_ids(f"{_SELECT_SOURCES} WHERE id IN ", wanted)
        sources = {source.id: source for source in map(read_source, rows)}
        if any(id not in sources for id in wanted):
            cited = _list_cited(await self.load_decided())
            sources |= {id: cited[id] for id in wanted if id in cited}
        return await mark_standings(self.database, sources)

    async def list_cited_pmids(self) -> list[str]:
        """Return the PMIDs of all papers that the graph cites, in ascending order."""
        sql = (
            "SELECT pmid FROM herb_sources WHERE pmid IS NOT NULL "
            "UNION SELECT substr(id, 6) FROM herb_nodes WHERE type = 'paper' AND id LIKE 'pmid:%'"
        )
        pmids = {str(pmid) for (pmid,) in await self.database.fetch(sql)}
        pmids |= {source.pmid for source in _list_cited(await self.load_decided()).values() if source.pmid}
        return sorted(filter(str.isdecimal, pmids), key=int)

    async def list_source_pmids(self, ids: Iterable[str]) -> list[str]:
        """Return the PMIDs of those sources that are papers, and are not named by their PMID."""
        wanted = [id for id in ids if not id.startswith("pmid:")]
        rows = await self._fetch_by_ids("SELECT pmid FROM herb_sources WHERE pmid IS NOT NULL AND id IN ", wanted)
        return [str(pmid) for (pmid,) in rows]

    async def load_graph(self) -> HerbGraph:
        """Return the whole graph, read once for each revision."""
        revision = await self.read_revision()
        if self._graph is None or self._graph.revision != revision:
            async with self._reading:
                if self._graph is None or self._graph.revision != revision:
                    self._graph = await self._read_graph(revision)
        return self._graph

    async def _read_graph(self, revision: int) -> HerbGraph:
        fetch = self.database.fetch
        nodes = await fetch(f"{_SELECT_NODES} ORDER BY id")
        edges = await fetch(f"{_SELECT_EDGES} ORDER BY id")
        names = await fetch(f"{_SELECT_NAMES} ORDER BY node_id, name_key")
        decided = await self._read_decided()
        read = {source.id: source for source in map(read_source, await fetch(f"{_SELECT_SOURCES} ORDER BY id"))}
        sources = await mark_standings(self.database, read | _list_cited(decided))
        # Parsing 28,000 rows takes a second, in which the event loop serves others.
        return await asyncio.to_thread(_build_graph, revision, _GraphRows(nodes, edges, names, sources), decided)

    async def _read_decided(self) -> DecidedStatements:
        return {statement.fact: statement for statement in map(read_decided, await self.database.fetch(READ_DECIDED))}

    async def _drop_rejected(self, edges: list[HerbEdge]) -> list[HerbEdge]:
        return split_rejected(edges, await self.load_decided())[0]

    async def _read_edges_at(
        self, end: str, ids: Iterable[str], types: Sequence[EdgeType], limit: int
    ) -> list[HerbEdge]:
        rows: list[Row] = []
        type_condition = f" AND type IN ({format_placeholders(types)})" if types else ""
        for batch in _split_values(ids):
            sql = f"{_SELECT_EDGES} WHERE {end} IN ({format_placeholders(batch)}){type_condition} ORDER BY id LIMIT ?"
            rows += await self.database.fetch(sql, (*batch, *types, limit), touches=None)
        return [read_edge(row) for row in rows]

    async def _fetch_by_ids(self, sql: str, ids: Iterable[str]) -> list[Row]:
        rows: list[Row] = []
        for batch in _split_values(ids):
            rows += await self.database.fetch(f"{sql}({format_placeholders(batch)})", batch, touches=len(batch))
        return rows


def _build_graph(revision: int, rows: _GraphRows, decided: DecidedStatements) -> HerbGraph:
    """Parse the rows, and index them, so that the first who asks does not wait for that either."""
    kept, rejected = split_rejected(map(read_edge, rows.edges), decided)
    graph = HerbGraph(
        revision=revision,
        nodes={node.id: node for node in map(read_node, rows.nodes)},
        edges=tuple(kept),
        names=tuple(map(read_name, rows.names)),
        sources=rows.sources,
        rejected=tuple(rejected),
        name_keys=tuple(str(row[-1]) for row in rows.names),
    )
    graph.build_indexes()
    return graph


def _apply_to_row(row: Row, decided: DecidedStatements) -> Row | None:
    """Return a row of `list_statements` as decided and without its fact, None if the statement was rejected."""
    *values, strength, basis, review, sources, data, fact, id = row
    statement = decided.get(str(fact))
    if statement is None:
        return (*values, strength, basis, review, sources, data, id)
    if statement.is_hidden:
        return None
    cited = orjson.dumps(statement.add_sources(orjson.loads(str(sources)))).decode("utf-8")
    shown = orjson.dumps({**orjson.loads(str(data)), **statement.data}).decode("utf-8")
    return (*values, statement.strength, statement.basis or basis, statement.review, cited, shown, id)


def _list_cited(decided: DecidedStatements) -> dict[str, HerbSource]:
    """Return the sources that decisions cite, by id."""
    return {source.id: source for statement in decided.values() for source in statement.sources}


def _split_values(values: Iterable[_Key]) -> Iterator[list[_Key]]:
    """Yield the distinct values in lists short enough for one statement.

    Each list is padded with its last value to a power of two, so that few different statements are prepared.
    """
    distinct = list(dict.fromkeys(values))
    for start in range(0, len(distinct), _MAX_VALUES_PER_STATEMENT):
        batch = distinct[start : start + _MAX_VALUES_PER_STATEMENT]
        yield batch + batch[-1:] * ((1 << (len(batch) - 1).bit_length()) - len(batch))
