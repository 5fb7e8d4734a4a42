"""Whether the ledger's chain holds, as one verdict that every surface shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sanya.kernel.call import ProgressSink, ignore_progress
from sanya.kernel.ledger import Flaw, LedgerStore, verify_chain


@dataclass(frozen=True, slots=True)
class Verdict:
    """`head` is the last hash: noted elsewhere, it also finds a chain that was rewritten whole."""

    rows: int
    head: str
    flaw: Flaw | None
    problem: str | None

    def as_json(self) -> dict[str, Any]:
        row = self.flaw.seq if self.flaw else None
        return {"ok": self.problem is None, "rows": self.rows, "head": self.head, "problem": self.problem, "row": row}


async def verify(store: LedgerStore, *, expect: str | None = None, progress: ProgressSink = ignore_progress) -> Verdict:
    """`expect` is a hash that was noted elsewhere; the chain must hold it."""
    rows, flaw = await verify_chain(store, progress=progress)
    _, head = await store.head("main")
    if flaw is not None:
        return Verdict(rows, head, flaw, flaw.problem)
    held = expect in (None, head) or await _holds(store, str(expect))
    return Verdict(rows, head, None, None if held else f"the chain does not hold {expect}: it was rewritten")


async def _holds(store: LedgerStore, expected: str) -> bool:
    """Whether the noted hash is one of the chain's: it was the last one then, and rows have been added since."""
    async for link in store.links("main"):
        if link.row_hash == expected.strip().lower():
            return True
    return False
