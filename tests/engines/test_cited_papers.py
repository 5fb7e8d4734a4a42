from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from sanya.engines.cited_papers import CitedPapers
from sanya.engines.ledger import SqlLedgerStore
from sanya.kernel.ledger.chain import CitedPaper, LedgerEntry, verify_chain
from sanya.kernel.storage.database import Database
from tests.engines.entries import make_entry

NOW = datetime(2026, 11, 18, tzinfo=UTC)


@pytest.fixture
def store(database: Database) -> SqlLedgerStore:
    return SqlLedgerStore(database, code_hash=lambda: "c" * 64)


def make_call(number: int, at: datetime) -> LedgerEntry:
    id = f"call_{int(at.timestamp()) * 10**9 + number:016x}abcdef"
    return make_entry(number, suite="papers", tool="rag.get")._replace(id=id)


async def test_calls_are_found_by_a_paper_newest_first(database: Database, store: SqlLedgerStore) -> None:
    calls = [make_call(number, NOW) for number in range(4)]
    cited = [CitedPaper("7", call.id) for call in calls[:3]] + [CitedPaper("8", calls[3].id)]
    await store.append(calls, [], cited)
    papers = CitedPapers(database)
    assert [call.id for call in await papers.list_calls("7", 2)] == [calls[2].id, calls[1].id]
    assert await papers.count_calls("7") == 3
    assert [link.entry.id for link in await store.page(10, cites="8")] == [calls[3].id]
    assert await papers.list_calls("9", 10) == []
    assert await verify_chain(store) == (4, None)


async def test_a_group_that_is_written_twice_names_its_papers_once(database: Database, store: SqlLedgerStore) -> None:
    call = make_call(1, NOW)
    await store.append([call], [], [CitedPaper("7", call.id)])
    doubting = SqlLedgerStore(database, code_hash=lambda: "c" * 64)
    doubting._in_doubt = True
    await doubting.append([call], [], [CitedPaper("7", call.id)])
    assert await CitedPapers(database).count_calls("7") == 1


async def test_pruning_forgets_the_papers_and_keeps_the_rows(database: Database, store: SqlLedgerStore) -> None:
    old, new = make_call(1, NOW - timedelta(days=40)), make_call(2, NOW)
    await store.append([old, new], [], [CitedPaper("7", old.id), CitedPaper("7", new.id)])
    papers = CitedPapers(database)
    assert (await papers.count_unrecorded()).count == 0
    assert await papers.prune(NOW - timedelta(days=30)) == 1
    assert [call.id for call in await papers.list_calls("7", 10)] == [new.id]
    unrecorded = await papers.count_unrecorded()
    assert (unrecorded.count, unrecorded.until) == (1, old.at)
    assert await papers.prune(NOW - timedelta(days=35)) == 0
    assert await verify_chain(store) == (2, None)
