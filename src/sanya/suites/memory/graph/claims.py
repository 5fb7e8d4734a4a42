"""Claims of a memory: nodes that all memories with the same claim share, and contradictions with other claims."""

from __future__ import annotations

import json
from dataclasses import replace

from sanya.suite.store import expand_in_list
from sanya.suites.memory.contradictions.detection import find_conflict, make_lookup_keys, make_stored_keys
from sanya.suites.memory.graph.claim_json import from_json, make_claim_key, to_json
from sanya.suites.memory.graph.context import MAX_NAME_CHARS, GraphContext, make_node_names
from sanya.suites.memory.parsing.claims import ParsedClaim
from sanya.suites.memory.parsing.times import TimeRange
from sanya.suites.memory.ratings.provenance import UNSOURCED
from sanya.suites.memory.storage.identifiers import make_contradiction_id, make_edge_id, make_node_id
from sanya.suites.memory.storage.records import (
    Contradiction,
    ContradictionNature,
    EventPrecision,
    MemoryNode,
    NodeKind,
    fold_name,
)

_MAX_CLAIMS = 60
_MAX_COMPARED = 1000
_MAX_CONTRADICTIONS = 50
_MAX_PEERS = 8
_MAX_SUPPORTED = 5
_FIND_COMPARABLE = """
SELECT id, properties FROM memory_nodes
WHERE id IN (SELECT node_id FROM memory_names WHERE namespace = ? AND folded IN (:values)) LIMIT ?"""


async def add_claims(context: GraphContext) -> list[MemoryNode]:
    """Add the claims of the memory and return their nodes. A claim is one node, whoever asserts it."""
    asserted = [claim for claim in context.parsed.claims if claim.modality == "asserted"][:_MAX_CLAIMS]
    claims = {_make_claim_id(context, claim): claim for claim in (_resolve_names(context, item) for item in asserted)}
    nodes = [_make_node(context, node_id, claim) for node_id, claim in claims.items()]
    names = [name for node in nodes for name in make_node_names(node, make_stored_keys(claims[node.id]))]
    await context.save([*nodes, *names])
    for node in nodes:
        await _link_claim(context, node)
    if nodes:
        await _find_contradictions(context, list(claims.values()), set(claims))
    return nodes


async def _link_claim(context: GraphContext, node: MemoryNode) -> None:
    """Link the memory with a claim, and mark for rerating whom that may corroborate.

    Of a claim that many memories assert, only those with a new origin are linked. More of the same cannot change a
    rating, and everybody who says "thank you" would become everybody's peer.
    """
    edges = await context.reader.find_edges_to(context.namespace, [node.id], "asserts")
    peers = sorted({edge.from_id for edge in edges} - {context.memory.id})
    origins = await _read_origins(context, [context.memory.id, *peers]) if peers else {}
    own = origins.get(context.memory.id, frozenset())
    is_new = not any(own <= origins[peer] for peer in peers)
    if len(peers) >= _MAX_PEERS and not is_new:
        return
    await context.save([context.make_edge(context.memory.id, "asserts", node.id)])
    independent = [peer for peer in peers if not own & origins[peer]]
    if independent:
        context.to_rerate.add(context.memory.id)
        await _link_supported(context, independent)
    if is_new:
        context.to_rerate.update(peers)


async def _link_supported(context: GraphContext, peers: list[str]) -> None:
    """Link the memory with earlier independent memories that it supports."""
    memories = await context.reader.find_memories(context.namespace, peers[:_MAX_PEERS])
    earlier = [memory for memory in memories.values() if memory.arrival < context.memory.arrival]
    earlier.sort(key=lambda memory: memory.arrival)
    await context.save([context.make_edge(context.memory.id, "supports", peer.id) for peer in earlier[:_MAX_SUPPORTED]])


def _resolve_names(context: GraphContext, claim: ParsedClaim) -> ParsedClaim:
    """Replace each name of the claim by the key of the entity that it means."""
    keys = context.entity_keys
    terms = frozenset(f"@{keys.get(term[1:], term[1:])}" if term.startswith("@") else term for term in claim.terms)
    return replace(claim, subject_key=keys.get(claim.subject_key, claim.subject_key), terms=terms)


def _make_claim_id(context: GraphContext, claim: ParsedClaim) -> str:
    return make_node_id(context.namespace, "claim", make_claim_key(claim))


def _make_node(context: GraphContext, node_id: str, claim: ParsedClaim) -> MemoryNode:
    when = claim.when
    is_event = when is not None and claim.kind not in ("copula", "state")
    kind: NodeKind = "event" if is_event else "claim"
    statement = " ".join(claim.span.slice(context.memory.content).split())
    return MemoryNode(
        id=node_id,
        namespace=context.namespace,
        kind=kind,
        name=statement[:MAX_NAME_CHARS] or claim.subject[:MAX_NAME_CHARS],
        dynamic_type=claim.verb,
        happened_at=when.to_iso() if when and _has_day(when) else None,
        precision=_get_precision(when),
        properties={"claim": to_json(claim)},
    )


