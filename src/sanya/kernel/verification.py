"""Whether the ledger's chains hold, as one verdict that every surface shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sanya.kernel.anchors import noted_rows
from sanya.kernel.call import Progress, ProgressSink, ignore_progress
from sanya.kernel.ledger import MAIN_CHAIN, Flaw, LedgerStore, verify_chain


@dataclass(frozen=True, slots=True)
class ChainState:
    """A chain that holds. `anchored` is the last row that the main chain has noted of it."""

    chain: str
    rows: int
    head: str
    anchored: int | None

    def as_json(self) -> dict[str, Any]:
        return {"chain": self.chain, "rows": self.rows, "head": self.head, "anchored": self.anchored}


@dataclass(frozen=True, slots=True)
class Verdict:
    """`head` is the last hash of the main chain: noted elsewhere, it also finds chains that were rewritten whole, since
    the main chain notes how far the others came."""

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
            "chains": [one.as_json() for one in self.chains],
        }


async def verify(store: LedgerStore, *, expect: str | None = None, progress: ProgressSink = ignore_progress) -> Verdict:
    """`expect` is a hash that was noted elsewhere; one of the chains must hold it."""
    rows, flaw = await verify_chain(store, progress=progress)
    _, head = await store.head(MAIN_CHAIN)
    states = [ChainState(MAIN_CHAIN, rows, head, None)]
    # The main chain before the others: what it has noted of them was written there before.
    noted = await noted_rows(store) if flaw is None else {}
    others = sorted({*await store.chains(), *noted} - {MAIN_CHAIN}) if flaw is None else []
    for chain in others:
        count, flaw = await verify_chain(store, chain, _behind(rows, progress), noted.get(chain, {}))
        rows += count
        if flaw is not None:
            break
        states.append(ChainState(chain, count, (await store.head(chain))[1], max(noted.get(chain, {}), default=None)))
    if flaw is not None:
        return Verdict(rows, head, flaw, _worded(flaw))
    held = expect is None or await _holds(store, states, expect.strip().lower())
    return Verdict(
        rows, head, None, None if held else f"the chain does not hold {expect}: it was rewritten", tuple(states)
    )


def _behind(rows: int, progress: ProgressSink) -> ProgressSink:
    """Counts on from the rows of the chains before."""
    return lambda one: progress(Progress(rows + one.done, None if one.total is None else rows + one.total))


def _worded(flaw: Flaw) -> str:
    return flaw.problem if flaw.chain == MAIN_CHAIN else f"in the chain {flaw.chain}, {flaw.problem}"


async def _holds(store: LedgerStore, states: list[ChainState], expected: str) -> bool:
    """Whether the noted hash is one of theirs: it was a last one then, and rows have been added since."""
    if expected in {state.head for state in states}:
        return True
    for state in states:
        async for link in store.links(state.chain):
            if link.row_hash == expected:
                return True
    return False
