"""A corpus of any size for the speed of search: passages of real sentences, vectors around topics."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sanya.retrieval.documents import AnyOf, Between, Document, DocumentText, Equals, FieldValue, Filter
from sanya.retrieval.embedding import Matrix, Model
from sanya.retrieval.index import IndexEntry

DATA = Path(__file__).parents[2] / "shared" / "data" / "retrieval" / "scifact"
DIM = 384
MODEL = Model("mixed", DIM, "mixed")
TOPICS = 4000
SENTENCES = 6
JOURNALS = 200
ROWS_AT_ONCE = 5000


class Corpus:
    """The same for the same size, each time. Vectors lie around topics as embeddings of texts do."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._sentences = _sentences()
        self._topics = _normal(np.random.default_rng(1).standard_normal((TOPICS, DIM)).astype(np.float32))

    def batches(self, rows: int) -> Iterator[list[IndexEntry]]:
        for start in range(0, self.size, rows):
            yield self.batch(start, min(start + rows, self.size))

    def batch(self, start: int, end: int) -> list[IndexEntry]:
        rng = np.random.default_rng(start + 7)
        vectors = self.vectors(start, end)
        picks = rng.integers(0, len(self._sentences), (end - start, SENTENCES))
        return [
            IndexEntry(
                Document(
                    f"d{start + at}",
                    (DocumentText(" ".join(self._sentences[pick] for pick in picks[at])),),
                    fields_of(start + at),
                ),
                "en",
                {"english": vectors[at]},
            )
            for at in range(end - start)
        ]

    def passing(self, start: int, count: int, filters: Sequence[Filter]) -> NDArray[np.bool_]:
        """Which of some rows the filters let through."""
        rows = [fields_of(start + at) for at in range(count)] if filters else []
        return np.array([all(passes(row, condition) for condition in filters) for row in rows] or [True] * count)

    def vectors(self, start: int, end: int) -> Matrix:
        return self._near_topics(np.random.default_rng(start + 11), end - start)

    def queries(self, count: int) -> list[tuple[str, Matrix]]:
        rng = np.random.default_rng(3)
        lines = (DATA / "queries.jsonl").read_text(encoding="utf-8").splitlines()
        texts = [json.loads(line)["text"] for line in lines]
        vectors = self._near_topics(rng, count)
        return [(texts[at % len(texts)] + " " * (at // len(texts)), vectors[at]) for at in range(count)]

    def _near_topics(self, rng: np.random.Generator, count: int) -> Matrix:
        first, second = rng.integers(0, TOPICS, (2, count))
        share = rng.uniform(0.5, 1.0, (count, 1)).astype(np.float32)
        noise = rng.standard_normal((count, DIM)).astype(np.float32) * (0.6 / np.sqrt(DIM))
        return _normal(share * self._topics[first] + (1 - share) * self._topics[second] + noise)


def fields_of(number: int) -> dict[str, FieldValue]:
    return {"year": 1990 + number % 35, "journal": f"Journal {number * 7919 % JOURNALS}"}


def passes(fields: dict[str, FieldValue], condition: Filter) -> bool:
    value = fields[condition.field]
    match condition:
        case Equals(_, wanted):
            return value == wanted
        case AnyOf(_, values):
            return value in values
        case Between(_, least, most):
            return isinstance(value, int) and (least or 0) <= value <= (most or 0)


def _normal(rows: Matrix) -> Matrix:
    normal: Matrix = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return normal


def _sentences() -> Sequence[str]:
    lines = (DATA / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [json.loads(line)["text"] for line in lines]
    return [sentence for text in texts for sentence in re.split(r"(?<=[.!?]) +", text) if len(sentence) > 40]
