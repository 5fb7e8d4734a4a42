"""What a memory claims, as nodes that all who say the same share, and whom it contradicts."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256

from sanya.kernel.sql import expand_in_list
from sanya.suites.memory.contradictions.detection import clash, kept_keys, sought_keys
from sanya.suites.memory.graph.claim_json import claim_key, from_json, to_json
from sanya.suites.memory.graph.context import LONGEST_NAME, Thread, names_of, node_id
from sanya.suites.memory.parsing.claims import Claim
from sanya.suites.memory.parsing.times import When
from sanya.suites.memory.ratings.provenance import UNSOURCED
from sanya.suites.memory.storage.records import Contradiction, Nature, Node, NodeKind, Precision, fold_name
from sanya.suites.memory.writes.sending import edge_id

_MOST_CLAIMS = 60
_MOST_COMPARED = 1000
_MOST_CONTRADICTIONS = 50
_MOST_PEERS = 8
_MOST_SUPPORTED = 5
_OTHERS = """
SELECT id, properties FROM memory_nodes
WHERE id IN (SELECT node_id FROM memory_names WHERE namespace = ? AND folded IN (:values)) LIMIT ?"""


async def weave_claims(thread: Thread) -> list[Node]:
    """The claim nodes of the memory. Whoever asserts the same claim is touched: that may corroborate."""
    claims = [_resolved(thread, one) for one in thread.reading.claims if one.modality == "asserted"][:_MOST_CLAIMS]
    nodes = {_claim_id(thread, one): one for one in claims}
    made = [_node(thread, identity, claim) for identity, claim in nodes.items()]
    for node in made:
        await thread.save([node, *names_of(node, kept_keys(nodes[node.id]))])
    for node in made:
        await _assert(thread, node)
    if made:
        await _contradict(thread, list(nodes.values()), set(nodes))
    return made


async def _assert(thread: Thread, node: Node) -> None:
    """Links the memory with its claim. Of a claim that many make, only new voices are added: no more of the same could
    change a rating, and everyone who says "thank you" would be everyone's peer."""
    edges = await thread.reader.edges_to(thread.namespace, [node.id], "asserts")
    peers = sorted({one.from_id for one in edges} - {thread.memory.id})
    voices = await _voices(thread, [thread.memory.id, *peers]) if peers else {}
    own = voices.get(thread.memory.id, frozenset())
    is_new = not any(own <= voices[one] for one in peers)
    if len(peers) >= _MOST_PEERS and not is_new:
        return
    await thread.save([thread.edge(thread.memory.id, "asserts", node.id)])
    independent = [one for one in peers if not own & voices[one]]
    if independent:
        thread.touched.add(thread.memory.id)
        await _support(thread, independent)
    if is_new:
        thread.touched.update(peers)


async def _support(thread: Thread, peers: list[str]) -> None:
    """A memory supports those that came before it and were said by others."""
    known = await thread.reader.memories(thread.namespace, peers[:_MOST_PEERS])
    earlier = sorted(
        (one for one in known.values() if one.arrival < thread.memory.arrival), key=lambda one: one.arrival
    )
    await thread.save([thread.edge(thread.memory.id, "supports", one.id) for one in earlier[:_MOST_SUPPORTED]])


def _resolved(thread: Thread, claim: Claim) -> Claim:
    """The claim with the entity's own key as its subject, by whatever name the memory calls it."""
    said = claim.said
    key = thread.keys.get(claim.subject_key, claim.subject_key)
    rest = frozenset(f"@{thread.keys.get(one[1:], one[1:])}" if one.startswith("@") else one for one in claim.rest)
    return replace(claim, subject_key=key, rest=rest, said=said)


def _claim_id(thread: Thread, claim: Claim) -> str:
    return node_id(thread.namespace, "claim", claim_key(claim))


