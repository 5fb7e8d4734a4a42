"""Answers to questions: search hits, or a cited answer, in the shapes of the contracts."""

from __future__ import annotations

from dataclasses import dataclass

from sanya.kernel.call import Context
from sanya.suites.herbs.answers.citations import build_citation
from sanya.suites.herbs.answers.confidence import estimate_confidence
from sanya.suites.herbs.answers.contract import AnswerScores, RagAnswer, RagAnswerInput, SafetyNote
from sanya.suites.herbs.answers.draft import draft_answer
from sanya.suites.herbs.answers.gate import explain_withholding, find_failed_tests
from sanya.suites.herbs.answers.phrasing import Phraser, phrase_answer
from sanya.suites.herbs.graph.model import HerbGraph
from sanya.suites.herbs.questions.question import ParsedQuestion, parse_question
from sanya.suites.herbs.safety.contract import MAX_ENTITIES, FindContraindicationsInput
from sanya.suites.herbs.safety.notice import NOTICE
from sanya.suites.herbs.safety.tools import SafetyTools
from sanya.suites.herbs.search.contract import HerbSearchAnswer, HybridSearchInput
from sanya.suites.herbs.search.index import SearchIndex
from sanya.suites.herbs.search.ranking import search
from sanya.suites.herbs.search.result_shapes import build_hit_filter, format_ambiguous_names, format_hit

_MAX_SAFETY_RESULTS = 10


@dataclass(frozen=True, slots=True)
class QuestionService:
    index: SearchIndex
    safety: SafetyTools
    least_confidence: float
    phraser: Phraser | None = None

    async def search(self, request: HybridSearchInput, context: Context) -> HerbSearchAnswer:
        del context
        indexed = await self.index.prepare()
        question = parse_question(request.query, request.lang, indexed.graph, indexed.gazetteer)
        hits = await search(indexed, question, build_hit_filter(request.filters), request.top_k)
        return HerbSearchAnswer(
            hits=[format_hit(indexed, question, hit) for hit in hits],
            lang=question.lang,
            ambiguous=format_ambiguous_names(indexed.graph, question),
        )

    async def answer(self, request: RagAnswerInput, context: Context) -> RagAnswer:
        indexed = await self.index.prepare()
        question = parse_question(request.question, request.lang, indexed.graph, indexed.gazetteer)
        draft = await draft_answer(indexed, question, request.retrieval.top_k)
        scores = AnswerScores(
            retrieval=estimate_confidence("retrieval", draft.retrieval_features),
            answer_conf=estimate_confidence("answer", draft.features),
        )
        failed = find_failed_tests(draft.support, scores.answer_conf, self.least_confidence)
        text, phrased = "", False
        if not failed:
            spans = [fact.get_sentence(question.lang) for fact in draft.sentences]
            text, phrased, failed = await phrase_answer(self.phraser, question, spans, context.seed)
        return RagAnswer(
            answer=text,
            citations=[
                build_citation(indexed.graph, fact, question.lang, used=bool(text) and fact in draft.sentences)
                for fact in draft.cited
            ],
            scores=scores,
            withheld=explain_withholding(failed, draft.support, scores.answer_conf, self.least_confidence, question),
            safety=await self._check_safety(indexed.graph, question, context),
            ambiguous=format_ambiguous_names(indexed.graph, question),
            lang=question.lang,
            phrased=phrased,
            notice=NOTICE[question.lang],
        )

    async def _check_safety(self, graph: HerbGraph, question: ParsedQuestion, context: Context) -> SafetyNote | None:
        """Run the safety check for a question about safety. A name that means several species is not checked; the
        answer lists it in `ambiguous`."""
        if not question.is_about_safety:
            return None
        ambiguous = {node_id for mention in question.ambiguous for node_id in mention.nodes}
        herbs, formulations = (
            [node_id for node_id in question.list_named(graph, type) if node_id not in ambiguous][:MAX_ENTITIES]
            for type in ("herb", "formulation")
        )
        if not herbs and not formulations:
            return None
        page = await self.safety.find_contraindications(
            FindContraindicationsInput(
                herb_ids=herbs,
                formulation_ids=formulations,
                drugs=question.list_named(graph, "drug")[:MAX_ENTITIES],
                conditions=question.list_named(graph, "condition")[:MAX_ENTITIES],
                lang=question.lang,
                limit=_MAX_SAFETY_RESULTS,
            ),
            context,
        )
        return SafetyNote(results=page.results, total=page.total, coverage=page.coverage)
