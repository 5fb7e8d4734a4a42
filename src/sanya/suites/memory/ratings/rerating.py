"""Works ratings out again where what they rest on has changed, and follows the change to whatever rests on them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from sanya.suites.memory.ratings.provenance import lineage_of
from sanya.suites.memory.ratings.rating import Evidence, Lineage, Rating, earned, worst
from sanya.suites.memory.storage.records import Contradiction, Memory
from sanya.suites.memory.storage.store import MemoryReader, MemoryStore
from sanya.suites.memory.storage.writer import MemoryWriter

INSTRUCTION_MARK = "reads_like_instruction"
# Ratings only have so many steps; this stops a circle of derivations from being walked for ever.
_MOST_ROUNDS = 64


@dataclass(frozen=True, slots=True)
class Rerated:
    id: str
    before: Rating
    after: Rating


async def rerate(
    store: MemoryStore, writer: MemoryWriter, namespace: str, ids: Iterable[str], *, only_down: bool = False
) -> list[Rerated]:
    """Gives each memory the rating it has earned, then whatever is derived from one that changed. With `only_down` none
    gets a better one: a doubt raises nothing, whatever else has changed meanwhile."""
    reader = store.within(writer)
    first: dict[str, Rating] = {}
    last: dict[str, Rating] = {}
    pending = sorted(set(ids))
    for _ in range(_MOST_ROUNDS):
        changed = []
        for memory in (await reader.memories(namespace, pending)).values():
            rating = earned(await evidence_of(reader, memory))
            rating = worst([rating, memory.rating]) if only_down else rating
            if rating != memory.rating and memory.retired_at is None:
                await writer.put(replace(memory, rating=rating))
                first.setdefault(memory.id, memory.rating)
                last[memory.id] = rating
                changed.append(memory.id)
        if not changed:
            break
        pending = await derived_from(reader, namespace, changed)
    return [Rerated(one, first[one], last[one]) for one in sorted(first) if first[one] != last[one]]


async def evidence_of(reader: MemoryReader, memory: Memory) -> Evidence:
    basis = await _basis(reader, memory)
    speaking = [one for one in await peers_of(reader, memory) if _has_a_say(one) and not one.contests]
    against = await _contradicting(reader, memory)
    return Evidence(
        base=memory.base,
        own=await lineage(reader, memory),
        corroborating=() if is_marked(memory) else await _lineages(reader, speaking),
        contradicting=await _lineages(reader, against),
        contests=memory.contests,
        basis=tuple(one.rating for one in basis),
    )


async def peers_of(reader: MemoryReader, memory: Memory) -> list[Memory]:
    """The other memories that say the same: they assert a claim of its, or a `supports` edge links them."""
    said = await reader.edges_from(memory.namespace, [memory.id], "asserts", "supports")
    ids = {one.to_id for one in said if one.relation == "supports"}
    claims = [one.to_id for one in said if one.relation == "asserts"]
    ids |= {one.from_id for one in await reader.edges_to(memory.namespace, claims, "asserts")}
    ids |= {one.from_id for one in await reader.edges_to(memory.namespace, [memory.id], "supports")}
    found = await reader.memories(memory.namespace, sorted(ids - {memory.id}))
    return [one for one in found.values() if one.retired_at is None]


async def lineage(reader: MemoryReader, memory: Memory) -> Lineage:
    sources = (await reader.sources_of([memory.id]))[memory.id]
    return lineage_of(memory, sources, await _ancestors(reader, memory))


def is_marked(memory: Memory) -> bool:
    """Text that reads like an instruction has no say in ratings, its own included."""
    return bool(memory.properties.get(INSTRUCTION_MARK))


def _has_a_say(memory: Memory) -> bool:
    return memory.retired_at is None and not is_marked(memory)


async def _lineages(reader: MemoryReader, memories: Iterable[Memory]) -> tuple[Lineage, ...]:
    return tuple([await lineage(reader, one) for one in memories])


async def _contradicting(reader: MemoryReader, memory: Memory) -> list[Memory]:
    found = await reader.contradictions_of(memory.namespace, [memory.id])
    sides = {one.other_id if one.memory_id == memory.id else one.memory_id for one in found if _is_open(one)}
    return [one for one in (await reader.memories(memory.namespace, sorted(sides))).values() if _has_a_say(one)]


def _is_open(contradiction: Contradiction) -> bool:
    return contradiction.resolution_status == "unresolved"


async def _basis(reader: MemoryReader, memory: Memory) -> list[Memory]:
    edges = await reader.edges_from(memory.namespace, [memory.id], "derived_from")
    return list((await reader.memories(memory.namespace, [one.to_id for one in edges])).values())


async def _ancestors(reader: MemoryReader, memory: Memory) -> set[str]:
    found: set[str] = set()
    pending = [memory.id]
    while pending:
        edges = await reader.edges_from(memory.namespace, pending, "derived_from")
        pending = [one.to_id for one in edges if one.to_id not in found]
        found.update(pending)
    return found


async def derived_from(reader: MemoryReader, namespace: str, ids: list[str]) -> list[str]:
    return [one.from_id for one in await reader.edges_to(namespace, ids, "derived_from")]
