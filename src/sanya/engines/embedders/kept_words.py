"""Keeps the rows of words that a home's texts have read, for the next process.

The multilingual model unpacks 65 MB of words before its first vector, and a command reads a few hundred of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from sanya.engines.prepared_files import PreparedFiles
from sanya.retrieval.embedding import Matrix, Model

if TYPE_CHECKING:
    from sanya.engines.embedders.multilingual import Multilingual

FILE_NAME = "multilingual-words"
_MAX_KEPT = 16_384
"""8 MB. Texts in English and Thai have some thousands of different words."""


class KeptWords:
    def __init__(self, files: PreparedFiles) -> None:
        self._files = files
        self._model: ModelWithKeptWords | None = None

    def load(self, load_model: Callable[[], Multilingual]) -> ModelWithKeptWords:
        """Load the model, which all homes of the process share, with the words of this home."""
        self._model = ModelWithKeptWords(load_model(), self._files)
        return self._model

    def save(self) -> None:
        """Keep the words that were read since, if the model was loaded at all."""
        if self._model is not None:
            self._model.save()


class ModelWithKeptWords:
    def __init__(self, inner: Multilingual, files: PreparedFiles) -> None:
        from sanya.engines.embedders.multilingual import NO_WORDS, AddedWords

        self._inner = inner
        self._files = files
        self._used: set[int] = set()
        content = files.read(FILE_NAME, inner.model.digest)
        self._kept = NO_WORDS if content is None else AddedWords.from_bytes(content)
        inner.words.add(self._kept)

    @property
    def model(self) -> Model:
        return self._inner.model

    def tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        return self._inner.tokenize(texts)

    def encode(self, batch: Sequence[Sequence[int]]) -> Matrix:
        if len(self._used) <= _MAX_KEPT:  # after a large import every word is used, and none is worth keeping
            self._used.update(chain.from_iterable(batch))
        return self._inner.encode(batch)

    def save(self) -> None:
        from sanya.engines.embedders.multilingual import AddedWords

        ids = self._used.union(self._kept.ids.tolist())
        if len(self._kept.ids) < len(ids) <= _MAX_KEPT:
            words = AddedWords.take(sorted(ids), self._inner.words)
            self._files.write(FILE_NAME, self.model.digest, words.to_bytes())
