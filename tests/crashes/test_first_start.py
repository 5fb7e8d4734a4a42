"""`kill -9` while a home is created and filled with starter data: the next start finds or creates all of it."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any

import psycopg
import pytest

from sanya import App
from sanya.engines.tables import list_tables
from sanya.kernel.ledger.verification import verify_ledger
from tests.crashes.ground import Ground
from tests.crashes.killing import Outside, check_file, choose_seed
from tests.crashes.paths import FIRST_CALLS
from tests.long_form import often

KILLS = often(2, 25)
# These tables record events, not contents.
_TRACES = {"ledger", "cited_papers", "answers", "revisions", "retrieval_counters", "retrieval_commits"}
_schemas = count(1)


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@contextmanager
def new_database(engine: str, request: pytest.FixtureRequest) -> Iterator[str]:
    """Create an empty home each time: a start can be killed once."""
    if engine == "sqlite":
        yield ""
        return
    server = str(request.getfixturevalue("postgresql_server"))
    schema = f"start_{os.getpid()}_{next(_schemas)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE SCHEMA "{schema}"')
        try:
            yield f"{server}&options=-csearch_path%3D{schema}"
        finally:
            connection.execute(f'DROP SCHEMA "{schema}" CASCADE')


async def _count_rows(app: App) -> dict[str, Any]:
    tables = [table.name for table in list_tables() if table.name not in _TRACES]
    return {name: (await app.database.fetch(f"SELECT count(*) FROM {name}"))[0][0] for name in tables}


async def _open_and_count(ground: Ground) -> dict[str, Any]:
    """Count the rows of a home after its first calls."""
    async with ground.open_home() as app:
        await FIRST_CALLS.check(app, ground, [])
        assert (await verify_ledger(app.ledger_store)).problem is None
        return await _count_rows(app)


async def _start_and_kill(outside: Outside, ground: Ground, after_s: float | None) -> float:
    """Kill a start after this time, or when it has done its calls; return how long it took."""
    begun = perf_counter()
    pid = await outside.warm.begin(ground, [FIRST_CALLS.name], 1)
    if after_s is not None:
        await asyncio.sleep(after_s)
    else:
        for _ in range(1 + len(FIRST_CALLS.calls)):
            await outside.warm.receive()
    took = perf_counter() - begun
    os.kill(pid, signal.SIGKILL)
    while (told := await outside.warm.receive())["word"] != "ended":
        pass
    assert told["status"] == -signal.SIGKILL
    return took


async def test_a_start_that_was_killed_leaves_a_home_like_any_other(
    engine: str, outside: Outside, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    chance = random.Random(choose_seed())
    with new_database(engine, request) as url:
        expected = await _open_and_count(outside.ground(tmp_path / "whole", url))
    took: float | None = None
    for number in range(KILLS):
        with new_database(engine, request) as url:
            ground = outside.ground(tmp_path / f"home-{number}", url)
            after_s = None if took is None else chance.uniform(0.01, took)
            spent = await _start_and_kill(outside, ground, after_s)
            took = took or spent
            assert await _open_and_count(ground) == expected, f"killed after {after_s} s of {took}"
            if not url:
                check_file(Path(ground.home))
