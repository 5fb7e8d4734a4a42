"""tool.query_kg: a start, a pattern and filters into paths, page by page."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from sanya.kernel.call import Context
from sanya.kernel.cursors import Cursors
from sanya.kernel.faults import InvalidArgument, NotFound
from sanya.suites.herbs import contract
from sanya.suites.herbs.graph import Edge, Node
from sanya.suites.herbs.names import Ambiguous, Exact, Names
from sanya.suites.herbs.paths import Found, Ids, Mark, PathSearch, Through
from sanya.suites.herbs.patterns import Step, parse_edges, parse_pattern, pattern_fault
from sanya.suites.herbs.store import HerbStore


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
        nodes = await self.store.nodes_by_id(id for path in found.paths for id in path)
        return contract.PathPage(
            paths=[[_node(nodes[id]) for id in path] for path in found.paths],
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
    ) -> list[list[contract.PathEdge]]:
        between: dict[frozenset[str], list[Edge]] = defaultdict(list)
        for edge in await self.store.edges_of_pairs({pair for path in found.paths for pair in pairwise(path)}):
            between[frozenset((edge.from_id, edge.to_id))].append(edge)

        def along(path: Ids) -> list[contract.PathEdge]:
            hops = zip(pairwise(path), steps[len(path) - 1], strict=True)
            return [_edge(one) for pair, step in hops for one in between[frozenset(pair)] if through.allows(one, step)]

        return [along(path) for path in found.paths]


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


def _node(node: Node) -> contract.PathNode:
    return contract.PathNode(id=node.id, type=node.type, label=node.label, label_en=node.label_en)


def _edge(edge: Edge) -> contract.PathEdge:
    return contract.PathEdge(
        type=edge.type,
        start=edge.from_id,
        to=edge.to_id,
        strength=edge.strength,
        basis=edge.basis,
        review=edge.review,
        sources=list(edge.sources),
    )
