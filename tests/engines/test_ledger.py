from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from sanya.engines.database import open_database
from sanya.engines.ledger import SqlLedgerStore
from sanya.engines.ledger_rows import COLUMNS
from sanya.kernel.calls.stamp import digest
from sanya.kernel.ledger.chain import GENESIS, LedgerEntry, verify_chain
from sanya.kernel.storage.database import Database
from sanya.kernel.storage.revisions import advance_revision
from tests.engines.entries import make_answer, make_entry
from tests.engines.processes import finish, start


@pytest.fixture
def store(database: Database) -> SqlLedgerStore:
    return SqlLedgerStore(database, code_hash=lambda: "c" * 64)


async def read_entries(store: SqlLedgerStore) -> list[LedgerEntry]:
    return [link.entry async for link in store.read_links("main")]


async def append(store: SqlLedgerStore, first: int, last: int) -> list[LedgerEntry]:
    entries = [make_entry(number) for number in range(first, last + 1)]
    await store.append(entries, [])
    return entries


async def test_rows_come_back_as_they_were_and_in_order(store: SqlLedgerStore) -> None:
    entries = await append(store, 1, 3) + await append(store, 4, 7)
    assert await read_entries(store) == entries
    assert await verify_chain(store) == (7, None)


async def test_an_empty_chain_holds(store: SqlLedgerStore) -> None:
    assert await store.read_head("main") == (0, GENESIS)
    assert await verify_chain(store) == (0, None)


@pytest.mark.parametrize("count", [1, 5, 63, 64, 85, 1300])
async def test_a_group_of_any_size_is_one_piece_of_the_chain(store: SqlLedgerStore, count: int) -> None:
    entries = await append(store, 1, count)
    assert await read_entries(store) == entries
    assert await verify_chain(store) == (count, None)


async def test_links_can_start_after_a_row(store: SqlLedgerStore) -> None:
    await append(store, 1, 5)
    assert [link.seq async for link in store.read_links("main", after=3)] == [4, 5]


async def test_rows_say_which_code_and_which_data_they_saw(database: Database, store: SqlLedgerStore) -> None:
    await append(store, 1, 1)
    async with database.transaction() as transaction:
        await advance_revision(transaction, "tasks")
        await advance_revision(transaction, "tasks")
        await advance_revision(transaction, "funds")
    await append(store, 2, 2)
    seen = [(link.code_hash, link.data_revision) async for link in store.read_links("main")]
    assert seen == [("c" * 64, 0), ("c" * 64, 2)]


async def test_a_row_is_found_by_its_id_and_by_its_place(store: SqlLedgerStore) -> None:
    entries = await append(store, 1, 3)
    for key in (entries[1].id, 2, "2"):
        link = await store.find(key)
        assert link is not None
        assert link.entry == entries[1]


@pytest.mark.parametrize("key", ["call_ffff", 99, "9" * 40, "", "'; DROP TABLE ledger; --", "²", "-1"])
async def test_what_is_not_there_is_not_found(store: SqlLedgerStore, key: str | int) -> None:
    await append(store, 1, 1)
    assert await store.find(key) is None


async def test_a_page_has_the_newest_rows_first(store: SqlLedgerStore) -> None:
    await append(store, 1, 9)
    assert [link.seq for link in await store.page(4)] == [9, 8, 7, 6]
    assert [link.seq for link in await store.page(4, make_entry(6).id)] == [5, 4, 3, 2]


async def test_a_page_can_be_narrowed(store: SqlLedgerStore) -> None:
    mine = [make_entry(number, tool="a" if number % 2 else "b", caller="me") for number in range(1, 5)]
    theirs = [make_entry(number, tool="a", caller="them") for number in range(5, 9)]
    await store.append([*mine, *theirs], [])
    assert [link.seq for link in await store.page(9, tool="a", caller="me", status=None)] == [3, 1]
    assert [link.seq for link in await store.page(2, make_entry(8).id, caller="them")] == [7, 6]
    with pytest.raises(ValueError, match="input"):
        await store.page(9, input="x")


@pytest.mark.parametrize("change", ["UPDATE ledger SET latency_ms = 0", "DELETE FROM ledger"])
async def test_the_table_refuses_to_be_changed(database: Database, store: SqlLedgerStore, change: str) -> None:
    await append(store, 1, 2)
    with pytest.raises(Exception, match="append-only"):
        async with database.transaction() as transaction:
            await transaction.execute(change)
    assert await verify_chain(store) == (2, None)


