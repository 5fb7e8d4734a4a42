from __future__ import annotations

import asyncio
from typing import cast

import pytest

from sanya.kernel import requests
from sanya.kernel.call import Answered
from sanya.kernel.faults import InvalidArgument
from sanya.kernel.requests import RequestWindow

KEY = ("caller", "r1")
ANSWER = cast(Answered, "the first answer")  # the window never looks inside


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_an_answer_is_given_again_until_the_window_closes() -> None:
    clock = Clock()
    window = RequestWindow(600, clock)
    assert await window.claim(KEY, "f") is None
    window.keep(KEY, ANSWER, 10)
    clock.now = 599
    assert await window.claim(KEY, "f") == ANSWER
    clock.now = 600
    assert await window.claim(KEY, "f") is None


async def test_another_input_under_the_id_is_refused_even_while_the_first_runs() -> None:
    window = RequestWindow()
    await window.claim(KEY, "f")
    with pytest.raises(InvalidArgument):
        await window.claim(KEY, "g")


async def test_who_waits_for_a_call_that_is_refused_runs_in_its_place() -> None:
    window = RequestWindow()
    await window.claim(KEY, "f")
    second = asyncio.create_task(window.claim(KEY, "f"))
    third = asyncio.create_task(window.claim(KEY, "f"))
    await asyncio.sleep(0)
    window.release(KEY)
    done, waiting = await asyncio.wait({second, third}, return_when=asyncio.FIRST_COMPLETED, timeout=5)
    assert len(done) == len(waiting) == 1
    window.keep(KEY, ANSWER, 10)
    assert await asyncio.wait_for(waiting.pop(), 5) == ANSWER


async def test_old_answers_make_room_for_new_ones() -> None:
    window = RequestWindow()
    half = requests._MAX_BYTES // 2
    for index in range(10):
        key = ("caller", str(index))
        await window.claim(key, "f")
        window.keep(key, ANSWER, half)
    assert list(window._kept) == [("caller", "8"), ("caller", "9")]
    assert window._bytes == 2 * half


async def test_a_running_call_is_never_forgotten() -> None:
    window = RequestWindow()
    await window.claim(("caller", "slow"), "f")
    for index in range(5):
        key = ("caller", str(index))
        await window.claim(key, "f")
        window.keep(key, ANSWER, requests._MAX_BYTES)
    window.keep(("caller", "slow"), ANSWER, 1)
