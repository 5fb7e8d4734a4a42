"""A text of the longest lawful length does not keep the server from its other callers while it is read.

The machine may pause the whole process at any time, so the best of several attempts counts. On the event loop itself
the work would be one pause: nearly all of its time, in every attempt.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import sanya
from sanya.app import App
from sanya.suites.memory.contract import MAX_CONTENT_CHARS, MAX_QUERY_CHARS
from tests.event_loop_stalls import measure_stall

ATTEMPTS = 5
MOST = 0.3
MEMORIES = 60
WORDS = ("ผู้ป่วย", "เบาหวาน", "กิน", "ขมิ้นชัน", "ร่วมกับ", "ยา", "ละลาย", "ลิ่ม", "เลือด", "แล้ว", "มี", "อาการ")


def _write_thai(chars: int, seed: int) -> str:
    random = Random(seed)
    return "".join(random.choice(WORDS) for _ in range(chars))[:chars]


def _write_noise(chars: int, seed: int) -> str:
    """Write letters in no order, so that every three of them are new and must be looked for in every memory."""
    random = Random(seed)
    return "".join(chr(random.randint(0x0E01, 0x0E2E)) for _ in range(chars))


@pytest.fixture
async def app(begun_home: Path) -> AsyncIterator[App]:
    async with sanya.open(begun_home) as opened:
        for number in range(MEMORIES):
            await opened.call("send_memory", {"content": _write_thai(150, number)})
        await opened.call("get_memory", {"query": "ขมิ้นชัน"})
        yield opened


async def _measure_least(app: App, tool: str, calls: list[dict[str, Any]]) -> float:
    await app.call(tool, calls[0])
    return min([(await measure_stall(app.call(tool, call))).ratio for call in calls[1:]])


async def test_a_long_question_leaves_the_event_loop_free(app: App) -> None:
    for write in (_write_thai, _write_noise):
        calls = [{"query": write(MAX_QUERY_CHARS, seed)} for seed in range(ATTEMPTS + 1)]
        assert await _measure_least(app, "get_memory", calls) < MOST


async def test_a_long_memory_leaves_the_event_loop_free(app: App) -> None:
    for write in (_write_thai, _write_noise):
        calls = [{"content": write(MAX_CONTENT_CHARS, seed)} for seed in range(ATTEMPTS + 1)]
        assert await _measure_least(app, "send_memory", calls) < MOST
