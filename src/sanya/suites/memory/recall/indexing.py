"""Memories as documents of the shared search index.

A remark such as "Yes, last Saturday" means nothing alone, so the text right before it in its episode is embedded
together with it. The words of that text do not count, or an answer would match the words of its question twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sanya.suite.search import Between, Document, DocumentText, Equals, Filter
from sanya.suite.store import Transaction, Value
from sanya.suites.memory.episodes import find_speaker, is_question, make_word_keys, strip_speaker
from sanya.suites.memory.ratings.rating import LETTERS, WORST, Rating
from sanya.suites.memory.storage.reader import MemoryReader
from sanya.suites.memory.storage.records import Memory, MemorySource, fold_name

if TYPE_CHECKING:
    from sanya.suite.search import Library, LibraryOpener

NAMESPACE = "memory"
FILTER_FIELDS = ("digit", "letter", "owner")
_CONTEXT_CHARS = 600
_TRACED_CHARS = 1000
_ADD_TRACE = """
INSERT INTO memory_traces (memory_id, speaker, asks, length, keys) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (memory_id) DO UPDATE SET
    speaker = excluded.speaker, asks = excluded.asks, length = excluded.length, keys = excluded.keys"""


@dataclass(slots=True)
class MemoryIndex:
    library_opener: LibraryOpener
    _library: Library | None = None

    async def open_library(self) -> Library:
        if self._library is None:
            library = await self.library_opener()
            await library.declare(NAMESPACE, FILTER_FIELDS)
            self._library = library
        return self._library

    async def prepare(self) -> None:
        await self.open_library()

    async def update(self, transaction: Transaction, memories: Sequence[Memory]) -> None:
        library = await self.open_library()
        active = [memory for memory in memories if memory.retired_at is None]
        if active:
            await transaction.execute_many(_ADD_TRACE, map(_make_trace_row, active))
            await library.add(NAMESPACE, await _build_documents(transaction, active), transaction, embed=False)
        retired_ids = [memory.id for memory in memories if memory.retired_at is not None]
        if retired_ids:
            await library.remove(NAMESPACE, retired_ids, transaction)


def _make_trace_row(memory: Memory) -> tuple[Value, ...]:
    content = memory.content[:_TRACED_CHARS]
    speaker = find_speaker(content)
    keys = " ".join(make_word_keys(strip_speaker(content)))
    return memory.id, speaker and fold_name(speaker), int(is_question(content)), len(memory.content), keys


async def _build_documents(transaction: Transaction, memories: Sequence[Memory]) -> list[Document]:
    reader = MemoryReader(transaction)
    ids = [memory.id for memory in memories]
    previous = await reader.read_previous_texts(ids)
    sources = await reader.find_sources(ids)
    return [build_document(memory, previous.get(memory.id, ""), sources[memory.id]) for memory in memories]


def build_document(memory: Memory, previous_text: str, sources: Sequence[MemorySource]) -> Document:
    citations = " ".join(dict.fromkeys(source.citation for source in sources if source.citation))
    return Document(
        memory.id,
        (DocumentText(previous_text[-_CONTEXT_CHARS:], 0), DocumentText(memory.content), DocumentText(citations)),
        {
            "owner": memory.namespace,
            "letter": LETTERS.index(memory.rating.letter),
            "digit": memory.rating.digit,
        },
    )


def make_owner_filter(namespace: str) -> tuple[Filter, ...]:
    """Return the filter of the word statistics: no score may tell how rare a word is in the memories of others."""
    return (Equals("owner", namespace),)


def make_filters(namespace: str, min_rating: Rating) -> tuple[Filter, ...]:
    filters: list[Filter] = [*make_owner_filter(namespace)]
    if min_rating.letter != WORST.letter:
        filters.append(Between("letter", None, LETTERS.index(min_rating.letter)))
    if min_rating.digit != WORST.digit:
        filters.append(Between("digit", None, min_rating.digit))
    return tuple(filters)
