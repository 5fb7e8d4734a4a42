"""Derived rules: a causal claim that several memories assert becomes a memory of its own.

The rule is derived from those memories and never rated better than they are. Its derivation is stored as edges: from
the rule to the recurring concept, to the claim, and to the memories that assert it.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

from sanya.suites.memory.graph.context import GraphContext, make_node_names
from sanya.suites.memory.ratings.rating import UNCORROBORATED, Rating, combine_worst
from sanya.suites.memory.storage.identifiers import make_edge_id, make_memory_id, make_node_id
from sanya.suites.memory.storage.records import EdgeRelation, Memory, MemoryNode, MemoryRecord, Provenance

RULE_TYPE = "Rule"
MAX_RULES_PER_MEMORY = 2
_CAUSAL_VERBS = frozenset(("cause", "trigger", "lead", "result", "provok", "prevent"))
_MIN_SUPPORT = 2
_MAX_SUPPORT = 50
# Memory, claim, concept, rule: three steps of derivation.
_DEPTH = 3


async def derive_rules(context: GraphContext, claims: list[MemoryNode]) -> None:
    """Add or update a rule for each causal claim of the memory that enough memories assert."""
    causal = [node for node in claims if _is_causal(node)]
    for node in causal[:MAX_RULES_PER_MEMORY]:
        edges = await context.reader.find_edges_to(context.namespace, [node.id], "asserts")
        memories = await context.reader.find_memories(context.namespace, [edge.from_id for edge in edges])
        premises = [memory for memory in memories.values() if memory.retired_at is None]
        premises.sort(key=lambda memory: memory.arrival)
        if len(premises) >= _MIN_SUPPORT:
            await _add_rule(context, node, premises[:_MAX_SUPPORT])


def _is_causal(node: MemoryNode) -> bool:
    claim = node.properties["claim"]
    return claim["verb"] in _CAUSAL_VERBS and not claim.get("negated")


async def _add_rule(context: GraphContext, claim: MemoryNode, premises: list[Memory]) -> None:
    concept = MemoryNode(
        id=make_node_id(context.namespace, "concept", claim.id),
        namespace=context.namespace,
        kind="concept",
        name=f"recurring: {claim.name}",
        properties={"claim": claim.id},
    )
    node = replace(concept, id=make_node_id(context.namespace, "rule", claim.id), kind="rule", name=claim.name)
    rule = await _make_rule_memory(context, claim, premises)
    sources = await context.reader.find_sources([premise.id for premise in premises])
    records: list[MemoryRecord] = [
        concept,
        node,
        *make_node_names(concept, [f"concept:{claim.id}"]),
        _make_rule_edge(context, concept.id, "derived_from", claim.id),
        _make_rule_edge(context, node.id, "derived_from", concept.id),
        _make_rule_edge(context, rule.id, "asserts", node.id),
        *(_make_rule_edge(context, rule.id, "derived_from", premise.id) for premise in premises),
        *(Provenance(rule.id, source.id) for of_premise in sources.values() for source in of_premise),
    ]
    await context.save(records)
    await context.writer.put(rule)
    context.to_rerate.add(rule.id)


async def _make_rule_memory(context: GraphContext, claim: MemoryNode, premises: list[Memory]) -> Memory:
    key = "\n".join(("rule", context.namespace, claim.id))
    rule_id = make_memory_id(key)
    known = await context.reader.find_memory(context.namespace, rule_id)
    properties = {
        "derivation_depth": _DEPTH,
        "derivation_run_id": "run_" + sha256(f"{key}\n{premises[1].id}".encode()).hexdigest()[:16],
        "derived_from": [premise.id for premise in premises],
        "support": len(premises),
    }
    if known is not None:
        return replace(
            known,
            properties={**known.properties, **properties, "derivation_run_id": known.properties["derivation_run_id"]},
        )
    base = Rating(min(premise.base.letter for premise in premises), UNCORROBORATED)
    return Memory(
        id=rule_id,
        namespace=context.namespace,
        arrival=context.writer.take_arrival(),
        episode="rules",
        content=f"Causal rule from a recurring pattern (concept seen more than once): {claim.name}",
        rating=combine_worst([base, *(premise.rating for premise in premises)]),
        base=base,
        type=RULE_TYPE,
        properties=properties,
        created_at=context.timestamp,
        consolidated_at=context.timestamp,
    )


def _make_rule_edge(context: GraphContext, source: str, relation: EdgeRelation, target: str) -> MemoryRecord:
    """Return an edge that the rule states, so that it is the same whichever premise was consolidated last."""
    edge = context.make_edge(source, relation, target)
    return replace(edge, id=make_edge_id(source, relation, target), memory_id=source)
