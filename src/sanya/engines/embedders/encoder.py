"""A BERT-like encoder in numpy: a flat batch of token rows without padding, attention text by text. The vector of a
text is that of its first token.

onnxruntime with the same weights needs 1.24 times the CPU where OpenBLAS multiplies by AVX-512, and .8 of it where
OpenBLAS is held to AVX2 and onnxruntime is not (`benchmarks/embedding_speed.py`). It takes 63 MB more to install, and
numpy is installed anyway.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sanya.retrieval.embedding import Matrix

_GELU_SLOPE = np.float32(np.sqrt(2 / np.pi))
_GELU_CUBE = np.float32(0.044715)


@dataclass(frozen=True)
class Architecture:
    layers: int
    heads: int
    epsilon: float
    position_offset: int


class WordRows(Protocol):
    """A matrix of which rows are read."""

    def __getitem__(self, rows: NDArray[np.int64]) -> Matrix: ...


class Encoder:
    """The forward pass. `words` holds a row for each token of the vocabulary, `weights` pos_emb, type_emb, emb_ln.* and
    per layer l<i>.{qkv,ao,aln,f1,f2,fln}.*; matrices are (in, out), multiplied from the right."""

    def __init__(self, architecture: Architecture, weights: Mapping[str, Matrix], words: WordRows) -> None:
        self._architecture = architecture
        self._words = words
        self._weights = weights
        self.dim = int(weights["emb_ln.w"].shape[0])

    def encode(self, batch: Sequence[Sequence[int]]) -> Matrix:
        """Return a normalised row for each list of token ids."""
        starts = np.cumsum([0, *(len(ids) for ids in batch)])
        rows = self._embed(batch)
        last = self._architecture.layers - 1
        for layer in range(self._architecture.layers):
            rows = self._apply_layer(rows, f"l{layer}", starts, layer == last)
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        normalised: Matrix = (rows / np.maximum(norms, 1e-12)).astype(np.float32)
        return normalised

    def _embed(self, batch: Sequence[Sequence[int]]) -> Matrix:
        weights = self._weights
        token_ids = np.concatenate([np.asarray(ids, dtype=np.int64) for ids in batch])
        positions = np.concatenate([np.arange(len(ids)) for ids in batch]) + self._architecture.position_offset
        rows = self._words[token_ids] + weights["pos_emb"][positions] + weights["type_emb"][0]
        return self._normalise(rows, "emb_ln")

    def _apply_layer(self, rows: Matrix, name: str, starts: NDArray[np.int64], keep_first: bool) -> Matrix:
        weights = self._weights
        mixed = rows @ weights[f"{name}.qkv.w"] + weights[f"{name}.qkv.b"]
        # After the last attention only the first row of each text is needed.
        attended = _apply_attention(mixed, starts, self._architecture.heads, keep_first)
        if keep_first:
            rows = rows[starts[:-1]]
        rows = self._normalise(attended @ weights[f"{name}.ao.w"] + weights[f"{name}.ao.b"] + rows, f"{name}.aln")
        wide = _apply_gelu(rows @ weights[f"{name}.f1.w"] + weights[f"{name}.f1.b"])
        return self._normalise(wide @ weights[f"{name}.f2.w"] + weights[f"{name}.f2.b"] + rows, f"{name}.fln")

    def _normalise(self, rows: Matrix, name: str) -> Matrix:
        rows -= rows.mean(axis=1, keepdims=True)
        variance = np.einsum("ij,ij->i", rows, rows) / rows.shape[1]
        rows *= (1.0 / np.sqrt(variance + self._architecture.epsilon)).astype(np.float32)[:, None]
        rows *= self._weights[f"{name}.w"]
        rows += self._weights[f"{name}.b"]
        return rows


def _apply_attention(mixed: Matrix, starts: NDArray[np.int64], heads: int, keep_first: bool) -> Matrix:
    width = mixed.shape[1] // 3
    size = width // heads
    scale = np.float32(1.0 / np.sqrt(size))
    out = np.empty((len(starts) - 1 if keep_first else len(mixed), width), dtype=np.float32)
    for at, (start, end) in enumerate(pairwise(starts)):
        parts = mixed[start:end].reshape(end - start, 3, heads, size).transpose(1, 2, 0, 3)
        query = parts[0][:, :1] if keep_first else parts[0]
        scores = np.matmul(query * scale, parts[1].transpose(0, 2, 1))
        scores -= scores.max(axis=2, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=2, keepdims=True)
        attended = np.matmul(scores, parts[2]).transpose(1, 0, 2).reshape(-1, width)
        if keep_first:
            out[at] = attended[0]
        else:
            out[start:end] = attended
    return out


def _apply_gelu(rows: Matrix) -> Matrix:
    inner = rows * rows
    inner *= rows
    inner *= _GELU_CUBE
    inner += rows
    inner *= _GELU_SLOPE
    np.tanh(inner, out=inner)
    inner += 1
    inner *= rows
    inner *= np.float32(0.5)
    return inner
