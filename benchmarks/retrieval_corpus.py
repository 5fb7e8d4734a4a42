"""Synthetic corpus of any size: passages of real sentences, and vectors clustered around topics."""

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
    """Deterministic corpus. Its vectors cluster around topics, as embeddings of texts do."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._sentences = _read_sentences()
        self._topics = _normalise(np.random.default_rng(1).standard_normal((TOPICS, DIM)).astype(np.float32))

    def make_batches(self, rows: int) -> Iterator[list[IndexEntry]]:
        for start in range(0, self.size, rows):
            yield self.make_batch(start, min(start + rows, self.size))

    def make_batch(self, start: int, end: int) -> list[IndexEntry]:
        rng = np.random.default_rng(start + 7)
        vectors = self.make_vectors(start, end)
        picks = rng.integers(0, len(self._sentences), (end - start, SENTENCES))
        return [
            IndexEntry(
                Document(
                    f"d{start + at}",
                    (DocumentText(" ".join(self._sentences[pick] for pick in picks[at])),),
                    make_fields(start + at),
                ),
                "en",
                {"english": vectors[at]},
            )
            for at in range(end - start)
        ]

    def mask_rows(self, start: int, count: int, filters: Sequence[Filter]) -> NDArray[np.bool_]:
        """Return a mask of the rows that match the filters."""
        rows = [make_fields(start + at) for at in range(count)] if filters else []
        return np.array([all(is_match(row, condition) for condition in filters) for row in rows] or [True] * count)

    def make_vectors(self, start: int, end: int) -> Matrix:
        return self._draw_near_topics(np.random.default_rng(start + 11), end - start)

    def make_queries(self, count: int) -> list[tuple[str, Matrix]]:
        rng = np.random.default_rng(3)
        lines = (DATA / "queries.jsonl").read_text(encoding="utf-8").splitlines()
        texts = [json.loads(line)["text"] for line in lines]
        vectors = self._draw_near_topics(rng, count)
        return [(texts[at % len(texts)] + " " * (at // len(texts)), vectors[at]) for at in range(count)]

    def _draw_near_topics(self, rng: np.random.Generator, count: int) -> Matrix:
        first, second = rng.integers(0, TOPICS, (2, count))
        share = rng.uniform(0.5, 1.0, (count, 1)).astype(np.float32)
        noise = rng.standard_normal((count, DIM)).astype(np.float32) * (0.6 / np.sqrt(DIM))
        return _normalise(share * self._topics[first] + (1 - share) * self._topics[second] + noise)


def make_fields(number: int) -> dict[str, FieldValue]:
    return {"year": 1990 + number % 35, "journal": f"Journal {number * 7919 % JOURNALS}"}


def is_match(fields: dict[str, FieldValue], condition: Filter) -> bool:
    value = fields[condition.field]
    match condition:
        case Equals(_, wanted):
            return value == wanted
        case AnyOf(_, values):
            return value in values
        case Between(_, least, most):
            return isinstance(value, int) and (least or 0) <= value <= (most or 0)


def _normalise(rows: Matrix) -> Matrix:
    normal: Matrix = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return normal


def _read_sentences() -> Sequence[str]:
    lines = (DATA / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [json.loads(line)["text"] for line in lines]
    return [sentence for text in texts for sentence in re.split(r"(?<=[.!?]) +", text) if len(sentence) > 40]
