"""`get_memory` over many memories, compared with the bare hybrid search below it: p95 of each.

`python -m benchmarks.memory_recall 5000` sets the number of memories. The home is cached in .cache.
"""

from __future__ import annotations

import asyncio
import json
import sys
from functools import cache
from time import perf_counter_ns

from benchmarks.memory_home import fill_home, make_conversation, open_memory_home
from benchmarks.result import Result, judge_ratio
from benchmarks.retrieval_library import get_cached_home
from sanya.assembly.memory import MemoryParts
from sanya.kernel.calls.call import OWNER, Context, ignore_progress
from sanya.kernel.clock import read_clock
from sanya.kernel.cursors import Cursors
from sanya.retrieval.search import Library, SearchQuery
from sanya.suites.memory.browsing import MemoryBrowser
from sanya.suites.memory.contract import GetMemoryInput
from sanya.suites.memory.graph.consolidation import Consolidator
from sanya.suites.memory.namespaces import Namespaces
from sanya.suites.memory.recall.indexing import NAMESPACE
from sanya.suites.memory.recall.links import MemoryLinkFinder
from sanya.suites.memory.recall.search import Recall
from sanya.suites.memory.tools import MemoryTools
from sanya.suites.memory.writes.corrections import Corrector
from sanya.suites.memory.writes.sending import Sender

SIZE = 100_000
QUESTIONS = 600
_WARM_UP = 20
LIMIT = 20
GOAL = 1.5


def run(size: int = SIZE) -> Result:
    ours, bare = asyncio.run(measure(size))
    return judge_ratio("memory_recall", ours, bare, ("<=", GOAL))


async def measure(size: int) -> tuple[float, float]:
    texts = make_conversation(size)
    async with open_memory_home(get_cached_home(f"memory_recall-{size}")) as (library, parts):
        await fill_home(library, parts, texts)
        questions = [" ".join(text.split()[2:9]) for text in texts[:: max(1, size // QUESTIONS)]]
        return await _measure_both(library, parts, questions)


async def _measure_both(library: Library, parts: MemoryParts, questions: list[str]) -> tuple[float, float]:
    """Measure both in turns, so that a busy machine slows both. No question repeats, because its vector is cached."""
    tools = _build_tools(parts)
    context = Context("call_benchmark", OWNER, read_clock(), 0, ignore_progress, "")
    ours: list[int] = []
    bare: list[int] = []
    for bare_question, question in zip(questions[::2], questions[1::2], strict=False):
        started = perf_counter_ns()
        await library.search(SearchQuery(bare_question, NAMESPACE, limit=LIMIT))
        middle = perf_counter_ns()
        await tools.get_memory(GetMemoryInput(query=question, limit=LIMIT), context)
        ours.append(perf_counter_ns() - middle)
        bare.append(middle - started)
    print(f"p50: get_memory {_compute_quantile(ours, 0.5):.2f} ms, bare search {_compute_quantile(bare, 0.5):.2f} ms")
    return _compute_quantile(ours[_WARM_UP:], 0.95), _compute_quantile(bare[_WARM_UP:], 0.95)


def _build_tools(parts: MemoryParts) -> MemoryTools:
    return MemoryTools(
        store=parts.store,
        sender=Sender(parts.store),
        recall=cache(lambda: Recall(parts.store, parts.embedding, parts.working)),
        corrector=Corrector(parts.store),
        working=parts.working,
        namespaces=Namespaces(),
        consolidator=Consolidator(parts.store),
        embedding=parts.embedding,
        links=MemoryLinkFinder(parts.store),
        forgetter=lambda: parts.forgetting,
        browser=MemoryBrowser(parts.store, Namespaces(), Cursors(b"secret")),
    )


def _compute_quantile(times_ns: list[int], share: float) -> float:
    return sorted(times_ns)[int(len(times_ns) * share)] / 1e6


if __name__ == "__main__":
    print(json.dumps(run(*map(int, sys.argv[1:])), indent=2))
