"""Anchored chains of several replicas on one database: verification finds every manipulation."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import sanya
from sanya.engines.database import open_database
from sanya.engines.ledger import SqlLedgerStore
from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.ledger.anchors import TOOL, Anchor, Anchorer, read_anchor
from sanya.kernel.ledger.chain import MAIN_CHAIN, Ledger
from sanya.kernel.ledger.verification import verify_ledger
from sanya.kernel.storage.database import Database
from sanya.settings import BadSetting
from tests.engines.entries import make_entry
from tests.engines.processes import finish, start
from tests.engines.test_ledger import UNGUARD
from tests.kernel.conftest import InMemoryLedgerStore

WAIT_S = 60


def store_of(database: Database, chain: str = MAIN_CHAIN) -> SqlLedgerStore:
    return SqlLedgerStore(database, code_hash=lambda: "c" * 64, chain=chain)


async def append(database: Database, chain: str, first: int, last: int) -> None:
    await store_of(database, chain).append([make_entry(number) for number in range(first, last + 1)], [])


async def anchor(database: Database, chain: str) -> None:
    await Anchorer(chain, store_of(database)).anchor()


async def anchors(database: Database) -> list[Anchor]:
    return [read_anchor(link) async for link in store_of(database).read_links(MAIN_CHAIN, tool=TOOL)]


@pytest.fixture
async def replicas(database: Database) -> Database:
    """Write chains of 9 and 4 rows. The main chain anchors rows 3 and 6 of the first and row 4 of the second."""
    for chain, first, last in (("east", 1, 3), ("east", 4, 6), ("west", 11, 14)):
        await append(database, chain, first, last)
        await anchor(database, chain)
    await append(database, "east", 7, 9)
    return database


async def test_each_chain_holds_and_so_does_what_was_noted_of_it(replicas: Database) -> None:
    verdict = await verify_ledger(store_of(replicas))
    assert (verdict.problem, verdict.rows) == (None, 3 + 9 + 4)
    assert [(state.chain, state.rows, state.anchored) for state in verdict.chains] == [
        ("main", 3, None),
        ("east", 9, 6),
        ("west", 4, 4),
    ]
    for state in verdict.chains:
        assert (await verify_ledger(store_of(replicas), expect=state.head)).problem is None
    assert "rewritten" in str((await verify_ledger(store_of(replicas), expect="f" * 64)).problem)


async def test_rows_of_all_chains_are_listed_and_found(replicas: Database) -> None:
    store = store_of(replicas, "west")
    calls = [link.place for link in await store.page(9, tool="get_tasks")]
    assert calls == ["west:4", "west:3", "west:2", "west:1", *(f"east:{number}" for number in (9, 8, 7, 6, 5))]
    assert [link.place for link in await store.page(2, make_entry(11).id)] == ["east:9", "east:8"]
    for place, number in (("east:2", 2), ("west:1", 11)):
        link = await store.find(place)
        assert link is not None
        assert (link.entry, link.place) == (make_entry(number), place)
    first = await store.find("1")
    assert first is not None
    assert (first.chain, first.entry.tool) == ("main", TOOL)
    assert await store.find("north:1") is None


CUT_EAST = [
    "DELETE FROM ledger WHERE chain = 'east' AND seq > 5",
    "UPDATE ledger_heads SET seq = 5, row_hash = (SELECT row_hash FROM ledger WHERE chain = 'east' AND seq = 5) "
    "WHERE chain = 'east'",
]
DROP_WEST = ["DELETE FROM ledger WHERE chain = 'west'", "DELETE FROM ledger_heads WHERE chain = 'west'"]


@pytest.mark.parametrize(
    ("tampering", "place", "word"),
    [
        (["UPDATE ledger SET latency_ms = 0 WHERE chain = 'east' AND seq = 8"], ("east", 8), "altered"),
        (["DELETE FROM ledger WHERE chain = 'west' AND seq = 2"], ("west", 2), "removed"),
        # Cut off, and the head put right: the chain holds by itself.
        (CUT_EAST, ("east", 6), "removed"),
        (DROP_WEST, ("west", 1), "removed"),
        # Another chain in its place, which holds by itself as well.
        (
            [
                *DROP_WEST,
                "UPDATE ledger SET chain = 'west' WHERE chain = 'east'",
                "UPDATE ledger_heads SET chain = 'west' WHERE chain = 'east'",
            ],
            ("east", 1),
            "removed",
        ),
        (["UPDATE ledger SET input = '{}' WHERE chain = 'main' AND seq = 2"], ("main", 2), "altered"),
        (["DELETE FROM ledger WHERE chain = 'main' AND seq = 2"], ("main", 2), "removed"),
    ],
)
async def test_what_somebody_changed_is_found(
    replicas: Database, tampering: list[str], place: tuple[str, int], word: str
) -> None:
    async with replicas.transaction() as transaction:
        for statement in [*UNGUARD[replicas.dialect], *tampering]:
            await transaction.execute(statement)
    verdict = await verify_ledger(store_of(replicas))
    assert verdict.flaw is not None
    assert (verdict.flaw.chain, verdict.flaw.seq) == place
    assert word in str(verdict.problem)
    assert place[0] == "main" or place[0] in str(verdict.problem)


async def test_a_chain_that_was_written_anew_is_found(replicas: Database) -> None:
    """Rewrite a chain consistently. Anybody with access to the database can, but the anchors then no longer match."""
    async with replicas.transaction() as transaction:
        for statement in UNGUARD[replicas.dialect]:
            await transaction.execute(statement)
        await transaction.execute("DELETE FROM ledger WHERE chain = 'east'")
        await transaction.execute("DELETE FROM ledger_heads WHERE chain = 'east'")
    await append(replicas, "east", 21, 29)
    verdict = await verify_ledger(store_of(replicas))
    assert verdict.flaw is not None
    assert (verdict.flaw.chain, verdict.flaw.seq) == ("east", 3)


async def test_a_replica_notes_its_chain_soon_then_once_a_pause_and_at_the_end(database: Database) -> None:
    anchorer = Anchorer("east", store_of(database), pause_s=3600)
    ledger = Ledger(store_of(database, "east"), group_ms=1, on_written=anchorer.notify_written)
    anchorer.start()
    ledger.start()
    ledger.record(make_entry(1))
    async with asyncio.timeout(WAIT_S):
        while not await anchors(database):  # noqa: ASYNC110 - another task writes it, and tells nobody
            await asyncio.sleep(0.01)
        for number in (2, 3):
            ledger.record(make_entry(number))
            await ledger.flush()
        await ledger.close()
    assert [anchor.seq for anchor in await anchors(database)] == [1]
    await anchorer.close()
    assert [anchor.seq for anchor in await anchors(database)] == [1, 3]
    await anchorer.close()
    assert [anchor.seq for anchor in await anchors(database)] == [1, 3], (
        "a chain without new rows is not anchored again"
    )


async def test_a_store_that_fails_stops_neither_the_calls_nor_the_end() -> None:
    store = InMemoryLedgerStore(failing=True)
    anchorer = Anchorer("east", store, pause_s=0.001)
    anchorer.start()
    store.failing = False
    await store.append([make_entry(1)], [])
    store.failing = True
    anchorer.notify_written()
    with pytest.raises(StoreUnavailable):
        await anchorer.anchor()
    store.failing = False
    async with asyncio.timeout(WAIT_S):
        while len(store.rows) < 2:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.001)
    store.failing = True
    await anchorer.close()


async def test_replicas_that_append_at_once_hold_while_they_do(database_url: str, home: Path) -> None:
    async with open_database(database_url, home) as database:
        processes = [
            await start("replica", database_url, home, first, 40, chain=chain)
            for chain, first in (("east", 1000), ("west", 2000), ("west", 3000))
        ]
        for _ in range(10):
            assert (await verify_ledger(store_of(database))).problem is None
        await asyncio.gather(*map(finish, processes))
        verdict = await verify_ledger(store_of(database))
        assert verdict.problem is None
        assert {state.chain: (state.rows, state.anchored) for state in verdict.chains[1:]} == {
            "east": (40, 40),
            "west": (80, 80),
        }


async def test_a_replica_that_was_killed_left_chains_that_hold_and_goes_on(database_url: str, home: Path) -> None:
    process = await start("replica", database_url, home, 1, 1_000_000, chain="east")
    assert process.stdout is not None
    async with asyncio.timeout(WAIT_S):
        while int(await process.stdout.readline()) < 50:
            pass
    process.kill()
    rest, _ = await process.communicate()
    acknowledged = max([50, *map(int, rest.split())])
    async with open_database(database_url, home) as database:
        verdict = await verify_ledger(store_of(database))
        east = next(state for state in verdict.chains if state.chain == "east")
        assert verdict.problem is None
        assert east.rows >= acknowledged
        assert 0 < (east.anchored or 0) <= east.rows
        await append(database, "east", 10_000_000, 10_000_000)
        await anchor(database, "east")
        assert (await verify_ledger(store_of(database))).problem is None


async def test_a_home_with_a_replica_name_has_its_own_chain_and_anchors_it(database_url: str, home: Path) -> None:
    for replica in ("east", "west", "east", ""):
        async with sanya.open(home, database_url=database_url, replica=replica) as app:
            await app.call("get_projects")
    async with sanya.open(home, database_url=database_url) as app:
        verdict = await verify_ledger(app.ledger_store)
        shown = await app.ledger_store.page(9, tool="get_projects")
    assert [(state.chain, state.rows, state.anchored) for state in verdict.chains[1:]] == [
        ("east", 2, 2),
        ("west", 1, 1),
    ]
    assert [link.chain for link in shown] == ["main", "east", "west", "east"]


@pytest.mark.parametrize("name", ["East", "a b", "a:1", "-a", "a" * 64, "ยา"])
async def test_a_name_that_is_no_plain_word_is_refused(home: Path, name: str) -> None:
    with pytest.raises(BadSetting, match="replica"):
        async with sanya.open(home, replica=name):
            pass
