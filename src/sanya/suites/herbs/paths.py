"""Paths through the graph in their total order (length, then ids), as far as asked and no further.

The search goes depth first along sorted neighbours, so that paths come in order and the first page needs little of the
graph. What it reads is counted: at a fixed amount of work it stops and says where, and the next page goes on there.
Neighbours are fetched for several nodes at once, ever more of them the longer nothing is found.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

import orjson

from sanya.kernel.database import Database, Value
from sanya.suites.herbs.graph import Edge, EdgeType, Review, Strength, strength_rank
from sanya.suites.herbs.patterns import Step

MAX_WORK = 20_000
# A hub's neighbours are read in pages, so that the search goes deep before it has read all of them.
_PAGE = 2_000
_GROWTH = 4
_LARGEST_CHUNK = 256

Ids = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Through:
    """What edges a path may go along; empty and None mean any."""

    edge_types: tuple[EdgeType, ...] = ()
    min_strength: Strength | None = None
    source: str | None = None
    review: Review | None = None

    def allows(self, edge: Edge, step: Step) -> bool:
        """Whether a path may take this edge as this step; the nodes have been seen to."""
        return (
            (not step.edges or edge.type in step.edges)
            and (not self.edge_types or edge.type in self.edge_types)
            and (self.min_strength is None or not 0 < strength_rank(edge.strength) < strength_rank(self.min_strength))
            and (self.source is None or self.source in edge.sources)
            and (self.review is None or edge.review == self.review)
        )


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

    async def find(self, lengths: Sequence[tuple[Step, ...]], limit: int, after: Mark | None) -> Found:
        """At most `limit` paths behind `after`; `lengths` are the steps of paths to look for, shorter ones first."""
        found = Found()
        self._done = after
        try:
            for steps in lengths:
                async for path in self._behind(steps, after):
                    if len(found.paths) == limit:
                        found.next = Mark(len(found.paths[-1]) - 1, found.paths[-1])
                        return found
                    found.paths.append(path)
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
                at, size, done = at + len(chunk), min(size * _GROWTH, _LARGEST_CHUNK), chunk[-1]
            else:
                # The same node again, from where its page ended.
                done = mark = (*chunk[0], cut_at)
            self._done = Mark(len(steps), done)

    async def _children(self, chunk: list[Ids], step: Step, seek: str) -> tuple[list[Ids], str | None]:
        """The prefixes one step longer, in order; and the last neighbour read, where there are more."""
        if self._work >= self._max_work:
            raise _OutOfWork
        nodes = list(dict.fromkeys(prefix[-1] for prefix in chunk))
        sql, values = _neighbours(nodes, self._through, step, seek)
        rows = [(str(node), str(other)) for node, other in await self._database.fetch(sql, (*values, _PAGE))]
        self._work += len(nodes) + len(rows)
        by_node = {node: [other for _, other in some] for node, some in groupby(rows, key=lambda row: row[0])}
        children = [
            (*prefix, other) for prefix in chunk for other in by_node.get(prefix[-1], ()) if other not in prefix
        ]
        return children, rows[-1][1] if len(rows) == _PAGE else None


def _is_behind(path: Ids, mark: Ids) -> bool:
    """Whether anything that begins with `path` is still to come."""
    return not mark or (path[: len(mark)] > mark if len(path) >= len(mark) else path >= mark[: len(path)])


def _neighbours(nodes: list[str], through: Through, step: Step, seek: str) -> tuple[str, list[Value]]:
    """Both ways along the edges, each from its own index, merged in order."""
    sides, values = [], []
    for here, there in (("from", "to"), ("to", "from")):
        conditions, some = _conditions(nodes, through, step, (here, there))
        if seek:
            conditions.append(f"{there}_id >= ?")
            some.append(seek)
        sides.append(f"SELECT {here}_id, {there}_id FROM herb_edges WHERE {' AND '.join(conditions)}")  # noqa: S608
        values += some
    return f"{' UNION '.join(sides)} ORDER BY 1, 2 LIMIT ?", values


def _conditions(nodes: list[str], through: Through, step: Step, ends: tuple[str, str]) -> tuple[list[str], list[Value]]:
    here, there = ends
    edge_types = _both(step.edges, through.edge_types)
    conditions, values = [], list[Value]()
    for column, allowed in (
        (f"{here}_id", nodes),
        ("type", edge_types),
        (f"{there}_type", step.node and [step.node]),
        ("review", through.review and [through.review]),
    ):
        if allowed is not None:
            conditions.append(f"{column} IN ({', '.join('?' for _ in allowed) or 'NULL'})")
            values += allowed
    if through.min_strength is not None:
        conditions.append("(strength = 0 OR strength >= ?)")
        values.append(strength_rank(through.min_strength))
    if through.source is not None:
        conditions.append("sources LIKE ? ESCAPE '!'")
        values.append(_holding(through.source))
    return conditions, values


def _holding(source: str) -> str:
    """A pattern for lists in JSON that hold this source."""
    return f"%{re.sub('[!%_]', lambda sign: '!' + sign[0], orjson.dumps(source).decode('utf-8'))}%"


def _both(one: Sequence[str], other: Sequence[str]) -> list[str] | None:
    """What both allow, where empty allows all; None for anything."""
    if not one or not other:
        return [*one, *other] or None
    return [value for value in one if value in other]
