"""Reads for the command line and the console: the queue, one statement, and how far the review is."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field

from sanya.suite import InvalidArgument, NotFound
from sanya.suites.herbs.graph.name_resolver import NameResolver, ResolvedName
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.review.coverage import build_grid
from sanya.suites.herbs.review.layer import read_decisions, read_shipped_statement
from sanya.suites.herbs.review.queue import QueueFilter, ReviewQueue, build_queue
from sanya.suites.herbs.review.views import JsonView, describe_card, describe_node, describe_progress, describe_row

MAX_ROWS = 500


@dataclass(slots=True)
class ReviewReader:
    """Reads the queue, which is built once for each revision of the graph."""

    store: HerbStore
    _queue: ReviewQueue | None = field(default=None, init=False)

    async def load_queue(self) -> ReviewQueue:
        graph = await self.store.load_graph()
        if self._queue is None or self._queue.graph is not graph:
            self._queue = await asyncio.to_thread(build_queue, graph)
        return self._queue

    async def list_statements(self, wanted: QueueFilter, limit: int, offset: int = 0) -> JsonView:
        """Return a part of the statements that match, their number, and how far the review is."""
        if not 1 <= limit <= MAX_ROWS:
            raise InvalidArgument(f"limit must be a number from 1 to {MAX_ROWS}, got {limit}", field="limit")
        queue = await self.load_queue()
        found = queue.filter(wanted)
        return {
            "statements": [describe_row(statement) for statement in found[offset : offset + limit]],
            "total": len(found),
            "subjects": _count_subjects(queue, wanted),
            "sources": _count_sources(queue, wanted),
            "progress": describe_progress(queue.statements),
        }

    async def describe(self, statement: str) -> JsonView:
        queue = await self.load_queue()
        found = queue.by_id.get(statement)
        if found is None:
            raise NotFound(f"no statement has the id {statement[:200]!r}; `sanya herbs review list` shows the ids")
        shipped = await read_shipped_statement(self.store.database, statement)
        if shipped is None:
            raise NotFound(f"the statement {statement[:200]!r} was removed just now; list the queue again")
        return describe_card(found, shipped, await read_decisions(self.store.database))

    async def describe_coverage(self, type: str) -> JsonView:
        """Return the grid of herbs or formulations by classes of drugs."""
        queue = await self.load_queue()
        return await asyncio.to_thread(lambda: build_grid(queue, type).describe())

    async def resolve_subject(self, name: str) -> str:
        """Return the id of the herb or formulation that the name certainly means."""
        resolution = await NameResolver(self.store).resolve(name, ["herb", "formulation", "constituent"])
        if isinstance(resolution, ResolvedName) and resolution.is_certain:
            return resolution.node.id
        candidates = ", ".join(f"{candidate.node.id} ({candidate.node.label})" for candidate in resolution.candidates)
        raise NotFound(f"no herb or formulation is certainly meant by {name[:80]!r}; candidates: {candidates or '–'}")


def _count_subjects(queue: ReviewQueue, wanted: QueueFilter) -> list[JsonView]:
    """Return the herbs and formulations of the wanted state, those with most statements first, for a filter."""
    statements = queue.filter(QueueFilter(state=wanted.state))
    counts = Counter(statement.subject.id for statement in statements)
    return [{**describe_node(queue.graph.nodes[id]), "count": count} for id, count in counts.most_common()]


def _count_sources(queue: ReviewQueue, wanted: QueueFilter) -> list[JsonView]:
    statements = queue.filter(QueueFilter(state=wanted.state))
    counts = Counter(source.id for statement in statements for source in statement.sources)
    return [{"id": id, "title": queue.graph.sources[id].title, "count": count} for id, count in counts.most_common()]
