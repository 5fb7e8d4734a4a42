"""Handler of tool.query_kg: a start, a pattern and filters in, a page of paths out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

import orjson

from sanya.suite import Context, Cursors, InvalidArgument, NotFound
from sanya.suite.store import Row
from sanya.suites.herbs.graph.decided_statements import DECIDED_EDGES
from sanya.suites.herbs.graph.model import (
    EDGE_TYPES,
    WARNING_EDGES,
    EdgeType,
    HerbNode,
    NodeType,
    ReviewState,
    to_strength,
)
from sanya.suites.herbs.graph.name_resolver import AmbiguousMatch, NameResolver, ResolvedName
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.paths import contract
from sanya.suites.herbs.paths.neighbours import EdgeFilter, EdgeTriple
from sanya.suites.herbs.paths.path_search import NodePair, PathCursor, PathSearch, PathSearchResult
from sanya.suites.herbs.paths.patterns import Step, build_pattern_fault, parse_edges, parse_pattern
from sanya.suites.herbs.safety.severity import derive_severity


@dataclass(frozen=True, slots=True)
class PathTools:
    store: HerbStore
    cursors: Cursors

    async def query_kg(self, request: contract.QueryKgInput, context: Context) -> contract.PathPage:
        lengths = _list_lengths(request)
        edge_filter = await self._build_filter(request.filters)
        start = await self._resolve_start(request.start)
        query: dict[str, Any] = {"tool": "query_kg", **request.model_dump(mode="json", exclude={"cursor", "limit"})}
        after = None
        if request.cursor is not None:
            length, ids = self.cursors.open(query, request.cursor)
            after = PathCursor(length, tuple(ids))
        # A home without decisions reads the table itself, whose indexes hold all that a step needs.
        edge_table = DECIDED_EDGES if await self.store.load_decided() else "herb_edges"
        search = PathSearch(self.store.database, start.id, edge_filter, edge_table=edge_table)
        result = await search.find(lengths, request.limit, after)
        steps_by_length = {len(steps): steps for steps in lengths}
        rows = await self.store.read_labels(id for path in result.paths for id in path)
        nodes = {row[0]: _to_path_node(row) for row in rows}
        edges = await self._list_edges(result, steps_by_length, edge_filter)
        context.cite(await self.store.list_source_pmids({source for edge in edges for source in edge.sources}))
        return contract.PathPage(
            paths=[[nodes[id] for id in path] for path in result.paths],
            edges=edges,
            truncated=result.truncated,
            work=result.work,
            next_cursor=None if result.next is None else self.cursors.seal(query, [*result.next]),
        )

    async def _resolve_start(self, start: contract.Start) -> HerbNode:
        resolution = await NameResolver(self.store).resolve(start.id, [start.type])
        if isinstance(resolution, ResolvedName) and resolution.is_certain:
            return resolution.node
        named = ", ".join(f"{candidate.node.id} ({candidate.node.label})" for candidate in resolution.candidates)
        if isinstance(resolution, AmbiguousMatch):
            choices = [{"id": each.node.id, "label": each.node.label} for each in resolution.candidates]
            raise InvalidArgument(
                f"start.id {start.id!r} may be any of {named}; give one id",
                field="start.id",
                details={"ambiguous": [{"field": "start.id", "given": start.id, "candidates": choices}]},
            )
        near = f"; nearest: {named}" if named else ""
        raise NotFound(f"no {start.type} has the id or name {start.id!r}{near}", details={"field": "start.id"})

    async def _build_filter(self, filters: contract.PathFilters | None) -> EdgeFilter:
        if filters is None:
            return EdgeFilter()
        if filters.source is not None and not await self.store.get_sources([filters.source]):
            raise NotFound(f"no source has the id {filters.source!r}; the edges of an answer list their source ids")
        edges = () if filters.edges is None else parse_edges(filters.edges, "filters.edges")
        return EdgeFilter(edges, filters.min_strength, filters.source, "reviewed" if filters.reviewed else None)

    async def _list_edges(
        self, result: PathSearchResult, steps_by_length: dict[int, tuple[Step, ...]], edge_filter: EdgeFilter
    ) -> list[contract.PathEdge]:
        """Return the statements along the paths.

        The search knows the edges of a pair only where it read them in place. For the others, every triple that the
        step allows is looked up.
        """
        triples: set[EdgeTriple] = set()
        for path in result.paths:
            for pair, step in zip(pairwise(path), steps_by_length[len(path) - 1], strict=True):
                types = step.edges or edge_filter.edge_types or EDGE_TYPES
                triples |= result.edges_by_pair.get(pair) or _list_possible_triples(pair, types)
        edges = [_to_path_edge(row) for row in await self.store.list_statements(triples)]
        return [edge for edge in edges if edge_filter.is_allowed(edge)]


def _list_lengths(request: contract.QueryKgInput) -> list[tuple[Step, ...]]:
    """Return the steps of the paths to look for, shorter ones first."""
    if request.pattern is None:
        return [(Step(),) * length for length in range(request.max_depth + 1)]
    pattern = parse_pattern(request.pattern)
    if pattern.start not in (None, request.start.type):
        problem = f"the pattern begins with {pattern.start}, but start is a {request.start.type}"
        raise build_pattern_fault(request.pattern, pattern.starts[0], problem)
    if len(pattern.steps) > request.max_depth:
        problem = f"max_depth is {request.max_depth} (at most {contract.MAX_DEPTH}), and this is step "
        raise build_pattern_fault(
            request.pattern, pattern.starts[request.max_depth + 1], f"{problem}{request.max_depth + 1}; raise it"
        )
    return [pattern.steps]


def _list_possible_triples(pair: NodePair, types: Sequence[EdgeType]) -> set[EdgeTriple]:
    left, right = pair
    return {triple for type in types for triple in ((left, type, right), (right, type, left))}


def _to_path_node(row: Row) -> contract.PathNode:
    id, type, label_th, label_en = cast(tuple[str, NodeType, str | None, str | None], row)
    return contract.PathNode(id=id, type=type, label=label_th or label_en or id, label_en=label_en)


def _to_path_edge(row: Row) -> contract.PathEdge:
    start, to, type, strength, basis, review, sources, data, _ = row
    rank = to_strength(cast(int, strength))
    return contract.PathEdge(
        start=str(start),
        to=str(to),
        type=cast(EdgeType, type),
        strength=rank,
        basis=str(basis),
        review=cast(ReviewState, review),
        sources=orjson.loads(str(sources)),
        severity=derive_severity(orjson.loads(str(data)).get("severity"), rank) if type in WARNING_EDGES else None,
    )
