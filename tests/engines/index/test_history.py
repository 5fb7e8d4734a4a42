"""An answer as of a change is the same to the last bit, whatever is added, replaced, removed or embedded later."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from sanya.retrieval.documents import Between, Document, DocumentText, Equals, Filter
from sanya.retrieval.index import EmbeddedRow, Index, IndexEntry, Probe
from tests.engines.index.conftest import make_vector

WORDS = [f"w{n}" for n in range(30)]
FILTERS: list[tuple[Filter, ...]] = [(), (Between("number", 3, 30),), (Equals("kind", "odd"),)]
Answer = list[tuple[str, bytes, bytes]]


class History:
    """Random changes. Some words become common and texts longer, so that statistics drift."""

    def __init__(self, index: Index, seed: int) -> None:
        self.index = index
        self.random = random.Random(seed)
        self.now = 0

    async def change(self) -> None:
        self.now += 1
        kind = self.random.choice(["add", "add", "add", "later", "embed", "remove"])
        match kind:
            case "add" | "later":
                entries = [self.make_entry(kind == "later") for _ in range(self.random.randint(1, 12))]
                await self.index.upsert("notes", entries)
            case "embed":
                rows = await self.index.list_unembedded("notes", self.random.randint(1, 10))
                given = [EmbeddedRow(row, {"meaning": self.make_vector(row.document)}) for row in rows]
                await self.index.give_vectors("notes", given)
            case "remove":
                await self.index.delete("notes", [f"d{self.random.randint(0, 60)}" for _ in range(4)])

    def make_entry(self, later: bool) -> IndexEntry:
        weights = [1 + 3 * self.now * (n % 7 == 0) for n in range(len(WORDS))]
        text = " ".join(self.random.choices(WORDS, weights, k=self.random.randint(1, 5 + 4 * self.now)))
        number = self.random.randint(0, 60)
        document = Document(
            f"d{number}", (DocumentText(text),), {"number": number, "kind": "odd" if number % 2 else "even"}
        )
        return IndexEntry(
            document, "en", {} if later else {"meaning": self.make_vector(document)}, awaits_vectors=later
        )

    def make_vector(self, document: Document) -> np.ndarray:
        return make_vector(sum(document.text.encode()) % 40)


def make_probes() -> list[Probe]:
    terms = [{"w0": 1.0}, {"w7": 1.0, "w1": 2.0, "w2": 0.5}, {"w3": 1.0, "w29": 1.0, "unknown": 1.0}]
    return [
        Probe("notes", "en", {"words": words}, {"meaning": make_vector(seed)}, filters=filters, pool=pool)
        for seed, words in enumerate(terms)
        for filters in FILTERS
        for pool in (3, 15)
    ]


async def read_answers(index: Index, seq: int) -> list[Answer]:
    found = [await index.search(replace(probe, as_of=seq)) for probe in make_probes()]
    return [
        [
            (document_id, candidates.bm25[row].tobytes(), candidates.vectors["meaning"][row].tobytes())
            for row, document_id in enumerate(await candidates.fetch_ids(range(len(candidates))))
        ]
        for candidates in found
    ]


@pytest.mark.parametrize("seed", [1, 2])
async def test_every_recorded_answer_comes_back_the_same(index: Index, seed: int) -> None:
    history = History(index, seed)
    recorded: dict[int, list[Answer]] = {}
    for _ in range(14):
        await history.change()
        seq = await read_last_change(index)
        recorded[seq] = await read_answers(index, seq)
    assert len({repr(recorded_answers) for recorded_answers in recorded.values()}) > 8
    for seq, before in recorded.items():
        assert await read_answers(index, seq) == before, seq
    await index.rebuild("notes")
    for seq, before in recorded.items():
        assert await read_answers(index, seq) == before, seq


async def read_last_change(index: Index) -> int:
    """Return the number of the last change: removing a missing document changes nothing."""
    return await index.delete("notes", ["nobody"])