REPLACEMENTS = {
    "by place": "INSERT OR REPLACE INTO ledger ({columns}) SELECT {forged} FROM ledger WHERE seq = 1",
    "by id": "INSERT OR REPLACE INTO ledger ({columns}) SELECT {elsewhere} FROM ledger WHERE seq = 1",
    "by row id": "INSERT OR REPLACE INTO ledger (rowid, {columns}) SELECT rowid, {apart} FROM ledger WHERE seq = 1",
    "by REPLACE": "REPLACE INTO ledger ({columns}) SELECT {forged} FROM ledger WHERE seq = 1",
    "by UPDATE OR REPLACE": "UPDATE OR REPLACE ledger SET seq = 1 WHERE seq = 2",
    "by upsert": "INSERT INTO ledger ({columns}) SELECT {forged} FROM ledger WHERE seq = 1 "
    "ON CONFLICT (chain, seq) DO UPDATE SET caller = excluded.caller",
}


@pytest.mark.parametrize("way", REPLACEMENTS)
async def test_no_row_is_replaced_by_another(way: str, tmp_path: Path) -> None:
    """SQLite alone has these statements. The connection is one that somebody else opened on the file."""
    async with open_database("", tmp_path) as database:
        store = SqlLedgerStore(database, code_hash=lambda: "c" * 64)
        entries = await append(store, 1, 3)
        forged = COLUMNS.replace(" caller,", " 'mallory',")
        elsewhere = forged.replace("seq,", "99,", 1)
        apart = elsewhere.replace(" id,", " 'call_new',", 1)
        sql = REPLACEMENTS[way].format(columns=COLUMNS, forged=forged, elsewhere=elsewhere, apart=apart)
        with closing(sqlite3.connect(tmp_path / "sanya.db")) as connection:
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                connection.execute(sql)
            connection.commit()
        assert await read_entries(store) == entries


async def test_rows_from_before_scopes_were_recorded_keep_their_hash(store: SqlLedgerStore) -> None:
    await store.append([make_entry(1), make_entry(2)._replace(scopes="tasks:read", asked_by="key:a")], [])
    before, after = [link async for link in store.read_links("main")]
    fields = list(before.entry)[:18]
    assert before.row_hash == digest(orjson.dumps([GENESIS, 1, "c" * 64, 0, *fields]))
    assert after.compute_hash() == after.row_hash
    for change in ({"scopes": None}, {"scopes": "*"}, {"asked_by": None}, {"scopes": None, "asked_by": None}):
        assert replace(after, entry=after.entry._replace(**change)).compute_hash() != after.row_hash


async def test_an_answer_is_kept_with_its_row(store: SqlLedgerStore) -> None:
    answer = make_answer(1, expires_at="2999-01-01T00:00:00.000Z")
    await store.append([make_entry(1)], [answer])
    assert await store.find_answer("owner", "r") == answer
    assert await store.find_answer("owner", "other") is None
    assert await store.find_answer("other", "r") is None


async def test_a_later_answer_takes_the_place_of_an_expired_one(store: SqlLedgerStore) -> None:
    await store.append([make_entry(1)], [make_answer(1, expires_at="2026-01-01T00:00:00.000Z")])
    answer = make_answer(2, expires_at="2999-01-01T00:00:00.000Z")
    await store.append([make_entry(2)], [answer])
    assert await store.find_answer("owner", "r") == answer


async def test_expired_answers_are_thrown_away(store: SqlLedgerStore) -> None:
    await store.append([make_entry(1)], [make_answer(1, request_id="old", expires_at="2020-01-01T00:00:00.000Z")])
    await store.append([make_entry(2)], [make_answer(2, expires_at="2999-01-01T00:00:00.000Z")])
    assert await store.find_answer("owner", "old") is None


async def test_rows_whose_commit_was_in_doubt_are_not_written_twice(store: SqlLedgerStore) -> None:
    await append(store, 1, 2)
    with pytest.raises(Exception, match=r"(?i)unique|append-only"):
        await append(store, 2, 4)
    entries = await append(store, 1, 6)
    assert await read_entries(store) == entries
    assert await verify_chain(store) == (6, None)


async def test_two_entries_with_one_id_do_not_hold_up_the_others(store: SqlLedgerStore) -> None:
    twins = [make_entry(1), make_entry(1)._replace(status="error"), make_entry(2)]
    with pytest.raises(Exception, match=r"(?i)unique|append-only"):
        await store.append(twins, [])
    await store.append(twins, [])
    assert await read_entries(store) == [make_entry(1), make_entry(2)]


async def test_text_that_a_database_cannot_hold_does_not_hold_up_the_others(store: SqlLedgerStore) -> None:
    odd = make_entry(1)._replace(request_id="a\0b", caller="\ud800", trace_id="\n")
    answer = make_answer(1, request_id="a\0b", expires_at="2999-01-01T00:00:00.000Z")
    await store.append([odd, make_entry(2)], [answer])
    assert await store.find_answer("owner", "a\0b") is None
    kept, _ = await read_entries(store)
    assert (kept.request_id, kept.caller, kept.trace_id) == ("a\ufffdb", "\ufffd", "\ufffd")
    assert await verify_chain(store) == (2, None)


