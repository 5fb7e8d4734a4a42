"""Keeps the suites that cite papers informed of retractions, while a server runs and after an import."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from sanya.kernel.citations import CitationFollower
from sanya.kernel.suite import Suite, Worker

_EVERY_S = 2.0


def build_citation_worker(suite: str, follow: CitationFollower) -> Worker:
    async def run() -> None:
        while True:
            await follow()
            await asyncio.sleep(_EVERY_S)

    return Worker(f"{suite}: retracted papers", run)


async def follow_citations(suites: Iterable[Suite]) -> int:
    """Let every suite apply what became of the papers that it cites; return how many of their records changed."""
    opened = [await suite.open() for suite in suites]
    return sum([await suite.follow_citations() for suite in opened if suite.follow_citations is not None])
