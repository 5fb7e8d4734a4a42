"""Rerating: compute ratings again where their evidence has changed, and follow the change to derived memories.

A memory is rated from all its evidence as if for the first time, so the order in which the evidence arrived does not
matter. The exception is a contest: it takes the present rating down and lets none improve (`only_down`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from sanya.suites.memory.ratings.provenance import build_lineage
from sanya.suites.memory.ratings.rating import Evidence, Lineage, Rating, combine_worst, compute_rating
from sanya.suites.memory.ratings.source_papers import list_paper_ids
from sanya.suites.memory.storage.reader import MemoryReader
from sanya.suites.memory.storage.records import Contradiction, Memory
from sanya.suites.memory.storage.store import MemoryStore
from sanya.suites.memory.storage.writer import MemoryWriter

INSTRUCTION_MARK = "reads_like_instruction"
# A rating has 36 values, so a chain of changes ends soon. The limit ends a cycle of derivations.
_MAX_ROUNDS = 64


@dataclass(frozen=True, slots=True)
class RatingChange:
    id: str
    before: Rating
    after: Rating


async def rerate(
    store: MemoryStore, writer: MemoryWriter, namespace: str, ids: Iterable[str], *, only_down: bool = False
) -> list[RatingChange]:
    """Rate memories again, and then the memories derived from those that changed.

    With `only_down` no rating improves: a contest must not raise one, whatever else has changed since.
    """
    reader = store.make_reader(writer)
    before: dict[str, Rating] = {}
    after: dict[str, Rating] = {}
    pending = sorted(set(ids))
    for _ in range(_MAX_ROUNDS):
        changed = []
        for memory in (await reader.find_memories(namespace, pending)).values():
            rating = compute_rating(await collect_evidence(reader, memory))
            rating = combine_worst([rating, memory.rating]) if only_down else rating
            if rating != memory.rating and memory.retired_at is None:
                await writer.put(replace(memory, rating=rating))
                before.setdefault(memory.id, memory.rating)
                after[memory.id] = rating
                changed.append(memory.id)
        if not changed:
            break
        pending = await find_derived(reader, namespace, changed)
    return [RatingChange(key, before[key], after[key]) for key in sorted(before) if before[key] != after[key]]


async def collect_evidence(reader: MemoryReader, memory: Memory) -> Evidence:
    premises = await _find_premises(reader, memory)
    peers = await find_peers(reader, memory)
    corroborating = [
        peer
        for peer in peers
        if _may_influence_ratings(peer) and not peer.contests and not await read_notice_lineages(reader, peer)
    ]
    contradicting = await _find_contradicting(reader, memory)
    return Evidence(
        base=memory.base,
        own=await read_lineage(reader, memory),
        corroborating=() if is_marked_instruction(memory) else await _read_lineages(reader, corroborating),
        contradicting=(*await _read_lineages(reader, contradicting), *await read_notice_lineages(reader, memory)),
        contests=memory.contests,
        basis=tuple(premise.rating for premise in premises),
    )


async def find_peers(reader: MemoryReader, memory: Memory) -> list[Memory]:
    """Return the other memories that say the same: they assert one of its claims, or a `supports` edge links them."""
    stated = await reader.find_edges_from(memory.namespace, [memory.id], "asserts", "supports")
    ids = {edge.to_id for edge in stated if edge.relation == "supports"}
    claims = [edge.to_id for edge in stated if edge.relation == "asserts"]
    ids |= {edge.from_id for edge in await reader.find_edges_to(memory.namespace, claims, "asserts")}
    ids |= {edge.from_id for edge in await reader.find_edges_to(memory.namespace, [memory.id], "supports")}
    peers = await reader.find_memories(memory.namespace, sorted(ids - {memory.id}))
    return [peer for peer in peers.values() if peer.retired_at is None]


async def read_lineage(reader: MemoryReader, memory: Memory) -> Lineage:
    sources = (await reader.find_sources([memory.id]))[memory.id]
    return build_lineage(memory, sources, await _find_ancestors(reader, memory))


async def read_notice_lineages(reader: MemoryReader, memory: Memory) -> tuple[Lineage, ...]:
    """Return a lineage for each paper among the sources that was retracted or is doubted: the publisher contradicts."""
    sources = (await reader.find_sources([memory.id]))[memory.id]
    standings = await reader.read_paper_standings(list_paper_ids(sources))
    pmids = sorted({standing.pmid for standing in standings.values() if standing.is_doubtful})
    return tuple(frozenset({f"notice:{pmid}"}) for pmid in pmids)


def is_marked_instruction(memory: Memory) -> bool:
    """Tell whether the text reads like an instruction, and so influences no rating, not even its own."""
    return bool(memory.properties.get(INSTRUCTION_MARK))


def _may_influence_ratings(memory: Memory) -> bool:
    return memory.retired_at is None and not is_marked_instruction(memory)


async def _read_lineages(reader: MemoryReader, memories: Iterable[Memory]) -> tuple[Lineage, ...]:
    return tuple([await read_lineage(reader, memory) for memory in memories])


async def _find_contradicting(reader: MemoryReader, memory: Memory) -> list[Memory]:
    contradictions = await reader.find_contradictions(memory.namespace, [memory.id])
    others = {
        contradiction.other_id if contradiction.memory_id == memory.id else contradiction.memory_id
        for contradiction in contradictions
        if _is_open(contradiction)
    }
    memories = await reader.find_memories(memory.namespace, sorted(others))
    return [other for other in memories.values() if _may_influence_ratings(other)]


def _is_open(contradiction: Contradiction) -> bool:
    return contradiction.resolution_status == "unresolved"


async def _find_premises(reader: MemoryReader, memory: Memory) -> list[Memory]:
    edges = await reader.find_edges_from(memory.namespace, [memory.id], "derived_from")
    return list((await reader.find_memories(memory.namespace, [edge.to_id for edge in edges])).values())


async def _find_ancestors(reader: MemoryReader, memory: Memory) -> set[str]:
    ancestors: set[str] = set()
    pending = [memory.id]
    while pending:
        edges = await reader.find_edges_from(memory.namespace, pending, "derived_from")
        pending = [edge.to_id for edge in edges if edge.to_id not in ancestors]
        ancestors.update(pending)
    return ancestors


async def find_derived(reader: MemoryReader, namespace: str, ids: list[str]) -> list[str]:
    return [edge.from_id for edge in await reader.find_edges_to(namespace, ids, "derived_from")]
