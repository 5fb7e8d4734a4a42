"""Plans of answers about harm: a herb with a medicine or a condition, and the herbs that a person must leave alone.

Warnings come from the safety check, so an answer never says less than tool.find_contraindications.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sanya.suites.herbs.answers.lines import (
    NO_PLAN,
    UNCLEAR,
    UNRECORDED,
    AnswerLine,
    AnswerPlan,
    get_said,
    quote,
    write_line,
)
from sanya.suites.herbs.answers.materials import AnswerMaterials
from sanya.suites.herbs.answers.record_gaps import drop_related, is_about_object
from sanya.suites.herbs.answers.table_plans import is_name_alone, list_content_words
from sanya.suites.herbs.facts.fact import HerbFact
from sanya.suites.herbs.graph.model import DOCUMENT, SUBJECT_TYPES, WARNING_EDGES
from sanya.suites.herbs.safety.severity import get_severity, rank_severity

_MAX_WARNINGS = 6
_MAX_WARNINGS_PER_OBJECT = 3
_MAX_GENERAL = 5
_MAX_LISTED = 8
_MAX_LISTED_EACH = 5
# Where fewer warnings name the very thing, those about what covers it are one list with them.
_MIN_OWN = 3
_MIN_BEARING = 4
_TAKES = re.compile(
    r"(?:กิน|ใช้|ทาน|ฉีด)ยา(?:อยู่|ประจำ)|\b(?:on|taking|take) (?:my )?(?:meds|medication|medicines?|pills|tablets)\b"
)
_FOR_LIST = re.compile(
    r"อะไร|ไหน|ตัวใด|บ้าง|มั่ง|(?:กิน|ใช้|ทาน)(?:ยา)?สมุนไพร|\b(?:which|what|any|list|herbs|remedies)\b", re.IGNORECASE
)
_RankedWarning = tuple[int, str, HerbFact]
"""The rank of its severity, the herb or formulation, and the statement."""


def plan_safety(materials: AnswerMaterials) -> AnswerPlan:
    """Plan the warnings for exactly what was asked; without a medicine or condition, the most severe ones."""
    asked = [(entity, object) for entity in materials.roles.subjects for object in materials.list_conditions(entity)]
    if not asked:
        return _plan_general(materials)
    warned: list[tuple[int, bool, HerbFact]] = []
    silent: list[tuple[str, str]] = []
    for entity, object in asked:
        facts = materials.drop_same(materials.find_pair_warnings(entity, object))[:_MAX_WARNINGS_PER_OBJECT]
        warned += [
            (-materials.rank_warning(entity, fact), _is_indirect(materials, fact, object), fact) for fact in facts
        ]
        if not facts:
            silent.append((entity, object))
    if not warned:
        return _plan_group(materials, silent)
    ordered = [fact for _, _, fact in sorted(warned, key=lambda item: item[:2])]
    lines = quote(materials.drop_same(ordered))[:_MAX_WARNINGS]
    lines += _write_silent(materials, silent, ordered)
    return AnswerPlan(tuple(lines), 1.0, _list_bearing(materials), is_recorded_warning=True)


def _is_indirect(materials: AnswerMaterials, fact: HerbFact, object: str) -> bool:
    """Return whether a warning is about medicines that the asker may take or that an enzyme handles: it says less than
    one about the very medicine or condition, or its class."""
    related = materials.check.expand_object(materials.graph.nodes[object])
    kinds = {related.get(id) for id in fact.objects}
    is_of_enzyme = any(str(materials.graph.nodes[id].data.get("kind")).startswith("enzyme") for id in fact.objects)
    return is_of_enzyme or kinds <= {None, "usual_drug", "any_drug", "anyone"}


def _plan_group(materials: AnswerMaterials, silent: Sequence[tuple[str, str]]) -> AnswerPlan:
    """Plan the warnings about the group of what was asked, where none is about the very thing: nothing is on record of
    ginkgo with rivaroxaban, and with warfarin there is."""
    lines: list[AnswerLine] = []
    for object in dict.fromkeys(object for _, object in silent):
        found = {entity: materials.find_group_warnings(entity, object) for entity, other in silent if other == object}
        names = ", ".join(materials.get_label(entity) for entity, facts in found.items() if facts)
        if names:
            label = materials.get_label(object)
            lines.append(write_line(materials.question.lang, "group_warned", subject=names, object=label))
            lines += quote(fact for facts in found.values() for fact in facts[:_MAX_WARNINGS_PER_OBJECT])[
                :_MAX_WARNINGS
            ]
    return AnswerPlan(tuple(lines), 1.0, _list_bearing(materials)) if lines else UNRECORDED


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


def _write_silent(
    materials: AnswerMaterials, silent: Sequence[tuple[str, str]], quoted: Sequence[HerbFact]
) -> list[AnswerLine]:
    """Say of each pair without a warning that none is on record, so that silence is not taken for safety. What a quoted
    warning speaks of, or what a narrower name says already, is left out."""
    kept = set(drop_related(materials, dict.fromkeys(object for _, object in silent)))
    return [
        write_line(
            materials.question.lang,
            "not_warned",
            subject=materials.get_label(entity),
            object=materials.get_label(object),
        )
        for entity, object in silent[:_MAX_GENERAL]
        # of the complaint itself no warning is asked for
        if object in materials.roles.checked and object in kept
        if not any(is_about_object(materials, fact, object) for fact in quoted)
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
    """Plan the list of all herbs and formulations with a warning, for each medicine and condition of the question."""
    complained = _list_complained(materials)
    if not materials.roles.checked and not complained:
        return NO_PLAN
    if is_asking_what_suits(materials) and not (_is_for_list(materials) and is_name_alone(materials)):
        return UNCLEAR  # it asks about a product or a purpose that was not understood, and for no list of warnings
    # Of a diabetic who fears low sugar, nothing is on record about low sugar, and much about diabetes.
    found = (_build_lists(materials, asked) for asked in (materials.roles.checked, complained))
    lists = next((lists for lists in found if any(each.ranked for each in lists)), [])
    if not lists:
        return UNRECORDED
    lang = materials.question.lang
    lines: list[AnswerLine] = []
    if is_asking_what_suits(materials):
        names = ", ".join(materials.get_label(each.object_id) for each in lists)
        lines.append(write_line(lang, "none_known_safe", object=names))
    for each in lists:
        lines += _write_list(materials, each, lines, _MAX_LISTED if len(lists) == 1 else _MAX_LISTED_EACH)
    if any(each.wider or len(each.ranked) > _MAX_LISTED_EACH for each in lists):
        lines.append(write_line(lang, "list_how"))
    first = [entity for each in lists for _, entity, _ in each.ranked[:2]]
    bearing = [fact for entity in first for fact in materials.find_main_warnings(entity, 3)]
    return AnswerPlan(tuple(lines), 1.0, tuple(bearing), is_recorded_warning=True)


def _list_complained(materials: AnswerMaterials) -> tuple[str, ...]:
    """Return the conditions of the complaints, and what is usually taken for them where it is said to be taken."""
    own = [id for complaint in materials.roles.complaints for id in complaint.conditions]
    taken = [drug for id in own for drug in materials.graph.nodes[id].data.get("usually_takes", ())]
    known = [drug for drug in taken if drug in materials.graph.nodes] if _TAKES.search(materials.question.text) else []
    return (*known, *own)


def is_asking_what_suits(materials: AnswerMaterials) -> bool:
    """Return whether the question asks what may be taken, rather than what to leave alone."""
    intents = materials.question.intents
    return "allowed" in intents and "avoid" not in intents


def _is_for_list(materials: AnswerMaterials) -> bool:
    """Return whether the question asks for several herbs, rather than whether something may be taken."""
    return bool(_FOR_LIST.search(materials.question.text))


@dataclass(frozen=True, slots=True)
class _WarnedList:
    """The herbs warned with an object, most severe first, and those warned with the groups that it belongs to."""

    object_id: str
    ranked: list[_RankedWarning]
    wider: list[_RankedWarning]


def _build_lists(materials: AnswerMaterials, asked: Iterable[str]) -> list[_WarnedList]:
    """Return a list for each object. Beside a medicine the words for its class say no more: "ยาโรคหัวใจดิจอกซิน"."""
    medicines_first = sorted(asked, key=lambda id: materials.graph.nodes[id].data.get("kind") != "drug")
    return [_build_list(materials, object_id) for object_id in drop_related(materials, medicines_first)]


def _build_list(materials: AnswerMaterials, object_id: str) -> _WarnedList:
    covering = _rank_warned(materials, _list_covering(materials, object_id))
    ranked = _rank_warned(materials, _list_same(materials, object_id))
    if len(ranked) < _MIN_OWN:
        ranked = covering
    seen = {entity for _, entity, _ in ranked}
    return _WarnedList(object_id, ranked, [item for item in covering if item[1] not in seen])


def _write_list(
    materials: AnswerMaterials, warned: _WarnedList, earlier: Sequence[AnswerLine], limit: int
) -> list[AnswerLine]:
    """Return the lines of one list. What an earlier list quoted is told by name."""
    lang, label = materials.question.lang, materials.get_label(warned.object_id)
    if not warned.ranked:
        return [write_line(lang, "list_none", object=label)]
    said = {get_said(line, lang) for line in earlier}
    above = [item for item in warned.ranked if get_said(AnswerLine(item[2]), lang) in said]
    new = [item for item in warned.ranked if item not in above]
    lines = [write_line(lang, "list", total=len(warned.ranked), object=label)]
    if above:
        lines.append(write_line(lang, "list_above", names=_join_names(materials, above)))
    lines += quote(fact for _, _, fact in new[:limit])
    if rest := new[limit:]:
        lines.append(write_line(lang, "list_rest", names=_join_names(materials, rest)))
    if wider := warned.wider:
        lines.append(write_line(lang, "list_wider", total=len(wider), names=_join_names(materials, wider)))
    return lines


def _join_names(materials: AnswerMaterials, ranked: Sequence[_RankedWarning]) -> str:
    return ", ".join(dict.fromkeys(materials.get_label(entity) for _, entity, _ in ranked))


def _rank_warned(materials: AnswerMaterials, objects: Iterable[str]) -> list[_RankedWarning]:
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
