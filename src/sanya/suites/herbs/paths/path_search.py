"""Search for paths, in their total order (length, then ids) and page by page.

The search goes depth first along sorted neighbours, so paths come in order and the first page reads little of the
graph. It counts what it reads. At `MAX_WORK` it stops with a cursor, and the next page continues there. It fetches the
neighbours of several nodes at once, and of more nodes the longer it finds nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple, cast

from sanya.suite.store import Database
from sanya.suites.herbs.paths.neighbours import EdgeFilter, EdgeTriple, NeighbourQuery
from sanya.suites.herbs.paths.patterns import Step

MAX_WORK = 20_000
# Rows that are read in place rather than in a thread. Most nodes have fewer edges than this.
_MAX_ROWS_IN_PLACE = 100
# The neighbours of a hub are read in pages, so that the search goes deep before it has read all of them.
_PAGE_ROWS = 2_000
_CHUNK_GROWTH = 4
_MAX_CHUNK = 256

NodePath = tuple[str, ...]
NodePair = tuple[str, str]


class PathCursor(NamedTuple):
    """The progress of a search: past every path of fewer than `length` edges, and past those of `length` edges that
    do not sort after `ids`."""

    length: int
    ids: NodePath


@dataclass(slots=True)
class PathSearchResult:
    paths: list[NodePath] = field(default_factory=list)
    next: PathCursor | None = None
    truncated: bool = False
    work: int = 0
    edges_by_pair: dict[NodePair, set[EdgeTriple]] = field(default_factory=dict)
    """The edges between two nodes, where the search has seen all of them."""


class _WorkLimitReached(Exception):
    """The search has read as much as one call may."""


class PathSearch:
    """A search for paths that begin at `start` and take only edges that `edge_filter` allows."""

    def __init__(
        self,
        database: Database,
        start: str,
        edge_filter: EdgeFilter,
        max_work: int | None = None,
        edge_table: str = "herb_edges",
    ) -> None:
        self._database = database
        self._start = start
        self._edge_filter = edge_filter
        self._max_work = MAX_WORK if max_work is None else max_work
        self._edge_table = edge_table
        self._work = 0
        self._position: PathCursor | None = None
        # Edges per node in the last read: an estimate of whether the next read is small enough to run in place.
        self._edges_per_node = 10.0
        self._paths_missing = 1
        self._edges_by_pair: dict[NodePair, set[EdgeTriple]] = {}

    async def find(self, lengths: Sequence[tuple[Step, ...]], limit: int, after: PathCursor | None) -> PathSearchResult:
        """Return at most `limit` paths after the cursor. `lengths` holds the steps of each length, shorter first."""
        result = PathSearchResult(edges_by_pair=self._edges_by_pair)
        self._position, self._paths_missing = after, limit + 1
        try:
            for steps in lengths:
                async for path in self._find_after(steps, after):
                    if len(result.paths) == limit:
                        result.next = PathCursor(len(result.paths[-1]) - 1, result.paths[-1])
                        return result
                    result.paths.append(path)
                    self._paths_missing -= 1
                    self._position = PathCursor(len(steps), path)
        except _WorkLimitReached:
            result.truncated, result.next = True, self._position
        finally:
            result.work = self._work
        return result

    async def _find_after(self, steps: tuple[Step, ...], after: PathCursor | None) -> AsyncIterator[NodePath]:
        """Yield the paths of one length that come after the cursor."""
        origin: NodePath = (self._start,)
        if after is not None and (len(steps) < after.length or (len(steps) == after.length and after.ids == origin)):
            return
        mark = after.ids if after is not None and len(steps) == after.length else ()
        if not steps:
            yield origin
            return
        async for path in self._walk([origin], steps, mark):
            yield path

    async def _walk(self, prefixes: list[NodePath], steps: tuple[Step, ...], mark: NodePath) -> AsyncIterator[NodePath]:
        """Yield all complete paths that begin with one of the prefixes, which are sorted and of one length."""
        at, size = 0, 1
        while at < len(prefixes):
            chunk = prefixes[at : at + size]
            depth = len(chunk[0])
            first_id = mark[depth] if mark[:depth] == chunk[0] else ""
            children, cut_at = await self._list_children(chunk, steps[depth - 1], first_id)
            if cut_at is not None and len(chunk) > 1:
                size = 1
                continue
            remaining = [child for child in children if _is_after(child, mark)]
            if depth == len(steps):
                for child in remaining:
                    yield child
            else:
                async for path in self._walk(remaining, steps, mark):
                    yield path
            if cut_at is None:
                at, last = at + len(chunk), chunk[-1]
                size = self._choose_chunk_size(size, len(children) if depth == len(steps) else 0)
            else:
                # The same node again, from where its page ended.
                last = mark = (*chunk[0], cut_at)
            self._position = PathCursor(len(steps), last)

    def _choose_chunk_size(self, size: int, path_count: int) -> int:
        """Grow the chunk while nothing is found; once paths come, take only as many nodes as the page still needs."""
        grown = min(size * _CHUNK_GROWTH, _MAX_CHUNK)
        return min(grown, max(1, -(-self._paths_missing * size // path_count))) if path_count else grown

    async def _list_children(
        self, chunk: list[NodePath], step: Step, first_id: str
    ) -> tuple[list[NodePath], str | None]:
        """Return the prefixes that are one step longer, in order, and the last neighbour read where more remain."""
        if self._work >= self._max_work:
            raise _WorkLimitReached
        nodes = list(dict.fromkeys(prefix[-1] for prefix in chunk))
        query = NeighbourQuery(nodes, step, self._edge_filter, first_id, self._edge_table)
        if not query.edge_types:
            return [], None
        pairs, is_cut = await self._read_in_place(query), False
        if pairs is None:
            sql, values = query.build_page_query(_PAGE_ROWS)
            pairs = cast(list[NodePair], await self._database.fetch(sql, values))
            is_cut = len(pairs) == _PAGE_ROWS
        self._work += len(query.nodes) + len(pairs)
        by_node = {node: [other for _, other in group] for node, group in groupby(pairs, key=lambda pair: pair[0])}
        children = [
            (*prefix, other) for prefix in chunk for other in by_node.get(prefix[-1], ()) if other not in prefix
        ]
        return children, pairs[-1][1] if is_cut else None

    async def _read_in_place(self, query: NeighbourQuery) -> list[NodePair] | None:
        """Return the neighbours in order where the nodes have few edges, None where they have too many."""
        if self._edge_filter.source is not None:
            return None
        if len(query.nodes) * self._edges_per_node > _MAX_ROWS_IN_PLACE // 2:
            return None
        sql, values, part_limit = query.build_unfiltered_query(_MAX_ROWS_IN_PLACE)
        rows = await self._database.fetch(sql, values, touches=_MAX_ROWS_IN_PLACE)
        self._edges_per_node = max(1.0, len(rows) / len(query.nodes))
        if max(Counter(row[0] for row in rows).values(), default=0) >= part_limit:
            return None
        edges: dict[NodePair, set[EdgeTriple]] = {}
        for row in filter(query.is_match, rows):
            edges.setdefault((str(row[1]), str(row[2])), set()).add(query.read_edge(row))
        self._edges_by_pair |= edges
        return sorted(edges)


def _is_after(path: NodePath, mark: NodePath) -> bool:
    """Return whether any path that begins with `path` comes after the mark."""
    return not mark or (path[: len(mark)] > mark if len(path) >= len(mark) else path >= mark[: len(path)])
