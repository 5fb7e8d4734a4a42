"""Rows brought to length 1, as the embedder port promises them."""

from __future__ import annotations

import numpy as np

from sanya.kernel.faults import UpstreamFailed
from sanya.retrieval.embedding import Matrix


def normalised(rows: Matrix, name: str) -> Matrix:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.isfinite(norms).all() or (norms == 0).any():
        raise UpstreamFailed(f"the model {name} gave a vector without a direction", source="embeddings")
    normal: Matrix = (rows / norms).astype(np.float32)
    return normal
