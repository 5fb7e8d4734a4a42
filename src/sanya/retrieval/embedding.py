"""The port to embedders: texts in, one normalised vector for each text out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sanya.kernel.faults import UpstreamFailed

Matrix = NDArray[np.float32]
_NORM_TOLERANCE = 1e-3


@dataclass(frozen=True, slots=True)
class Model:
    """The model that made a vector. Vectors of two models are never compared."""

    name: str
    dim: int
    digest: str


@dataclass(frozen=True, slots=True)
class WordsOnly:
    """The reason why nothing is embedded and words alone are searched, and what would add meaning."""

    reason: str
    advice: str
    reason_th: str
    advice_th: str
    models: Mapping[str, Model] = field(default_factory=dict)
    """The models by space that documents await, so that they need no new index when those are installed."""

    def describe(self, language: str = "en") -> str:
        return f"{self.reason_th} {self.advice_th}" if language == "th" else f"{self.reason} {self.advice}"

    def build_note(self, language: str, message: str | None = None) -> dict[str, str]:
        """Build the part of a note on an answer that says so, beside what its message says anyway."""
        described = self.describe(language)
        return {"searched_by": "words", "message": f"{message} {described}" if message else described}


class Embedder(Protocol):
    @property
    def model(self) -> Model: ...

    async def embed(self, texts: Sequence[str]) -> Matrix:
        """Return a row of length `model.dim` and norm 1 for each text, in order. Cancelling stops the work."""
        ...


def check_vectors(rows: Matrix, texts: Sequence[str], model: Model) -> Matrix:
    """Return the rows, or raise UpstreamFailed if their number, dimension or norm is wrong."""
    if rows.shape != (len(texts), model.dim):
        raise UpstreamFailed(
            f"{model.name} returned {rows.shape[0]} vectors of {rows.shape[-1]} numbers for {len(texts)} texts; "
            f"expected {model.dim} numbers each. Check the embedder's settings",
            source="embeddings",
        )
    norms = np.linalg.norm(rows, axis=1)
    if not np.all(np.abs(norms - 1) < _NORM_TOLERANCE):
        raise UpstreamFailed(f"{model.name} returned vectors that are not normalised", source="embeddings")
    return rows
