"""Selection of the facts that answer a question: about the nodes it names, of the relation it asks for.

The graph decides which facts fit; words and vectors only choose among those. The fit of a fact is the product of three
numbers between 0 and 1: how near its subject is to the question, whether its relation is one asked for, and how many of
the named drugs, conditions, uses and constituents it is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sanya.suites.herbs.facts.fact import WARNING_RELATIONS, FactRelation, HerbFact
from sanya.suites.herbs.graph.hierarchy import list_related_nodes
from sanya.suites.herbs.graph.model import SUBJECT_TYPES, NodeType, rank_strength
from sanya.suites.herbs.questions.question import Intent, ParsedQuestion
from sanya.suites.herbs.search.index import IndexedGraph
from sanya.suites.herbs.search.ranking import RankedHit

_INTENT_RELATIONS: dict[Intent, tuple[FactRelation, ...]] = {
    "safety": WARNING_RELATIONS,
    "uses": ("treats",),
    "ingredients": ("made_of", "comes_as"),
    "constituents": ("contains",),
    "names": ("named",),
    "papers": ("mentioned_in",),
}
_OBJECT_RELATIONS: dict[NodeType, tuple[FactRelation, ...]] = {
    "drug": ("interacts_with",),
    "condition": ("contraindicated_in",),
    "indication": ("treats",),
    "constituent": ("contains",),
}
# The order of facts that fit equally well: what it is, what it is for, what speaks against it, what is in it.
_RELATION_ORDER: dict[FactRelation, int] = {
    "named": 0,
    "treats": 1,
    "contraindicated_in": 2,
    "interacts_with": 2,
    "contains": 3,
    "made_of": 3,
    "comes_as": 4,
    "mentioned_in": 5,
    "assessed": 5,
    "dosed": 5,
    "text": 6,
}
# Nearness of a subject that is neither named nor a medicine made of a named herb alone.
_OTHER_SUBJECT = 0.3
_SINGLE_HERB_MEDICINE = 0.7
# Discount of a hit that the search found by words and vectors alone, without any name or link.
_UNLINKED_DISCOUNT = 0.6
_OTHER_RELATION = 0.15
_UNKNOWN_RELATION = 0.6
_NO_OBJECT_NAMED = 0.2
_MAX_FACTS = 24
_MAX_DOCUMENT_FACTS = 2
_MIN_SHARE_OF_BEST = 0.1


@dataclass(frozen=True, slots=True)
class FactCriteria:
    """The subjects, relations and objects that a question asks for."""

    subjects: dict[str, float]
    """The herbs and formulations that are named, with the certainty of that."""
    relations: frozenset[FactRelation]
    objects: tuple[frozenset[str], ...]
    """For each named drug, condition, use or constituent: all nodes that count as it."""


@dataclass(frozen=True, slots=True)
class ScoredFact:
    fact: HerbFact
    fit: float
    """0 to 1."""


def derive_criteria(indexed: IndexedGraph, question: ParsedQuestion) -> FactCriteria:
    graph = indexed.graph
    subjects = {
        node_id: certainty
        for node_id, certainty in question.named.items()
        if graph.nodes[node_id].type in SUBJECT_TYPES
    }
    # A question for papers is not answered with what the papers are about.
    intents: Iterable[Intent] = ("papers",) if "papers" in question.intents else question.intents
    relations = {relation for intent in intents for relation in _INTENT_RELATIONS.get(intent, ())}
    objects = []
    for mention in question.mentions:
        named = [node_id for node_id in mention.nodes if graph.nodes[node_id].type in _OBJECT_RELATIONS]
        if not named:
            continue
        objects.append(frozenset(related for node_id in named for related in list_related_nodes(graph, node_id)))
        if not relations:
            relations = {relation for node_id in named for relation in _OBJECT_RELATIONS[graph.nodes[node_id].type]}
    return FactCriteria(subjects, frozenset(relations), tuple(objects))


def select_facts(indexed: IndexedGraph, criteria: FactCriteria, hits: Sequence[RankedHit]) -> list[ScoredFact]:
    """Return the best facts first. Facts from documents come last and take no other fact's place."""
    nearness = _measure_nearness(criteria, hits)
    medicines = _list_single_herb_medicines(indexed, criteria)
    scored: dict[str, ScoredFact] = {}
    for subject, near in nearness.items():
        subject_near = max(near, _SINGLE_HERB_MEDICINE if subject in medicines else 0.0)
        for fact in indexed.facts.list_about(subject):
            if fact.subject in nearness:
                fit = subject_near * _fit_relation(fact, criteria) * _fit_objects(fact, criteria)
                if fact.id not in scored or scored[fact.id].fit < fit:
                    scored[fact.id] = ScoredFact(fact, fit)
    ranked = sorted(scored.values(), key=_build_sort_key)
    known = [candidate for candidate in ranked if not candidate.fact.is_from_document]
    min_fit = _MIN_SHARE_OF_BEST * known[0].fit if known else 0.0
    selected = [candidate for candidate in known if candidate.fit >= min_fit][:_MAX_FACTS]
    return selected + [candidate for candidate in ranked if candidate.fact.is_from_document][:_MAX_DOCUMENT_FACTS]


def _build_sort_key(scored: ScoredFact) -> tuple[float, int, int, str]:
    fact = scored.fact
    return -round(scored.fit, 6), _RELATION_ORDER[fact.relation], -rank_strength(fact.strength), fact.id


def _measure_nearness(criteria: FactCriteria, hits: Sequence[RankedHit]) -> dict[str, float]:
    """Return the subjects whose facts may answer: those named, and what the search found, by its score."""
    best = max((hit.score for hit in hits), default=0.0) or 1.0
    share = _OTHER_SUBJECT if criteria.subjects else 1.0
    nearness: dict[str, float] = {}
    for hit in hits:
        near = share * hit.score / best * (1.0 if hit.is_linked else _UNLINKED_DISCOUNT)
        nearness[hit.passage.about] = max(nearness.get(hit.passage.about, 0.0), near)
    return nearness | criteria.subjects


def _list_single_herb_medicines(indexed: IndexedGraph, criteria: FactCriteria) -> set[str]:
    """Return the medicines that are made of one named herb alone."""
    nodes = indexed.graph.nodes.values()
    return {node.id for node in nodes if node.data.get("single_herb_id") in criteria.subjects}


def _fit_relation(fact: HerbFact, criteria: FactCriteria) -> float:
    if not criteria.relations:
        return _UNKNOWN_RELATION
    return 1.0 if fact.relation in criteria.relations else _OTHER_RELATION


def _fit_objects(fact: HerbFact, criteria: FactCriteria) -> float:
    """Score the share of the named objects that the fact is about. A paper states nothing, so it always fits."""
    if not criteria.objects or fact.relation == "mentioned_in":
        return 1.0
    named = sum(1 for nodes in criteria.objects if not nodes.isdisjoint((fact.subject, *fact.objects)))
    return _NO_OBJECT_NAMED + (1 - _NO_OBJECT_NAMED) * named / len(criteria.objects)
