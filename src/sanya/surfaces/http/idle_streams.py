"""Ends a stream that has carried no message for a while, so that forgotten streams do not add up."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from sanya.kernel.calls.deadlines import Deadline
from sanya.surfaces.http.asgi import Message, ResponseSender, Send

_COMMENT = b":"
"""Event streams keep a connection alive with comments, which are no messages."""


async def end_when_idle(serve: Callable[[Send], Awaitable[None]], sender: ResponseSender, idle_s: float) -> None:
    """Serve a stream. Ends it after this time without a message; its client may open it again."""
    watched = _WatchedSender(sender, idle_s)
    try:
        await serve(watched)
    except asyncio.CancelledError:
        if not watched.deadline.claim_cancellation():
            raise
        if sender.started:
            await sender({"type": "http.response.body", "body": b"", "more_body": False})
    finally:
        watched.deadline.stop()


class _WatchedSender:
    def __init__(self, sender: ResponseSender, idle_s: float) -> None:
        self._sender = sender
        self._idle_s = idle_s
        self.deadline = Deadline(idle_s)

    async def __call__(self, message: Message) -> None:
        await self._sender(message)
        body: bytes = message.get("body", b"")
        if body and not body.startswith(_COMMENT):
            self.deadline.restart(self._idle_s)
