"""The port to an index: stores documents and finds candidates. It knows terms and vectors, but no languages.

Every change has a sequence number. A document is valid from the change that added it to the change that replaced or
removed it, so the same index can answer a search as of any earlier sequence number.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from sanya.kernel.storage.database import Transaction
from sanya.retrieval.documents import Document, DocumentText, Filter
from sanya.retrieval.embedding import Matrix, Model
from sanya.retrieval.embedding_status import EmbeddingStatus

WeightedTerms = Mapping[str, Mapping[str, float]]
"""The weight of each query term, by term kind."""

TERM_KINDS = ("words", "grams", "sounds")
"""The kinds of terms that a text is analysed into: words, character n-grams (Thai only), and sounds of names."""

# Words bring a whole pool of candidates, meaning only as many as can matter beside them: in our measurements more
# changed no answer.
_MEANING_POOL = 24
_FILTERED_MEANING_POOL = 16


class JoinedTerms(NamedTuple):
    """Terms in one string with a blank before each. Analysers produce this form and most indexes take it, so no list of
    terms is built. No term contains a blank."""

    text: str
    term_count: int
    """The number of terms."""

    def split(self) -> list[str]:
        return self.text.split(" ")[1:]


DocumentTerms = Mapping[str, JoinedTerms]
"""The terms of a document, by term kind."""

TermAnalyzer = Callable[[Sequence[DocumentText], str], DocumentTerms]
"""Analyses a document's texts into terms; the second argument is its partition."""


class IndexEntry(NamedTuple):
    """A document as it enters the index.

    Its partition (its language) decides with which others it is compared: each partition has its own word statistics
    and its own vectors. Ids are unique over all partitions of a namespace.
    """

    document: Document
    partition: str
    vectors: Mapping[str, Matrix] = {}  # a shared default is safe: mappings are never changed
    """The document's vector in each space."""
    awaits_vectors: bool = False
    """True if `give_vectors` brings its vectors later. Until then only words find it."""


@dataclass(frozen=True, slots=True)
class UnembeddedRow:
    """A document that awaits its vectors, and its row."""

    partition: str
    position: int
    document: Document


@dataclass(frozen=True, slots=True)
class EmbeddedRow:
    """The vectors for a row that awaits them, by space."""

    row: UnembeddedRow
    vectors: Mapping[str, Matrix]


@dataclass(frozen=True, slots=True)
class Probe:
    """A query to an index, for one partition."""

    namespace: str
    partition: str
    terms: WeightedTerms = field(default_factory=dict)
    vectors: Mapping[str, Matrix] = field(default_factory=dict)
    """Query vectors by space. Each finds candidates of its own."""
    compared_vectors: Mapping[str, Matrix] = field(default_factory=dict)
    """Query vectors by space that find no candidates; their space's vectors are returned for scoring."""
    filters: tuple[Filter, ...] = ()
    statistics_filters: tuple[Filter, ...] = ()
    """Word statistics count only rows that pass these filters, so that data of others cannot show in a score."""
    as_of: int | None = None
    pool: int = 100
    """The number of candidates that words and each vector may find."""
    min_candidates: int = 10
    """The number of candidates that must be found if there are so many. With a filter, more may cost too much."""

    @property
    def vector_pool(self) -> int:
        """The number of candidates that each vector finds: beside words fewer than the pool, alone all of it. Every
        index uses this number, because scores are relative to the candidates."""
        matters = _FILTERED_MEANING_POOL if self.filters else _MEANING_POOL
        return min(self.pool, max(matters, self.min_candidates)) if self.terms else self.pool


@dataclass(frozen=True, slots=True)
class Candidates:
    """All candidates with their unfused scores, row by row, oldest document first."""

    bm25: Matrix
    """The BM25 score of each row; 0 if no term matched, or if words alone would not have found it."""
    vectors: Mapping[str, Matrix]
    """The vectors of the rows in every space that the probe names; zeros for a row without a vector at that time."""
    fetch_ids: Callable[[Sequence[int]], Awaitable[list[str]]]
    """Returns the ids of some rows. Most candidates are never shown, so their ids are not fetched."""
    word_bound: float = 0.0
    """The BM25 score that no row exceeds: that of endless repetitions of every term of the probe. A term that no row
    contains counts as the rarest. 0 without terms, or if the index does not know the frequencies of terms."""

    def __len__(self) -> int:
        return len(self.bm25)


class Index(Protocol):
    async def declare(
        self, namespace: str, spaces: Mapping[str, Model], filtered: Collection[str] | None = None
    ) -> None:
        """Declare the vector spaces of a namespace and the fields that filters may name. `filtered` of None keeps the
        earlier declaration, which is every field if there was none. Raises if the namespace holds vectors of another
        model."""
        ...

    async def upsert(
        self, namespace: str, entries: Sequence[IndexEntry], transaction: Transaction | None = None
    ) -> int:
        """Add or replace documents and return the sequence number of the change. Inside the caller's transaction, the
        change is searchable after the commit and the next `refresh`; without one, when this returns."""
        ...

    async def delete(self, namespace: str, ids: Sequence[str], transaction: Transaction | None = None) -> int: ...

    async def list_unembedded(self, namespace: str, limit: int) -> list[UnembeddedRow]:
        """Return documents that await their vectors, oldest first, whoever embeds them."""
        ...

    async def count_unembedded(self, namespace: str) -> int:
        """Return the number of documents that await their vectors."""
        ...

    async def claim_unembedded(self, namespace: str, limit: int) -> list[UnembeddedRow]:
        """Return documents that await their vectors, newest first, and claim them, so that other processes embed
        others. A claim ends with `give_vectors` or `release_unembedded`, or after a minute."""
        ...

    async def release_unembedded(self, namespace: str, rows: Sequence[UnembeddedRow]) -> None: ...

    async def read_embedding_status(self, namespace: str) -> EmbeddingStatus: ...

    async def give_vectors(self, namespace: str, rows: Sequence[EmbeddedRow]) -> int:
        """Store the vectors of rows that still await them, as a change of its own, and return their number. A search as
        of an earlier change still sees the rows without vectors."""
        ...

    async def refresh(self) -> bool:
        """Make every stored change searchable. After a crash, this repairs the index. Return False where another
        process is doing that and has not finished."""
        ...

    async def await_searchable(self, namespace: str, as_of: int | None = None, *, whole: bool = False) -> int:
        """Return the number of stored documents that a search here leaves out, because the process that derives the
        index has not come to them. Waits a moment for it, and longer where a search would see none, or where the
        `whole` namespace or a state `as_of` is needed; raises Unavailable if that was not enough. `refresh` comes
        first."""
        ...

    async def list_partitions(self, namespace: str) -> tuple[str, ...]: ...

    async def search(self, probe: Probe) -> Candidates:
        """Find candidates. Raises InvalidArgument if a filter names a field that was not declared, as `count` does."""
        ...

    async def count(self, namespace: str, filters: Sequence[Filter] = (), as_of: int | None = None) -> int: ...

    async def fetch_documents(
        self, namespace: str, ids: Sequence[str], as_of: int | None = None
    ) -> dict[str, Document]: ...

    async def rebuild(self, namespace: str) -> None:
        """Rebuild the derived files from the store."""
        ...
