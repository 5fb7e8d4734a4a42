"""Works ratings out again where what they rest on has changed, and follows the change to whatever rests on them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from sanya.suites.memory.ratings.provenance import build_lineage
from sanya.suites.memory.ratings.rating import Evidence, Lineage, Rating, combine_worst, compute_rating
from sanya.suites.memory.storage.records import Contradiction, Memory
from sanya.suites.memory.storage.store import MemoryReader, MemoryStore
from sanya.suites.memory.storage.writer import MemoryWriter

INSTRUCTION_MARK = "reads_like_instruction"
# Ratings only have so many steps; this stops a circle of derivations from being walked for ever.
_MOST_ROUNDS = 64


@dataclass(frozen=True, slots=True)
class RatingChange:
    id: str
    before: Rating
    after: Rating


async def rerate(
    store: MemoryStore, writer: MemoryWriter, namespace: str, ids: Iterable[str], *, only_down: bool = False
) -> list[RatingChange]:
    """Gives each memory the rating it has earned, then whatever is derived from one that changed. With `only_down` none
    gets a better one: a doubt raises nothing, whatever else has changed meanwhile."""
    reader = store.make_reader(writer)
    first: dict[str, Rating] = {}
    last: dict[str, Rating] = {}
    pending = sorted(set(ids))
    for _ in range(_MOST_ROUNDS):
        changed = []
        for memory in (await reader.find_memories(namespace, pending)).values():
            rating = compute_rating(await collect_evidence(reader, memory))
            rating = combine_worst([rating, memory.rating]) if only_down else rating
            if rating != memory.rating and memory.retired_at is None:
                await writer.put(replace(memory, rating=rating))
                first.setdefault(memory.id, memory.rating)
                last[memory.id] = rating
                changed.append(memory.id)
        if not changed:
            break
        pending = await find_derived(reader, namespace, changed)
    return [RatingChange(one, first[one], last[one]) for one in sorted(first) if first[one] != last[one]]


async def collect_evidence(reader: MemoryReader, memory: Memory) -> Evidence:
    basis = await _find_premises(reader, memory)
    speaking = [one for one in await find_peers(reader, memory) if _may_influence_ratings(one) and not one.contests]
    against = await _find_contradicting(reader, memory)
    return Evidence(
        base=memory.base,
        own=await read_lineage(reader, memory),
        corroborating=() if is_marked_instruction(memory) else await _read_lineages(reader, speaking),
        contradicting=await _read_lineages(reader, against),
        contests=memory.contests,
        basis=tuple(one.rating for one in basis),
    )


async def find_peers(reader: MemoryReader, memory: Memory) -> list[Memory]:
    """The other memories that say the same: they assert a claim of its, or a `supports` edge links them."""
    said = await reader.find_edges_from(memory.namespace, [memory.id], "asserts", "supports")
    ids = {one.to_id for one in said if one.relation == "supports"}
    claims = [one.to_id for one in said if one.relation == "asserts"]
    ids |= {one.from_id for one in await reader.find_edges_to(memory.namespace, claims, "asserts")}
    ids |= {one.from_id for one in await reader.find_edges_to(memory.namespace, [memory.id], "supports")}
    found = await reader.find_memories(memory.namespace, sorted(ids - {memory.id}))
    return [one for one in found.values() if one.retired_at is None]


async def read_lineage(reader: MemoryReader, memory: Memory) -> Lineage:
    sources = (await reader.find_sources([memory.id]))[memory.id]
    return build_lineage(memory, sources, await _find_ancestors(reader, memory))


def is_marked_instruction(memory: Memory) -> bool:
    """Text that reads like an instruction has no say in ratings, its own included."""
    return bool(memory.properties.get(INSTRUCTION_MARK))


def _may_influence_ratings(memory: Memory) -> bool:
    return memory.retired_at is None and not is_marked_instruction(memory)


async def _read_lineages(reader: MemoryReader, memories: Iterable[Memory]) -> tuple[Lineage, ...]:
    return tuple([await read_lineage(reader, one) for one in memories])


async def _find_contradicting(reader: MemoryReader, memory: Memory) -> list[Memory]:
    found = await reader.find_contradictions(memory.namespace, [memory.id])
    sides = {one.other_id if one.memory_id == memory.id else one.memory_id for one in found if _is_open(one)}
    return [
        one
        for one in (await reader.find_memories(memory.namespace, sorted(sides))).values()
        if _may_influence_ratings(one)
    ]


def _is_open(contradiction: Contradiction) -> bool:
    return contradiction.resolution_status == "unresolved"


async def _find_premises(reader: MemoryReader, memory: Memory) -> list[Memory]:
    edges = await reader.find_edges_from(memory.namespace, [memory.id], "derived_from")
    return list((await reader.find_memories(memory.namespace, [one.to_id for one in edges])).values())


async def _find_ancestors(reader: MemoryReader, memory: Memory) -> set[str]:
    found: set[str] = set()
    pending = [memory.id]
    while pending:
        edges = await reader.find_edges_from(memory.namespace, pending, "derived_from")
        pending = [one.to_id for one in edges if one.to_id not in found]
        found.update(pending)
    return found


async def find_derived(reader: MemoryReader, namespace: str, ids: list[str]) -> list[str]:
    return [one.from_id for one in await reader.find_edges_to(namespace, ids, "derived_from")]
