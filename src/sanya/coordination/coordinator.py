"""The supervisor's side of the channels: it holds what the workers share.

Request ids and rate limits are the ones that a server with one process has, held here once for all workers. A worker
that dies leaves its claims; they are released, so that a repeated call can run in another worker.
"""

from __future__ import annotations

import asyncio
import socket
from dataclasses import asdict
from sys import getsizeof
from typing import Any

from sanya.coordination.channel import Channel, ChannelClosed, ChannelMessage, open_channel
from sanya.kernel.calls.call import Caller
from sanya.kernel.calls.limits import LocalRateLimiter
from sanya.kernel.calls.requests import ClaimWindow, RequestKey
from sanya.kernel.faults import InvalidArgument, RateLimited
from sanya.kernel.ledger.chain import StoredAnswer
from sanya.sources.pacing import get_process_budget

# A worker that does not tell its counts within this time is left out of the sum.
_COUNTS_TIMEOUT_S = 1.0


class Coordinator:
    """Answers the workers. `window_s` is how long a request id is remembered."""

    def __init__(self, window_s: float) -> None:
        self._limiter = LocalRateLimiter()
        self._claims: ClaimWindow[StoredAnswer] = ClaimWindow(window_s)
        self._workers: dict[int, WorkerConnection] = {}

    async def connect(self, index: int, end: socket.socket) -> WorkerConnection:
        """Serve the worker with this number over our end of its socket pair."""
        connection = WorkerConnection(index)
        connection.channel = await open_channel(end, lambda message: self._answer(connection, message))
        self._workers[index] = connection
        return connection

    async def disconnect(self, connection: WorkerConnection) -> None:
        """Forget a worker that has ended, and release the request ids that it was working on."""
        if self._workers.get(connection.index) is connection:
            del self._workers[connection.index]
        await connection.channel.close()
        for key in connection.held:
            self._claims.release(key)
        connection.held.clear()

    async def _answer(self, connection: WorkerConnection, message: ChannelMessage) -> ChannelMessage:
        match message["op"]:
            case "admit":
                return self._admit(Caller(message["caller"], frozenset(), message["rate"]))
            case "claim":
                return await self._claim(connection, _read_key(message), message["fingerprint"])
            case "keep":
                self._keep(connection, StoredAnswer(**message["answer"]))
            case "release":
                self._release(connection, _read_key(message))
            case "take turn":
                await get_process_budget(message["party"], message["per_second"]).take()
            case "counts":
                return {"counts": await self._collect_counts(connection)}
            case "ready":
                connection.ready.set()
        return {}

    def _admit(self, caller: Caller) -> ChannelMessage:
        try:
            self._limiter.admit(caller)
        except RateLimited as refusal:
            return {"retry_after_ms": refusal.retry_after_ms}
        return {}

    async def _claim(self, connection: WorkerConnection, key: RequestKey, fingerprint: str) -> ChannelMessage:
        try:
            stored = await self._claims.claim(key, fingerprint)
        except InvalidArgument:
            return {"is_another_call": True}
        if stored is not None:
            return {"answer": asdict(stored)}
        connection.held.add(key)
        return {}

    def _keep(self, connection: WorkerConnection, answer: StoredAnswer) -> None:
        key = (answer.caller, answer.request_id)
        if key in connection.held:
            connection.held.discard(key)
            self._claims.keep(key, answer, getsizeof(answer.outcome))

    def _release(self, connection: WorkerConnection, key: RequestKey) -> None:
        if key in connection.held:
            connection.held.discard(key)
            self._claims.release(key)

    async def _collect_counts(self, connection: WorkerConnection) -> dict[str, Any]:
        """Ask all other workers for their counts, and return them by the worker's number."""
        others = [other for other in self._workers.values() if other is not connection]
        counts = await asyncio.gather(*(other.read_counts() for other in others))
        return {str(other.index): found for other, found in zip(others, counts, strict=True) if found}


class WorkerConnection:
    """A running worker, as the coordinator sees it."""

    channel: Channel

    def __init__(self, index: int) -> None:
        self.index = index
        self.ready = asyncio.Event()
        self.held: set[RequestKey] = set()
        """Request ids that this worker claimed and has not answered yet."""

    async def read_counts(self) -> dict[str, Any] | None:
        try:
            async with asyncio.timeout(_COUNTS_TIMEOUT_S):
                return await self.channel.ask({"op": "counts"})
        except (ChannelClosed, TimeoutError):
            return None


def _read_key(message: ChannelMessage) -> RequestKey:
    caller, request_id = message["key"]
    return caller, request_id
