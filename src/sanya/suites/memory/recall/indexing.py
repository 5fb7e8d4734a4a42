"""Memories as the shared search holds them: the words of each, and its meaning together with what was said before it.

A remark such as "Yes, last Saturday" means nothing alone. What came right before it is embedded with it, but its words
do not count, or every answer would be found by the words of its question twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sanya.kernel.database import Transaction, Value
from sanya.retrieval.documents import Between, Document, DocumentText, Equals, Filter
from sanya.suites.memory.episodes import find_speaker, is_question, make_word_keys, strip_speaker
from sanya.suites.memory.ratings.rating import LETTERS, WORST, Rating
from sanya.suites.memory.storage.records import Memory, MemorySource, fold_name
from sanya.suites.memory.storage.store import MemoryReader

if TYPE_CHECKING:
    from sanya.retrieval.search import Library, LibraryOpener

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
    door: LibraryOpener
    _library: Library | None = None

    async def open_library(self) -> Library:
        if self._library is None:
            library = await self.door()
            await library.declare(NAMESPACE, FILTER_FIELDS)
            self._library = library
        return self._library

    async def prepare(self) -> None:
        await self.open_library()

    async def update(self, transaction: Transaction, memories: Sequence[Memory]) -> None:
        library = await self.open_library()
        kept = [one for one in memories if one.retired_at is None]
        if kept:
            await transaction.execute_many(_ADD_TRACE, map(_make_trace_row, kept))
            await library.add(NAMESPACE, await _build_documents(transaction, kept), transaction, embed=False)
        gone = [one.id for one in memories if one.retired_at is not None]
        if gone:
            await library.remove(NAMESPACE, gone, transaction)


def _make_trace_row(memory: Memory) -> tuple[Value, ...]:
    content = memory.content[:_TRACED_CHARS]
    speaker = find_speaker(content)
    keys = " ".join(make_word_keys(strip_speaker(content)))
    return memory.id, speaker and fold_name(speaker), int(is_question(content)), len(memory.content), keys


async def _build_documents(transaction: Transaction, memories: Sequence[Memory]) -> list[Document]:
    reader = MemoryReader(transaction)
    ids = [one.id for one in memories]
    before = await reader.read_previous_texts(ids)
    sources = await reader.find_sources(ids)
    return [build_document(one, before.get(one.id, ""), sources[one.id]) for one in memories]


def build_document(memory: Memory, said_before: str, sources: Sequence[MemorySource]) -> Document:
    cited = " ".join(dict.fromkeys(one.citation for one in sources if one.citation))
    return Document(
        memory.id,
        (DocumentText(said_before[-_CONTEXT_CHARS:], 0), DocumentText(memory.content), DocumentText(cited)),
        {
            "owner": memory.namespace,
            "letter": LETTERS.index(memory.rating.letter),
            "digit": memory.rating.digit,
        },
    )


def make_owner_filter(namespace: str) -> tuple[Filter, ...]:
    """Nobody learns from a score how rare a word is in the memories of others."""
    return (Equals("owner", namespace),)


def make_filters(namespace: str, least: Rating) -> tuple[Filter, ...]:
    filters: list[Filter] = [*make_owner_filter(namespace)]
    if least.letter != WORST.letter:
        filters.append(Between("letter", None, LETTERS.index(least.letter)))
    if least.digit != WORST.digit:
        filters.append(Between("digit", None, least.digit))
    return tuple(filters)
