"""Plans of answers about benefit: what a herb is used for, and which herbs are used for a complaint.

A use comes with its main warnings. A herb that is warned with a medicine or condition of the question is not suggested.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from sanya.suites.herbs.answers.lines import UNCLEAR, UNRECORDED, AnswerPlan, quote, write_line
from sanya.suites.herbs.answers.materials import AnswerMaterials
from sanya.suites.herbs.answers.record_gaps import write_unknown_for
from sanya.suites.herbs.answers.table_plans import find_assessments, list_content_words, plan_names
from sanya.suites.herbs.facts.fact import HerbFact
from sanya.suites.herbs.questions.roles import Complaint

_MAX_USES = 5
_MAX_SUGGESTED = 5
_MAX_LEFT_OUT = 4
_MAX_MAIN_WARNINGS = 3
# What was seen in animals or test tubes alone is told of a herb that is named, and never recommended.
_ANIMALS_ALONE = re.compile(
    r"\(evidence: (?:animal study|in vitro|animal study; in vitro)\)|\((?:animal models?|in vitro)\)"
)
_VERDICT_ORDER = ("supports the use", "mixed", "not enough", "speaks against")


def plan_uses(materials: AnswerMaterials) -> AnswerPlan:
    """Plan the uses of the named herbs, those for the complaint where one is named, with their main warnings."""
    subjects = materials.roles.subjects
    uses = [fact for subject in subjects for fact in _list_uses(materials, subject)]
    complaints = materials.roles.complaints
    if not complaints and "uses" not in materials.question.intents and list_content_words(materials):
        return UNCLEAR  # "Is senna habit forming?" is no question for its uses
    if complaints:
        matched = [fact for fact in uses if any(not c.uses.isdisjoint(fact.objects) for c in complaints)]
        assessed = find_assessments(materials)
        if not matched and not assessed:
            return UNRECORDED
        uses = [*assessed, *matched] if assessed and not matched else [*matched, *assessed]
    if not uses:
        return UNRECORDED if complaints or "uses" in materials.question.intents else plan_names(materials)
    warnings = _list_main_warnings(materials, subjects, _MAX_MAIN_WARNINGS)
    use_lines = quote(materials.drop_same(_drop_repeated(uses))[:_MAX_USES])
    warning_lines = [write_line(materials.question.lang, "main_warnings"), *quote(warnings)] if warnings else []
    lines = [*warning_lines, *use_lines] if materials.question.is_about_safety else [*use_lines, *warning_lines]
    lines = [*write_unknown_for(materials, subjects), *lines]
    bearing = [fact for subject in subjects for fact in materials.list_facts(subject, "named", "made_of", "contains")]
    return AnswerPlan(tuple(lines), 1.0 if complaints or "uses" in materials.question.intents else 0.8, tuple(bearing))


def plan_recommendation(materials: AnswerMaterials) -> AnswerPlan:
    """Plan the remedies on record for a complaint, each checked against all medicines and conditions named."""
    complaint = _join_complaints(materials.roles.complaints)
    candidates = _rank_candidates(materials, complaint)
    if not candidates:
        return UNRECORDED
    warned = {entity: facts for entity, _ in candidates if (facts := _find_warnings(materials, entity))}
    suggested = [(entity, fact) for entity, fact in candidates if entity not in warned]
    lang = materials.question.lang
    lines = write_unknown_for(materials, (entity for entity, _ in suggested[:_MAX_SUGGESTED]))
    for entity, fact in suggested[:_MAX_SUGGESTED]:
        lines += quote([fact, *materials.find_main_warnings(entity, 1)])
    if suggested and len(candidates) > _MAX_SUGGESTED:
        shown = min(len(suggested), _MAX_SUGGESTED)
        lines.append(write_line(lang, "more_uses", shown=shown, total=len(candidates)))
    if warned:
        heading = "left_out" if suggested else "all_left_out"
        lines.append(write_line(lang, heading, complaint=_name_complaint(materials, complaint)))
        strongest = sorted(warned.items(), key=lambda item: -materials.rank_warning(item[0], item[1][0]))
        lines += quote(facts[0] for _, facts in strongest[:_MAX_LEFT_OUT])
    more = [fact for _, fact in suggested[_MAX_SUGGESTED : 2 * _MAX_SUGGESTED]]
    about = [fact for entity, _ in candidates[:2] for fact in _list_about(materials, entity)]
    return AnswerPlan(tuple(lines), 1.0, (*more, *about), is_recorded_warning=bool(warned) and not suggested)


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
            if fact.relation == "treats" and not fact.is_from_document and not _ANIMALS_ALONE.search(fact.english):
                found.setdefault(fact.subject, fact)

    def sort_key(item: tuple[str, HerbFact]) -> tuple[int, int, int, int, str]:
        entity, fact = item
        uses = {use for other in materials.list_facts(entity, "treats") for use in other.objects}
        matched = sum(not each.uses.isdisjoint(uses) for each in materials.roles.complaints)
        is_inexact = int(not set(complaint.nodes) & set(fact.objects))
        return -matched, is_inexact, _rank_evidence(materials, entity, complaint), -len(fact.sources), entity

    return sorted(found.items(), key=sort_key)


def _rank_evidence(materials: AnswerMaterials, entity: str, complaint: Complaint) -> int:
    """Return 0 for a use that trials support, then mixed, then without trials, then uses that trials speak against."""
    for fact in materials.list_facts(entity, "assessed"):
        if not complaint.uses.isdisjoint(fact.objects):
            return next((at for at, verdict in enumerate(_VERDICT_ORDER) if verdict in fact.english), 2)
    return 2


def _find_warnings(materials: AnswerMaterials, entity: str) -> list[HerbFact]:
    return [
        fact for object in materials.list_conditions(entity) for fact in materials.find_pair_warnings(entity, object)
    ]


def _name_complaint(materials: AnswerMaterials, complaint: Complaint) -> str:
    return materials.get_label(complaint.nodes[0]) if complaint.nodes else complaint.text
