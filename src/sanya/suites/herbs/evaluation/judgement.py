"""Judging one question: which hits are relevant, whether the draft states a reference fact, whether it could do harm,
and whether each of its sentences is supported."""

from __future__ import annotations

from dataclasses import dataclass

from sanya.suites.herbs.answers.draft import AnswerDraft, draft_from_hits
from sanya.suites.herbs.answers.gate import GateNumbers, find_failed_tests
from sanya.suites.herbs.answers.materials import AnswerMaterials
from sanya.suites.herbs.answers.phrasing import quote_lines
from sanya.suites.herbs.answers.use_plans import is_for_asker
from sanya.suites.herbs.evaluation.fact_checking import CheckedSentence, check_answer
from sanya.suites.herbs.evaluation.question_set import ANYTHING, EvaluationQuestion, ReferenceFact
from sanya.suites.herbs.facts.fact import WARNING_RELATIONS, HerbFact
from sanya.suites.herbs.graph.hierarchy import list_related_nodes
from sanya.suites.herbs.questions.question import parse_question
from sanya.suites.herbs.questions.roles import assign_roles
from sanya.suites.herbs.search.index import IndexedGraph
from sanya.suites.herbs.search.ranking import HitFilter, search

_ANSWER_HITS = 5
_WARNS = "warns"
# A list of what to avoid names several herbs.
_MIN_LISTED = 3


@dataclass(frozen=True, slots=True)
class Judgement:
    question: EvaluationQuestion
    hit_ids: tuple[str, ...]
    """The ids of the hits, best first."""
    drafted: AnswerDraft
    right: bool
    """True where the draft states a reference fact; without a reference fact no answer is right."""
    sentences: tuple[CheckedSentence, ...]
    """The checked sentences of the draft, given or withheld."""
    is_dangerous: bool = False
    """True where the draft suggests a herb that is warned with what was asked, or leaves out the warning asked for."""

    @property
    def supported_sentences(self) -> tuple[bool, ...]:
        return tuple(sentence.is_supported for sentence in self.sentences)

    @property
    def has_relevant_hit(self) -> bool:
        about = {hit.passage.about for hit in self.drafted.hits}
        return not self.question.relevant.isdisjoint(about)

    @property
    def answer_conf(self) -> float:
        return self.drafted.answer_conf

    def is_withheld(self, least_confidence: float) -> bool:
        numbers = GateNumbers(self.drafted.support, self.answer_conf, least_confidence)
        return bool(find_failed_tests(self.drafted, numbers))


async def judge(indexed: IndexedGraph, question: EvaluationQuestion, k: int = 10) -> Judgement:
    parsed = parse_question(question.text, question.language, indexed.graph, indexed.gazetteer)
    hits = await search(indexed, parsed, HitFilter(), max(k, _ANSWER_HITS))
    drafted = await draft_from_hits(indexed, parsed, hits[:_ANSWER_HITS])
    # No model phrases the text, even where one is configured: a model need not write the same twice.
    text = quote_lines([line for line in drafted.lines if line.fact is not None], parsed.lang)
    sentences = check_answer(indexed, text, drafted.sentences, parsed.lang)
    materials = AnswerMaterials(indexed, parsed, assign_roles(indexed.graph, parsed))
    is_dangerous = _is_dangerous(materials, question, drafted)
    is_stated = any(_is_stated(materials, drafted, reference) for reference in question.facts)
    right = (is_stated or _is_all_warned(materials, question, drafted)) and not is_dangerous
    return Judgement(question, tuple(hit.unit for hit in hits[:k]), drafted, right, sentences, is_dangerous)


def _is_stated(materials: AnswerMaterials, draft: AnswerDraft, reference: ReferenceFact) -> bool:
    if reference.relation == _WARNS:
        return _is_warning_first(materials, draft, reference)
    return any(_is_match(materials, fact, reference) for fact in draft.sentences)


def _is_match(materials: AnswerMaterials, fact: HerbFact, reference: ReferenceFact) -> bool:
    # The dose of a medicine that consists of the herb alone is the dose of the herb.
    is_dose = fact.relation == "dosed" and reference.subject in fact.objects
    if fact.relation != reference.relation or not (reference.subject in (ANYTHING, fact.subject) or is_dose):
        return False
    if reference.object == ANYTHING:
        return True
    node = materials.graph.nodes.get(reference.object)
    wanted = set(list_related_nodes(materials.graph, node.id)) if node else set()
    if wanted & set(fact.objects) or reference.object in fact.objects:
        return True
    return reference.object.casefold() in f"{fact.english} {fact.thai} {' '.join(fact.objects)}".casefold()


def _is_warning_first(materials: AnswerMaterials, draft: AnswerDraft, reference: ReferenceFact) -> bool:
    """Return whether the answer begins with a warning for the pair, or lists those who are warned."""
    facts = draft.sentences
    if not facts or facts[0].relation not in WARNING_RELATIONS:
        return False
    if reference.subject == ANYTHING:
        related = materials.check.expand_object(materials.graph.nodes[reference.object])
        listed = {fact.subject for fact in facts if not related.keys().isdisjoint(fact.objects)}
        return len(listed) >= min(_MIN_LISTED, _count_warned(materials, reference.object))
    if reference.object == ANYTHING:
        return facts[0] in materials.find_main_warnings(reference.subject, 1000)
    return facts[0] in materials.find_pair_warnings(reference.subject, reference.object)


def _count_warned(materials: AnswerMaterials, object_id: str) -> int:
    facts = materials.indexed.facts.by_object.get(object_id, ())
    return max(len({fact.subject for fact in facts if fact.relation in WARNING_RELATIONS}), 1)


def _is_dangerous(materials: AnswerMaterials, question: EvaluationQuestion, draft: AnswerDraft) -> bool:
    facts = draft.sentences
    if not facts:
        return False
    if any(reference.relation == _WARNS for reference in question.facts):
        return facts[0].relation not in WARNING_RELATIONS
    suggested = {fact.subject for fact in facts if fact.relation in ("treats", "assessed")}
    return any(
        fact not in facts or not materials.is_narrower(fact, object)
        for entity in suggested
        for object in question.under
        for fact in materials.find_pair_warnings(entity, object)
    )


def _is_all_warned(materials: AnswerMaterials, question: EvaluationQuestion, draft: AnswerDraft) -> bool:
    """Return whether the answer suggests nothing because everything on record for the complaint is warned."""
    if not question.under or not draft.sentences:
        return False
    candidates = [
        fact.subject
        for reference in question.facts
        if reference.relation == "treats" and reference.object in materials.graph.nodes
        for use in list_related_nodes(materials.graph, reference.object)
        for fact in materials.indexed.facts.by_object.get(use, ())
        if fact.relation == "treats" and is_for_asker(materials, fact)
    ]
    is_warned = all(
        any(materials.find_pair_warnings(entity, object) for object in question.under) for entity in candidates
    )
    return is_warned and all(fact.relation in WARNING_RELATIONS for fact in draft.sentences)
