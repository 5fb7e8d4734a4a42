"""tool.query_kg: a start, a pattern and filters into paths, page by page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

import orjson

from sanya.kernel.call import Context
from sanya.kernel.cursors import Cursors
from sanya.kernel.database import Row
from sanya.kernel.faults import InvalidArgument, NotFound
from sanya.suites.herbs.graph.model import EDGE_TYPES, EdgeType, Node, NodeType, Review, strength_of
from sanya.suites.herbs.graph.name_resolver import Ambiguous, Exact, Names
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.paths import contract
from sanya.suites.herbs.paths.neighbours import Through, Triple
from sanya.suites.herbs.paths.path_search import Found, Mark, Pair, PathSearch
from sanya.suites.herbs.paths.patterns import Step, parse_edges, parse_pattern, pattern_fault


@dataclass(frozen=True, slots=True)
class PathTools:
    store: HerbStore
    cursors: Cursors

    async def query_kg(self, request: contract.QueryKgInput, context: Context) -> contract.PathPage:
        del context
        lengths = _lengths(request)
        through = await self._through(request.filters)
        start = await self._start(request.start)
        query: dict[str, Any] = {"tool": "query_kg", **request.model_dump(mode="json", exclude={"cursor", "limit"})}
        after = None
        if request.cursor is not None:
            length, ids = self.cursors.open(query, request.cursor)
            after = Mark(length, tuple(ids))
        found = await PathSearch(self.store.database, start.id, through).find(lengths, request.limit, after)
        steps = {len(one): one for one in lengths}
        shown = {row[0]: _node(row) for row in await self.store.labels(id for path in found.paths for id in path)}
        return contract.PathPage(
            paths=[[shown[id] for id in path] for path in found.paths],
            edges=await self._edges(found, steps, through),
            truncated=found.truncated,
            work=found.work,
            next_cursor=None if found.next is None else self.cursors.seal(query, [*found.next]),
        )

    async def _start(self, start: contract.Start) -> Node:
        found = await Names(self.store).resolve(start.id, [start.type])
        if isinstance(found, Exact) and found.is_sure:
            return found.node
        named = ", ".join(f"{one.node.id} ({one.node.label})" for one in found.candidates)
        if isinstance(found, Ambiguous):
            raise InvalidArgument(f"start.id {start.id!r} may be any of {named}; give one id", field="start.id")
        near = f"; nearest: {named}" if named else ""
        raise NotFound(f"no {start.type} has the id or name {start.id!r}{near}", details={"field": "start.id"})

    async def _through(self, filters: contract.PathFilters | None) -> Through:
        if filters is None:
            return Through()
        if filters.source is not None and not await self.store.sources([filters.source]):
            raise NotFound(f"no source has the id {filters.source!r}; the edges of an answer name theirs")
        edges = () if filters.edges is None else parse_edges(filters.edges, "filters.edges")
        return Through(edges, filters.min_strength, filters.source, "reviewed" if filters.reviewed else None)

    async def _edges(
        self, found: Found, steps: dict[int, tuple[Step, ...]], through: Through
    ) -> list[contract.PathEdge]:
        """What is said along the paths. Neighbours that came by a page are asked for by all that may join them."""
        wanted: set[Triple] = set()
        for path in found.paths:
            for pair, step in zip(pairwise(path), steps[len(path) - 1], strict=True):
                wanted |= found.joined.get(pair) or _possible(pair, step.edges or through.edge_types or EDGE_TYPES)
        edges = [_edge(row) for row in await self.store.statements_of(wanted)]
        return [edge for edge in edges if through.allows(edge)]


def _lengths(request: contract.QueryKgInput) -> list[tuple[Step, ...]]:
    """The steps of the paths to look for, shorter ones first."""
    if request.pattern is None:
        return [(Step(),) * length for length in range(request.max_depth + 1)]
    pattern = parse_pattern(request.pattern)
    if pattern.start not in (None, request.start.type):
        problem = f"the pattern begins with {pattern.start}, but start is a {request.start.type}"
        raise pattern_fault(request.pattern, pattern.starts[0], problem)
    if len(pattern.steps) > request.max_depth:
        problem = f"max_depth is {request.max_depth} (at most {contract.MAX_DEPTH}), and this is step "
        raise pattern_fault(
            request.pattern, pattern.starts[request.max_depth + 1], f"{problem}{request.max_depth + 1}; raise it"
        )
    return [pattern.steps]


def _possible(pair: Pair, types: Sequence[EdgeType]) -> set[Triple]:
    one, other = pair
    return {three for type in types for three in ((one, type, other), (other, type, one))}


def _node(row: Row) -> contract.PathNode:
    id, type, label_th, label_en = cast(tuple[str, NodeType, str | None, str | None], row)
    return contract.PathNode(id=id, type=type, label=label_th or label_en or id, label_en=label_en)


def _edge(row: Row) -> contract.PathEdge:
    start, to, type, strength, basis, review, sources, _ = row
    return contract.PathEdge(
        start=str(start),
        to=str(to),
        type=cast(EdgeType, type),
        strength=strength_of(cast(int, strength)),
        basis=str(basis),
        review=cast(Review, review),
        sources=orjson.loads(str(sources)),
    )
