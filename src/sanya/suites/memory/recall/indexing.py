"""Memories as the shared search holds them: the words of each, and its meaning together with what was said before it.

A remark such as "Yes, last Saturday" means nothing alone. What came right before it is embedded with it, but its words
do not count, or every answer would be found by the words of its question twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sanya.kernel.database import Transaction, Value
from sanya.retrieval.documents import Between, Document, Equals, Filter, Text
from sanya.suites.memory.episodes import asks, speaker_of, without_speaker, word_keys
from sanya.suites.memory.ratings.rating import LETTERS, WORST, Rating
from sanya.suites.memory.storage.records import Memory, Source, fold_name
from sanya.suites.memory.storage.store import MemoryReader

if TYPE_CHECKING:
    from sanya.retrieval.search import Library, LibraryDoor

NAMESPACE = "memory"
FILTERED = ("digit", "letter", "owner")
_CONTEXT_CHARS = 600
_TRACED_CHARS = 1000
_ADD_TRACE = """
INSERT INTO memory_traces (memory_id, speaker, asks, length, keys) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (memory_id) DO UPDATE SET
    speaker = excluded.speaker, asks = excluded.asks, length = excluded.length, keys = excluded.keys"""


@dataclass(slots=True)
class MemoryIndex:
    door: LibraryDoor
    _library: Library | None = None

    async def library(self) -> Library:
        if self._library is None:
            library = await self.door()
            await library.declare(NAMESPACE, FILTERED)
            self._library = library
        return self._library

    async def ready(self) -> None:
        await self.library()

    async def update(self, transaction: Transaction, memories: Sequence[Memory]) -> None:
        library = await self.library()
        kept = [one for one in memories if one.retired_at is None]
        if kept:
            await transaction.execute_many(_ADD_TRACE, map(_trace_row, kept))
            await library.add(NAMESPACE, await _documents(transaction, kept), transaction, embed=False)
        gone = [one.id for one in memories if one.retired_at is not None]
        if gone:
            await library.remove(NAMESPACE, gone, transaction)


def _trace_row(memory: Memory) -> tuple[Value, ...]:
    content = memory.content[:_TRACED_CHARS]
    speaker = speaker_of(content)
    keys = " ".join(word_keys(without_speaker(content)))
    return memory.id, speaker and fold_name(speaker), int(asks(content)), len(memory.content), keys


async def _documents(transaction: Transaction, memories: Sequence[Memory]) -> list[Document]:
    reader = MemoryReader(transaction)
    ids = [one.id for one in memories]
    before = await reader.said_before(ids)
    sources = await reader.sources_of(ids)
    return [document_of(one, before.get(one.id, ""), sources[one.id]) for one in memories]


def document_of(memory: Memory, said_before: str, sources: Sequence[Source]) -> Document:
    cited = " ".join(dict.fromkeys(one.citation for one in sources if one.citation))
    return Document(
        memory.id,
        (Text(said_before[-_CONTEXT_CHARS:], 0), Text(memory.content), Text(cited)),
        {
            "owner": memory.namespace,
            "letter": LETTERS.index(memory.rating.letter),
            "digit": memory.rating.digit,
        },
    )


def own(namespace: str) -> tuple[Filter, ...]:
    """Nobody learns from a score how rare a word is in the memories of others."""
    return (Equals("owner", namespace),)


def filters_for(namespace: str, least: Rating) -> tuple[Filter, ...]:
    filters: list[Filter] = [*own(namespace)]
    if least.letter != WORST.letter:
        filters.append(Between("letter", None, LETTERS.index(least.letter)))
    if least.digit != WORST.digit:
        filters.append(Between("digit", None, least.digit))
    return tuple(filters)