def _has_day(when: TimeRange) -> bool:
    return when.start is not None and when.start.year is not None


def _get_precision(when: TimeRange | None) -> EventPrecision | None:
    return when.start.precision if when and when.start and _has_day(when) else None


async def _find_contradictions(context: GraphContext, claims: list[ParsedClaim], own_ids: set[str]) -> None:
    conflicts: dict[tuple[str, ContradictionNature], str] = {}
    for claim in claims:
        for node_id, other in (await _load_comparable(context, claim)).items():
            conflict = find_conflict(claim, other) if node_id not in own_ids else None
            if conflict is not None:
                conflicts[(node_id, conflict.nature)] = conflict.reason
    if conflicts:
        await _record_contradictions(context, conflicts)


async def _load_comparable(context: GraphContext, claim: ParsedClaim) -> dict[str, ParsedClaim]:
    """Return stored claims that may conflict with a claim, by the id of their node."""
    keys = sorted(map(fold_name, make_lookup_keys(claim)))
    if not keys:
        return {}
    rows = await context.writer.transaction.fetch(
        expand_in_list(_FIND_COMPARABLE, keys), (context.namespace, *keys, _MAX_COMPARED)
    )
    return {str(node_id): from_json(json.loads(str(properties))["claim"]) for node_id, properties in rows}


async def _record_contradictions(context: GraphContext, conflicts: dict[tuple[str, ContradictionNature], str]) -> None:
    """Record a contradiction with each memory that asserts a conflicting claim, one for each memory."""
    edges = await context.reader.find_edges_to(context.namespace, [node_id for node_id, _ in conflicts], "asserts")
    asserting = sorted({edge.from_id for edge in edges} - {context.memory.id})
    memories = await context.reader.find_memories(context.namespace, asserting)
    recorded: set[str] = set()
    for (node_id, nature), reason in conflicts.items():
        for other in [edge.from_id for edge in edges if edge.to_id == node_id][:_MAX_CONTRADICTIONS]:
            is_open = other in memories and memories[other].retired_at is None and other not in context.superseded
            if is_open and other not in recorded:
                recorded.add(other)
                chosen = await choose_nature(context, other) if nature == "factual_conflict" else nature
                await add_contradiction(context, other, chosen, reason)


async def add_contradiction(
    context: GraphContext, other: str, nature: ContradictionNature, reason: str, memory_id: str | None = None
) -> None:
    """Record that two memories cannot both be right, and mark both for rerating.

    The first one is the memory of the context unless `memory_id` names another.
    """
    memories = await context.reader.find_memories(context.namespace, [memory_id or context.memory.id, other])
    pair = sorted(memories.values(), key=lambda memory: -memory.arrival)
    if len(pair) < 2 or any(memory.retired_at for memory in pair):
        return
    later, earlier = pair[0].id, pair[1].id
    edge = context.make_edge(later, "contradicts", earlier, reason=reason)
    link = replace(edge, id=make_edge_id(later, earlier, "contradicts"), memory_id=later)
    await context.save([_make_contradiction(context, (later, earlier), nature), link])
    context.to_rerate |= {later, earlier}


async def choose_nature(context: GraphContext, other: str) -> ContradictionNature:
    """Return the nature of a conflict in fact: two known sources that share nothing disagree."""
    origins = await _read_origins(context, [context.memory.id, other])
    own, foreign = origins[context.memory.id], origins[other]
    disagree = UNSOURCED not in own | foreign and not own & foreign
    return "source_disagreement" if disagree else "factual_conflict"


async def _read_origins(context: GraphContext, ids: list[str]) -> dict[str, frozenset[str]]:
    """Return the lineages and the agent of each memory, or `UNSOURCED`."""
    sources = await context.reader.find_sources(ids)
    memories = await context.reader.find_memories(context.namespace, ids)
    origins = {}
    for memory_id, of_memory in sources.items():
        keys = {source.lineage for source in of_memory if source.lineage != UNSOURCED}
        if memory_id in memories and memories[memory_id].agent_id:
            keys.add(f"agent:{memories[memory_id].agent_id}")
        origins[memory_id] = frozenset(keys or {UNSOURCED})
    return origins


def _make_contradiction(context: GraphContext, pair: tuple[str, str], nature: ContradictionNature) -> Contradiction:
    return Contradiction(
        id=make_contradiction_id(context.namespace, *pair, nature),
        namespace=context.namespace,
        memory_id=pair[0],
        other_id=pair[1],
        nature=nature,
        detected_at=context.timestamp,
    )
