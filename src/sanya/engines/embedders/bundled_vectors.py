"""Vectors bundled with the package for its own texts, so that a new home need not embed them. They are keyed by model
and content, so another model or a changed text simply finds none.

Half-precision numbers are stored in planes: the higher bytes of all numbers, then the lower ones. The higher bytes, of
sign and exponent, are alike, so a wheel compresses planes by a fifteenth better than whole numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources.abc import Traversable
from io import BytesIO

import numpy as np

from sanya.retrieval.embedding import Matrix, Model

_KEY_BYTES = 12
_STORED = np.float16


class BundledVectors:
    """Vectors from files that are read on first use."""

    def __init__(self, *files: Traversable) -> None:
        self._files = files
        self._spaces: dict[str, dict[bytes, Matrix]] | None = None

    def find(self, model: Model, hashes: Sequence[bytes]) -> dict[bytes, Matrix]:
        """Return the bundled vectors of content hashes."""
        if self._spaces is None:
            self._spaces = self._read()
        known = self._spaces.get(model.digest, {})
        return {digest: known[digest[:_KEY_BYTES]] for digest in hashes if digest[:_KEY_BYTES] in known}

    def _read(self) -> dict[str, dict[bytes, Matrix]]:
        spaces: dict[str, dict[bytes, Matrix]] = {}
        for file in self._files:
            for digest, vectors in (read_vectors(file.read_bytes()) if file.is_file() else {}).items():
                spaces.setdefault(digest, {}).update(vectors)
        return spaces


def read_vectors(content: bytes) -> dict[str, dict[bytes, Matrix]]:
    """Decode a file: vectors by digest of the model and the first bytes of the text's hash."""
    with np.load(BytesIO(content), allow_pickle=False) as arrays:
        digests = sorted({name.partition(":")[0] for name in arrays.files})
        return {
            digest: {
                key.tobytes(): row.astype(np.float32)
                for key, row in zip(arrays[f"{digest}:keys"], _join_planes(arrays[f"{digest}:planes"]), strict=True)
            }
            for digest in digests
        }


def encode_vectors(spaces: Mapping[str, Mapping[bytes, Matrix]]) -> bytes:
    """Encode vectors, given by digest of the model and hash of the text, as the content of a file."""
    arrays: dict[str, np.ndarray[tuple[int, ...], np.dtype[np.generic]]] = {}
    for digest, vectors in sorted(spaces.items()):
        hashes = sorted(vectors)
        keys = np.frombuffer(b"".join(key[:_KEY_BYTES] for key in hashes), dtype=np.uint8)
        arrays[f"{digest}:keys"] = keys.reshape(len(hashes), _KEY_BYTES)
        arrays[f"{digest}:planes"] = _split_planes(np.array([vectors[key] for key in hashes], dtype=_STORED))
    content = BytesIO()
    np.savez(content, **arrays)  # type: ignore[arg-type]
    return content.getvalue()


def _split_planes(
    rows: np.ndarray[tuple[int, ...], np.dtype[np.float16]],
) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Return the bytes of the rows as an array of (byte of the number, row, dimension)."""
    return np.moveaxis(rows.view(np.uint8).reshape(*rows.shape, rows.itemsize), -1, 0)


def _join_planes(
    planes: np.ndarray[tuple[int, ...], np.dtype[np.uint8]],
) -> np.ndarray[tuple[int, ...], np.dtype[np.float16]]:
    return np.ascontiguousarray(np.moveaxis(planes, 0, -1)).view(_STORED)[..., 0]