async def test_processes_that_append_at_once_make_one_chain(database_url: str, home: Path) -> None:
    async with open_database(database_url, home) as database:
        store = SqlLedgerStore(database, code_hash=lambda: "c" * 64)
        processes = [await start("append", database_url, home, first, 60, 3) for first in (1000, 2000)]
        for number in range(1, 21):
            await append(store, number, number)
            count, flaw = await verify_chain(store)
            assert flaw is None
        await asyncio.gather(*map(finish, processes))
        assert await verify_chain(store) == (140, None)
        numbers = [entry.latency_ms for entry in await read_entries(store)]
    for first, count in ((1, 20), (1000, 60), (2000, 60)):
        assert [number for number in numbers if first <= number < first + count] == list(range(first, first + count))


async def test_kill_9_loses_nothing_that_was_acknowledged(database_url: str, home: Path) -> None:
    process = await start("record", database_url, home, 1)
    assert process.stdout is not None
    acknowledged = 0
    async with asyncio.timeout(60):
        while acknowledged < 100:
            acknowledged = int(await process.stdout.readline())
    process.kill()
    rest, _ = await process.communicate()
    acknowledged = max([acknowledged, *map(int, rest.split())])
    async with open_database(database_url, home) as database:
        store = SqlLedgerStore(database, code_hash=lambda: "c" * 64)
        numbers = [entry.latency_ms for entry in await read_entries(store)]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) >= acknowledged
        assert await verify_chain(store) == (len(numbers), None)
        await append(store, 10_000, 10_000)
        assert await verify_chain(store) == (len(numbers) + 1, None)


UNGUARD = {
    "sqlite": ["DROP TRIGGER ledger_keeps_rows", "DROP TRIGGER ledger_loses_no_rows"],
    "postgresql": ["DROP TRIGGER ledger_keeps_rows ON ledger"],
}


@pytest.fixture
async def unguarded(database: Database, store: SqlLedgerStore) -> AsyncIterator[Database]:
    """A chain of nine rows that an attacker with full access to the database changes."""
    await append(store, 1, 9)
    async with database.transaction() as transaction:
        for statement in UNGUARD[database.dialect]:
            await transaction.execute(statement)
    yield database


@pytest.mark.parametrize(
    ("tampering", "row", "word"),
    [
        (["UPDATE ledger SET latency_ms = latency_ms + 1 WHERE seq = 4"], 4, "altered"),
        (["UPDATE ledger SET redacted = 1 - redacted WHERE seq = 4"], 4, "altered"),
        (["UPDATE ledger SET trace_id = '' WHERE seq = 4"], 4, "altered"),
        (["UPDATE ledger SET data_revision = 7 WHERE seq = 4"], 4, "altered"),
        (["UPDATE ledger SET row_hash = in_hash WHERE seq = 4"], 4, "altered"),
        (["UPDATE ledger SET prev_hash = in_hash WHERE seq = 4"], 4, "altered"),
        (["DELETE FROM ledger WHERE seq = 4"], 4, "removed"),
        (["DELETE FROM ledger WHERE seq = 1"], 1, "removed"),
        (["DELETE FROM ledger WHERE seq > 6"], 7, "removed"),
        (["DELETE FROM ledger"], 1, "removed"),
        (["DELETE FROM ledger WHERE seq = 4", "UPDATE ledger SET seq = seq - 1 WHERE seq > 4"], 4, "reordered"),
        (
            [
                "UPDATE ledger SET seq = 100 WHERE seq = 4",
                "UPDATE ledger SET seq = 4 WHERE seq = 5",
                "UPDATE ledger SET seq = 5 WHERE seq = 100",
            ],
            4,
            "reordered",
        ),
        (["DELETE FROM ledger_heads"], 1, "added"),
        (["UPDATE ledger_heads SET seq = 8"], 8, "altered"),
        (["UPDATE ledger_heads SET row_hash = '0'"], 9, "altered"),
        (["DELETE FROM ledger WHERE seq = 9", "UPDATE ledger_heads SET seq = 8"], 8, "altered"),
    ],
)
async def test_verify_names_the_first_row_that_was_tampered_with(
    unguarded: Database, store: SqlLedgerStore, tampering: list[str], row: int, word: str
) -> None:
    async with unguarded.transaction() as transaction:
        for statement in tampering:
            await transaction.execute(statement)
    _, flaw = await verify_chain(store)
    assert flaw is not None
    assert flaw.seq == row
    assert word in flaw.problem
