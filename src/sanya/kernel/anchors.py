"""Anchors: where each replica's chain stood, noted from time to time in the one chain that they share.

A chain that was cut off, rewritten or removed whole still holds by itself; it does not hold what was noted of it.
"""

from __future__ import annotations

import asyncio
import logging
from typing import NamedTuple

import orjson

from sanya.kernel.canonical import canonical_json
from sanya.kernel.clock import format_timestamp, read_clock
from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.ledger import MAIN_CHAIN, Entry, LedgerStore, Link, own_entry

log = logging.getLogger(__name__)

TOOL = "ledger.anchor"
_SUITE = "ledger"
_WRITE_S = 10.0
_PAUSE_S = 60.0


class Anchor(NamedTuple):
    """A row of a chain as it was when it was the last one."""

    chain: str
    seq: int
    row_hash: str


def anchor_entry(anchor: Anchor) -> Entry:
    by = "server", f"replica:{anchor.chain}"
    return own_entry((TOOL, _SUITE), by, format_timestamp(read_clock()), canonical_json(anchor._asdict()))


def anchor_in(link: Link) -> Anchor:
    return Anchor(**orjson.loads(link.entry.input))


async def noted_rows(store: LedgerStore) -> dict[str, dict[int, str]]:
    """For each chain, the hashes that were noted of its rows, by their numbers."""
    noted: dict[str, dict[int, str]] = {}
    async for link in store.links(MAIN_CHAIN, tool=TOOL):
        anchor = anchor_in(link)
        noted.setdefault(anchor.chain, {})[anchor.seq] = anchor.row_hash
    return noted


class Anchorer:
    """Notes where a replica's chain stands, soon after its first rows, then at most once a pause, and at the end.
    `store` appends to the shared chain."""

    def __init__(self, chain: str, store: LedgerStore, *, pause_s: float = _PAUSE_S) -> None:
        self._chain = chain
        self._store = store
        self._pause_s = pause_s
        self._anchored = 0
        self._moved = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="ledger anchors")

    def moved(self) -> None:
        """To be told whenever rows were written."""
        self._moved.set()

    async def close(self) -> None:
        if self._task is None:
            return
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await self._try()

    async def anchor(self) -> None:
        seq, row_hash = await self._store.head(self._chain)
        if seq > self._anchored:
            await self._store.append([anchor_entry(Anchor(self._chain, seq, row_hash))], [])
            self._anchored = seq

    async def _run(self) -> None:
        while True:
            await self._moved.wait()
            self._moved.clear()
            await self._try()
            await asyncio.sleep(self._pause_s)

    async def _try(self) -> None:
        """The rows themselves are safe; that they are not noted yet must stop nobody."""
        try:
            async with asyncio.timeout(_WRITE_S):
                await self.anchor()
        except (StoreUnavailable, TimeoutError) as problem:
            self._moved.set()
            log.warning("the chain %s is not anchored yet: %s", self._chain, problem or "no answer in time")
