"""Changes and contradictions between two memories: how many are linked, and how many links are right.

`english.txt`, `thai.txt`, `everyday.txt` (both languages, other wordings) and the `fresh` files hold pairs, written
before the rules that find them; `fresh_more.txt` was written when the rules of `alignment.py` had a first form, and
`home_and_work.txt` before those of `frames.py`, `daily_words.txt` before those of `phrasings.py`, and `six_fields.txt`
before those of `locations.py`, `progress.py` and `switches.py`.

A line is a label, the first text and the second, or one text in which `[a ~ b]` is the part that differs. The labels:
`x`, both stated on one day, and they exclude each other; `>`, stated a week later, the second replaces the first; `-`
and `.`, on one day and a week later, both hold. A third of the lines, chosen by hash, is not looked at while rules are
changed; only its counts are printed.

Each pair is sent to a namespace of its own and consolidated. It counts as linked if the graph has a contradiction or a
`supersedes` edge between the two memories.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.result import Result, judge_ratio
from sanya.engines.database import open_database
from sanya.suites.memory.graph.consolidation import Consolidator
from sanya.suites.memory.storage.store import MemoryStore
from sanya.suites.memory.writes.sending import MemoryDraft, store_drafts

FOLDER = Path(__file__).parent
FILES = (
    "english.txt",
    "thai.txt",
    "everyday.txt",
    "fresh_english.txt",
    "fresh_thai.txt",
    "fresh_more.txt",
    "home_and_work.txt",
    "daily_words.txt",
    "six_fields.txt",
)
LEAST_PRECISION, LEAST_RECALL = 0.97, 0.85
_KINDS = {"x": "contradicts", ">": "supersedes"}
_VARIANT = re.compile(r"\[([^\]~]*?) ~ ([^\]]*?)\]")
_FIRST_DAY, _LATER_DAY = "2026-03-02T09:00:00.000Z", "2026-03-09T09:00:00.000Z"


@dataclass(frozen=True, slots=True)
class ChangePair:
    label: str
    first: str
    second: str
    is_unseen: bool
    file: str

    @property
    def is_linked(self) -> bool:
        return self.label in ("x", ">")

    @property
    def is_later(self) -> bool:
        return self.label in (">", ".")


@dataclass(frozen=True, slots=True)
class PairCounts:
    right: int
    """Pairs that should be linked and are."""
    wrong: int
    """Pairs that are linked and should not be."""
    missed: int

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        return self.right / max(1, self.right + self.missed)


def read_pairs(names: Sequence[str] = FILES) -> list[ChangePair]:
    lines = [(line, name) for name in names for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]
    return [_parse_pair(line, name) for line, name in lines if line]


def _parse_pair(line: str, file: str) -> ChangePair:
    label, *texts = [part.strip() for part in line.split(" | ")]
    first, second = (_VARIANT.sub(rf"\{group}", texts[min(group, len(texts)) - 1]) for group in (1, 2))
    return ChangePair(label, first, second, sha256(line.encode("utf-8")).digest()[0] % 3 == 0, file)


async def find_links(store: MemoryStore, pairs: Sequence[ChangePair]) -> list[str]:
    """Return `supersedes`, `contradicts` or an empty text for each pair."""
    drafts = [
        MemoryDraft(
            key=f"pair {number} {place}",
            namespace=f"pair {number}",
            content=text,
            created_at=_LATER_DAY if place and pair.is_later else _FIRST_DAY,
        )
        for number, pair in enumerate(pairs)
        for place, text in enumerate((pair.first, pair.second))
    ]
    await store_drafts(store, drafts)
    await Consolidator(store).consolidate_now()
    return [
        await _find_link(store, f"pair {number}", [draft.id for draft in drafts[2 * number : 2 * number + 2]])
        for number in range(len(pairs))
    ]


async def _find_link(store: MemoryStore, namespace: str, ids: Sequence[str]) -> str:
    edges = await store.reader.find_edges_from(namespace, ids)
    relations = {str(edge.relation) for edge in edges if edge.to_id in ids}
    return next((relation for relation in ("supersedes", "contradicts") if relation in relations), "")


def count_pairs(pairs: Iterable[tuple[ChangePair, str]]) -> PairCounts:
    counted = list(pairs)
    return PairCounts(
        right=sum(pair.is_linked and bool(link) for pair, link in counted),
        wrong=sum(not pair.is_linked and bool(link) for pair, link in counted),
        missed=sum(pair.is_linked and not link for pair, link in counted),
    )


async def measure() -> list[tuple[ChangePair, str]]:
    pairs = read_pairs()
    with TemporaryDirectory() as home:
        async with open_database("", Path(home)) as database:
            links = await find_links(MemoryStore(database), pairs)
    return list(zip(pairs, links, strict=True))


def run() -> Result:
    """Return the recall on the unseen third, or 0 where its precision is too low."""
    found = asyncio.run(measure())
    for name, wanted in (("seen", False), ("unseen", True)):
        for files in (FILES, *((file,) for file in FILES)):
            _print_counts(
                f"{name} {'+'.join(file.partition('.')[0] for file in files)}",
                [(pair, link) for pair, link in found if pair.is_unseen is wanted and pair.file in files],
            )
    unseen = count_pairs((pair, link) for pair, link in found if pair.is_unseen)
    reached = unseen.recall if unseen.precision >= LEAST_PRECISION else 0.0
    return judge_ratio("memory_changes", reached, LEAST_RECALL, (">=", 1.0))


def _print_counts(name: str, part: Sequence[tuple[ChangePair, str]]) -> None:
    counts = count_pairs(part)
    kinds = sum(_KINDS.get(pair.label) == link for pair, link in part if pair.is_linked)
    print(
        f"{name:28} {len(part):4} pairs: precision {counts.precision:.3f}, recall {counts.recall:.3f}, "
        f"right {counts.right}, wrong {counts.wrong}, missed {counts.missed}, of the right kind {kinds}"
    )


def show_failures() -> None:
    """Print the pairs of the seen part that are judged wrongly."""
    for pair, link in asyncio.run(measure()):
        if not pair.is_unseen and pair.is_linked is not bool(link):
            print(f"{pair.label} {link or '':12} {pair.first} | {pair.second}")
