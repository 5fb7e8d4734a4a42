"""What a memory claims, as nodes that all who say the same share, and whom it contradicts."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256

from sanya.kernel.sql import expand_in_list
from sanya.suites.memory.contradictions.detection import find_conflict, make_lookup_keys, make_stored_keys
from sanya.suites.memory.graph.claim_json import from_json, make_claim_key, to_json
from sanya.suites.memory.graph.context import MAX_NAME_CHARS, GraphContext, make_node_id, make_node_names
from sanya.suites.memory.parsing.claims import ParsedClaim
from sanya.suites.memory.parsing.times import TimeRange
from sanya.suites.memory.ratings.provenance import UNSOURCED
from sanya.suites.memory.storage.records import (
    Contradiction,
    ContradictionNature,
    EventPrecision,
    MemoryNode,
    NodeKind,
    fold_name,
)
from sanya.suites.memory.writes.sending import make_edge_id

_MOST_CLAIMS = 60
_MOST_COMPARED = 1000
_MOST_CONTRADICTIONS = 50
_MOST_PEERS = 8
_MOST_SUPPORTED = 5
_OTHERS = """
SELECT id, properties FROM memory_nodes
WHERE id IN (SELECT node_id FROM memory_names WHERE namespace = ? AND folded IN (:values)) LIMIT ?"""


async def add_claims(thread: GraphContext) -> list[MemoryNode]:
    """The claim nodes of the memory. Whoever asserts the same claim is touched: that may corroborate."""
    claims = [_resolve_names(thread, one) for one in thread.parsed.claims if one.modality == "asserted"][:_MOST_CLAIMS]
    nodes = {_make_claim_id(thread, one): one for one in claims}
    made = [_make_node(thread, identity, claim) for identity, claim in nodes.items()]
    for node in made:
        await thread.save([node, *make_node_names(node, make_stored_keys(nodes[node.id]))])
    for node in made:
        await _link_claim(thread, node)
    if made:
        await _find_contradictions(thread, list(nodes.values()), set(nodes))
    return made


async def _link_claim(thread: GraphContext, node: MemoryNode) -> None:
    """Links the memory with its claim. Of a claim that many make, only new voices are added: no more of the same could
    change a rating, and everyone who says "thank you" would be everyone's peer."""
    edges = await thread.reader.find_edges_to(thread.namespace, [node.id], "asserts")
    peers = sorted({one.from_id for one in edges} - {thread.memory.id})
    voices = await _read_origins(thread, [thread.memory.id, *peers]) if peers else {}
    own = voices.get(thread.memory.id, frozenset())
    is_new = not any(own <= voices[one] for one in peers)
    if len(peers) >= _MOST_PEERS and not is_new:
        return
    await thread.save([thread.make_edge(thread.memory.id, "asserts", node.id)])
    independent = [one for one in peers if not own & voices[one]]
    if independent:
        thread.to_rerate.add(thread.memory.id)
        await _link_supported(thread, independent)
    if is_new:
        thread.to_rerate.update(peers)


async def _link_supported(thread: GraphContext, peers: list[str]) -> None:
    """A memory supports those that came before it and were said by others."""
    known = await thread.reader.find_memories(thread.namespace, peers[:_MOST_PEERS])
    earlier = sorted(
        (one for one in known.values() if one.arrival < thread.memory.arrival), key=lambda one: one.arrival
    )
    await thread.save([thread.make_edge(thread.memory.id, "supports", one.id) for one in earlier[:_MOST_SUPPORTED]])


def _resolve_names(context: GraphContext, claim: ParsedClaim) -> ParsedClaim:
    """Replace each name of the claim by the key of the entity that it means."""
    keys = context.entity_keys
    terms = frozenset(f"@{keys.get(term[1:], term[1:])}" if term.startswith("@") else term for term in claim.terms)
    return replace(claim, subject_key=keys.get(claim.subject_key, claim.subject_key), terms=terms)


def _make_claim_id(thread: GraphContext, claim: ParsedClaim) -> str:
    return make_node_id(thread.namespace, "claim", make_claim_key(claim))


