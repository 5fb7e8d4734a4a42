"""A body is read whole, within its size and within its time; a cancellation from elsewhere stays one."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from sanya.kernel.faults import InvalidArgument, TooLarge
from sanya.surfaces.http.asgi import HttpRefusal
from sanya.surfaces.http.body import BodyGuard, ClientGone, read_body

WAIT_S = 20.0


def incoming(*messages: dict[str, Any]) -> Any:
    """Receives these messages, then waits for ever."""
    pending = list(messages)

    async def receive() -> dict[str, Any]:
        if not pending:
            await asyncio.Event().wait()
        return pending.pop(0)

    return receive


def part(data: bytes, more: bool = True) -> dict[str, Any]:
    return {"type": "http.request", "body": data, "more_body": more}


async def test_parts_make_a_whole() -> None:
    assert await read_body(incoming(part(b"a"), part(b"b"), part(b"", more=False)), 10) == b"ab"


async def test_an_honest_length_spares_the_wait_for_the_end() -> None:
    async with asyncio.timeout(WAIT_S):
        assert await read_body(incoming(part(b"ab")), 10, length=b"2") == b"ab"
        assert await read_body(incoming(), 10, length=b"0") == b""


@pytest.mark.parametrize("length", [b"11", b"9" * 30])
async def test_a_length_over_the_limit_is_refused_unread(length: bytes) -> None:
    with pytest.raises(TooLarge):
        await read_body(incoming(), 10, length=length)


@pytest.mark.parametrize("length", [b"", b"x", b"-1", b"1.0", b"+1"])
async def test_a_length_that_is_no_number_is_refused(length: bytes) -> None:
    with pytest.raises(InvalidArgument):
        await read_body(incoming(), 10, length=length)


async def test_a_body_larger_than_the_limit_is_refused_where_it_passes_it() -> None:
    with pytest.raises(TooLarge):
        await read_body(incoming(part(b"x" * 6), part(b"x" * 6)), 10)


async def test_a_client_that_leaves_is_gone() -> None:
    with pytest.raises(ClientGone):
        await read_body(incoming(part(b"x"), {"type": "http.disconnect"}), 10)


async def test_a_body_that_does_not_come_is_given_up() -> None:
    with pytest.raises(HttpRefusal) as refused:
        async with asyncio.timeout(WAIT_S):
            await read_body(incoming(part(b"x")), 10, timeout_s=0.1)
    assert refused.value.status == 408


async def test_a_cancellation_from_elsewhere_stays_a_cancellation() -> None:
    reading = asyncio.create_task(read_body(incoming(), 10, timeout_s=3600))
    await asyncio.sleep(0)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading


async def test_a_guard_leaves_the_task_alone_once_the_body_is_complete() -> None:
    guard = BodyGuard(incoming(part(b"x", more=False)), 0.0)
    await guard.receive()
    later = asyncio.Event()
    asyncio.get_running_loop().call_later(0.6, later.set)
    await asyncio.wait_for(later.wait(), WAIT_S)
    assert guard.build_refusal() is None
