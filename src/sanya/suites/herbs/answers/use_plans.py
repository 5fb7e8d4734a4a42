"""Plans of answers about benefit: what a herb is used for, and which herbs are used for a complaint.

A use comes with its main warnings. A herb that is warned with a medicine or condition of the question is not suggested.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from sanya.suites.herbs.answers.lines import UNCLEAR, UNRECORDED, AnswerLine, AnswerPlan, quote, write_line
from sanya.suites.herbs.answers.materials import AnswerMaterials
from sanya.suites.herbs.answers.record_gaps import is_about_asker, write_unknown_for
from sanya.suites.herbs.answers.table_plans import (
    find_assessments,
    is_about_topic,
    is_name_alone,
    list_content_words,
    plan_names,
)
from sanya.suites.herbs.facts.fact import HerbFact
from sanya.suites.herbs.questions.roles import Complaint
from sanya.suites.herbs.questions.wanted_benefits import is_for_unknown_benefit

_MAX_USES = 5
_MAX_SUGGESTED = 5
_MAX_LEFT_OUT = 4
_MAX_MAIN_WARNINGS = 3
# What was seen in animals or test tubes alone is told of a herb that is named, and never recommended.
_ANIMALS_ALONE = re.compile(
    r"\((?:evidence: )?(?:(?:animal (?:study|models?)|in vitro|in silico|network pharmacology|rats?|mice)[;, ]*)+\)"
)
# A use in a grave illness says nothing for anybody else: "pain in terminal cancer" is no remedy for a headache.
_GRAVE_ILLNESS = re.compile(r"cancer|chemotherapy|palliative|terminal|multiple sclerosis|\bHIV\b", re.IGNORECASE)
_FAVOURABLE = ("supports the use", "mixed")
_VERDICT_ORDER = ("supports the use", "mixed", "not enough", "speaks against")


def plan_uses(materials: AnswerMaterials) -> AnswerPlan:
    """Plan the uses of the named herbs, those for the complaint where one is named, with their main warnings."""
    subjects = materials.roles.subjects
    uses = [fact for subject in subjects for fact in _list_uses(materials, subject)]
    complaints = materials.roles.complaints
    if not complaints and "uses" not in materials.question.intents and list_content_words(materials):
        return UNCLEAR  # "Is senna habit forming?" is no question for its uses
    if not complaints and is_for_unknown_benefit(materials.question):
        return UNCLEAR
    if complaints:
        matched = [fact for fact in uses if any(not c.uses.isdisjoint(fact.objects) for c in complaints)]
        assessed = find_assessments(materials)
        if not matched and not assessed:
            return UNRECORDED
        uses = sorted([*matched, *assessed], key=lambda fact: not is_about_asker(materials, fact))
    if not uses:
        if complaints or "uses" in materials.question.intents:
            return UNRECORDED
        return plan_names(materials) if is_name_alone(materials) else UNCLEAR
    warnings = _list_main_warnings(materials, subjects, _MAX_MAIN_WARNINGS)
    use_lines = quote(materials.drop_same(_drop_repeated(uses))[:_MAX_USES])
    warning_lines = [write_line(materials.question.lang, "main_warnings"), *quote(warnings)] if warnings else []
    lines = [*warning_lines, *use_lines] if materials.question.is_about_safety else [*use_lines, *warning_lines]
    lines = [*write_unknown_for(materials, subjects, uses), *lines]
    bearing = [fact for subject in subjects for fact in materials.list_facts(subject, "named", "made_of", "contains")]
    return AnswerPlan(tuple(lines), 1.0 if complaints or "uses" in materials.question.intents else 0.8, tuple(bearing))


def plan_recommendation(materials: AnswerMaterials) -> AnswerPlan:
    """Plan the remedies on record for a complaint, each checked against all medicines and conditions named."""
    complaint = _join_complaints(materials.roles.complaints)
    everything = _rank_candidates(materials, complaint)
    allergens = [entity for entity, _ in everything if _is_allergen(materials, entity)]
    candidates = [item for item in everything if item[0] not in allergens]
    if not candidates:
        return _plan_allergens(materials, complaint, everything) if allergens else UNRECORDED
    found = {entity: _find_warnings(materials, entity) for entity, _ in candidates}
    suggested = _choose_suggested(candidates, found)
    kept = {entity for entity, _ in suggested}
    warned = {entity: [fact for fact, _ in facts] for entity, facts in found.items() if facts and entity not in kept}
    lang = materials.question.lang
    shown = [entity for entity, _ in suggested[:_MAX_SUGGESTED]]
    studied = {entity: _list_studied(materials, entity, complaint) for entity in shown}
    lines = quote(fact for facts in studied.values() for fact in facts)
    lines += write_unknown_for(materials, (entity for entity in shown if not studied[entity]))
    for entity, fact in suggested[:_MAX_SUGGESTED]:
        narrower = _write_narrower(materials, entity, (warning for warning, _ in found[entity]))
        lines += [*narrower, *quote([fact]), *_write_own_warning(materials, entity)]
    if suggested and len(candidates) > _MAX_SUGGESTED:
        lines.append(write_line(lang, "more_uses", shown=len(shown), total=len(candidates)))
    left_out = _write_left_out(materials, complaint, warned, is_all=not suggested)
    if allergens:
        left_out.append(write_line(lang, "allergens_left_out", names=", ".join(map(materials.get_label, allergens))))
    if suggested and len(warned) > len(suggested):
        # Where most are warned, the few of which nothing is on record are likely of the same kind: warnings come first.
        lines = [*left_out, write_line(lang, "few_left"), *lines]
    else:
        lines += left_out
    more = [fact for _, fact in suggested[_MAX_SUGGESTED : 2 * _MAX_SUGGESTED]]
    about = [fact for entity, _ in candidates[:2] for fact in _list_about(materials, entity)]
    return AnswerPlan(tuple(lines), 1.0, (*more, *about), is_recorded_warning=bool(warned) and not suggested)


def _plan_allergens(
    materials: AnswerMaterials, complaint: Complaint, left_out: Sequence[tuple[str, HerbFact]]
) -> AnswerPlan:
    """Plan the answer where all remedies on record are what the asker is allergic to, or contain it."""
    lang = materials.question.lang
    lines = (
        write_line(lang, "allergens_left_out", names=", ".join(materials.get_label(entity) for entity, _ in left_out)),
        write_line(lang, "allergens_alone", complaint=_name_complaint(materials, complaint)),
    )
    return AnswerPlan(lines, 1.0, tuple(fact for _, fact in left_out))


def _is_allergen(materials: AnswerMaterials, entity: str) -> bool:
    """Return whether a remedy is what the asker is allergic to, or is made of it."""
    herb = materials.graph.nodes[entity].data.get("single_herb_id")
    made_of = (id for fact in materials.list_facts(entity, "made_of") for id in fact.objects)
    return not {entity, herb, *made_of}.isdisjoint(materials.roles.allergens)


def _list_studied(materials: AnswerMaterials, entity: str, complaint: Complaint) -> list[HerbFact]:
    """Return what studies say of a remedy for the complaint in just those who ask: ginger for nausea in pregnancy."""
    herb = materials.graph.nodes[entity].data.get("single_herb_id")
    facts = [fact for id in (entity, *((herb,) if herb else ())) for fact in materials.list_facts(id, "assessed")]
    about = [fact for fact in facts if is_about_topic(materials, fact, complaint.nodes)]
    return [fact for fact in about if is_about_asker(materials, fact)]


def _choose_suggested(
    candidates: list[tuple[str, HerbFact]], found: Mapping[str, list[tuple[HerbFact, bool]]]
) -> list[tuple[str, HerbFact]]:
    """Return the remedies without a warning, then as many as there is room for that are warned for a narrower condition
    alone."""
    unwarned = [item for item in candidates if not found[item[0]]]
    narrower = [item for item in candidates if found[item[0]] and all(is_narrower for _, is_narrower in found[item[0]])]
    return [*unwarned, *narrower[: max(_MAX_SUGGESTED - len(unwarned), 0)]]


def _write_narrower(materials: AnswerMaterials, entity: str, warnings: Iterable[HerbFact]) -> list[AnswerLine]:
    """Return the warnings about narrower conditions than those asked for, before the remedy that they are about."""
    quoted = quote(warnings)
    label = materials.get_label(entity)
    return [write_line(materials.question.lang, "narrower", subject=label), *quoted] if quoted else []


def _write_own_warning(materials: AnswerMaterials, entity: str) -> list[AnswerLine]:
    """Return the main warning of a suggested remedy, after the name of the ingredient that it comes from."""
    facts = materials.find_main_warnings(entity, 1)
    # A medicine made of the herb alone is no ingredient of the herb.
    herb = materials.graph.nodes[entity].data.get("single_herb_id")
    same = (entity, herb, *materials.list_single_herb_medicines(entity))
    if not facts or facts[0].subject in same:
        return quote(facts)
    names = {"subject": materials.get_label(entity), "ingredient": materials.get_label(facts[0].subject)}
    return [write_line(materials.question.lang, "holds_warned", **names), *quote(facts)]


def _write_left_out(
    materials: AnswerMaterials, complaint: Complaint, warned: dict[str, list[HerbFact]], *, is_all: bool
) -> list[AnswerLine]:
    """Return the remedies that are not suggested, each with its strongest warning; of many, the rest by name."""
    if not warned:
        return []
    lang = materials.question.lang
    heading = "all_left_out" if is_all else "left_out"
    strongest = sorted(warned.items(), key=lambda item: -materials.rank_warning(item[0], item[1][0]))
    lines = [write_line(lang, heading, complaint=_name_complaint(materials, complaint))]
    lines += quote(facts[0] for _, facts in strongest[:_MAX_LEFT_OUT])
    if others := dict.fromkeys(materials.get_label(entity) for entity, _ in strongest[_MAX_LEFT_OUT:]):
        lines.append(write_line(lang, "also_left_out", names=", ".join(others)))
    return lines


def _list_uses(materials: AnswerMaterials, subject: str) -> list[HerbFact]:
    """Return the uses of a herb and of the medicines made of it alone, or of the herb of such a medicine."""
    others = materials.list_single_herb_medicines(subject)
    herb = materials.graph.nodes[subject].data.get("single_herb_id")
    ids = (subject, *others, *((herb,) if herb in materials.graph.nodes else ()))
    return [fact for id in dict.fromkeys(ids) for fact in materials.list_facts(id, "treats")]


def _list_about(materials: AnswerMaterials, entity: str) -> list[HerbFact]:
    return [*materials.find_main_warnings(entity, 3), *materials.list_facts(entity, "named", "treats")]


def _list_main_warnings(materials: AnswerMaterials, subjects: Iterable[str], limit: int) -> list[HerbFact]:
    return [fact for subject in subjects for fact in materials.find_main_warnings(subject, limit)][: 2 * limit]


def _drop_repeated(facts: Iterable[HerbFact]) -> list[HerbFact]:
    """Return the facts without those that say the same of the same subject under a neighbouring code."""
    seen: dict[str, HerbFact] = {}
    for fact in facts:
        seen.setdefault(fact.thai.split(" (")[0], fact)
    return list(seen.values())


def _join_complaints(complaints: Sequence[Complaint]) -> Complaint:
    """Return one complaint for all that the question names: a remedy for any of them is a candidate."""
    return Complaint(
        complaints[0].text,
        frozenset(use for complaint in complaints for use in complaint.uses),
        tuple(id for complaint in complaints for id in complaint.conditions),
        tuple(id for complaint in complaints for id in complaint.nodes),
    )


def _rank_candidates(materials: AnswerMaterials, complaint: Complaint) -> list[tuple[str, HerbFact]]:
    """Return each remedy for the complaint with its use: the better its evidence and its sources, the earlier."""
    found: dict[str, HerbFact] = {}
    for use in sorted(complaint.uses):
        for fact in materials.indexed.facts.by_object.get(use, ()):
            if fact.relation == "treats" and not fact.is_from_document and is_for_asker(materials, fact):
                found.setdefault(fact.subject, fact)
    if not found:
        found = {fact.subject: fact for fact in _list_favourable(materials, complaint)}

    def sort_key(item: tuple[str, HerbFact]) -> tuple[int, int, int, int, str]:
        entity, fact = item
        uses = {use for other in materials.list_facts(entity, "treats") for use in other.objects}
        matched = sum(not each.uses.isdisjoint(uses) for each in materials.roles.complaints)
        is_inexact = int(not set(complaint.nodes) & set(fact.objects))
        return -matched, is_inexact, _rank_evidence(materials, entity, complaint), -len(fact.sources), entity

    return sorted(found.items(), key=sort_key)


def _list_favourable(materials: AnswerMaterials, complaint: Complaint) -> list[HerbFact]:
    """Return what studies say for a complaint that no use is on record for, where they speak for the herb at all."""
    return [
        fact
        for fact in materials.indexed.facts.all
        if fact.relation == "assessed" and any(verdict in fact.english for verdict in _FAVOURABLE)
        if is_about_topic(materials, fact, complaint.nodes)
    ]


def is_for_asker(materials: AnswerMaterials, fact: HerbFact) -> bool:
    """Return whether a use may be suggested to who asks: seen in people, and in no grave illness that was not named."""
    named = " ".join(materials.graph.nodes[id].label_en or "" for id in materials.question.named)
    is_of_others = bool(_GRAVE_ILLNESS.search(fact.english)) and not _GRAVE_ILLNESS.search(named)
    return not is_of_others and not _ANIMALS_ALONE.search(fact.english)


def _rank_evidence(materials: AnswerMaterials, entity: str, complaint: Complaint) -> int:
    """Return 0 for a use that trials support, then mixed, then without trials, then uses that trials speak against."""
    for fact in materials.list_facts(entity, "assessed"):
        if not complaint.uses.isdisjoint(fact.objects):
            return next((at for at, verdict in enumerate(_VERDICT_ORDER) if verdict in fact.english), 2)
    return 2


def _find_warnings(materials: AnswerMaterials, entity: str) -> list[tuple[HerbFact, bool]]:
    """Return the warnings with what was asked, each with whether it is about a narrower condition alone."""
    return [
        (fact, materials.is_narrower(fact, object))
        for object in materials.list_conditions(entity)
        for fact in materials.find_pair_warnings(entity, object)
    ]


def _name_complaint(materials: AnswerMaterials, complaint: Complaint) -> str:
    """Return the name of the use that remedies were looked for: a condition beside it may be wider."""
    uses = [id for id in complaint.nodes if id in complaint.uses]
    return materials.get_label((uses or complaint.nodes)[0]) if complaint.nodes else complaint.text
