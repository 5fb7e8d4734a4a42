"""CPU time of one `get_tasks` call of one item through the kernel in this process, ledger included."""

from __future__ import annotations

import os
import tempfile
import time
from statistics import median

import uvloop

import sanya
from benchmarks.result import Result, judged
from benchmarks.wire import ARGUMENTS, TOOL
from sanya.kernel.call import Answered, Call

BUDGET_US = 60.0
ROUNDS = 7
CALLS = 3000


def run() -> Result:
    """`peer` is the budget; the CPU of every thread counts, the ledger's writer among them."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    return judged("kernel_call_cpu", uvloop.run(_measure()), BUDGET_US, ("<=", 1.0))


async def _measure() -> float:
    with tempfile.TemporaryDirectory(prefix="sanya-bench-") as home:
        async with sanya.open(home, log_level="warning") as app:
            call = Call(TOOL, ARGUMENTS)
            outcome = await app.kernel.call(call)
            if not isinstance(outcome, Answered) or len(outcome.body["items"]) != 1:
                raise RuntimeError(f"the call to measure gave {outcome}")
            rounds = []
            for _ in range(ROUNDS):
                started = time.process_time()
                for _ in range(CALLS):
                    await app.kernel.call(call)
                await app.ledger.flush()
                rounds.append((time.process_time() - started) / CALLS * 1e6)
            return median(rounds)
