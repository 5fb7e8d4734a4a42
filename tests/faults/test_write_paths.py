"""Whatever fails during a write: it is complete or absent, the rules between tables hold, the ledger is valid, the
caller got a fault, and repeating the write reaches the same result."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
from redis.asyncio import Redis

from sanya.engines.redis.client import open_redis
from sanya.suites.papers import file_import
from sanya.suites.papers.sync import query_sync
from tests.faults import ingest, memory, owner, papers
from tests.faults.house import open_house
from tests.faults.places import Places
from tests.faults.trials import Path, Trial
from tests.long_form import often
from tests.sources.eutils import article, local_eutils
from tests.sources.open_data import open_data_served

PATHS = (*owner.PATHS, *papers.PATHS, *memory.PATHS, *ingest.PATHS)


@pytest.fixture
async def outside(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """Serve stand-ins of PubMed and the Thai SEC, with batches so small that a few papers take several."""
    monkeypatch.setattr(query_sync, "BATCH", 2)
    monkeypatch.setattr(file_import, "BATCH_ITEMS", 2)
    async with local_eutils([article(number) for number in range(4)]) as utils, open_data_served() as sec:
        papers.EUTILS[0], owner.SEC[0] = utils.url, sec.url
        yield


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
async def test_a_write_that_fails_anywhere_is_whole_or_nothing(
    path: Path, places: Places, outside: None, request: pytest.FixtureRequest
) -> None:
    async with AsyncExitStack() as stack:
        redis = None
        if "redis" in path.ports:
            redis = await stack.enter_async_context(open_redis(request.getfixturevalue("redis_url")))
        await run_through(path, places, redis)


async def run_through(path: Path, places: Places, redis: Redis | None) -> None:
    begin = places.create()
    async with open_house(begin, path.suites) as house:
        if path.fill is not None:
            await path.fill(house)
    trial = Trial(path, places, begin, redis)
    await trial.observe()
    for port, failure in trial.list_failures(all_of_them=bool(often(0, 1))):
        try:
            await trial.attempt(port, failure)
        except AssertionError as wrong:
            name = trial.clean.steps[port][failure.at - 1]
            raise AssertionError(
                f"{path.name}, {port} {name!r} of {len(trial.clean.steps[port])}: {failure}"
            ) from wrong
