"""Verifies all chains of the ledger and gives one verdict, which every surface shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from sanya.kernel.calls.call import Progress, ProgressSink, ignore_progress
from sanya.kernel.ledger.anchors import read_anchored_hashes
from sanya.kernel.ledger.chain import MAIN_CHAIN, Flaw, LedgerStore, verify_chain

RecordedHashes = Mapping[str, Mapping[int, str]]
"""Row hashes by chain and row number."""

_NONE: RecordedHashes = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ChainState:
    """A chain without a flaw. `anchored` is its last row that has an anchor in the main chain."""

    chain: str
    rows: int
    head: str
    anchored: int | None

    def as_json(self) -> dict[str, Any]:
        return {"chain": self.chain, "rows": self.rows, "head": self.head, "anchored": self.anchored}


@dataclass(frozen=True, slots=True)
class LedgerVerdict:
    """The result of a verification.

    `head` is the last hash of the main chain. An operator who keeps a copy of it elsewhere can later detect that a
    chain was rewritten as a whole, because the main chain holds the anchors of all others.
    """

    rows: int
    head: str
    flaw: Flaw | None
    problem: str | None
    chains: tuple[ChainState, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "ok": self.problem is None,
            "rows": self.rows,
            "head": self.head,
            "problem": self.problem,
            "row": self.flaw.seq if self.flaw else None,
            "chain": self.flaw.chain if self.flaw else None,
            "chains": [chain.as_json() for chain in self.chains],
        }


async def verify_ledger(
    store: LedgerStore,
    *,
    expect: str | None = None,
    progress: ProgressSink = ignore_progress,
    receipts: RecordedHashes = _NONE,
) -> LedgerVerdict:
    """Verify every chain. `expect` is a hash that was kept elsewhere; one of the chains must contain it. `receipts` are
    row hashes that were kept elsewhere; the rows must have them still."""
    rows, flaw = await verify_chain(store, progress=progress, receipts=receipts.get(MAIN_CHAIN, {}))
    _, head = await store.read_head(MAIN_CHAIN)
    states = [ChainState(MAIN_CHAIN, rows, head, None)]
    # Read the anchors after the main chain is verified and before the other chains: every anchored row must exist then.
    anchored = await read_anchored_hashes(store) if flaw is None else {}
    others = sorted({*await store.list_chains(), *anchored, *receipts} - {MAIN_CHAIN}) if flaw is None else []
    for chain in others:
        count, flaw = await verify_chain(
            store, chain, _add_rows_to(rows, progress), anchored.get(chain, {}), receipts.get(chain, {})
        )
        rows += count
        if flaw is not None:
            break
        states.append(
            ChainState(chain, count, (await store.read_head(chain))[1], max(anchored.get(chain, {}), default=None))
        )
    if flaw is not None:
        return LedgerVerdict(rows, head, flaw, _format_flaw(flaw))
    held = expect is None or await _has_hash(store, states, expect.strip().lower())
    return LedgerVerdict(
        rows,
        head,
        None,
        None if held else f"no chain contains the hash {expect}: the ledger was rewritten",
        tuple(states),
    )


def _add_rows_to(rows: int, progress: ProgressSink) -> ProgressSink:
    """Return a sink that adds the rows of the chains verified before."""
    return lambda step: progress(Progress(rows + step.done, None if step.total is None else rows + step.total))


def _format_flaw(flaw: Flaw) -> str:
    return flaw.problem if flaw.chain == MAIN_CHAIN else f"in chain {flaw.chain}: {flaw.problem}"


async def _has_hash(store: LedgerStore, states: list[ChainState], expected: str) -> bool:
    """Return whether a chain contains the hash. It was a last hash once, and rows have been added since."""
    if expected in {state.head for state in states}:
        return True
    for state in states:
        async for link in store.read_links(state.chain):
            if link.row_hash == expected:
                return True
    return False
