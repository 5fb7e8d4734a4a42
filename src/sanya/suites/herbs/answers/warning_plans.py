"""Plans of answers about harm: a herb with a medicine or a condition, and the herbs that a person must leave alone.

Warnings come from the safety check, so an answer never says less than tool.find_contraindications.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sanya.suites.herbs.answers.lines import NO_PLAN, UNRECORDED, AnswerLine, AnswerPlan, quote, write_line
from sanya.suites.herbs.answers.materials import AnswerMaterials
from sanya.suites.herbs.answers.table_plans import list_content_words
from sanya.suites.herbs.facts.fact import HerbFact
from sanya.suites.herbs.graph.model import DOCUMENT, SUBJECT_TYPES, WARNING_EDGES
from sanya.suites.herbs.safety.severity import get_severity, rank_severity

_MAX_WARNINGS = 6
_MAX_WARNINGS_PER_OBJECT = 3
_MAX_GENERAL = 5
_MAX_LISTED = 8
# Where fewer warnings name the very thing, those about what covers it are one list with them.
_MIN_OWN = 3
_MIN_BEARING = 4


def plan_safety(materials: AnswerMaterials) -> AnswerPlan:
    """Plan the warnings for exactly what was asked; without a medicine or condition, the most severe ones."""
    asked = [(entity, object) for entity in materials.roles.subjects for object in materials.list_conditions(entity)]
    if not asked:
        return _plan_general(materials)
    warned: list[tuple[int, HerbFact]] = []
    silent: list[tuple[str, str]] = []
    for entity, object in asked:
        facts = materials.drop_same(materials.find_pair_warnings(entity, object))[:_MAX_WARNINGS_PER_OBJECT]
        warned += [(materials.rank_warning(entity, fact), fact) for fact in facts]
        if not facts:
            silent.append((entity, object))
    if not warned:
        return UNRECORDED
    ordered = [fact for _, fact in sorted(warned, key=lambda item: -item[0])]
    lines = quote(materials.drop_same(ordered))[:_MAX_WARNINGS]
    lines += _write_silent(materials, silent)
    return AnswerPlan(tuple(lines), 1.0, _list_bearing(materials), is_recorded_warning=True)


def _plan_general(materials: AnswerMaterials) -> AnswerPlan:
    lines: list[AnswerLine] = []
    for entity in materials.roles.subjects:
        facts = materials.find_main_warnings(entity, 1000)
        if facts:
            label = materials.get_label(entity)
            lines.append(write_line(materials.question.lang, "general_warnings", subject=label, total=len(facts)))
            lines += quote(facts[:_MAX_GENERAL])
    if not lines:
        return UNRECORDED
    if left := list_content_words(materials):
        # "Can I breastfeed on it?" is not answered by warnings about something else, so what was left is told.
        lines = [write_line(materials.question.lang, "not_considered", names=", ".join(left)), *lines]
    return AnswerPlan(tuple(lines), 1.0, _list_bearing(materials))


def _write_silent(materials: AnswerMaterials, silent: Sequence[tuple[str, str]]) -> list[AnswerLine]:
    """Say of each pair without a warning that none is on record, so that silence is not taken for safety."""
    return [
        write_line(
            materials.question.lang,
            "not_warned",
            subject=materials.get_label(entity),
            object=materials.get_label(object),
        )
        for entity, object in silent[:_MAX_GENERAL]
    ]


def _list_bearing(materials: AnswerMaterials) -> tuple[HerbFact, ...]:
    return tuple(
        fact
        for entity in materials.roles.subjects
        for fact in (
            *materials.find_main_warnings(entity, _MIN_BEARING),
            *materials.list_facts(entity, "named", "treats")[:_MIN_BEARING],
        )
    )


def plan_warned_list(materials: AnswerMaterials) -> AnswerPlan:
    """Plan the list of all herbs and formulations with a warning for a medicine or condition, most severe first."""
    asked = materials.roles.checked or tuple(
        id for complaint in materials.roles.complaints for id in complaint.conditions
    )
    if not asked:
        return NO_PLAN
    object_id = asked[0]
    ranked = _rank_warned(materials, _list_same(materials, object_id))
    if len(ranked) < _MIN_OWN:
        ranked = _rank_warned(materials, _list_covering(materials, object_id))
    if not ranked:
        return UNRECORDED
    lang = materials.question.lang
    label = materials.get_label(object_id)
    lines = [write_line(lang, "list", total=len(ranked), object=label)]
    lines += quote(fact for _, _, fact in ranked[:_MAX_LISTED])
    if rest := ranked[_MAX_LISTED:]:
        lines.append(write_line(lang, "list_rest", names=_join_names(materials, rest)))
    seen = {entity for _, entity, _ in ranked}
    wider = [item for item in _rank_warned(materials, _list_covering(materials, object_id)) if item[1] not in seen]
    if wider:
        lines.append(write_line(lang, "list_wider", total=len(wider), names=_join_names(materials, wider)))
    if rest or wider:
        lines.append(write_line(lang, "list_how"))
    bearing = [fact for _, entity, _ in ranked[:2] for fact in materials.find_main_warnings(entity, 3)]
    return AnswerPlan(tuple(lines), 1.0, tuple(bearing), is_recorded_warning=True)


def _join_names(materials: AnswerMaterials, ranked: Sequence[tuple[int, str, HerbFact]]) -> str:
    return ", ".join(dict.fromkeys(materials.get_label(entity) for _, entity, _ in ranked))


def _rank_warned(materials: AnswerMaterials, objects: Iterable[str]) -> list[tuple[int, str, HerbFact]]:
    """Return severity, entity and strongest own warning of each entity, the most severe first."""
    best: dict[str, tuple[int, str, HerbFact]] = {}
    for related in objects:
        for edge in materials.graph.get_edges(related):
            is_warning = edge.to_id == related and edge.type in WARNING_EDGES and edge.from_type in SUBJECT_TYPES
            if not is_warning or edge.basis == DOCUMENT or edge.data.get("finding") == "negative":
                continue
            fact = materials.indexed.facts.by_id.get(f"{edge.from_id}/{edge.fact}")
            rank = rank_severity(get_severity(edge))
            if fact is not None and (edge.from_id not in best or best[edge.from_id][0] < rank):
                best[edge.from_id] = (rank, edge.from_id, fact)
    return sorted(best.values(), key=lambda item: (-item[0], item[1]))


def _list_same(materials: AnswerMaterials, object_id: str) -> list[str]:
    """Return the object itself, and for a group that takes a medicine, the medicine."""
    takes = materials.graph.nodes[object_id].data.get("takes", ())
    return [object_id, *(str(drug) for drug in takes)]


def _list_covering(materials: AnswerMaterials, object_id: str) -> Iterable[str]:
    """Return the object and what covers it, but not what concerns anyone: everybody is warned of poisons."""
    related = materials.check.expand_object(materials.graph.nodes[object_id])
    return [id for id, relation in related.items() if relation not in ("anyone", "any_drug", "usual_drug", "narrower")]
