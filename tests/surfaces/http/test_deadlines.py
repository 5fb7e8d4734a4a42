"""Many deadlines on one timer: each acts once, after its time, unless it was stopped."""

from __future__ import annotations

import asyncio

from sanya.surfaces.http.deadlines import deadlines

WAIT_S = 20.0


async def test_a_deadline_acts_once_and_not_before_its_time() -> None:
    loop, acted = asyncio.get_running_loop(), asyncio.Event()
    times: list[float] = []
    began = loop.time()

    def act() -> None:
        times.append(loop.time() - began)
        acted.set()

    deadlines().start(0.3, act)
    later = asyncio.Event()
    deadlines().start(0.9, later.set)
    await asyncio.wait_for(acted.wait(), WAIT_S)
    await asyncio.wait_for(later.wait(), WAIT_S)
    assert len(times) == 1
    assert times[0] >= 0.3


async def test_a_stopped_deadline_does_not_act() -> None:
    acted: list[str] = []
    end = asyncio.Event()
    stopped = deadlines().start(0.0, lambda: acted.append("stopped"))
    deadlines().start(0.0, lambda: acted.append("kept"))
    deadlines().start(0.1, end.set)
    deadlines().stop(stopped)
    deadlines().stop(stopped)
    await asyncio.wait_for(end.wait(), WAIT_S)
    assert acted == ["kept"]


async def test_a_deadline_may_start_another() -> None:
    end = asyncio.Event()
    deadlines().start(0.0, lambda: deadlines().start(0.0, end.set))
    await asyncio.wait_for(end.wait(), WAIT_S)


async def test_the_running_loop_has_one_set_of_deadlines() -> None:
    assert deadlines() is deadlines()
