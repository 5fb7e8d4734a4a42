"""The status of a job: waiting, polling, cancelling, its log, and who may see it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from sanya.engines.database import open_database
from sanya.kernel.calls.call import OWNER, Answered, Call, Caller, Progress, Refused
from sanya.kernel.storage.database import Database
from sanya.suites.herbs.ingest.documents import PageProgress, ReadDocument, ReadPage, ReadRequest
from tests.suites.herbs.ingest.jobs.ingest_harness import (
    CANCEL,
    ROLLBACK,
    RUN,
    STATUS,
    TEXT,
    IngestHarness,
    insert_small_graph,
    open_ingest_harness,
)

WRITER = Caller("key_1", frozenset({"herbs:read", "herbs:write"}))
OTHER = Caller("key_2", frozenset({"herbs:read", "herbs:write"}))
READER = Caller("key_3", frozenset({"herbs:read"}))


class HeldReader:
    """A reader that reads one page, then waits until released, and records whether it was cancelled."""

    def __init__(self) -> None:
        self.has_begun = asyncio.Event()
        self.may_end = asyncio.Event()
        self.was_broken_off = False

    async def read(self, request: ReadRequest, read: PageProgress) -> ReadDocument:
        read(1, 2)
        self.has_begun.set()
        try:
            await asyncio.wait_for(self.may_end.wait(), 30)
        except asyncio.CancelledError:
            self.was_broken_off = True
            raise
        return ReadDocument(request.uri, "digest", "txt", None, (ReadPage(1, TEXT), ReadPage(2, TEXT)))


async def test_a_call_that_does_not_wait_gets_its_job_and_polls_it(database: Database, folder: Path) -> None:
    await insert_small_graph(database)
    reader = HeldReader()
    async with open_ingest_harness(database, folder, reader) as harness, harness.attended():
        body = await harness.job(RUN, batch=[{"uri": "file:///a.txt"}], dry_run=False, wait_s=0)
        assert body["status"] in ("queued", "running")
        await asyncio.wait_for(reader.has_begun.wait(), 10)
        told: asyncio.Queue[Progress] = asyncio.Queue()
        poll = Call(STATUS, {"job_id": body["job_id"], "wait_s": 30}, progress=told.put_nowait)
        waiting = asyncio.create_task(harness.kernel.call(poll))
        while (await asyncio.wait_for(told.get(), 10)).message != "file:///a.txt: page 1 of 2":
            pass
        status = (await harness.call(STATUS, job_id=body["job_id"]))["job"]
        assert (status["status"], status["progress"]["message"]) == ("running", "file:///a.txt: page 1 of 2")
        assert status["documents"][0]["status"] == "queued"
        reader.may_end.set()
        outcome = await asyncio.wait_for(waiting, 30)
        assert isinstance(outcome, Answered)
        assert outcome.body["job"]["status"] == "done"


async def test_a_running_job_is_stopped_and_leaves_nothing(database: Database, folder: Path) -> None:
    await insert_small_graph(database)
    reader = HeldReader()
    async with open_ingest_harness(database, folder, reader) as harness, harness.attended():
        before = await harness.graph()
        body = await harness.job(RUN, batch=[{"uri": "file:///a.txt"}], dry_run=False, wait_s=0)
        await asyncio.wait_for(reader.has_begun.wait(), 10)
        stopped = await harness.job(CANCEL, job_id=body["job_id"])
        assert (stopped["status"], stopped["ending"], stopped["failure"]) == ("error", "cancelled", "cancelled")
        assert reader.was_broken_off
        assert await harness.graph() == before
        assert (await harness.job(CANCEL, job_id=body["job_id"]))["ending"] == "cancelled"


async def test_a_waiting_job_is_stopped_before_it_begins(harness: IngestHarness) -> None:
    job = await harness.jobs.create("herbs.ingest", OWNER.id, {"dry_run": True, "batch": []}, harness.runner._now())
    assert (await harness.job(CANCEL, job_id=job.id))["ending"] == "cancelled"
    assert await harness.jobs.list_due(harness.runner._now()) == []


async def test_what_is_done_is_rolled_back_not_stopped(harness: IngestHarness) -> None:
    body = await harness.job(RUN, batch=[harness.document("a.txt", TEXT)])
    assert "rollback" in (await harness.refusal(CANCEL, job_id=body["job_id"]))["message"]


async def test_a_server_that_stops_puts_its_job_back(database: Database, folder: Path) -> None:
    await insert_small_graph(database)
    reader = HeldReader()
    async with open_ingest_harness(database, folder, reader) as harness:
        async with harness.attended():
            body = await harness.job(RUN, batch=[{"uri": "file:///a.txt"}], wait_s=0)
            await asyncio.wait_for(reader.has_begun.wait(), 10)
        status = (await harness.call(STATUS, job_id=body["job_id"]))["job"]
        assert (status["status"], status["attempts"]) == ("queued", 0)
        reader.may_end.set()
        async with harness.attended():
            status = (await harness.call(STATUS, job_id=body["job_id"], wait_s=30))["job"]
        assert status["status"] == "done"


async def test_a_caller_who_does_the_work_himself_and_goes_away_takes_the_job_along(
    database: Database, folder: Path
) -> None:
    reader = HeldReader()
    async with open_ingest_harness(database, folder, reader) as harness:
        call = asyncio.create_task(harness.job(RUN, batch=[{"uri": "file:///a.txt"}]))
        await asyncio.wait_for(reader.has_begun.wait(), 10)
        call.cancel()
        await asyncio.wait([call])
        (job,) = await harness.jobs.list()
        assert (job.state, job.ending) == ("error", "cancelled")


async def test_only_who_started_a_job_and_the_owner_see_it(harness: IngestHarness) -> None:
    body = await harness.job(RUN, WRITER, batch=[harness.document("a.txt", TEXT)], dry_run=False)
    job_id = body["job_id"]
    for tool in (STATUS, CANCEL, ROLLBACK):
        assert (await harness.refusal(tool, OTHER, job_id=job_id))["code"] == "NOT_FOUND"
    assert isinstance(await harness.kernel.read(Call(body["log_uri"], {}, OTHER)), Refused)
    assert isinstance(await harness.kernel.read(Call(body["log_uri"], {}, WRITER)), Answered)
    assert [job["job_id"] for job in (await harness.call(STATUS, WRITER))["jobs"]] == [job_id]
    assert (await harness.call(STATUS, OTHER))["jobs"] == []
    assert [job["job_id"] for job in (await harness.call(STATUS))["jobs"]] == [job_id]
    assert (await harness.job(ROLLBACK, OWNER, job_id=job_id))["ending"] == "rolled_back"


async def test_reading_the_graph_does_not_allow_to_ingest_not_even_dryly(harness: IngestHarness) -> None:
    error = await harness.refusal(RUN, READER, batch=[harness.document("a.txt", TEXT)])
    assert error["code"] == "FORBIDDEN"


async def test_jobs_are_listed_newest_first_and_in_pages(harness: IngestHarness) -> None:
    ids = [(await harness.job(RUN, batch=[{"uri": "file:///none.txt"}]))["job_id"] for _ in range(3)]
    first = await harness.call(STATUS, limit=2)
    second = await harness.call(STATUS, limit=2, cursor=first["next_cursor"])
    assert [job["job_id"] for job in first["jobs"] + second["jobs"]] == ids[::-1]
    assert second["next_cursor"] is None
    assert (await harness.refusal(STATUS, job_id=ids[0], cursor=first["next_cursor"]))["code"] == "INVALID_ARG"


async def test_another_process_sees_the_job_and_its_log(harness: IngestHarness, home: Path, database_url: str) -> None:
    body = await harness.job(RUN, batch=[harness.document("a.txt", TEXT)])
    async with open_database(database_url, home) as second, open_ingest_harness(second, harness.folder) as other:
        lines = (await other.log(body["job_id"])).splitlines()
    assert lines[0].endswith(" started")
    assert lines[-1].endswith(" done")
    assert "would be written" in lines[-2]