def _node(thread: Thread, identity: str, claim: Claim) -> Node:
    when = claim.when
    happens = when is not None and claim.kind not in ("copula", "state")
    kind: NodeKind = "event" if happens else "claim"
    statement = " ".join(claim.span.of(thread.memory.content).split())
    return Node(
        id=identity,
        namespace=thread.namespace,
        kind=kind,
        name=statement[:LONGEST_NAME] or claim.subject[:LONGEST_NAME],
        dynamic_type=claim.verb,
        happened_at=when.iso() if when and _has_day(when) else None,
        precision=_precision(when),
        properties={"claim": to_json(claim)},
    )


def _has_day(when: When) -> bool:
    return when.start is not None and when.start.year is not None


def _precision(when: When | None) -> Precision | None:
    return when.start.precision if when and when.start and _has_day(when) else None


async def _contradict(thread: Thread, claims: list[Claim], own: set[str]) -> None:
    found: dict[tuple[str, Nature], str] = {}
    for claim in claims:
        for identity, other in (await _others(thread, claim)).items():
            clashing = clash(claim, other) if identity not in own else None
            if clashing is not None:
                found[(identity, clashing.nature)] = clashing.reason
    if found:
        await _record(thread, found)


async def _others(thread: Thread, claim: Claim) -> dict[str, Claim]:
    """The claims that could clash with one, by the id of their node."""
    sought = sorted(map(fold_name, sought_keys(claim)))
    if not sought:
        return {}
    rows = await thread.writer.transaction.fetch(
        expand_in_list(_OTHERS, sought), (thread.namespace, *sought, _MOST_COMPARED)
    )
    return {str(identity): from_json(json.loads(str(properties))["claim"]) for identity, properties in rows}


async def _record(thread: Thread, found: dict[tuple[str, Nature], str]) -> None:
    edges = await thread.reader.edges_to(thread.namespace, [identity for identity, _ in found], "asserts")
    memories = await thread.reader.memories(
        thread.namespace, sorted({one.from_id for one in edges} - {thread.memory.id})
    )
    voices = await _voices(thread, [thread.memory.id, *memories])
    known: set[str] = set()
    for (identity, nature), reason in found.items():
        for other in [one.from_id for one in edges if one.to_id == identity][:_MOST_CONTRADICTIONS]:
            if other in memories and memories[other].retired_at is None and other not in known:
                mine, theirs = voices[thread.memory.id], voices[other]
                disagree = nature == "factual_conflict" and UNSOURCED not in mine | theirs and not mine & theirs
                known.add(other)
                kept: Nature = "source_disagreement" if disagree else nature
                await contradict(thread, thread.memory.id, other, kept, reason)


async def contradict(thread: Thread, one: str, other: str, nature: Nature, reason: str) -> None:
    """Records that two memories cannot both be right; both may be worth less for it."""
    memories = await thread.reader.memories(thread.namespace, [one, other])
    pair = sorted(memories.values(), key=lambda memory: -memory.arrival)
    if len(pair) < 2 or any(memory.retired_at for memory in pair):
        return
    later, earlier = pair[0].id, pair[1].id
    edge = thread.edge(later, "contradicts", earlier, reason=reason)
    link = replace(edge, id=edge_id(later, earlier, "contradicts"), memory_id=later)
    await thread.save([_contradiction(thread, (later, earlier), nature), link])
    thread.touched |= {later, earlier}


async def _voices(thread: Thread, ids: list[str]) -> dict[str, frozenset[str]]:
    """What each memory goes back to: its sources and its agent, or nobody in particular."""
    sources = await thread.reader.sources_of(ids)
    memories = await thread.reader.memories(thread.namespace, ids)
    found = {}
    for one, some in sources.items():
        agent = memories[one].agent_id if one in memories else None
        keys = {source.lineage for source in some if source.lineage != UNSOURCED} | (
            {f"agent:{agent}"} if agent else set()
        )
        found[one] = frozenset(keys or {UNSOURCED})
    return found


def _contradiction(thread: Thread, pair: tuple[str, str], nature: Nature) -> Contradiction:
    named = "\n".join((thread.namespace, *pair, nature))
    return Contradiction(
        id="con_" + sha256(named.encode()).hexdigest()[:16],
        namespace=thread.namespace,
        memory_id=pair[0],
        other_id=pair[1],
        nature=nature,
        detected_at=thread.at,
    )
