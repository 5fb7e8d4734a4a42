"""Reading bodies: size limit, time limit, and cancellation by others."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from sanya.kernel.faults import InvalidArgument, TooLarge
from sanya.surfaces.http.asgi import HttpRefusal
from sanya.surfaces.http.body import BodyGuard, ClientGone, read_body

WAIT_S = 20.0


def incoming(*messages: dict[str, Any]) -> Any:
    """Build an ASGI `receive` that returns these messages and then blocks."""
    pending = list(messages)

    async def receive() -> dict[str, Any]:
        if not pending:
            await asyncio.Event().wait()
        return pending.pop(0)

    return receive


def part(data: bytes, more: bool = True) -> dict[str, Any]:
    return {"type": "http.request", "body": data, "more_body": more}


async def test_chunks_are_joined() -> None:
    assert await read_body(incoming(part(b"a"), part(b"b"), part(b"", more=False)), 10) == b"ab"


async def test_a_known_length_saves_the_wait_for_the_end() -> None:
    async with asyncio.timeout(WAIT_S):
        assert await read_body(incoming(part(b"ab")), 10, length=b"2") == b"ab"
        assert await read_body(incoming(), 10, length=b"0") == b""


@pytest.mark.parametrize("length", [b"11", b"9" * 30])
async def test_a_content_length_over_the_limit_is_refused_unread(length: bytes) -> None:
    with pytest.raises(TooLarge):
        await read_body(incoming(), 10, length=length)


@pytest.mark.parametrize("length", [b"", b"x", b"-1", b"1.0", b"+1"])
async def test_a_content_length_that_is_not_a_number_is_refused(length: bytes) -> None:
    with pytest.raises(InvalidArgument):
        await read_body(incoming(), 10, length=length)


async def test_a_body_is_refused_as_soon_as_it_exceeds_the_limit() -> None:
    with pytest.raises(TooLarge):
        await read_body(incoming(part(b"x" * 6), part(b"x" * 6)), 10)


async def test_a_disconnect_raises_client_gone() -> None:
    with pytest.raises(ClientGone):
        await read_body(incoming(part(b"x"), {"type": "http.disconnect"}), 10)


async def test_a_body_that_does_not_arrive_times_out() -> None:
    with pytest.raises(HttpRefusal) as refused:
        async with asyncio.timeout(WAIT_S):
            await read_body(incoming(part(b"x")), 10, timeout_s=0.1)
    assert refused.value.status == 408


async def test_a_cancellation_by_others_is_not_turned_into_a_timeout() -> None:
    reading = asyncio.create_task(read_body(incoming(), 10, timeout_s=3600))
    await asyncio.sleep(0)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading


async def test_a_guard_does_not_cancel_after_the_body_is_complete() -> None:
    guard = BodyGuard(incoming(part(b"x", more=False)), 0.0)
    await guard.receive()
    later = asyncio.Event()
    asyncio.get_running_loop().call_later(0.6, later.set)
    await asyncio.wait_for(later.wait(), WAIT_S)
    assert guard.build_refusal() is None


async def test_a_guard_ends_the_body_at_its_length_and_then_waits_for_the_client_alone() -> None:
    messages = (part(b"ab"), part(b"c"), part(b"", more=False), {"type": "http.disconnect"})
    guard = BodyGuard(incoming(*messages), WAIT_S, b"3")
    received = [await guard.receive() for _ in range(3)]
    assert [message.get("more_body") for message in received] == [True, False, None]
    assert received[-1]["type"] == "http.disconnect"


@pytest.mark.parametrize("length", [None, b"9", b"", b"-1", b"3" * 19])
async def test_a_guard_without_the_true_length_waits_for_the_last_message(length: bytes | None) -> None:
    guard = BodyGuard(incoming(part(b"abc"), part(b"", more=False)), WAIT_S, length)
    assert [(await guard.receive())["more_body"] for _ in range(2)] == [True, False]
