"""Which statements of the graph answer a question: about the things it names, of the kind it asks for, naming what it
names. This is decided by the graph; words and meaning then choose among what fits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sanya.suites.herbs.facts.fact import WARNINGS, Fact, Relation
from sanya.suites.herbs.graph.model import NodeType, strength_rank
from sanya.suites.herbs.questions.question import Asked, Intent
from sanya.suites.herbs.search.boosts import kin
from sanya.suites.herbs.search.index import Searchable
from sanya.suites.herbs.search.ranking import Ranked

_RELATIONS: dict[Intent, tuple[Relation, ...]] = {
    "safety": WARNINGS,
    "uses": ("treats",),
    "ingredients": ("made_of", "comes_as"),
    "constituents": ("contains",),
    "names": ("named",),
    "papers": ("mentioned_in",),
}
_LINKING: dict[NodeType, tuple[Relation, ...]] = {
    "drug": ("interacts_with",),
    "condition": ("contraindicated_in",),
    "indication": ("treats",),
    "constituent": ("contains",),
}
# Where nothing else tells statements apart: what it is, what it is for, what is against it.
_READING: dict[Relation, int] = {
    "named": 0,
    "treats": 1,
    "contraindicated_in": 2,
    "interacts_with": 2,
    "contains": 3,
    "made_of": 3,
    "comes_as": 4,
    "mentioned_in": 5,
    "text": 6,
}
# What is neither the thing named nor a medicine made of it alone.
_ANOTHER = 0.3
_ITS_MEDICINE = 0.7
# What the search found by words and meaning alone, without any name or link.
_UNLINKED = 0.6
_MOST = 24
_MOST_READ = 2
_LEAST_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an answer must be made of."""

    subjects: dict[str, float]
    """The herbs, formulations and papers that are named, with how sure that is."""
    relations: frozenset[Relation]
    objects: tuple[frozenset[str], ...]
    """For each drug, condition, use or constituent that is named, all that counts as it."""


@dataclass(frozen=True, slots=True)
class Fitting:
    fact: Fact
    fit: float
    """0 to 1."""


def wanted_of(searchable: Searchable, asked: Asked) -> Wanted:
    graph = searchable.graph
    subjects = {one: sure for one, sure in asked.named.items() if graph.nodes[one].type in ("herb", "formulation")}
    # Who asks for papers is not answered with what they are about.
    intents: Iterable[Intent] = ("papers",) if "papers" in asked.intents else asked.intents
    relations = {relation for intent in intents for relation in _RELATIONS.get(intent, ())}
    objects = []
    for mention in asked.mentions:
        linking = [one for one in mention.nodes if graph.nodes[one].type in _LINKING]
        if not linking:
            continue
        objects.append(frozenset(near for one in linking for near in kin(graph, one)))
        if not relations:
            relations = {relation for one in linking for relation in _LINKING[graph.nodes[one].type]}
    return Wanted(subjects, frozenset(relations), tuple(objects))


def fitting(searchable: Searchable, wanted: Wanted, hits: Sequence[Ranked]) -> list[Fitting]:
    """The best first; of equal ones the stronger warning, then by id. What was only read in a document comes behind
    all others and takes no other's place."""
    reach = _reach(wanted, hits)
    medicines = _medicines(searchable, wanted)
    found: dict[str, Fitting] = {}
    for subject, nearness in reach.items():
        near = max(nearness, _ITS_MEDICINE if subject in medicines else 0.0)
        for fact in searchable.facts.about(subject):
            if fact.subject in reach:
                fit = near * _of_relation(fact, wanted) * _of_objects(fact, wanted)
                if fact.id not in found or found[fact.id].fit < fit:
                    found[fact.id] = Fitting(fact, fit)
    ranked = sorted(found.values(), key=_order)
    known = [one for one in ranked if not one.fact.is_from_document]
    least = _LEAST_SHARE * known[0].fit if known else 0.0
    kept = [one for one in known if one.fit >= least][:_MOST]
    return kept + [one for one in ranked if one.fact.is_from_document][:_MOST_READ]


def _order(one: Fitting) -> tuple[float, int, int, str]:
    fact = one.fact
    return -round(one.fit, 6), _READING[fact.relation], -strength_rank(fact.strength), fact.id


def _reach(wanted: Wanted, hits: Sequence[Ranked]) -> dict[str, float]:
    """Whose statements may answer: what is named; where nothing is, what the search found, by its score."""
    best = max((hit.score for hit in hits), default=0.0) or 1.0
    share = _ANOTHER if wanted.subjects else 1.0
    found: dict[str, float] = {}
    for hit in hits:
        near = share * hit.score / best * (1.0 if hit.is_linked else _UNLINKED)
        found[hit.passage.about] = max(found.get(hit.passage.about, 0.0), near)
    return found | wanted.subjects


def _medicines(searchable: Searchable, wanted: Wanted) -> set[str]:
    """Medicines made of one of the named herbs alone."""
    nodes = searchable.graph.nodes.values()
    return {node.id for node in nodes if node.data.get("single_herb_id") in wanted.subjects}


def _of_relation(fact: Fact, wanted: Wanted) -> float:
    if not wanted.relations:
        return 0.6
    return 1.0 if fact.relation in wanted.relations else 0.15


def _of_objects(fact: Fact, wanted: Wanted) -> float:
    """The share of what is named that the statement is about. Of a paper only its words tell."""
    if not wanted.objects or fact.relation == "mentioned_in":
        return 1.0
    named = sum(1 for some in wanted.objects if not some.isdisjoint((fact.subject, *fact.objects)))
    return 0.2 + 0.8 * named / len(wanted.objects)
