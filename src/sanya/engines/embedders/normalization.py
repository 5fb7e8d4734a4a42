"""Scales vectors to length 1, as the embedder port promises."""

from __future__ import annotations

import numpy as np

from sanya.kernel.faults import UpstreamFailed
from sanya.retrieval.embedding import Matrix


def normalise_rows(rows: Matrix, name: str) -> Matrix:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.isfinite(norms).all() or (norms == 0).any():
        raise UpstreamFailed(
            f"the model {name} returned a vector of zeros or of invalid numbers; choose another model",
            source="embeddings",
        )
    normalised: Matrix = (rows / norms).astype(np.float32)
    return normalised
