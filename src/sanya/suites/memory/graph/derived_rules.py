"""Rules: a causal claim that several memories make becomes a memory of its own, derived from theirs and never better
rated than they are. Its way back is on record: memories, the claim, the recurring concept, the rule."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

from sanya.suites.memory.graph.context import Thread, names_of, node_id
from sanya.suites.memory.ratings.rating import UNCORROBORATED, Rating, worst
from sanya.suites.memory.storage.records import Memory, Node, Provenance, Record, Relation
from sanya.suites.memory.writes.sending import edge_id

RULE = "Rule"
_CAUSAL = frozenset(("cause", "trigger", "lead", "result", "provok", "prevent"))
_LEAST = 2
MOST_RULES = 2
"""Of one memory."""
_MOST_BASIS = 50
# Memories are given; claims are read out of them, concepts are claims that recur, rules are made of concepts.
_DEPTH = 3


async def weave_rules(thread: Thread, claims: list[Node]) -> None:
    causal = [node for node in claims if _is_causal(node)]
    for node in causal[:MOST_RULES]:
        edges = await thread.reader.edges_to(thread.namespace, [node.id], "asserts")
        memories = await thread.reader.memories(thread.namespace, [edge.from_id for edge in edges])
        basis = sorted((one for one in memories.values() if one.retired_at is None), key=lambda one: one.arrival)
        if len(basis) >= _LEAST:
            await _rule(thread, node, basis[:_MOST_BASIS])


def _is_causal(node: Node) -> bool:
    claim = node.properties["claim"]
    return claim["verb"] in _CAUSAL and not claim.get("negated")


async def _rule(thread: Thread, claim: Node, basis: list[Memory]) -> None:
    concept = Node(
        id=node_id(thread.namespace, "concept", claim.id),
        namespace=thread.namespace,
        kind="concept",
        name=f"recurring: {claim.name}",
        properties={"claim": claim.id},
    )
    node = replace(concept, id=node_id(thread.namespace, "rule", claim.id), kind="rule", name=claim.name)
    rule = await _memory(thread, claim, basis)
    records: list[Record] = [concept, node, *names_of(concept, [f"concept:{claim.id}"])]
    records += [_own(thread, concept.id, "derived_from", claim.id), _own(thread, node.id, "derived_from", concept.id)]
    records.append(_own(thread, rule.id, "asserts", node.id))
    records += [_own(thread, rule.id, "derived_from", one.id) for one in basis]
    sources = await thread.reader.sources_of([one.id for one in basis])
    records += [Provenance(rule.id, source.id) for some in sources.values() for source in some]
    await thread.save(records)
    await thread.writer.put(rule)
    thread.touched.add(rule.id)


async def _memory(thread: Thread, claim: Node, basis: list[Memory]) -> Memory:
    key = "\n".join(("rule", thread.namespace, claim.id))
    identity = "mem_" + sha256(key.encode()).hexdigest()[:16]
    known = await thread.reader.memory(thread.namespace, identity)
    properties = {
        "derivation_depth": _DEPTH,
        "derivation_run_id": "run_" + sha256(f"{key}\n{basis[1].id}".encode()).hexdigest()[:16],
        "derived_from": [one.id for one in basis],
        "support": len(basis),
    }
    if known is not None:
        return replace(
            known,
            properties={**known.properties, **properties, "derivation_run_id": known.properties["derivation_run_id"]},
        )
    base = Rating(min(one.base.letter for one in basis), UNCORROBORATED)
    return Memory(
        id=identity,
        namespace=thread.namespace,
        arrival=thread.writer.next_arrival(),
        episode="rules",
        content=f"Causal rule from a recurring pattern (concept seen more than once): {claim.name}",
        rating=worst([base, *(one.rating for one in basis)]),
        base=base,
        type=RULE,
        properties=properties,
        created_at=thread.at,
        consolidated_at=thread.at,
    )


def _own(thread: Thread, source: str, relation: Relation, target: str) -> Record:
    """An edge of the rule's own, whichever of its memories was read last."""
    return replace(thread.edge(source, relation, target), id=edge_id(source, relation, target), memory_id=source)
