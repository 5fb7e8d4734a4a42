"""Recall of long conversations (LoCoMo) without any LLM, with one memory for each turn.

A question counts if a turn of its evidence is among the first ten results, and its day if the day of such a turn is
among the first five. Plain keywords, plain vectors and their even mix are measured in the same run.

`python -m benchmarks.memory_locomo FILE.json` reads another file of conversations than the three at hand.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.result import Result, judge_ratio
from sanya import app
from sanya.kernel.calls.call import Answered, Call, Caller
from sanya.retrieval.documents import Document, DocumentText, Equals
from sanya.retrieval.search import Library, SearchQuery

DATA = Path(__file__).parent.parent.parent / "shared" / "data" / "memory" / "locomo-dev.json"
TURN_GOAL, TURN_MRR_GOAL, DAY_GOAL, DAY_MRR_GOAL = 0.80, 0.55, 0.92, 0.83
TURNS, DAYS = 10, 5
DEPTH = 100
PLAIN = "locomo"
RETRIEVERS = {"words": 0.0, "vectors": 1.0, "even mix": 0.5}

Find = Callable[[str], Awaitable[list[str]]]
"""Returns the ids of the turns that were found for a question, the best first."""


@dataclass(frozen=True, slots=True)
class Turn:
    id: str
    day: str
    session: int
    text: str


@dataclass(frozen=True, slots=True)
class Conversation:
    id: str
    turns: tuple[Turn, ...]
    questions: tuple[tuple[str, tuple[str, ...]], ...]
    """Each question with its evidence, of which at least one turn is in this conversation."""


@dataclass(slots=True)
class Figures:
    """The reciprocal rank of each question, 0 if nothing was found."""

    turns: list[float] = field(default_factory=list)
    days: list[float] = field(default_factory=list)

    def add(self, conversation: Conversation, found: Sequence[str], evidence: Sequence[str]) -> None:
        session_of = {turn.id: turn.session for turn in conversation.turns}
        sessions = list(dict.fromkeys(session_of[turn_id] for turn_id in found))
        self.turns.append(_compute_reciprocal_rank(found, evidence))
        self.days.append(_compute_reciprocal_rank(sessions, [session_of[turn_id] for turn_id in evidence]))

    @property
    def summary(self) -> dict[str, float]:
        return {
            "turn": _compute_share(self.turns, TURNS),
            "turn_mrr": sum(self.turns) / len(self.turns),
            "day": _compute_share(self.days, DAYS),
            "day_mrr": sum(self.days) / len(self.days),
        }


def run(path: Path = DATA) -> Result:
    with TemporaryDirectory() as home:
        figures = asyncio.run(measure(Path(home), read_conversations(path)))
    print(f"{'':10}{'turn@10':>9}{'MRR':>8}{'day@5':>8}{'MRR':>8}")
    for name, figure in figures.items():
        cells = figure.summary
        print(f"{name:10}{cells['turn']:>9.3f}{cells['turn_mrr']:>8.3f}{cells['day']:>8.3f}{cells['day_mrr']:>8.3f}")
    ours = figures["memory"].summary
    goals = {"turn": TURN_GOAL, "turn_mrr": TURN_MRR_GOAL, "day": DAY_GOAL, "day_mrr": DAY_MRR_GOAL}
    worst = min(goals, key=lambda name: ours[name] / goals[name])
    return judge_ratio("memory_locomo", ours[worst], goals[worst], (">=", 1.0))


async def measure(home: Path, conversations: Sequence[Conversation]) -> dict[str, Figures]:
    figures = {name: Figures() for name in (*RETRIEVERS, "memory")}
    async with app.open(home) as opened:
        library = await opened.library()
        await library.declare(PLAIN)
        for conversation in conversations:
            ours = await _send_conversation(opened, conversation)
            plain = await index_conversation(library, conversation)
            for question, evidence in conversation.questions:
                for name, find in {**plain, "memory": ours}.items():
                    figures[name].add(conversation, await find(question), evidence)
    return figures


async def _send_conversation(opened: app.App, conversation: Conversation) -> Find:
    """Send each turn as a memory, in the order of the conversation, and return a search through the tool."""
    caller = Caller(f"key:{conversation.id}", frozenset({"*"}))
    turn_of: dict[str, str] = {}

    async def call(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        outcome = await opened.kernel.call(Call(tool, arguments, caller=caller))
        assert isinstance(outcome, Answered), outcome
        return outcome.body

    for turn in conversation.turns:
        source = {"type": "conversation", "ref": f"session {turn.session}", "citation": turn.day}
        sent = await call("send_memory", {"content": turn.text, "source": source})
        turn_of[sent["memory_id"]] = turn.id
    while await (await opened.library()).embed_missing("memory"):
        pass

    async def find(question: str) -> list[str]:
        found = await call("get_memory", {"query": question, "limit": DEPTH, "compact": True})
        return [turn_of[memory["id"]] for memory in found["memories"]]

    return find


async def index_conversation(library: Library, conversation: Conversation) -> dict[str, Find]:
    in_conversation = Equals("conversation", conversation.id)
    documents = [
        Document(f"{conversation.id} {turn.id}", (DocumentText(turn.text),), {"conversation": conversation.id})
        for turn in conversation.turns
    ]
    await library.add(PLAIN, documents)

    def make_find(alpha: float) -> Find:
        async def find(question: str) -> list[str]:
            query = SearchQuery(question, PLAIN, alpha=alpha, limit=DEPTH, filters=(in_conversation,))
            return [hit.id.split(" ")[-1] for hit in (await library.search(query)).hits]

        return find

    return {name: make_find(alpha) for name, alpha in RETRIEVERS.items()}


def read_conversations(path: Path) -> list[Conversation]:
    return [_parse_conversation(raw) for raw in json.loads(path.read_text(encoding="utf-8"))]


def _parse_conversation(raw: dict[str, Any]) -> Conversation:
    recorded = raw["conversation"]
    sessions = sorted(int(name.split("_")[1]) for name in recorded if name.endswith("_date_time"))
    turns = [
        Turn(turn["dia_id"], recorded[f"session_{session}_date_time"], session, _format_turn(turn))
        for session in sessions
        for turn in recorded.get(f"session_{session}", [])
    ]
    known = {turn.id for turn in turns}
    questions = [
        (question["question"], tuple(turn_id for turn_id in question["evidence"] if turn_id in known))
        for question in raw["questions"]
    ]
    name = str(raw.get("id") or raw.get("sample_id"))
    return Conversation(name, tuple(turns), tuple(question for question in questions if question[1]))


def _format_turn(turn: dict[str, Any]) -> str:
    shown = f" [shows {turn['blip_caption']}]" if turn.get("blip_caption") else ""
    return f"{turn['speaker']}: {turn['text']}{shown}"


def _compute_reciprocal_rank(found: Sequence[object], relevant: Sequence[object]) -> float:
    return next((1 / rank for rank, result in enumerate(found, 1) if result in relevant), 0.0)


def _compute_share(ranks: Sequence[float], within: int) -> float:
    return sum(rank >= 1 / within for rank in ranks) / len(ranks)


if __name__ == "__main__":
    print(json.dumps(run(*map(Path, sys.argv[1:])), indent=2))