def _make_node(thread: GraphContext, identity: str, claim: ParsedClaim) -> MemoryNode:
    when = claim.when
    happens = when is not None and claim.kind not in ("copula", "state")
    kind: NodeKind = "event" if happens else "claim"
    statement = " ".join(claim.span.slice(thread.memory.content).split())
    return MemoryNode(
        id=identity,
        namespace=thread.namespace,
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


async def _find_contradictions(thread: GraphContext, claims: list[ParsedClaim], own: set[str]) -> None:
    found: dict[tuple[str, ContradictionNature], str] = {}
    for claim in claims:
        for identity, other in (await _load_comparable(thread, claim)).items():
            clashing = find_conflict(claim, other) if identity not in own else None
            if clashing is not None:
                found[(identity, clashing.nature)] = clashing.reason
    if found:
        await _record_contradictions(thread, found)


async def _load_comparable(thread: GraphContext, claim: ParsedClaim) -> dict[str, ParsedClaim]:
    """The claims that could clash with one, by the id of their node."""
    sought = sorted(map(fold_name, make_lookup_keys(claim)))
    if not sought:
        return {}
    rows = await thread.writer.transaction.fetch(
        expand_in_list(_OTHERS, sought), (thread.namespace, *sought, _MOST_COMPARED)
    )
    return {str(identity): from_json(json.loads(str(properties))["claim"]) for identity, properties in rows}


async def _record_contradictions(thread: GraphContext, found: dict[tuple[str, ContradictionNature], str]) -> None:
    edges = await thread.reader.find_edges_to(thread.namespace, [identity for identity, _ in found], "asserts")
    memories = await thread.reader.find_memories(
        thread.namespace, sorted({one.from_id for one in edges} - {thread.memory.id})
    )
    voices = await _read_origins(thread, [thread.memory.id, *memories])
    known: set[str] = set()
    for (identity, nature), reason in found.items():
        for other in [one.from_id for one in edges if one.to_id == identity][:_MOST_CONTRADICTIONS]:
            if other in memories and memories[other].retired_at is None and other not in known:
                mine, theirs = voices[thread.memory.id], voices[other]
                disagree = nature == "factual_conflict" and UNSOURCED not in mine | theirs and not mine & theirs
                known.add(other)
                kept: ContradictionNature = "source_disagreement" if disagree else nature
                await add_contradiction(thread, thread.memory.id, other, kept, reason)


async def add_contradiction(
    thread: GraphContext, one: str, other: str, nature: ContradictionNature, reason: str
) -> None:
    """Records that two memories cannot both be right; both may be worth less for it."""
    memories = await thread.reader.find_memories(thread.namespace, [one, other])
    pair = sorted(memories.values(), key=lambda memory: -memory.arrival)
    if len(pair) < 2 or any(memory.retired_at for memory in pair):
        return
    later, earlier = pair[0].id, pair[1].id
    edge = thread.make_edge(later, "contradicts", earlier, reason=reason)
    link = replace(edge, id=make_edge_id(later, earlier, "contradicts"), memory_id=later)
    await thread.save([_make_contradiction(thread, (later, earlier), nature), link])
    thread.to_rerate |= {later, earlier}


async def _read_origins(thread: GraphContext, ids: list[str]) -> dict[str, frozenset[str]]:
    """What each memory goes back to: its sources and its agent, or nobody in particular."""
    sources = await thread.reader.find_sources(ids)
    memories = await thread.reader.find_memories(thread.namespace, ids)
    found = {}
    for one, some in sources.items():
        agent = memories[one].agent_id if one in memories else None
        keys = {source.lineage for source in some if source.lineage != UNSOURCED} | (
            {f"agent:{agent}"} if agent else set()
        )
        found[one] = frozenset(keys or {UNSOURCED})
    return found


def _make_contradiction(thread: GraphContext, pair: tuple[str, str], nature: ContradictionNature) -> Contradiction:
    named = "\n".join((thread.namespace, *pair, nature))
    return Contradiction(
        id="con_" + sha256(named.encode()).hexdigest()[:16],
        namespace=thread.namespace,
        memory_id=pair[0],
        other_id=pair[1],
        nature=nature,
        detected_at=thread.at,
    )
