"""`kill -9` during every kind of write, on both engines: nothing acknowledged is lost, nothing is half-written.

With test_first_start.py, `make test-long` kills five hundred times.
"""

from __future__ import annotations

import random
from pathlib import Path

import sanya
from tests.crashes.killing import Killing, Outside, choose_seed
from tests.crashes.paths import PATHS
from tests.long_form import often

KILLS = often(8, 225)
# This many kills hit all paths at once.
_TOGETHER_EVERY = 8


async def test_every_tool_that_writes_is_on_one_of_the_paths(home: Path) -> None:
    async with sanya.open(home) as app:
        writing = {tool.name for tool in app.kernel.catalogue.tools if tool.effect == "write"}
    assert writing == {tool for path in PATHS.values() for tool in path.tools}


async def test_nothing_acknowledged_is_lost_and_nothing_is_half(
    outside: Outside, home: Path, database_url: str
) -> None:
    killing = Killing(outside, outside.ground(home, database_url), random.Random(choose_seed()))
    order: list[str] = []
    while killing.kills < KILLS:
        order = order or killing.chance.sample(list(PATHS), len(PATHS))
        together = killing.kills % _TOGETHER_EVERY == _TOGETHER_EVERY - 1
        paths = list(PATHS) if together else [order.pop()]
        await killing.kill(paths)
        await killing.check(paths)
    await killing.check(list(PATHS))
    print(f"{killing.kills} kills; acknowledged: { {name: len(facts) for name, facts in killing.facts.items()} }")
