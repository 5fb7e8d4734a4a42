"""Deadlines on one timer: each fires once, after its time, unless it was stopped."""

from __future__ import annotations

import asyncio

import pytest

from sanya.kernel.calls.deadlines import Deadline, get_deadlines

WAIT_S = 20.0


async def test_a_deadline_acts_once_and_not_before_its_time() -> None:
    loop, acted = asyncio.get_running_loop(), asyncio.Event()
    times: list[float] = []
    began = loop.time()

    def act() -> None:
        times.append(loop.time() - began)
        acted.set()

    get_deadlines().start(0.3, act)
    later = asyncio.Event()
    get_deadlines().start(0.9, later.set)
    await asyncio.wait_for(acted.wait(), WAIT_S)
    await asyncio.wait_for(later.wait(), WAIT_S)
    assert len(times) == 1
    assert times[0] >= 0.3


async def test_a_stopped_deadline_does_not_act() -> None:
    acted: list[str] = []
    end = asyncio.Event()
    stopped = get_deadlines().start(0.0, lambda: acted.append("stopped"))
    get_deadlines().start(0.0, lambda: acted.append("kept"))
    get_deadlines().start(0.1, end.set)
    get_deadlines().stop(stopped)
    get_deadlines().stop(stopped)
    await asyncio.wait_for(end.wait(), WAIT_S)
    assert acted == ["kept"]


async def test_a_deadline_may_start_another() -> None:
    end = asyncio.Event()
    get_deadlines().start(0.0, lambda: get_deadlines().start(0.0, end.set))
    await asyncio.wait_for(end.wait(), WAIT_S)


async def test_the_running_loop_has_one_set_of_deadlines() -> None:
    assert get_deadlines() is get_deadlines()


@pytest.mark.parametrize("seconds", [0.01, 2.0])
async def test_a_deadline_cancels_the_task_that_waits_too_long(seconds: float) -> None:
    deadline = Deadline(seconds)
    try:
        await asyncio.wait_for(asyncio.Event().wait(), WAIT_S)
        raise AssertionError("it was not cancelled")
    except asyncio.CancelledError:
        assert deadline.claim_cancellation()
    finally:
        deadline.stop()
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0, "the task is as it was"


async def test_a_cancellation_by_somebody_else_is_not_the_deadlines() -> None:
    async def wait(struck: list[bool]) -> None:
        deadline = Deadline(60)
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            struck.append(deadline.claim_cancellation())
            raise
        finally:
            deadline.stop()

    struck: list[bool] = []
    task = asyncio.create_task(wait(struck))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert struck == [False]


async def test_a_task_that_goes_on_in_spite_of_its_deadline_is_left_clean() -> None:
    deadline = Deadline(0.01)
    try:
        await asyncio.wait_for(asyncio.Event().wait(), WAIT_S)
    except asyncio.CancelledError:
        pass
    finally:
        deadline.stop()
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0
