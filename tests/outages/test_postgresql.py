"""PostgreSQL behind a proxy that drops, cuts, delays and refuses: every call ends in time, and the engine recovers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from itertools import count
from pathlib import Path

import pytest

from sanya.engines.database import open_database
from sanya.kernel.breaker import Breaker, BreakerPolicy, Breakers
from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.storage.database import Database
from tests.outages.gate import Gate, connect_unix

pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")

FAILURES = 3
INSERT = "INSERT INTO revisions (suite, revision) VALUES (?, 1)"
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n WHERE i = ?"
DEADLINE_S = 0.3
POOL = 10
# The server and the network have a second each to end a statement; then the call ends.
BOUND_S = 20.0


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def breakers(clock: Clock) -> Breakers:
    return Breakers(BreakerPolicy(failures=FAILURES), clock)


@pytest.fixture
def gate(postgresql_server: str) -> Iterator[Gate]:
    folder = postgresql_server.split("host=")[1].split("&")[0]
    with Gate(connect_unix(f"{folder}/.s.PGSQL.5432")) as opened:
        yield opened


@pytest.fixture
async def database(gate: Gate, postgresql_url: str, home: Path, breakers: Breakers) -> AsyncIterator[Database]:
    schema = postgresql_url.split("options=")[1]
    url = f"postgresql://postgres@127.0.0.1:{gate.port}/postgres?sslmode=disable&gssencmode=disable&options={schema}"
    async with open_database(url, home, breakers) as opened:
        yield opened
        gate.heal()


@pytest.fixture
def breaker(database: Database, breakers: Breakers) -> Breaker:
    (only,) = breakers.list_all()
    return only


async def read_in_time(database: Database) -> list[tuple[object, ...]]:
    """Read with a short deadline."""
    async with asyncio.timeout(DEADLINE_S):
        return list(await database.fetch("SELECT 1"))


async def read_outcome(database: Database) -> str:
    try:
        async with asyncio.timeout(BOUND_S):
            await read_in_time(database)
    except StoreUnavailable as fault:
        assert fault.retry_after_ms is not None and fault.retry_after_ms > 0
        return "unavailable"
    except TimeoutError:
        return "late"
    return "answered"


async def check_answer(database: Database) -> None:
    """Connect, however busy the machine is."""
    async with asyncio.timeout(BOUND_S):
        assert await database.fetch("SELECT 1") == [(1,)]


async def break_down(database: Database, breaker: Breaker) -> set[str]:
    """Call until the circuit opens, and return the results."""
    came: set[str] = set()
    for turn in count():
        assert turn < 10 * FAILURES
        if breaker.state == "open":
            return came
        came.add(await read_outcome(database))
    raise AssertionError


async def test_a_network_that_swallows_everything_opens_the_breaker_and_heals(
    gate: Gate, database: Database, breaker: Breaker, clock: Clock
) -> None:
    await check_answer(database)
    gate.mode = "hole"
    assert await break_down(database, breaker) <= {"late", "unavailable"}
    before = gate.accepted
    assert {await read_outcome(database) for _ in range(20)} == {"unavailable"}
    assert gate.accepted == before
    clock.now += 1
    assert await read_outcome(database) in {"late", "unavailable"}
    gate.heal()
    clock.now += 2
    await check_answer(database)
    assert breaker.state == "closed"


async def test_the_pool_is_not_eaten_by_calls_that_hang(
    gate: Gate, database: Database, breaker: Breaker, clock: Clock
) -> None:
    gate.mode = "hole"
    came = await asyncio.gather(*(read_outcome(database) for _ in range(25)))
    assert set(came) <= {"late", "unavailable"}
    await break_down(database, breaker)
    gate.heal()
    clock.now += 1
    await check_answer(database)
    async with asyncio.timeout(BOUND_S):
        answers = await asyncio.gather(*(database.fetch("SELECT 1") for _ in range(25)))
    assert answers == [[(1,)]] * 25
    assert gate.open_connections <= POOL


async def test_a_server_that_refuses_is_told_to_everybody_who_waits(
    gate: Gate, database: Database, breaker: Breaker, clock: Clock
) -> None:
    gate.mode = "closed"
    gate.cut()
    async with asyncio.timeout(BOUND_S):
        came = await asyncio.gather(*(database.fetch("SELECT 1") for _ in range(15)), return_exceptions=True)
    assert {type(error) for error in came} == {StoreUnavailable}
    assert breaker.state == "open"
    gate.heal()
    clock.now += 1
    await check_answer(database)


async def test_connections_that_died_while_idle_are_noticed_by_nobody(
    gate: Gate, database: Database, breaker: Breaker
) -> None:
    await asyncio.gather(*(database.fetch("SELECT pg_sleep(0.01)") for _ in range(8)))
    gate.cut()
    async with asyncio.timeout(BOUND_S):
        assert await database.fetch("SELECT 1") == [(1,)]
    gate.cut()
    async with asyncio.timeout(BOUND_S), database.transaction() as transaction:
        await transaction.execute(INSERT, ("idle",))
    assert await database.fetch("SELECT suite FROM revisions") == [("idle",)]
    assert breaker.state == "closed"


@pytest.mark.parametrize("passed_on", [False, True])
async def test_a_commit_whose_answer_is_lost_is_told_as_unknown(
    gate: Gate, database: Database, passed_on: bool
) -> None:
    gate.cut_at(b"COMMIT", passed_on=passed_on)
    async with asyncio.timeout(BOUND_S):
        with pytest.raises(StoreUnavailable, match="may or may not") as caught:
            async with database.transaction() as transaction:
                await transaction.execute(INSERT, ("perhaps",))
        assert caught.value.details == {"outcome": "unknown"}
        assert caught.value.retry_after_ms
        kept = await database.fetch("SELECT suite FROM revisions")
    assert kept == ([("perhaps",)] if passed_on else [])


async def test_a_transaction_that_hangs_is_undone_and_holds_no_lock(gate: Gate, database: Database) -> None:
    async with database.transaction() as transaction:
        await transaction.execute(INSERT, ("one",))
    update = "UPDATE revisions SET revision = revision + 1 WHERE suite = 'one'"
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(BOUND_S), database.transaction() as transaction:
            await transaction.execute(update)
            gate.mode = "hole"
            async with asyncio.timeout(DEADLINE_S):
                await transaction.execute(update)
    gate.heal()
    async with asyncio.timeout(BOUND_S), database.transaction() as transaction:
        await transaction.execute(update)
    assert await database.fetch("SELECT revision FROM revisions WHERE suite = 'one'") == [(2,)]


async def test_a_slow_statement_is_ended_on_the_server_and_is_no_outage(
    database: Database, breaker: Breaker, postgresql_server: str
) -> None:
    for _ in range(FAILURES + 1):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(DEADLINE_S):
                await database.fetch(ENDLESS, (0,))
    assert breaker.state == "closed"
    running = "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%RECURSIVE n(i)%'"
    assert await database.fetch(f"{running} AND pid <> pg_backend_pid()") == [(0,)]


async def test_a_server_that_answers_too_late_every_time_is_left_alone(
    gate: Gate, database: Database, breaker: Breaker, clock: Clock
) -> None:
    gate.delay_s = 3.0
    assert await break_down(database, breaker) <= {"late", "unavailable"}
    gate.heal()
    clock.now += 1
    await check_answer(database)


async def test_nothing_is_left_behind(gate: Gate, database: Database, breaker: Breaker, clock: Clock) -> None:
    for _ in range(3):
        gate.mode = "hole"
        await break_down(database, breaker)
        gate.heal()
        clock.now += 20
        await check_answer(database)
    until = time.monotonic() + BOUND_S
    while gate.open_connections > POOL or len(list_pool_tasks()) > 1:
        assert time.monotonic() < until, (gate.open_connections, list_pool_tasks())
        await asyncio.sleep(0.05)


def list_pool_tasks() -> set[str]:
    """Return the names of pool tasks and of our own tasks that still run."""
    names = [task.get_name() for task in asyncio.all_tasks() - {asyncio.current_task()}]
    return {name.split("-worker")[0] for name in names if "-worker" in name or name in ("commit", "old connections")}
