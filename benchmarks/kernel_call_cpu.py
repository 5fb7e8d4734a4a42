"""CPU time of the kernel alone in a `get_tasks` call that returns one item. The peer is the budget.

The tool has its real contract, and its handler returns a prepared page. The ledger batches its rows as usual but writes
to a store that discards them; the HTTP benchmarks include the cost of SQLite. The fastest round counts, because other
processes only add CPU time.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace

import uvloop

import sanya
from benchmarks.prepared_app import make_ready_app
from benchmarks.result import Result, judge_ratio
from benchmarks.wire import ARGUMENTS, TOOL
from sanya.kernel.calls.call import Answered, Call
from sanya.kernel.ledger.chain import CitedPaper, Ledger, LedgerEntry, LedgerStore, StoredAnswer

BUDGET_US = 60.0
ROUNDS = 27
CALLS = 1000


def run() -> Result:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    return judge_ratio("kernel_call_cpu", min(uvloop.run(_measure())), BUDGET_US, ("<=", 1.0))


class Nowhere:
    """Ledger store that discards all rows."""

    def __init__(self, store: LedgerStore) -> None:
        self.find_answer, self.read_links = store.find_answer, store.read_links
        self.read_head, self.list_chains = store.read_head, store.list_chains

    async def append(
        self, entries: Sequence[LedgerEntry], answers: Sequence[StoredAnswer], cited: Sequence[CitedPaper] = ()
    ) -> None:
        pass


async def _measure() -> Sequence[float]:
    """Return the CPU microseconds per call of each round."""
    with tempfile.TemporaryDirectory(prefix="sanya-bench-") as home:
        async with sanya.open(home, log_level="warning") as app:
            ledger = Ledger(Nowhere(app.ledger_store))
            kernel = (await make_ready_app(replace(app, ledger=ledger))).kernel
            ledger.start()
            call = Call(TOOL, ARGUMENTS)
            outcome = await kernel.call(call)
            if not isinstance(outcome, Answered) or len(outcome.body["items"]) != 1:
                raise RuntimeError(f"unexpected outcome of the measured call: {outcome}")
            rounds = []
            for _ in range(ROUNDS):
                started = time.process_time()
                for _ in range(CALLS):
                    await kernel.call(call)
                await ledger.flush()
                rounds.append((time.process_time() - started) / CALLS * 1e6)
            await ledger.close()
            return rounds
