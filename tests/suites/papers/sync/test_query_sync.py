"""The next sync completes one that breaks off anywhere: no paper is stored twice or left out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from sanya.engines.database import open_database
from sanya.kernel.calls.call import Progress
from sanya.kernel.faults import RateLimited, UpstreamFailed
from sanya.kernel.storage.database import Database, Row
from sanya.suites.papers.sync import query_sync as sync_module
from sanya.suites.papers.sync.query_sync import SyncQuery
from sanya.suites.papers.sync.watermarks import Watermarks
from tests.sources.eutils import FIRST_PMID, EUtils, Trouble, article, local_eutils
from tests.suites.papers.ingest_harness import (
    NOW,
    TABLES,
    Crash,
    CrashAt,
    IngestHarness,
    dump,
    open_ingest_harness,
    start_sync,
)

PAPERS = 7
BATCH = 3
QUERY = SyncQuery("key", "sample", NOW)


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sync_module, "BATCH", BATCH)


@pytest.fixture
async def eutils() -> AsyncIterator[EUtils]:
    async with local_eutils([article(number) for number in range(PAPERS)]) as utils:
        yield utils


@pytest.fixture
async def harness(database: Database, home: Path, eutils: EUtils) -> AsyncIterator[IngestHarness]:
    async with open_ingest_harness(database, home, eutils.url) as opened:
        yield opened


async def versions(database: Database) -> list[Row]:
    return await database.fetch("SELECT pmid, version FROM paper_versions WHERE to_seq IS NULL ORDER BY pmid")


def all_once(count: int = PAPERS) -> list[Row]:
    return [(str(FIRST_PMID + number), 1) for number in range(count)]


async def test_everything_comes_once_and_the_watermark_is_the_newest(harness: IngestHarness) -> None:
    reported: list[Progress] = []
    synced = await harness.sync.sync_all(QUERY, reported.append)
    assert (synced.found, synced.checked, synced.stored.inserted) == (PAPERS, PAPERS, PAPERS)
    assert await versions(harness.database) == all_once()
    assert [(step.done, step.total) for step in reported] == [(3, 7), (6, 7), (7, 7)]
    mark = await Watermarks(harness.database).get_checkpoint("key")
    assert (mark.last_edat, mark.term) == ("2024-01-07T06:00:00Z", "sample")
    assert await harness.library.count("papers") == 2 * PAPERS


async def test_the_same_sync_three_times_changes_nothing(harness: IngestHarness) -> None:
    await harness.sync.sync_all(QUERY)
    before = await harness.dump()
    for _ in range(3):
        synced = await harness.sync.sync_all(QUERY)
        assert (synced.stored.inserted, synced.stored.updated) == (0, 0)
        assert synced.stored.skipped == 6  # those of the overlap: five days and the day itself
        await harness.sync.sync_new(QUERY, 100)
    assert await harness.dump() == before


async def test_late_records_within_the_overlap_are_caught_and_older_ones_are_not_asked_for(
    harness: IngestHarness, eutils: EUtils
) -> None:
    await harness.sync.sync_all(QUERY)
    eutils.add(article(50, entered=date(2024, 1, 3)), article(51, entered=date(2024, 2, 1)))
    synced = await harness.sync.sync_all(QUERY)
    assert synced.stored.inserted == 2
    asked = [fields["mindate"] for name, fields in eutils.asked if name == "esearch"]
    assert asked == ["1800/01/01", "2024/01/02"]
    changes = await harness.database.fetch(
        "SELECT number, old_edat, new_edat FROM paper_watermark_changes ORDER BY number"
    )
    assert changes == [
        (1, None, "2024-01-07T06:00:00Z"),
        (2, "2024-01-07T06:00:00Z", "2024-02-01T06:00:00Z"),
    ]


async def test_a_revised_record_gets_a_version_and_keeps_its_history(harness: IngestHarness, eutils: EUtils) -> None:
    await harness.sync.sync_all(QUERY)
    seq = (await harness.database.fetch("SELECT max(from_seq) FROM paper_versions"))[0][0]
    eutils.add(article(6, "sample, corrected", revised=date(2024, 3, 1)))
    synced = await harness.sync.sync_all(QUERY)
    assert (synced.stored.updated, synced.stored.inserted) == (1, 0)
    pmid = str(FIRST_PMID + 6)
    now, then = await harness.store.get_pubmed_doc(pmid), await harness.store.get_pubmed_doc(pmid, int(str(seq)))
    assert now is not None and then is not None
    assert (now.version, now.record.title) == (2, "Sample 6: sample, corrected.")
    assert (then.version, then.record.title) == (1, "Sample 6: sample.")


async def test_a_limit_is_kept_and_the_next_call_goes_on(harness: IngestHarness) -> None:
    for expected, is_complete in ((3, False), (6, False), (7, True), (7, True)):
        synced = await harness.sync.sync_new(QUERY, 3)
        assert (synced.found >= PAPERS or is_complete, synced.is_complete) == (True, is_complete)
        assert await versions(harness.database) == all_once(expected)
        mark = await Watermarks(harness.database).get_checkpoint("key")
        assert (mark.last_edat is not None) == is_complete


async def test_withdrawn_records_do_not_keep_the_others_out(harness: IngestHarness, eutils: EUtils) -> None:
    eutils.withdrawn = {str(FIRST_PMID), str(FIRST_PMID + 1)}
    synced = await harness.sync.sync_new(QUERY, 2)
    assert (synced.stored.inserted, synced.withdrawn) == (2, 2)
    assert (await harness.sync.sync_all(QUERY)).withdrawn == 2
    assert len(await versions(harness.database)) == PAPERS - 2


async def test_another_term_under_the_same_key_begins_anew(harness: IngestHarness, eutils: EUtils) -> None:
    await harness.sync.sync_all(QUERY)
    eutils.add(article(60, "else", entered=date(2020, 1, 1)))
    synced = await harness.sync.sync_all(replace(QUERY, term="else"))
    assert synced.stored.inserted == 1
    assert "another term" in synced.warnings[0]
    mark = await Watermarks(harness.database).get_checkpoint("key")
    assert (mark.last_edat, mark.term) == ("2020-01-01T06:00:00Z", "else")


async def test_more_than_pubmed_lists_are_brought_window_by_window(
    harness: IngestHarness, eutils: EUtils, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sanya.sources.entrez.MOST_LISTED", 4)
    synced = await harness.sync.sync_all(QUERY)
    assert (synced.found, synced.stored.inserted) == (PAPERS, PAPERS)
    eutils.add(*(article(number) for number in range(20, 25)))
    assert (await harness.sync.sync_new(QUERY, 100)).stored.inserted == 5
    assert len(await versions(harness.database)) == PAPERS + 5


async def test_trouble_in_the_middle_keeps_what_is_stored_and_moves_no_watermark(
    harness: IngestHarness, eutils: EUtils
) -> None:
    eutils.troubles = [Trouble("efetch", "html")] * 5
    with pytest.raises(UpstreamFailed):
        await harness.sync.sync_all(QUERY)
    assert await versions(harness.database) == []
    eutils.troubles = [Trouble("esearch", "status", 429)] * 5
    with pytest.raises(RateLimited):
        await harness.sync.sync_new(QUERY, 5)
    assert (await Watermarks(harness.database).get_checkpoint("key")).last_edat is None
    await harness.sync.sync_all(QUERY)
    assert await versions(harness.database) == all_once()


async def _run(database: Database, home: Path, url: str, crash: CrashAt) -> bool:
    """Return whether the sync finished."""
    try:
        async with open_ingest_harness(database, home, url, crash) as harness:
            await harness.sync.sync_all(QUERY)
    except Crash:
        return False
    return True


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
async def test_broken_off_at_any_step_and_run_again_it_is_as_if_never_broken_off(
    engine: str, request: pytest.FixtureRequest, home: Path, tmp_path: Path
) -> None:
    """Return each step on SQLite, and some of them on PostgreSQL, which is slower."""
    url = "" if engine == "sqlite" else str(request.getfixturevalue("postgresql_url"))
    async with (
        local_eutils([article(number) for number in range(BATCH + 1)]) as eutils,
        open_database(url, home) as database,
    ):
        async with open_ingest_harness(database, home, eutils.url) as harness:
            await harness.sync.sync_all(QUERY)
            expected = await harness.dump()
        at, finished = 1, False
        while not finished:
            await _empty(database)
            finished = await _run(database, tmp_path / f"{at}", eutils.url, CrashAt(at))
            assert await _run(database, tmp_path / f"{at}", eutils.url, CrashAt(0))
            assert await dump(database) == expected, f"broken off at step {at}"
            at += 1 if engine == "sqlite" else 9
    assert at > 30


async def _empty(database: Database) -> None:
    async with database.transaction() as transaction:
        for table in (*TABLES, "retrieval_spaces"):
            await transaction.execute(f"DELETE FROM {table}")


@pytest.mark.parametrize("lines", [2, 17, 32])
async def test_killed_at_any_moment_and_run_again_it_is_as_if_never_killed(
    lines: int, home: Path, tmp_path: Path, eutils: EUtils
) -> None:
    process = await start_sync("", home, eutils.url, BATCH)
    assert process.stdout is not None
    async with asyncio.timeout(60):
        for _ in range(lines):
            await process.stdout.readline()
        process.kill()
        await process.communicate()
    async with open_database("", home) as database, open_ingest_harness(database, home, eutils.url) as harness:
        await harness.sync.sync_all(QUERY)
        found = await harness.dump()
        assert await harness.library.count("papers") == 2 * PAPERS
    whole = tmp_path / "whole"
    async with open_database("", whole) as database, open_ingest_harness(database, whole, eutils.url) as harness:
        await harness.sync.sync_all(QUERY)
        assert await harness.dump() == found


async def test_two_processes_at_once_bring_each_paper_once(database_url: str, home: Path, eutils: EUtils) -> None:
    eutils.add(*(article(number) for number in range(PAPERS, 16)))
    async with open_database(database_url, home):
        pass
    processes = [await start_sync(database_url, home, eutils.url, 2) for _ in range(2)]
    async with asyncio.timeout(120):
        printed = [(await process.communicate())[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert all(output.endswith(b"done\n") for output in printed)
    async with (
        open_database(database_url, home) as database,
        open_ingest_harness(database, home, eutils.url) as harness,
    ):
        assert await versions(database) == all_once(16)
        await harness.library.refresh()
        assert await harness.library.count("papers") == 32
        mark = await Watermarks(database).get_checkpoint("key")
        assert mark.last_edat == f"{date(2024, 1, 1) + timedelta(days=15)}T06:00:00Z"
