"""A week of an assistant: 150 dated memories of an office and a home, and 60 questions at the end of it.

Some memories replace earlier ones: a port, a budget, an appointment, a contact. A question counts if the memory that
answers it comes first. `memories.txt` gives the time, a name where a question needs it, and the text; `questions.txt`
each question and the name of its answer.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import sanya
from benchmarks.result import Result, judge_ratio
from sanya.assembly.memory import build_memory_parts
from sanya.kernel.calls.call import OWNER, Answered, Call
from sanya.suites.memory.graph.consolidation import Consolidator
from sanya.suites.memory.writes.sending import MemoryDraft, store_drafts

FOLDER = Path(__file__).parent
GOAL = 0.85
DEPTH = 5


class WeekMemory(NamedTuple):
    at: str
    name: str
    text: str


def read_memories() -> list[WeekMemory]:
    rows = [line.replace(" | | ", " |  | ").split(" | ") for line in _read("memories.txt")]
    return [WeekMemory(f"{at.strip().replace(' ', 'T')}:00.000Z", name.strip(), text) for at, name, text in rows]


def read_questions() -> list[tuple[str, str]]:
    return [(question, name.strip()) for question, name in (line.rsplit(" | ", 1) for line in _read("questions.txt"))]


def _read(name: str) -> list[str]:
    return [line for line in (FOLDER / name).read_text(encoding="utf-8").splitlines() if line]


def run() -> Result:
    """Return the share of questions whose answer comes first."""
    with TemporaryDirectory() as home:
        ranks = asyncio.run(measure(Path(home)))
    for question, (rank, first) in ranks.items():
        if rank != 1:
            print(f"{rank or '-':>3} {question}   first: {first[:90]}")
    first_places = sum(rank == 1 for rank, _ in ranks.values())
    among = sum(0 < rank <= DEPTH for rank, _ in ranks.values())
    print(f"first place {first_places} of {len(ranks)}, among the first {DEPTH}: {among}")
    return judge_ratio("memory_week", first_places / len(ranks), GOAL, (">=", 1.0))


async def measure(home: Path) -> dict[str, tuple[int, str]]:
    """Return the rank of the answer of each question (0 if it was not found) and the text that came first."""
    async with sanya.open(home) as opened:
        parts = build_memory_parts(opened.database, opened.library)
        memories = read_memories()
        drafts = [
            MemoryDraft(key=f"week {number}", namespace=OWNER.id, content=memory.text, created_at=memory.at)
            for number, memory in enumerate(memories)
        ]
        stored = await store_drafts(parts.store, drafts)
        await Consolidator(parts.store).consolidate_now()
        names = {memory.id: named.name for memory, named in zip(stored, memories, strict=True)}
        ranks = {}
        for question, answer in read_questions():
            outcome = await opened.kernel.call(Call("get_memory", {"query": question}))
            assert isinstance(outcome, Answered), outcome
            found = outcome.body["memories"]
            places = [place for place, memory in enumerate(found, 1) if names[memory["id"]] == answer]
            ranks[question] = (min(places, default=0), found[0]["content"] if found else "")
        return ranks
