"""Sending: store memories, each durable before it is acknowledged.

Memories that arrive while others are being stored go together into the next transaction (group commit), so many senders
cost little more than one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sanya.suite import InvalidArgument
from sanya.suite.runtime import is_earlier_try
from sanya.suites.memory.episodes import find_episode
from sanya.suites.memory.ratings.provenance import NO_ORIGIN, Origin, make_lineage_key, make_source
from sanya.suites.memory.ratings.rating import UNCORROBORATED, Rating, combine_worst
from sanya.suites.memory.storage.identifiers import make_edge_id, make_memory_id
from sanya.suites.memory.storage.reader import MemoryReader
from sanya.suites.memory.storage.records import Memory, MemoryEdge, MemorySource, Provenance
from sanya.suites.memory.storage.store import MemoryStore
from sanya.suites.memory.storage.writer import MemoryWriter

_UNKNOWN_RELIABILITY = "F"
_BATCH_SIZE = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryDraft:
    """A memory that is to be stored. Secrets are already redacted."""

    key: str
    """The key from which its id is made. A retry of a call has the same key."""
    namespace: str
    content: str
    created_at: str
    origin: Origin = NO_ORIGIN
    hint: str | None = None
    agent_id: str | None = None
    derived_from: tuple[str, ...] = ()
    properties: Mapping[str, Any] = field(default_factory=dict)
    call: str = ""
    """The id of the call. It replaces the key if a memory of an older request already has that."""

    @property
    def id(self) -> str:
        return make_memory_id(self.key)


PendingDraft = tuple[MemoryDraft, "asyncio.Future[Memory]"]


class Sender:
    """Stores drafts. Those that arrive while others are being stored share the next transaction."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self._pending: list[PendingDraft] = []
        self._storing: asyncio.Task[None] | None = None

    async def send(self, draft: MemoryDraft) -> Memory:
        """Return the memory when it is durable, or raise the error that prevented it."""
        future: asyncio.Future[Memory] = asyncio.get_running_loop().create_future()
        self._pending.append((draft, future))
        if self._storing is None or self._storing.done():
            # A task of its own: the cancellation of one sender must not cancel the memories of the others.
            self._storing = asyncio.create_task(self._store_all(), name="memory sender")
        return await future

    async def close(self) -> None:
        if self._storing is not None:
            await asyncio.gather(self._storing, return_exceptions=True)

    async def _store_all(self) -> None:
        while self._pending:
            batch, self._pending = self._pending[:_BATCH_SIZE], self._pending[_BATCH_SIZE:]
            await self._store_batch(batch)

    async def _store_batch(self, batch: Sequence[PendingDraft]) -> None:
        try:
            memories = await store_drafts(self._store, [draft for draft, _ in batch])
        except InvalidArgument as refusal:
            # One draft is invalid. It must not fail the others.
            if len(batch) == 1:
                _fail(batch, refusal)
            else:
                for pending in batch:
                    await self._store_batch([pending])
            return
        except Exception as error:  # each sender of the batch gets it; the next batch is stored
            _fail(batch, error)
            return
        for (_, future), memory in zip(batch, memories, strict=True):
            if not future.done():
                future.set_result(memory)


def _fail(batch: Sequence[PendingDraft], error: Exception) -> None:
    for _, future in batch:
        if not future.done():
            future.set_exception(error)


async def store_drafts(store: MemoryStore, drafts: Sequence[MemoryDraft]) -> list[Memory]:
    """Store drafts in one transaction, in their order. A retry of an earlier request returns what that one stored."""
    async with store.write_transaction(arrivals=len(drafts)) as writer:
        reader = store.make_reader(writer)
        stored, drafts = await _split_retries(reader, drafts)
        await _check_premises(reader, drafts)
        letters = await _choose_letters(reader, drafts)
        places = await _assign_places(reader, drafts)
        memories, sources, links, edges = [], [], [], []
        for draft, letter, (episode, place) in zip(drafts, letters, places, strict=True):
            premises = await reader.find_memories(draft.namespace, draft.derived_from) if draft.derived_from else {}
            memory = _make_memory(draft, letter, writer, [premise.rating for premise in premises.values()])
            memories.append(replace(memory, episode=episode, place=place))
            if draft.origin:
                sources.append(make_source(draft.namespace, draft.origin, letter))
                links.append(Provenance(draft.id, sources[-1].id))
            edges += _make_derivation_edges(draft, memory)
        await _add_all(writer, memories, sources, links, edges)
    new = iter(memories)
    return [memory or next(new) for memory in stored]


