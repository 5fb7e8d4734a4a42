"""Lines that say what is not on record for who takes it, so that silence is not taken for safety."""

from __future__ import annotations

from collections.abc import Iterable

from sanya.suites.herbs.answers.lines import AnswerLine, write_line
from sanya.suites.herbs.answers.materials import AnswerMaterials


def write_unknown_for(materials: AnswerMaterials, entities: Iterable[str]) -> list[AnswerLine]:
    """Return a line for each medicine, condition and age of the question that some of the entities have no record with.
    Entities that are warned with it are left to their warnings."""
    kept = list(dict.fromkeys(entities))
    objects = _drop_related(materials, (*materials.question.age_conditions, *materials.roles.checked))
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


def _drop_related(materials: AnswerMaterials, objects: Iterable[str]) -> list[str]:
    """Return the objects without those that an earlier one covers or is covered by: "2 years old" is a child too."""
    kept: list[str] = []
    related: set[str] = set()
    for object in dict.fromkeys(objects):
        expanded = materials.check.expand_object(materials.graph.nodes[object]).keys()
        if object not in related and not expanded & set(kept):
            kept.append(object)
            related |= expanded
    return kept
