"""Monitors the connection of a slow call: cancels the call when the client disconnects, and sends keep-alive pings."""

from __future__ import annotations

import asyncio

from starlette.types import Receive, Send

_STREAM_HEADERS = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-cache, no-transform"),
    (b"connection", b"keep-alive"),
    (b"x-accel-buffering", b"no"),
]
MONITOR_AFTER_S = 0.05
"""A call shorter than this runs unmonitored: a client that disconnects earlier is noticed only with the answer."""
_PING = b": ping\r\n\r\n"


class ConnectionMonitor:
    """Watches one connection from MONITOR_AFTER_S after `start_later` on, so that fast calls pay nothing for it."""

    __slots__ = (
        "_call",
        "_is_disconnected",
        "_ping_s",
        "_receive",
        "_send",
        "_send_lock",
        "_timer",
        "_watch_task",
        "is_streaming",
    )

    def __init__(self, receive: Receive, send: Send, ping_s: float) -> None:
        self._call: asyncio.Task[object] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._receive = receive
        self._send = send
        self._ping_s = ping_s
        self._watch_task: asyncio.Task[None] | None = None
        self.is_streaming = False
        self._is_disconnected = False

    def start_later(self) -> None:
        """Start after MONITOR_AFTER_S, for the current task, if it is not stopped before."""
        self._call = asyncio.current_task()
        self._timer = asyncio.get_running_loop().call_later(MONITOR_AFTER_S, self._start)

    def _start(self) -> None:
        self._send_lock = asyncio.Lock()
        self._watch_task = asyncio.create_task(self._watch(), name="connection monitor")

    async def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._watch_task is None:
            return
        async with self._send_lock:  # never cancel in the middle of a ping
            self._watch_task.cancel()
        await asyncio.gather(self._watch_task, return_exceptions=True)

    def acknowledge_disconnect(self) -> bool:
        """Return True if the call was cancelled because its client disconnected, and clear that cancellation."""
        if self._is_disconnected and self._call is not None:
            self._call.uncancel()
        return self._is_disconnected

    async def send_last(self, body: bytes) -> None:
        event = b"event: message\r\ndata: " + body + b"\r\n\r\n"
        await self._send({"type": "http.response.body", "body": event, "more_body": False})

    async def _watch(self) -> None:
        disconnect = asyncio.create_task(self._wait_for_disconnect(), name="disconnect")
        try:
            while True:
                await asyncio.wait({disconnect}, timeout=self._ping_s)
                if disconnect.done():
                    break
                await self._ping()
        finally:
            disconnect.cancel()
        self._is_disconnected = True
        assert self._call is not None
        self._call.cancel()

    async def _wait_for_disconnect(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass

    async def _ping(self) -> None:
        """Send a ping. The first one turns the response into an event stream, the only kind that can carry pings."""
        async with self._send_lock:
            if not self.is_streaming:
                self.is_streaming = True
                await self._send({"type": "http.response.start", "status": 200, "headers": _STREAM_HEADERS})
            await self._send({"type": "http.response.body", "body": _PING, "more_body": True})
