"""The port to embedders: text in, one normalised vector per text out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sanya.kernel.faults import UpstreamFailed

Matrix = NDArray[np.float32]
_NORM_TOLERANCE = 1e-3


@dataclass(frozen=True, slots=True)
class Model:
    """What made a vector. Vectors of two models never meet in one index."""

    name: str
    dim: int
    digest: str


class Embedder(Protocol):
    @property
    def model(self) -> Model: ...

    async def embed(self, texts: Sequence[str]) -> Matrix:
        """One row of length `model.dim` and norm 1 for each text, in their order. Cancelling it stops the work."""
        ...


def checked(rows: Matrix, texts: Sequence[str], model: Model) -> Matrix:
    """The rows, if they keep the port's promise."""
    if rows.shape != (len(texts), model.dim):
        raise UpstreamFailed(
            f"{model.name} gave {rows.shape[0]} vectors of {rows.shape[-1]} numbers for {len(texts)} texts; "
            f"expected {model.dim} numbers each",
            source="embeddings",
        )
    norms = np.linalg.norm(rows, axis=1)
    if not np.all(np.abs(norms - 1) < _NORM_TOLERANCE):
        raise UpstreamFailed(f"{model.name} gave vectors that are not normalised", source="embeddings")
    return rows