async def _split_retries(
    reader: MemoryReader, drafts: Sequence[MemoryDraft]
) -> tuple[list[Memory | None], list[MemoryDraft]]:
    """Return what earlier attempts have stored of each draft, and the drafts that are still to be stored."""
    known: dict[str, Memory] = {}
    for namespace in {draft.namespace for draft in drafts if draft.call}:
        known |= await reader.find_memories(namespace, [draft.id for draft in drafts if draft.namespace == namespace])
    stored: list[Memory | None] = []
    new: list[MemoryDraft] = []
    for draft in drafts:
        memory = known.get(draft.id) if draft.call else None
        is_retry = memory is not None and is_earlier_try(memory.created_at, datetime.fromisoformat(draft.created_at))
        stored.append(memory if is_retry else None)
        if not is_retry:
            new.append(draft if memory is None else replace(draft, key=draft.call))
    return stored, new


async def _add_all(
    writer: MemoryWriter,
    memories: list[Memory],
    sources: list[MemorySource],
    links: list[Provenance],
    edges: list[MemoryEdge],
) -> None:
    await writer.add(memories)
    await writer.add(sources)
    await writer.add(links)
    await writer.add(edges)


def _make_memory(draft: MemoryDraft, letter: str, writer: MemoryWriter, premise_ratings: list[Rating]) -> Memory:
    base = Rating(letter, UNCORROBORATED)
    return Memory(
        id=draft.id,
        namespace=draft.namespace,
        arrival=writer.take_arrival(),
        content=draft.content,
        rating=combine_worst([base, *premise_ratings]),
        base=base,
        properties=draft.properties,
        agent_id=draft.agent_id,
        created_at=draft.created_at,
    )


def _make_derivation_edges(draft: MemoryDraft, memory: Memory) -> list[MemoryEdge]:
    return [
        MemoryEdge(
            id=make_edge_id(draft.id, "derived_from", premise_id),
            namespace=draft.namespace,
            from_id=draft.id,
            relation="derived_from",
            to_id=premise_id,
            confidence=memory.rating,
            memory_id=draft.id,
        )
        for premise_id in dict.fromkeys(draft.derived_from)
    ]


async def _check_premises(reader: MemoryReader, drafts: Sequence[MemoryDraft]) -> None:
    for draft in drafts:
        if not draft.derived_from:
            continue
        known = await reader.find_memories(draft.namespace, draft.derived_from)
        missing = [premise_id for premise_id in draft.derived_from if premise_id not in known]
        if missing:
            raise InvalidArgument(
                f"derived_from: there is no memory {missing[0][:80]!r}; use ids from get_memory", field="derived_from"
            )


async def _choose_letters(reader: MemoryReader, drafts: Sequence[MemoryDraft]) -> list[str]:
    """Return the hint of each draft, or without one the reliability of a known source of the same document."""
    known: dict[tuple[str, str], str] = {}
    letters = []
    for draft in drafts:
        lineage = make_lineage_key(draft.origin)
        letter = draft.hint
        if letter is None and lineage is not None:
            key = draft.namespace, lineage
            if key not in known:
                sources = await reader.find_sources_of_lineage(*key, 1)
                known[key] = sources[0].reliability if sources else _UNKNOWN_RELIABILITY
            letter = known[key]
        letters.append(letter or _UNKNOWN_RELIABILITY)
    return letters


async def _assign_places(reader: MemoryReader, drafts: Sequence[MemoryDraft]) -> list[tuple[str, int]]:
    """Return the episode of each draft and the next free place in it."""
    episodes = [
        find_episode(draft.content, make_lineage_key(draft.origin), draft.agent_id, draft.created_at)
        for draft in drafts
    ]
    last_places: dict[tuple[str, str], int] = {}
    for namespace in {draft.namespace for draft in drafts}:
        pairs = zip(drafts, episodes, strict=True)
        own = sorted({episode for draft, episode in pairs if draft.namespace == namespace})
        known = await reader.read_last_places(namespace, own)
        last_places |= {(namespace, episode): place for episode, place in known.items()}
    places = []
    for draft, episode in zip(drafts, episodes, strict=True):
        key = draft.namespace, episode
        last_places[key] = last_places.get(key, 0) + 1
        places.append((episode, last_places[key]))
    return places
