"""CPU time of the kernel's own part of a `get_tasks` call that answers with one item: all but the handler.

The tool is the real one with its contract; its handler gives a page that is ready. The ledger writes to SQLite as ever,
and the CPU of every thread counts, the ledger's writer among them. The peer is the budget.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Sequence
from statistics import median

import uvloop

import sanya
from benchmarks.ready import ready
from benchmarks.result import Result, judged
from benchmarks.wire import ARGUMENTS, TOOL
from sanya.kernel.call import Answered, Call

BUDGET_US = 60.0
ROUNDS = 9
CALLS = 3000


def run() -> Result:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    return judged("kernel_call_cpu", median(uvloop.run(_measure())), BUDGET_US, ("<=", 1.0))


async def _measure() -> Sequence[float]:
    """Microseconds a call, one figure a round."""
    with tempfile.TemporaryDirectory(prefix="sanya-bench-") as home:
        async with sanya.open(home, log_level="warning") as app:
            kernel = (await ready(app)).kernel
            call = Call(TOOL, ARGUMENTS)
            outcome = await kernel.call(call)
            if not isinstance(outcome, Answered) or len(outcome.body["items"]) != 1:
                raise RuntimeError(f"the call to measure gave {outcome}")
            rounds = []
            for _ in range(ROUNDS):
                started = time.process_time()
                for _ in range(CALLS):
                    await kernel.call(call)
                await app.ledger.flush()
                rounds.append((time.process_time() - started) / CALLS * 1e6)
            return rounds
