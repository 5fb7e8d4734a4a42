from __future__ import annotations

import asyncio
import sys
import tracemalloc
from typing import cast

import orjson
import pytest

from sanya.kernel.calls import requests
from sanya.kernel.calls.call import Answered
from sanya.kernel.calls.requests import RequestWindow
from sanya.kernel.calls.stamp import Stamp
from sanya.kernel.contracts.tool import Tool
from sanya.kernel.faults import InvalidArgument

KEY = ("caller", "r1")
# The window looks at nothing but the body.
ANSWER = Answered("call_1", cast(Tool, None), {"said": ["the", "first", "answer"]}, cast(Stamp, None), "r1")
SIZE = sys.getsizeof(orjson.dumps(ANSWER.body))


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_an_answer_is_given_again_until_the_window_closes() -> None:
    clock = Clock()
    window = RequestWindow(600, clock)
    assert await window.claim(KEY, "f") is None
    window.keep(KEY, ANSWER)
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
    window.keep(KEY, ANSWER)
    assert await asyncio.wait_for(waiting.pop(), 5) == ANSWER


async def test_what_becomes_of_an_answer_that_was_given_does_not_change_the_next() -> None:
    window = RequestWindow()
    await window.claim(KEY, "f")
    window.keep(KEY, ANSWER)
    for _ in range(2):
        again = await window.claim(KEY, "f")
        assert again == ANSWER
        again.body["said"].append("changed")


async def test_a_kept_answer_takes_little_more_room_than_is_counted_for_it() -> None:
    window, many = RequestWindow(), 100
    answer = ANSWER._replace(body={"said": "word " * 2000})
    keys = [("caller", str(number)) for number in range(many)]
    for key in keys:
        await window.claim(key, "f")
    tracemalloc.start()
    for key in keys:
        window.keep(key, answer)
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert many * 10_000 < window._claims._bytes < taken < 1.2 * window._claims._bytes


async def test_old_answers_make_room_for_new_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "_MAX_BYTES", 2 * SIZE)
    window = RequestWindow()
    for index in range(10):
        key = ("caller", str(index))
        await window.claim(key, "f")
        window.keep(key, ANSWER)
    assert list(window._claims._slots) == [("caller", "8"), ("caller", "9")]
    assert window._claims._bytes == 2 * SIZE


async def test_a_running_call_is_never_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "_MAX_BYTES", SIZE)
    window = RequestWindow()
    await window.claim(("caller", "slow"), "f")
    for index in range(5):
        key = ("caller", str(index))
        await window.claim(key, "f")
        window.keep(key, ANSWER)
    window.keep(("caller", "slow"), ANSWER)


async def test_calls_that_still_run_do_not_keep_answers_beyond_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "_MAX_BYTES", 3 * SIZE)
    window = RequestWindow()
    for index in range(40):
        await window.claim(("slow", str(index)), "f")
    for index in range(200):
        key = ("caller", str(index))
        await window.claim(key, "f")
        window.keep(key, ANSWER)
        assert window._claims._bytes <= 3 * SIZE
    assert await window.claim(("caller", "199"), "f") == ANSWER
    for index in range(40):
        window.keep(("slow", str(index)), ANSWER)


async def test_answers_whose_window_is_over_make_room_at_once() -> None:
    clock = Clock()
    window = RequestWindow(600, clock)
    for index in range(100):
        await window.claim(("caller", str(index)), "f")
        window.keep(("caller", str(index)), ANSWER)
    clock.now = 600
    await window.claim(KEY, "f")
    window.keep(KEY, ANSWER)
    assert list(window._claims._slots) == [KEY]
