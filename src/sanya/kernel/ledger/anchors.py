"""Anchors: rows of the main chain that record how far each replica's chain has come.

Every replica appends to a hash chain of its own, so replicas never wait for each other. A chain proves that no row
inside it was altered, because each row carries the hash of the row before it. It cannot prove that it is complete: a
chain cut off at the end, rewritten from some row on or deleted altogether is again a valid chain. So each replica
writes, about once a minute, the number and hash of its last row into the one chain that all replicas share.
Verification reads these anchors first and then requires every anchored row to be present with that very hash. Whoever
wants to hide a row of a replica would have to rewrite the main chain as well, whose last hash the operator keeps
elsewhere.
"""

from __future__ import annotations

import asyncio
import logging
from typing import NamedTuple

import orjson

from sanya.kernel.canonical import to_canonical_json
from sanya.kernel.clock import format_timestamp, read_clock
from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.ledger.chain import MAIN_CHAIN, LedgerEntry, LedgerLink, LedgerStore, make_internal_entry

log = logging.getLogger(__name__)

TOOL = "ledger.anchor"
_SUITE = "ledger"
_WRITE_S = 10.0
_PAUSE_S = 60.0


class Anchor(NamedTuple):
    """The last row of a chain at the time of anchoring."""

    chain: str
    seq: int
    row_hash: str


def make_anchor_entry(anchor: Anchor) -> LedgerEntry:
    by = "server", f"replica:{anchor.chain}"
    return make_internal_entry((TOOL, _SUITE), by, format_timestamp(read_clock()), to_canonical_json(anchor._asdict()))


def read_anchor(link: LedgerLink) -> Anchor:
    return Anchor(**orjson.loads(link.entry.input))


async def read_anchored_hashes(store: LedgerStore) -> dict[str, dict[int, str]]:
    """Return the anchored row hashes of each chain, by row number."""
    anchored: dict[str, dict[int, str]] = {}
    async for link in store.read_links(MAIN_CHAIN, tool=TOOL):
        anchor = read_anchor(link)
        anchored.setdefault(anchor.chain, {})[anchor.seq] = anchor.row_hash
    return anchored


class Anchorer:
    """Anchors a replica's chain soon after its first rows, then at most once per `pause_s`, and when it closes.

    `store` appends to the main chain."""

    def __init__(self, chain: str, store: LedgerStore, *, pause_s: float = _PAUSE_S) -> None:
        self._chain = chain
        self._store = store
        self._pause_s = pause_s
        self._anchored = 0
        self._has_new_rows = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="ledger anchors")

    def notify_written(self) -> None:
        """Tell the anchorer that rows were written."""
        self._has_new_rows.set()

    async def close(self) -> None:
        if self._task is None:
            return
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await self._try_anchor()

    async def anchor(self) -> None:
        seq, row_hash = await self._store.read_head(self._chain)
        if seq > self._anchored:
            await self._store.append([make_anchor_entry(Anchor(self._chain, seq, row_hash))], [])
            self._anchored = seq

    async def _run(self) -> None:
        while True:
            await self._has_new_rows.wait()
            self._has_new_rows.clear()
            await self._try_anchor()
            await asyncio.sleep(self._pause_s)

    async def _try_anchor(self) -> None:
        """Anchor, and only log a failure: the rows themselves are safe, and the next round tries again."""
        try:
            async with asyncio.timeout(_WRITE_S):
                await self.anchor()
        except (StoreUnavailable, TimeoutError) as problem:
            self._has_new_rows.set()
            log.warning("chain %s not anchored yet, will retry: %s", self._chain, problem or "no answer in time")
