"""Notices about papers: the port by which suites learn of retractions."""

from __future__ import annotations

from sanya.kernel.citations import (
    NoticeSource,
    PaperNotice,
    read_changes,
    read_standings,
    record_notices,
    save_position,
)
from sanya.kernel.storage.database import Database

AT = "2026-11-18T00:00:00.000Z"


async def record(database: Database, *sources: NoticeSource) -> list[str]:
    async with database.transaction() as transaction:
        return await record_notices(transaction, sources, AT)


async def test_the_gravest_notice_decides_and_is_found_by_pmid_and_doi(database: Database) -> None:
    await record(
        database,
        NoticeSource("1", "10.1000/ABC", (PaperNotice("1", "corrected", "7"),)),
        NoticeSource("9", None, (PaperNotice("1", "retracted", "9"),)),
    )
    found = await read_standings(database, ["pmid:1", "doi:10.1000/abc", "pmid:2"])
    assert found.keys() == {"pmid:1", "doi:10.1000/abc"}
    assert {record.standing for record in found.values()} == {"retracted"}
    assert found["pmid:1"].notices == ("7", "9")


async def test_a_notice_that_is_taken_back_is_a_change_as_well(database: Database) -> None:
    await record(database, NoticeSource("1", None, (PaperNotice("1", "retracted", "9"),)))
    assert await record(database, NoticeSource("1", None, ())) == ["1"]
    assert (await read_standings(database, ["pmid:1"]))["pmid:1"].standing is None


async def test_a_repeated_record_changes_nothing(database: Database) -> None:
    source = NoticeSource("1", None, (PaperNotice("1", "retracted", "9"),))
    assert await record(database, source) == ["1"]
    assert await record(database, source) == []


async def test_a_follower_reads_each_change_once(database: Database) -> None:
    await record(database, NoticeSource("1", None, (PaperNotice("1", "concern", "9"),)))
    (change,) = await read_changes(database, "herbs")
    async with database.transaction() as transaction:
        await save_position(transaction, "herbs", change.seq)
    assert await read_changes(database, "herbs") == []
    assert await read_changes(database, "memory") == [change]
    await record(database, NoticeSource("2", None, (PaperNotice("2", "retracted", "9"),)))
    assert [found.pmid for found in await read_changes(database, "herbs")] == ["2"]
