"""Drafting an answer: facts of the graph, quoted whole, and the features by which its confidence is estimated.

A question that was understood is answered by a plan for its kind. One that was not is answered, where the gate lets it
through, by the facts that fit the search hits best. What the question names and nobody knows vetoes any answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from sanya.suite.search import AnswerPassage, AnswerSentence, load_thai_stop_words
from sanya.suites.herbs.answers.confidence import (
    NO_ANSWER,
    AnswerFeatures,
    RetrievalFeatures,
    estimate_confidence,
    measure_known_share,
)
from sanya.suites.herbs.answers.corroboration import list_corroborations
from sanya.suites.herbs.answers.fact_selection import ScoredFact, derive_criteria, select_facts
from sanya.suites.herbs.answers.kept_medicines import write_kept_medicines
from sanya.suites.herbs.answers.kinds import AnswerKind, classify_question
from sanya.suites.herbs.answers.lines import (
    NO_PLAN,
    UNRECORDED,
    AnswerLine,
    AnswerPlan,
    drop_repeated_lines,
    write_line,
)
from sanya.suites.herbs.answers.materials import AnswerMaterials
from sanya.suites.herbs.answers.table_plans import (
    find_assessments,
    plan_containing,
    plan_contents,
    plan_dose,
    plan_evidence,
    plan_ingredients,
    plan_names,
    plan_parts,
)
from sanya.suites.herbs.answers.use_plans import plan_recommendation, plan_uses
from sanya.suites.herbs.answers.warning_plans import plan_safety, plan_warned_list
from sanya.suites.herbs.facts.fact import WARNING_RELATIONS, HerbFact
from sanya.suites.herbs.graph.model import rank_strength
from sanya.suites.herbs.questions.question import FRAME_WORDS, ParsedQuestion, strip_recognised_words
from sanya.suites.herbs.questions.roles import assign_roles
from sanya.suites.herbs.questions.unknown_names import is_ordinary
from sanya.suites.herbs.search.index import IndexedGraph
from sanya.suites.herbs.search.ranking import HitFilter, RankedHit, search

MIN_CITATIONS = 3
"""Fewer citations withhold an answer."""
_MAX_SENTENCES = 4
_MAX_WARNINGS = 6
_MAX_CITATIONS = 12
_WANTED_CITATIONS = 4
_MAX_HITS = 100
# A fact that fits less than this share of the best one is cited beside the answer, not quoted in it.
_MIN_FIT_SHARE = 0.75
_FIT_WEIGHT, _RELEVANCE_WEIGHT = 0.7, 0.3

_PLANNERS: Mapping[AnswerKind, Callable[[AnswerMaterials], AnswerPlan]] = {
    "dose": plan_dose,
    "evidence": plan_evidence,
    "parts": plan_parts,
    "ingredients": plan_ingredients,
    "containing": plan_containing,
    "constituents": lambda materials: plan_contents(materials, "contains"),
    "names": plan_names,
    "safety": plan_safety,
    "uses": plan_uses,
    "recommendation": plan_recommendation,
    "warned_list": plan_warned_list,
}

# These ask for contents and names, or look for warnings themselves.
_NEVER_ABOUT_HARM: tuple[AnswerKind, ...] = ("ingredients", "constituents", "parts", "names", "dose")


@dataclass(frozen=True, slots=True)
class AnswerDraft:
    """An answer before the gate."""

    kind: AnswerKind
    lines: tuple[AnswerLine, ...]
    """The lines that the answer says, in order: facts, and headings and counts of our own."""
    cited: tuple[HerbFact, ...]
    """The quoted facts, then further facts that bear on the question. Where they are few, the further publishers of the
    quoted ones."""
    hits: tuple[RankedHit, ...]
    retrieval_features: RetrievalFeatures
    features: AnswerFeatures
    is_recorded_warning: bool = False
    is_unrecorded: bool = False
    is_vetoed: bool = False
    """True where an unknown name stands in the place of what is asked about."""

    @property
    def sentences(self) -> tuple[HerbFact, ...]:
        """The facts that the answer quotes, in order."""
        return tuple(dict.fromkeys(line.fact for line in self.lines if line.fact is not None))

    @property
    def answer_conf(self) -> float:
        return estimate_confidence("answer", self.features, self.kind)

    @property
    def support(self) -> int:
        """The number of citations that count. Unreviewed statements of documents are shown, but do not count."""
        return sum(not fact.is_from_document for fact in self.cited)


async def draft_answer(indexed: IndexedGraph, question: ParsedQuestion, top_k: int) -> AnswerDraft:
    hits = await search(indexed, question, HitFilter(), _MAX_HITS)
    # Documents take their own places, so that they never push out a hit of the reviewed graph.
    known = [hit for hit in hits if not _is_from_document(hit)][:top_k]
    documents = [hit for hit in hits if _is_from_document(hit)][:top_k]
    return await draft_from_hits(indexed, question, known + documents)


async def draft_from_hits(indexed: IndexedGraph, question: ParsedQuestion, hits: Sequence[RankedHit]) -> AnswerDraft:
    materials = AnswerMaterials(indexed, question, assign_roles(indexed.graph, question))
    kind, plan = _choose_plan(materials)
    found = await _draft_from_search(indexed, question, hits)
    is_vetoed = _is_vetoed(question, kind, plan)
    if is_vetoed or kind in ("elsewhere", "no_herb") or plan.is_unrecorded or plan.is_unclear:
        return AnswerDraft(
            kind, (), found.cited, tuple(hits), found.retrieval, NO_ANSWER,
            is_unrecorded=plan.is_unrecorded, is_vetoed=is_vetoed,
        )  # fmt: skip
    if not plan.lines:
        # Words and vectors always find something near. Without a name or a complaint it answers another question.
        lines = tuple(AnswerLine(fact) for fact in found.quoted) if question.mentions else ()
        features = found.features if lines else NO_ANSWER
        return AnswerDraft("search", lines, found.cited, tuple(hits), found.retrieval, features)
    lines = (*_write_unrecognised(question), *write_kept_medicines(materials), *plan.lines)
    return AnswerDraft(
        kind,
        drop_repeated_lines(lines, question.lang),
        _list_cited(indexed, plan, found),
        tuple(hits),
        found.retrieval,
        _measure_plan(indexed, question, plan, found.retrieval),
        is_recorded_warning=plan.is_recorded_warning,
    )


def _is_vetoed(question: ParsedQuestion, kind: AnswerKind, plan: AnswerPlan) -> bool:
    """Return whether a name that nobody knows vetoes the answer. A use that the answer itself speaks of is known; a
    recorded warning for what was asked is said, unless the unknown name stands in the place of what is taken."""
    said = " ".join(f"{fact.english} {fact.thai}" for fact in plan.facts).casefold()
    unknown = [name for name in question.unrecognised if kind not in ("evidence", "uses") or name not in said]
    return bool(unknown) and (question.has_unknown_subject or not plan.is_recorded_warning)


def _choose_plan(materials: AnswerMaterials) -> tuple[AnswerKind, AnswerPlan]:
    """Return the kind of the question and its plan. A recorded warning for what was asked comes before anything
    else that the question asks."""
    kind = classify_question(materials.graph, materials.question, materials.roles)
    if kind not in _NEVER_ABOUT_HARM and any(map(materials.list_conditions, materials.roles.subjects)):
        safety = plan_safety(materials)
        if safety.is_recorded_warning and (kind != "evidence" or materials.roles.checked):
            has_studies = kind == "evidence" or (kind == "uses" and find_assessments(materials))
            return "safety", _add_papers(materials, safety) if has_studies else safety
    if kind == "together":
        return kind, UNRECORDED  # no table says how herbs go with one another
    planner = _PLANNERS.get(kind)
    plan = planner(materials) if planner else NO_PLAN
    if kind == "safety" and plan.is_unrecorded and materials.roles.complaints:
        return "uses", plan_uses(materials)  # which says that nothing is on record for who takes it
    return kind, plan


def _add_papers(materials: AnswerMaterials, safety: AnswerPlan) -> AnswerPlan:
    """Return the warnings with what studies say of the use behind them, for a question that asks for it."""
    evidence = plan_evidence(materials)
    return replace(safety, lines=(*safety.lines, *evidence.lines), bearing=(*safety.bearing, *evidence.bearing))


def _write_unrecognised(question: ParsedQuestion) -> list[AnswerLine]:
    names = ", ".join(question.unrecognised)
    return [write_line(question.lang, "not_recognised", names=names)] if names else []


def _list_cited(indexed: IndexedGraph, plan: AnswerPlan, found: _SearchDraft) -> tuple[HerbFact, ...]:
    """Return the quoted facts, then as many that bear on the question as a reader can use, then documents."""
    bearing = [fact for fact in plan.bearing if fact not in plan.facts]
    wanted = max(_WANTED_CITATIONS - len(plan.facts), 0)
    cited = (*plan.facts, *bearing[:wanted])
    if len(cited) < MIN_CITATIONS:
        cited += list_corroborations(indexed.graph, plan.facts)
    documents = tuple(fact for fact in found.cited if fact.is_from_document)
    return tuple(dict.fromkeys(cited))[: max(_MAX_CITATIONS, len(plan.facts))] + documents


def _measure_plan(
    indexed: IndexedGraph, question: ParsedQuestion, plan: AnswerPlan, retrieval: RetrievalFeatures
) -> AnswerFeatures:
    certainties = [question.named[mention.nodes[0]] for mention in question.mentions]
    texts = [text for fact in plan.facts for text in (fact.thai, fact.english)]
    return AnswerFeatures(
        fit=plan.fit,
        graph=retrieval.graph,
        relevance=0.0,
        known=_measure_known_words(indexed, question, texts),
        certainty=min(certainties, default=0.0),
        is_planned=1.0,
    )


@dataclass(frozen=True, slots=True)
class _SearchDraft:
    """The facts that words and vectors chose."""

    quoted: tuple[HerbFact, ...]
    cited: tuple[HerbFact, ...]
    retrieval: RetrievalFeatures
    features: AnswerFeatures


async def _draft_from_search(
    indexed: IndexedGraph, question: ParsedQuestion, hits: Sequence[RankedHit]
) -> _SearchDraft:
    selected = select_facts(indexed, derive_criteria(indexed, question), hits)
    known = [scored for scored in selected if not scored.fact.is_from_document]
    chosen = await _choose_sentences(indexed, question, known)
    ranked = _rank_facts(known, chosen)
    quoted = _choose_quoted(ranked, question)
    cited = tuple(dict.fromkeys([*quoted, *(scored.fact for scored in ranked)]))[:_MAX_CITATIONS]
    from_documents = tuple(scored.fact for scored in selected if scored.fact.is_from_document)
    known_hits = [hit for hit in hits if not _is_from_document(hit)]
    retrieval = _measure_retrieval(indexed, question, known_hits)
    features = _measure_found(indexed, question, quoted, chosen)
    best = max((scored.fit for scored in ranked), default=0.0)
    features = AnswerFeatures(best, retrieval.graph, features.relevance, features.known, features.certainty, 0.0)
    return _SearchDraft(quoted, cited + from_documents, retrieval, features if quoted else NO_ANSWER)


def _is_from_document(hit: RankedHit) -> bool:
    return all(fact.is_from_document for fact in hit.passage.facts)


async def _choose_sentences(
    indexed: IndexedGraph, question: ParsedQuestion, facts: Sequence[ScoredFact]
) -> dict[str, AnswerSentence]:
    """Return, by fact id, the sentences that the answer selector chose, each with its relevance to the question."""
    passages = [
        AnswerPassage(scored.fact.id, scored.fact.get_sentence(question.lang), scored.fit, whole=True)
        for scored in facts
    ]
    sentences = await indexed.library.answer_selector.choose(question.text, passages, limit=len(passages))
    return {sentence.passage_id: sentence for sentence in sentences}


def _rank_facts(facts: Sequence[ScoredFact], chosen: Mapping[str, AnswerSentence]) -> list[ScoredFact]:
    """Rank by fit and relevance. A fact that repeats a better one was not chosen, has no relevance and ranks behind."""

    def sort_key(scored: ScoredFact) -> tuple[float, int, str]:
        sentence = chosen.get(scored.fact.id)
        score = _FIT_WEIGHT * scored.fit + (_RELEVANCE_WEIGHT * sentence.relevance if sentence else 0.0)
        return -round(score, 6), -rank_strength(scored.fact.strength), scored.fact.id

    return sorted(facts, key=sort_key)


def _choose_quoted(ranked: Sequence[ScoredFact], question: ParsedQuestion) -> tuple[HerbFact, ...]:
    best_fit = max((scored.fit for scored in ranked), default=0.0)
    fitting = [scored.fact for scored in ranked if scored.fit >= _MIN_FIT_SHARE * best_fit]
    if question.is_about_safety and fitting and fitting[0].relation in WARNING_RELATIONS:
        # The strongest warning comes first: a reader who reads one line must have read that one.
        return tuple(sorted(fitting[:_MAX_WARNINGS], key=lambda fact: -rank_strength(fact.strength)))
    return tuple(fitting[:_MAX_SENTENCES])


def _measure_retrieval(indexed: IndexedGraph, question: ParsedQuestion, hits: Sequence[RankedHit]) -> RetrievalFeatures:
    if not hits:
        return RetrievalFeatures(0.0, 0.0, 0.0, 0.0)
    texts = [hit.passage.document.text for hit in hits]
    top = hits[0].parts
    return RetrievalFeatures(
        graph=max((min(1.0, hit.parts["graph"] * 3) for hit in hits if hit.is_linked), default=0.0),
        words=min(1.0, top["words"] * 3),
        meaning=min(1.0, max(hit.similarity for hit in hits)),
        known=_measure_known_words(indexed, question, texts),
    )


def _measure_found(
    indexed: IndexedGraph, question: ParsedQuestion, quoted: Sequence[HerbFact], chosen: Mapping[str, AnswerSentence]
) -> AnswerFeatures:
    sentences = [chosen[fact.id] for fact in quoted if fact.id in chosen]
    texts = [text for fact in quoted for text in (fact.thai, fact.english)]
    return AnswerFeatures(
        fit=0.0,
        graph=0.0,
        relevance=max((sentence.relevance for sentence in sentences), default=0.0),
        known=_measure_known_words(indexed, question, texts),
        certainty=max(question.named.values(), default=0.0),
        is_planned=0.0,
    )


def _measure_known_words(indexed: IndexedGraph, question: ParsedQuestion, texts: Sequence[str]) -> float:
    """Return the share of the question's content words that the texts hold."""
    ignored = load_thai_stop_words() | FRAME_WORDS
    rest = strip_recognised_words(question)
    words = indexed.library.reader.extract_words(rest)
    content_words = [word for word in words if word not in ignored and not is_ordinary(word)]
    # Most questions hold names alone; to read the texts for nothing would load the Thai dictionary.
    text_words = {word for text in texts for word in indexed.tokenize(text)} if content_words else ()
    return measure_known_share(content_words, text_words, has_names=bool(question.mentions))
