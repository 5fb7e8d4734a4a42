"""Watched queries are synced when they are due, by one process at a time, and a failure of one stops no other."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from sanya.kernel.storage.database import Database
from sanya.suites.papers.sync.query_sync import PubMedSync
from sanya.suites.papers.sync.watches import Watches, WatchScheduler
from tests.sources.eutils import EUtils, Trouble, article, local_eutils
from tests.suites.papers.ingest_harness import NOW, IngestHarness, open_ingest_harness

DAY_S = 86_400


@dataclass
class Calendar:
    now: datetime = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
async def eutils() -> AsyncIterator[EUtils]:
    async with local_eutils([article(1, "tea"), article(2, "coffee")]) as utils:
        yield utils


@pytest.fixture
async def harness(database: Database, home: Path, eutils: EUtils) -> AsyncIterator[IngestHarness]:
    async with open_ingest_harness(database, home, eutils.url) as opened:
        yield opened


def watchman(harness: IngestHarness, calendar: Calendar) -> WatchScheduler:
    async def open_sync() -> PubMedSync:
        return harness.sync

    return WatchScheduler(Watches(harness.database), open_sync, calendar)


async def test_a_query_is_synced_at_once_and_then_when_it_is_due_again(harness: IngestHarness, eutils: EUtils) -> None:
    calendar = Calendar()
    watches, man = Watches(harness.database), watchman(harness, calendar)
    await watches.add("tea", DAY_S, NOW)
    assert await man.sync_next()
    assert not await man.sync_next()
    (watch,) = await watches.list_watches()
    assert watch.last_status is not None and watch.last_status.startswith("1 new papers of 1 found")
    eutils.add(article(3, "tea again"))
    calendar.now += timedelta(hours=23)
    assert not await man.sync_next()
    calendar.now += timedelta(hours=1)
    assert await man.sync_next()
    assert await harness.store.count() == 2


async def test_a_failure_is_noted_and_tried_again_sooner_and_the_others_go_on(
    harness: IngestHarness, eutils: EUtils
) -> None:
    calendar = Calendar()
    watches, man = Watches(harness.database), watchman(harness, calendar)
    await watches.add("coffee", DAY_S, NOW)
    await watches.add("tea", DAY_S, NOW)
    eutils.troubles = [Trouble("esearch", "html")] * 5
    assert await man.sync_next()
    assert await man.sync_next()
    coffee, tea = await watches.list_watches()
    assert coffee.last_status is not None and "HTML" in coffee.last_status
    assert tea.last_status is not None and "1 new" in tea.last_status
    calendar.now += timedelta(minutes=30)
    assert await man.sync_next()
    assert await harness.store.count() == 2


async def test_a_query_that_one_process_works_on_is_left_to_it_for_a_while(harness: IngestHarness) -> None:
    watches = Watches(harness.database)
    await watches.add("tea", DAY_S, NOW)
    claimed = await watches.claim(NOW)
    assert claimed is not None and claimed.query == "tea"
    assert await watches.claim(NOW) is None
    assert await watches.claim(NOW + timedelta(hours=2)) is not None


async def test_a_query_is_watched_once_and_can_be_let_go(harness: IngestHarness) -> None:
    watches = Watches(harness.database)
    await watches.add("tea", DAY_S, NOW)
    await watches.add("tea", 7 * DAY_S, NOW)
    assert [(watch.query, watch.every_s) for watch in await watches.list_watches()] == [("tea", 7 * DAY_S)]
    assert await watches.remove("tea")
    assert not await watches.remove("tea")
    assert await watches.claim(NOW) is None
