"""Vectors that come with the package, for texts that come with it: a new home need not embed them. They are told by
model and content, so those of another model, or of a text that has changed, are simply not found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources.abc import Traversable
from io import BytesIO

import numpy as np

from sanya.retrieval.embedding import Matrix, Model

_KEY_BYTES = 12
_STORED = np.float16


class ShippedVectors:
    """Reads its files when first asked."""

    def __init__(self, *shipped: Traversable) -> None:
        self._files = shipped
        self._spaces: dict[str, dict[bytes, Matrix]] | None = None

    def vectors(self, model: Model, hashes: Sequence[bytes]) -> dict[bytes, Matrix]:
        """What is known of the hashes."""
        if self._spaces is None:
            self._spaces = self._read()
        known = self._spaces.get(model.digest, {})
        return {one: known[one[:_KEY_BYTES]] for one in hashes if one[:_KEY_BYTES] in known}

    def _read(self) -> dict[str, dict[bytes, Matrix]]:
        found: dict[str, dict[bytes, Matrix]] = {}
        for file in self._files:
            for digest, vectors in (read_vectors(file.read_bytes()) if file.is_file() else {}).items():
                found.setdefault(digest, {}).update(vectors)
        return found


def read_vectors(content: bytes) -> dict[str, dict[bytes, Matrix]]:
    """By digest of the model and the beginning of the text's hash."""
    with np.load(BytesIO(content), allow_pickle=False) as arrays:
        digests = sorted({name.partition(":")[0] for name in arrays.files})
        return {
            digest: {
                key.tobytes(): row.astype(np.float32)
                for key, row in zip(arrays[f"{digest}:keys"], arrays[f"{digest}:rows"], strict=True)
            }
            for digest in digests
        }


def written_vectors(spaces: Mapping[str, Mapping[bytes, Matrix]]) -> bytes:
    """The content of a file with these vectors, by digest of the model and hash of the text."""
    arrays: dict[str, np.ndarray[tuple[int, ...], np.dtype[np.generic]]] = {}
    for digest, vectors in sorted(spaces.items()):
        hashes = sorted(vectors)
        keys = np.frombuffer(b"".join(one[:_KEY_BYTES] for one in hashes), dtype=np.uint8)
        arrays[f"{digest}:keys"] = keys.reshape(len(hashes), _KEY_BYTES)
        arrays[f"{digest}:rows"] = np.array([vectors[one] for one in hashes], dtype=_STORED)
    content = BytesIO()
    np.savez(content, **arrays)  # type: ignore[arg-type]
    return content.getvalue()
