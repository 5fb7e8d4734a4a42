"""A worker's side of the channel: request ids, rate limits, turns and counts that it shares with the other workers.

Each stands in for the part that a server with one process has. When the supervisor is gone the worker is about to stop;
until then it goes on alone.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict
from typing import Any

from sanya.coordination.channel import Channel, ChannelClosed, ChannelMessage, open_channel
from sanya.kernel.calls.call import Caller
from sanya.kernel.calls.limits import make_refusal
from sanya.kernel.calls.requests import RequestKey, refuse_reused_id
from sanya.kernel.ledger.chain import StoredAnswer


class WorkerPeers:
    """The other workers of this server, as one worker sees them."""

    channel: Channel

    def __init__(self, index: int, count: int) -> None:
        self.index = index
        self.count = count
        self._read_counts: Callable[[], dict[str, Any]] = dict

    @property
    def leads(self) -> bool:
        """True in the worker that does the background work and speaks to the person at the terminal."""
        return self.index == 0

    @property
    def limiter(self) -> PeerRateLimiter:
        return PeerRateLimiter(self.channel)

    @property
    def window(self) -> PeerRequestWindow:
        return PeerRequestWindow(self.channel)

    def make_budget(self, party: str, per_second: float) -> PeerBudget:
        return PeerBudget(self.channel, party, per_second)

    def tell_counts(self, read_counts: Callable[[], dict[str, Any]]) -> None:
        """Set what the other workers get when they ask for the counts of this one."""
        self._read_counts = read_counts

    async def collect_counts(self) -> dict[str, dict[str, Any]]:
        """Return the counts of the other workers, by number."""
        try:
            counts: dict[str, dict[str, Any]] = (await self.channel.ask({"op": "counts"}))["counts"]
        except ChannelClosed:
            return {}
        return counts

    async def report_ready(self) -> None:
        await self.channel.ask({"op": "ready"})

    async def answer(self, message: ChannelMessage) -> ChannelMessage:
        assert message["op"] == "counts", message
        return self._read_counts()


@asynccontextmanager
async def open_peers(end: socket.socket, index: int, count: int) -> AsyncIterator[WorkerPeers]:
    peers = WorkerPeers(index, count)
    peers.channel = await open_channel(end, peers.answer)
    try:
        yield peers
    finally:
        await peers.channel.close()


class PeerRateLimiter:
    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    def admit(self, caller: Caller) -> Awaitable[None] | None:
        return self._admit(caller) if caller.calls_per_minute > 0 else None

    async def _admit(self, caller: Caller) -> None:
        try:
            answer = await self._channel.ask({"op": "admit", "caller": caller.id, "rate": caller.calls_per_minute})
        except ChannelClosed:
            return
        if "retry_after_ms" in answer:
            raise make_refusal(caller, answer["retry_after_ms"])


class PeerRequestWindow:
    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._abandoned: set[asyncio.Task[None]] = set()

    async def claim(self, key: RequestKey, fingerprint: str, holder: str, hold_ms: int) -> StoredAnswer | None:
        """Claim the key. The claim lasts while this worker does, so it needs neither a holder nor a time."""
        del hold_ms
        question = {"op": "claim", "key": key, "fingerprint": fingerprint}
        asking = asyncio.create_task(self._channel.ask(question), name="claim")
        try:
            answer = await asyncio.shield(asking)
        except ChannelClosed:
            return None
        except asyncio.CancelledError:
            self._give_up(asking, key, holder)
            raise
        if "is_another_call" in answer:
            refuse_reused_id(key)
        return StoredAnswer(**answer["answer"]) if "answer" in answer else None

    def _give_up(self, asking: asyncio.Task[ChannelMessage], key: RequestKey, holder: str) -> None:
        """Release the key once it is claimed: the call that asked for it has ended."""

        async def release_claimed() -> None:
            with suppress(ChannelClosed):
                if not await asking:
                    await self.release(key, holder)

        task = asyncio.create_task(release_claimed(), name="release")
        self._abandoned.add(task)
        task.add_done_callback(self._abandoned.discard)

    async def keep(self, answer: StoredAnswer) -> None:
        with suppress(ChannelClosed):
            await self._channel.ask({"op": "keep", "answer": asdict(answer)})

    async def release(self, key: RequestKey, holder: str) -> None:
        del holder
        with suppress(ChannelClosed):
            await self._channel.ask({"op": "release", "key": key})


class PeerBudget:
    """Turns for requests to a remote service, given by the supervisor to all workers."""

    def __init__(self, channel: Channel, party: str, per_second: float) -> None:
        self._channel = channel
        self._turn = {"op": "take turn", "party": party, "per_second": per_second}

    async def take(self) -> None:
        with suppress(ChannelClosed):
            await self._channel.ask(self._turn)
