"""The port to an index: where documents are kept and candidates are found. It knows terms and vectors, no languages.

Every change has a sequence number. A document is valid from the change that brought it to the one that replaced or
removed it, so a search as of any earlier number is answered from the same index.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from sanya.kernel.database import Transaction
from sanya.retrieval.documents import Document, Filter, Text
from sanya.retrieval.embedding import Matrix, Model

Terms = Mapping[str, Mapping[str, float]]
"""For each way of reading a text (words, grams, sounds) its terms, with the weight of each."""

WAYS = ("words", "grams", "sounds")

# Words bring a whole pool of candidates, meaning as many as can matter beside them: measured, more changed no answer.
_MEANING_POOL = 24
_FILTERED_MEANING_POOL = 16


class JoinedTerms(NamedTuple):
    """Terms as one text with a blank before each, as they are read and as most indexes take them: a list of all of
    them would be made for nothing. No term holds a blank."""

    text: str
    size: int
    """How many terms there are."""

    def each(self) -> list[str]:
        return self.text.split(" ")[1:]


ReadTerms = Mapping[str, JoinedTerms]
"""The terms of a document, for each way of reading."""

ReadTexts = Callable[[Sequence[Text], str], ReadTerms]
"""Reads the terms of a document's texts; the second argument is its partition."""


class Entry(NamedTuple):
    """A document as it enters the index. Its partition (its language) decides with which others it is compared: each
    has its own statistics of words and its own vectors. Ids are unique over all partitions of a namespace."""

    document: Document
    partition: str
    vectors: Mapping[str, Matrix] = {}  # shared: nobody changes a mapping
    """By space, the document's vector, a row of that space's dimension."""
    awaits_vectors: bool = False
    """Whether its vectors come later, by `give_vectors`. Until then words alone find it."""


@dataclass(frozen=True, slots=True)
class Unembedded:
    """A document that awaits its vectors, and the row that it stands in."""

    partition: str
    position: int
    document: Document


@dataclass(frozen=True, slots=True)
class Embedded:
    """The vectors of a row that awaited them, by space."""

    row: Unembedded
    vectors: Mapping[str, Matrix]


@dataclass(frozen=True, slots=True)
class Probe:
    """A query as an index takes it, for one partition."""

    namespace: str
    partition: str
    terms: Terms = field(default_factory=dict)
    vectors: Mapping[str, Matrix] = field(default_factory=dict)
    """By space. Each brings candidates of its own."""
    compared: Mapping[str, Matrix] = field(default_factory=dict)
    """By space, vectors that the candidates are compared with, but that bring none."""
    filters: tuple[Filter, ...] = ()
    among: tuple[Filter, ...] = ()
    """Whose rows alone make the statistics of words: what others have must not show in a score."""
    as_of: int | None = None
    pool: int = 100
    """How many candidates each way may bring."""
    least: int = 10
    """How many it must bring, if there are so many: with a filter, more than that may cost too much."""

    @property
    def meaning_pool(self) -> int:
        """How many meaning brings: with words beside it not all that are wanted, alone all. The same in every index,
        because scores are relative to the candidates that there are."""
        matters = _FILTERED_MEANING_POOL if self.filters else _MEANING_POOL
        return min(self.pool, max(matters, self.least)) if self.terms else self.pool


@dataclass(frozen=True, slots=True)
class Candidates:
    """What the ways found together, unfused, row by row, the oldest document first."""

    words: Matrix
    """The BM25 score of each; 0 where no term matched or the words alone would not have brought it."""
    vectors: Mapping[str, Matrix]
    """The vector of each in every space that the probe named; zeros for a document that had none at that moment."""
    name: Callable[[Sequence[int]], Awaitable[list[str]]]
    """Gives the ids of some rows. Most candidates are never shown, so their ids need not be fetched."""

    def __len__(self) -> int:
        return len(self.words)


class Index(Protocol):
    async def declare(
        self, namespace: str, spaces: Mapping[str, Model], filtered: Collection[str] | None = None
    ) -> None:
        """Names the vector spaces of a namespace, and the fields that filters may name: None leaves these as they were
        declared before, which is every field where they never were. Raises when it holds vectors of another model
        already."""
        ...

    async def upsert(self, namespace: str, entries: Sequence[Entry], transaction: Transaction | None = None) -> int:
        """Brings or replaces documents and returns the number of the change. Inside the caller's transaction, the
        change is searchable after its commit and the next `refresh`; without one, when this returns."""
        ...

    async def delete(self, namespace: str, ids: Sequence[str], transaction: Transaction | None = None) -> int: ...

    async def unembedded(self, namespace: str, limit: int) -> list[Unembedded]:
        """Documents that await their vectors, the oldest first."""
        ...

    async def missing(self, namespace: str) -> int:
        """How many documents await their vectors."""
        ...

    async def give_vectors(self, namespace: str, rows: Sequence[Embedded]) -> int:
        """Brings the vectors of rows that still await them, as a change of its own, and returns how many did. An
        earlier state stays as it was: there the rows have no vectors."""
        ...

    async def refresh(self) -> None:
        """Makes every stored change searchable; after a crash this is what heals."""
        ...

    async def partitions(self, namespace: str) -> tuple[str, ...]: ...

    async def search(self, probe: Probe) -> Candidates:
        """Raises InvalidArgument where a filter names a field that was not declared, as `count` does."""
        ...

    async def count(self, namespace: str, filters: Sequence[Filter] = (), as_of: int | None = None) -> int: ...

    async def documents(self, namespace: str, ids: Sequence[str], as_of: int | None = None) -> dict[str, Document]: ...

    async def rebuild(self, namespace: str) -> None:
        """Makes the derived part anew from the store."""
        ...
