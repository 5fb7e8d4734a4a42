"""Connects the suites that cite papers with the one that stores them: retractions, and what a paper says."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from sanya.assembly.home_resources import HomeResources
from sanya.kernel.citations import CitationFollower, PaperReader, StoredPaper
from sanya.kernel.contracts.suite import Suite, Worker

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


def build_paper_reader(resources: HomeResources) -> PaperReader | None:
    """Return the reader of stored papers, or None if the papers suite is disabled."""
    if "papers" in resources.settings.suites_disabled:
        return None

    async def read(pmid: str) -> StoredPaper | None:
        from sanya.suites.papers.store import read_stored_paper  # here: few calls read a paper

        return await read_stored_paper(resources.database, pmid)

    return read
