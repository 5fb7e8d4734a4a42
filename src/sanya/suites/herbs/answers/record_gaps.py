"""Lines that say what is not on record for who takes it, so that silence is not taken for safety."""

from __future__ import annotations

from collections.abc import Iterable

from sanya.suites.herbs.answers.lines import AnswerLine, write_line
from sanya.suites.herbs.answers.materials import AnswerMaterials
from sanya.suites.herbs.facts.fact import HerbFact

_COVERS = ("itself", "class", "broader")
_MIN_NAME = 3


def write_unknown_for(
    materials: AnswerMaterials, entities: Iterable[str], quoted: Iterable[HerbFact] = ()
) -> list[AnswerLine]:
    """Return a line for each medicine, condition and age of the question that some of the entities have no record with.
    Entities that are warned with it are left to their warnings, and what a quoted fact speaks of is on record."""
    kept = list(dict.fromkeys(entities))
    facts = list(quoted)
    related = drop_related(materials, (*materials.question.age_conditions, *materials.roles.checked))
    objects = [object for object in related if not any(is_about_object(materials, fact, object) for fact in facts)]
    silent = {object: [id for id in kept if not materials.find_pair_warnings(id, object)] for object in objects}
    return [
        write_line(
            materials.question.lang,
            "unknown_for",
            names=", ".join(dict.fromkeys(map(materials.get_label, ids))),
            object=materials.get_label(object),
        )
        for object, ids in silent.items()
        if ids
    ]


def is_about_asker(materials: AnswerMaterials, fact: HerbFact) -> bool:
    """Return whether a fact speaks of a condition or an age of who takes the herb: "nausea in pregnancy"."""
    return any(is_about_object(materials, fact, id) for id in materials.roles.conditions)


def is_about_object(materials: AnswerMaterials, fact: HerbFact, object: str) -> bool:
    """Return whether the fact names the object or what covers it: "nausea in pregnancy" speaks of its first months."""
    text = f"{fact.english} {fact.thai}".casefold()
    phrases = materials.indexed.gazetteer.phrases_by_node
    related = materials.check.expand_object(materials.graph.nodes[object])
    covering = [id for id, kind in related.items() if kind in _COVERS]
    return any(len(name) > _MIN_NAME and name in text for id in covering for name in phrases.get(id, ()))


def drop_related(materials: AnswerMaterials, objects: Iterable[str]) -> list[str]:
    """Return the objects without those that an earlier one covers or is covered by: "2 years old" is a child too."""
    kept: list[str] = []
    related: set[str] = set()
    for object in dict.fromkeys(objects):
        expanded = materials.check.expand_object(materials.graph.nodes[object]).keys()
        if object not in related and not expanded & set(kept):
            kept.append(object)
            related |= expanded
    return kept
