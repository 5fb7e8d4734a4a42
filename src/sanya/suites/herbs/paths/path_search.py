"""Paths through the graph in their total order (length, then ids), as far as asked and no further.

The search goes depth first along sorted neighbours, so that paths come in order and the first page needs little of the
graph. What it reads is counted: at a fixed amount of work it stops and says where, and the next page goes on there.
Neighbours are fetched for several nodes at once, ever more of them the longer nothing is found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple, cast

from sanya.kernel.database import Database
from sanya.suites.herbs.paths.neighbours import Reach, Through, Triple
from sanya.suites.herbs.paths.patterns import Step

MAX_WORK = 20_000
# As many rows as may be read in place, which is cheaper than going to a thread; of most nodes these are all.
_GLANCE = 100
# A hub's neighbours are read in pages, so that the search goes deep before it has read all of them.
_PAGE = 2_000
_GROWTH = 4
_LARGEST_CHUNK = 256

Ids = tuple[str, ...]
Pair = tuple[str, str]


class Mark(NamedTuple):
    """How far the search has come: every path of fewer edges is behind it, and those of `length` edges whose beginning
    is not behind `ids`."""

    length: int
    ids: Ids


@dataclass(slots=True)
class Found:
    paths: list[Ids] = field(default_factory=list)
    next: Mark | None = None
    truncated: bool = False
    work: int = 0
    joined: dict[Pair, set[Triple]] = field(default_factory=dict)
    """Edges that were seen between two nodes, where all of them were."""


class _OutOfWork(Exception):
    """The search read as much as one call may."""


class PathSearch:
    """One question: paths from `start`, within `through`."""

    def __init__(self, database: Database, start: str, through: Through, max_work: int | None = None) -> None:
        self._database = database
        self._start = start
        self._through = through
        self._max_work = MAX_WORK if max_work is None else max_work
        self._work = 0
        self._done: Mark | None = None
        # Edges of a node as far as seen, to tell whether a glance will do.
        self._usual_edges = 10.0
        self._left = 1
        self._joined: dict[Pair, set[Triple]] = {}

    async def find(self, lengths: Sequence[tuple[Step, ...]], limit: int, after: Mark | None) -> Found:
        """At most `limit` paths behind `after`; `lengths` are the steps of paths to look for, shorter ones first."""
        found = Found(joined=self._joined)
        self._done, self._left = after, limit + 1
        try:
            for steps in lengths:
                async for path in self._behind(steps, after):
                    if len(found.paths) == limit:
                        found.next = Mark(len(found.paths[-1]) - 1, found.paths[-1])
                        return found
                    found.paths.append(path)
                    self._left -= 1
                    self._done = Mark(len(steps), path)
        except _OutOfWork:
            found.truncated, found.next = True, self._done
        finally:
            found.work = self._work
        return found

    async def _behind(self, steps: tuple[Step, ...], after: Mark | None) -> AsyncIterator[Ids]:
        """The paths of one length that are behind the mark."""
        whole: Ids = (self._start,)
        if after is not None and (len(steps) < after.length or (len(steps) == after.length and after.ids == whole)):
            return
        mark = after.ids if after is not None and len(steps) == after.length else ()
        if not steps:
            yield whole
            return
        async for path in self._walk([whole], steps, mark):
            yield path

    async def _walk(self, prefixes: list[Ids], steps: tuple[Step, ...], mark: Ids) -> AsyncIterator[Ids]:
        """All whole paths that begin with one of the prefixes, which are in order and of one length."""
        at, size = 0, 1
        while at < len(prefixes):
            chunk = prefixes[at : at + size]
            depth = len(chunk[0])
            seek = mark[depth] if mark[:depth] == chunk[0] else ""
            children, cut_at = await self._children(chunk, steps[depth - 1], seek)
            if cut_at is not None and len(chunk) > 1:
                size = 1
                continue
            wanted = [child for child in children if _is_behind(child, mark)]
            if depth == len(steps):
                for child in wanted:
                    yield child
            else:
                async for path in self._walk(wanted, steps, mark):
                    yield path
            if cut_at is None:
                at, done = at + len(chunk), chunk[-1]
                size = self._next_size(size, len(children) if depth == len(steps) else 0)
            else:
                # The same node again, from where its page ended.
                done = mark = (*chunk[0], cut_at)
            self._done = Mark(len(steps), done)

    def _next_size(self, size: int, paths: int) -> int:
        """More nodes at once the longer it takes; but when paths come, only as many as the page still needs."""
        grown = min(size * _GROWTH, _LARGEST_CHUNK)
        return min(grown, max(1, -(-self._left * size // paths))) if paths else grown

    async def _children(self, chunk: list[Ids], step: Step, seek: str) -> tuple[list[Ids], str | None]:
        """The prefixes one step longer, in order; and the last neighbour read, where there are more."""
        if self._work >= self._max_work:
            raise _OutOfWork
        reach = Reach(list(dict.fromkeys(prefix[-1] for prefix in chunk)), step, self._through, seek)
        if not reach.edge_types:
            return [], None
        rows, is_cut = await self._glance(reach), False
        if rows is None:
            sql, values = reach.page(_PAGE)
            rows = cast(list[Pair], await self._database.fetch(sql, values))
            is_cut = len(rows) == _PAGE
        self._work += len(reach.nodes) + len(rows)
        by_node = {node: [other for _, other in some] for node, some in groupby(rows, key=lambda row: row[0])}
        children = [
            (*prefix, other) for prefix in chunk for other in by_node.get(prefix[-1], ()) if other not in prefix
        ]
        return children, rows[-1][1] if is_cut else None

    async def _glance(self, reach: Reach) -> list[Pair] | None:
        """Neighbours in order, where few edges are all there are."""
        if self._through.source is not None or len(reach.nodes) * self._usual_edges > _GLANCE // 2:
            return None
        sql, values, most = reach.glance(_GLANCE)
        rows = await self._database.fetch(sql, values, touches=_GLANCE)
        self._usual_edges = max(1.0, len(rows) / len(reach.nodes))
        if max(Counter(row[0] for row in rows).values(), default=0) >= most:
            return None
        taken: dict[Pair, set[Triple]] = {}
        for row in filter(reach.takes, rows):
            taken.setdefault((str(row[1]), str(row[2])), set()).add(reach.edge(row))
        self._joined |= taken
        return sorted(taken)


def _is_behind(path: Ids, mark: Ids) -> bool:
    """Whether anything that begins with `path` is still to come."""
    return not mark or (path[: len(mark)] > mark if len(path) >= len(mark) else path >= mark[: len(path)])
