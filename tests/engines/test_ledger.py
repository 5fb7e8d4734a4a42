from __future__ import annotations

import pytest

from sanya.engines.ledger import SqlLedgerStore
from sanya.kernel.database import Database
from sanya.kernel.ledger import verify_chain
from tests.engines.entries import make_entry


@pytest.fixture
def store(database: Database) -> SqlLedgerStore:
    return SqlLedgerStore(database, code_hash=lambda: "c" * 64)


async def test_appended_rows_come_back_as_they_were_and_in_order(store: SqlLedgerStore) -> None:
    entries = [make_entry(number) for number in range(1, 8)]
    await store.append(entries[:3], [])
    await store.append(entries[3:], [])
    assert [link.entry async for link in store.links("main")] == entries
    assert await verify_chain(store) == (7, None)
