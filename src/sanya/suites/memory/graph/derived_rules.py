"""Rules: a causal claim that several memories make becomes a memory of its own, derived from theirs and never better
rated than they are. Its way back is on record: memories, the claim, the recurring concept, the rule."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

from sanya.suites.memory.graph.context import GraphContext, make_node_id, make_node_names
from sanya.suites.memory.ratings.rating import UNCORROBORATED, Rating, combine_worst
from sanya.suites.memory.storage.records import EdgeRelation, Memory, MemoryNode, MemoryRecord, Provenance
from sanya.suites.memory.writes.sending import make_edge_id

RULE_TYPE = "Rule"
_CAUSAL = frozenset(("cause", "trigger", "lead", "result", "provok", "prevent"))
_LEAST = 2
MAX_RULES_PER_MEMORY = 2
"""Of one memory."""
_MOST_BASIS = 50
# Memories are given; claims are read out of them, concepts are claims that recur, rules are made of concepts.
_DEPTH = 3


async def derive_rules(thread: GraphContext, claims: list[MemoryNode]) -> None:
    causal = [node for node in claims if _is_causal(node)]
    for node in causal[:MAX_RULES_PER_MEMORY]:
        edges = await thread.reader.find_edges_to(thread.namespace, [node.id], "asserts")
        memories = await thread.reader.find_memories(thread.namespace, [edge.from_id for edge in edges])
        basis = sorted((one for one in memories.values() if one.retired_at is None), key=lambda one: one.arrival)
        if len(basis) >= _LEAST:
            await _add_rule(thread, node, basis[:_MOST_BASIS])


def _is_causal(node: MemoryNode) -> bool:
    claim = node.properties["claim"]
    return claim["verb"] in _CAUSAL and not claim.get("negated")


async def _add_rule(thread: GraphContext, claim: MemoryNode, basis: list[Memory]) -> None:
    concept = MemoryNode(
        id=make_node_id(thread.namespace, "concept", claim.id),
        namespace=thread.namespace,
        kind="concept",
        name=f"recurring: {claim.name}",
        properties={"claim": claim.id},
    )
    node = replace(concept, id=make_node_id(thread.namespace, "rule", claim.id), kind="rule", name=claim.name)
    rule = await _make_rule_memory(thread, claim, basis)
    records: list[MemoryRecord] = [concept, node, *make_node_names(concept, [f"concept:{claim.id}"])]
    records += [
        _make_rule_edge(thread, concept.id, "derived_from", claim.id),
        _make_rule_edge(thread, node.id, "derived_from", concept.id),
    ]
    records.append(_make_rule_edge(thread, rule.id, "asserts", node.id))
    records += [_make_rule_edge(thread, rule.id, "derived_from", one.id) for one in basis]
    sources = await thread.reader.find_sources([one.id for one in basis])
    records += [Provenance(rule.id, source.id) for some in sources.values() for source in some]
    await thread.save(records)
    await thread.writer.put(rule)
    thread.to_rerate.add(rule.id)


async def _make_rule_memory(thread: GraphContext, claim: MemoryNode, basis: list[Memory]) -> Memory:
    key = "\n".join(("rule", thread.namespace, claim.id))
    identity = "mem_" + sha256(key.encode()).hexdigest()[:16]
    known = await thread.reader.find_memory(thread.namespace, identity)
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
        arrival=thread.writer.take_arrival(),
        episode="rules",
        content=f"Causal rule from a recurring pattern (concept seen more than once): {claim.name}",
        rating=combine_worst([base, *(one.rating for one in basis)]),
        base=base,
        type=RULE_TYPE,
        properties=properties,
        created_at=thread.at,
        consolidated_at=thread.at,
    )


def _make_rule_edge(thread: GraphContext, source: str, relation: EdgeRelation, target: str) -> MemoryRecord:
    """An edge of the rule's own, whichever of its memories was read last."""
    return replace(
        thread.make_edge(source, relation, target), id=make_edge_id(source, relation, target), memory_id=source
    )
