"""A guard begins when the work first waits."""

from __future__ import annotations

import asyncio

import pytest

from sanya.kernel.calls.guarded_waits import run_guarded


async def test_work_that_does_not_wait_has_no_guard() -> None:
    begun: list[bool] = []

    async def answer() -> int:
        return 7

    assert await run_guarded(answer(), lambda: begun.append(True)) == 7
    assert not begun


async def test_the_guard_begins_once_before_anything_else_runs() -> None:
    seen: list[str] = []

    async def wait_twice() -> str:
        asyncio.get_running_loop().call_soon(seen.append, "others")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return "done"

    assert await run_guarded(wait_twice(), lambda: seen.append("guard")) == "done"
    assert seen == ["guard", "others"]


@pytest.mark.parametrize("waits", [False, True])
async def test_an_error_of_the_work_reaches_the_caller(waits: bool) -> None:
    async def fail() -> None:
        if waits:
            await asyncio.sleep(0)
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        await run_guarded(fail(), lambda: None)


async def test_a_cancellation_reaches_the_work_which_may_wait_again_and_answer() -> None:
    waits = asyncio.Event()

    async def answer_when_cancelled() -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await asyncio.sleep(0)
            return "cleaned up"
        raise AssertionError("was not cancelled")

    async def run() -> str:
        return await run_guarded(answer_when_cancelled(), waits.set)

    task = asyncio.create_task(run())
    await waits.wait()
    task.cancel()
    assert await task == "cleaned up"


async def test_the_guard_may_cancel_the_task_that_waits() -> None:
    def cancel() -> None:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await asyncio.create_task(_run_waiting(cancel))


async def _run_waiting(begin: object) -> None:
    assert callable(begin)
    await run_guarded(asyncio.Event().wait(), begin)
