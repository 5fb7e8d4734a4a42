"""Storing what is sent. Memories that arrive while others are being stored go together in the next transaction, so that
many senders cost little more than one, and each is durable before it is acknowledged.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from typing import Any

from sanya.kernel.faults import InvalidArgument
from sanya.kernel.requests import is_earlier_try
from sanya.suites.memory.episodes import find_episode
from sanya.suites.memory.ratings.provenance import NO_ORIGIN, Origin, make_lineage_key, make_source
from sanya.suites.memory.ratings.rating import UNCORROBORATED, Rating, combine_worst
from sanya.suites.memory.storage.records import Memory, MemoryEdge, MemorySource, Provenance
from sanya.suites.memory.storage.store import MemoryReader, MemoryStore
from sanya.suites.memory.storage.writer import MemoryWriter

_UNKNOWN_RELIABILITY = "F"
_AT_ONCE = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryDraft:
    """A memory as it is sent, with its secrets already taken out."""

    key: str
    """What its id is made from; the same where a call is tried again."""
    namespace: str
    content: str
    created_at: str
    origin: Origin = NO_ORIGIN
    hint: str | None = None
    agent_id: str | None = None
    derived_from: tuple[str, ...] = ()
    properties: Mapping[str, Any] = field(default_factory=dict)
    call: str = ""
    """Unique for each call: the key where an older memory has the one that is given."""

    @property
    def id(self) -> str:
        return make_memory_id(self.key)


def make_memory_id(key: str) -> str:
    return "mem_" + sha256(key.encode("utf-8")).hexdigest()[:16]


def make_edge_id(*parts: str) -> str:
    return "edge_" + sha256("\n".join(parts).encode("utf-8")).hexdigest()[:16]


PendingDraft = tuple[MemoryDraft, "asyncio.Future[Memory]"]


class Sender:
    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self._waiting: list[PendingDraft] = []
        self._storing: asyncio.Task[None] | None = None

    async def send(self, draft: MemoryDraft) -> Memory:
        """Returns when the memory is durable. Raises what made its storing fail."""
        future: asyncio.Future[Memory] = asyncio.get_running_loop().create_future()
        self._waiting.append((draft, future))
        if self._storing is None or self._storing.done():
            # A task of its own: a sender who goes away must not take the others' memories along.
            self._storing = asyncio.create_task(self._store_all(), name="memory sender")
        return await future

    async def close(self) -> None:
        if self._storing is not None:
            await asyncio.gather(self._storing, return_exceptions=True)

    async def _store_all(self) -> None:
        while self._waiting:
            some, self._waiting = self._waiting[:_AT_ONCE], self._waiting[_AT_ONCE:]
            await self._store_batch(some)

    async def _store_batch(self, some: Sequence[PendingDraft]) -> None:
        try:
            memories = await store_drafts(self._store, [draft for draft, _ in some])
        except InvalidArgument as refused:
            # It concerns one of them, and may not spoil it for the others.
            if len(some) == 1:
                _fail(some, refused)
            else:
                for one in some:
                    await self._store_batch([one])
            return
        except Exception as error:  # it belongs to the senders, each of whom gets it; the next ones are stored
            _fail(some, error)
            return
        for (_, future), memory in zip(some, memories, strict=True):
            if not future.done():
                future.set_result(memory)


def _fail(some: Sequence[PendingDraft], error: Exception) -> None:
    for _, future in some:
        if not future.done():
            future.set_exception(error)


async def store_drafts(store: MemoryStore, drafts: Sequence[MemoryDraft]) -> list[Memory]:
    """Stores all in one transaction, in their order. What an earlier try of the same request has stored is given as it
    is."""
    async with store.write_transaction(arrivals=len(drafts)) as writer:
        reader = store.make_reader(writer)
        tried, drafts = await _split_retries(reader, drafts)
        await _check_basis(reader, drafts)
        letters = await _choose_letters(reader, drafts)
        places = await _assign_places(reader, drafts)
        memories, sources, links, edges = [], [], [], []
        for draft, letter, (episode, place) in zip(drafts, letters, places, strict=True):
            basis = await reader.find_memories(draft.namespace, draft.derived_from) if draft.derived_from else {}
            memory = _make_memory(draft, letter, writer, [one.rating for one in basis.values()])
            memories.append(replace(memory, episode=episode, place=place))
            if draft.origin:
                sources.append(make_source(draft.namespace, draft.origin, letter))
                links.append(Provenance(draft.id, sources[-1].id))
            edges += _make_derivation_edges(draft, memory)
        await _add_all(writer, memories, sources, links, edges)
    fresh = iter(memories)
    return [one or next(fresh) for one in tried]


async def _split_retries(
    reader: MemoryReader, drafts: Sequence[MemoryDraft]
) -> tuple[list[Memory | None], list[MemoryDraft]]:
    """For each draft what an earlier try has stored; and those that are still to be stored."""
    known: dict[str, Memory] = {}
    for namespace in {one.namespace for one in drafts if one.call}:
        known |= await reader.find_memories(namespace, [one.id for one in drafts if one.namespace == namespace])
    tried: list[Memory | None] = []
    fresh: list[MemoryDraft] = []
    for draft in drafts:
        memory = known.get(draft.id) if draft.call else None
        is_ours = memory is not None and is_earlier_try(memory.created_at, datetime.fromisoformat(draft.created_at))
        tried.append(memory if is_ours else None)
        if not is_ours:
            fresh.append(draft if memory is None else replace(draft, key=draft.call))
    return tried, fresh


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


def _make_memory(draft: MemoryDraft, letter: str, writer: MemoryWriter, basis: list[Rating]) -> Memory:
    base = Rating(letter, UNCORROBORATED)
    return Memory(
        id=draft.id,
        namespace=draft.namespace,
        arrival=writer.take_arrival(),
        content=draft.content,
        rating=combine_worst([base, *basis]),
        base=base,
        properties=draft.properties,
        agent_id=draft.agent_id,
        created_at=draft.created_at,
    )


def _make_derivation_edges(draft: MemoryDraft, memory: Memory) -> list[MemoryEdge]:
    return [
        MemoryEdge(
            id=make_edge_id(draft.id, "derived_from", one),
            namespace=draft.namespace,
            from_id=draft.id,
            relation="derived_from",
            to_id=one,
            confidence=memory.rating,
            memory_id=draft.id,
        )
        for one in dict.fromkeys(draft.derived_from)
    ]


async def _check_basis(reader: MemoryReader, drafts: Sequence[MemoryDraft]) -> None:
    for draft in drafts:
        if not draft.derived_from:
            continue
        known = await reader.find_memories(draft.namespace, draft.derived_from)
        missing = [one for one in draft.derived_from if one not in known]
        if missing:
            raise InvalidArgument(f"derived_from: there is no memory {missing[0][:80]!r}", field="derived_from")


async def _choose_letters(reader: MemoryReader, drafts: Sequence[MemoryDraft]) -> list[str]:
    """The hint; without one, how reliable the same document has been taken to be before."""
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
    """The episode of each and the next free place in it."""
    episodes = [find_episode(one.content, make_lineage_key(one.origin), one.agent_id, one.created_at) for one in drafts]
    reached: dict[tuple[str, str], int] = {}
    for namespace in {one.namespace for one in drafts}:
        asked = sorted({episode for one, episode in zip(drafts, episodes, strict=True) if one.namespace == namespace})
        known = await reader.read_last_places(namespace, asked)
        reached |= {(namespace, episode): place for episode, place in known.items()}
    places = []
    for draft, episode in zip(drafts, episodes, strict=True):
        key = draft.namespace, episode
        reached[key] = reached.get(key, 0) + 1
        places.append((episode, reached[key]))
    return places
