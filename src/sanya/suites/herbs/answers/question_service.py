"""Answers to questions: search hits, or a cited answer, in the shapes of the contracts."""

from __future__ import annotations

from dataclasses import dataclass

from sanya.suite import Context
from sanya.suites.herbs.answers.citations import build_citation, shorten_citations
from sanya.suites.herbs.answers.confidence import estimate_confidence
from sanya.suites.herbs.answers.contract import AnswerScores, RagAnswer, RagAnswerInput, SafetyNote
from sanya.suites.herbs.answers.draft import draft_answer
from sanya.suites.herbs.answers.gate import GateNumbers, explain_withholding, find_failed_tests
from sanya.suites.herbs.answers.materials import AnswerMaterials
from sanya.suites.herbs.answers.phrasing import Phraser, phrase_answer
from sanya.suites.herbs.answers.possible_meanings import list_possible_meanings
from sanya.suites.herbs.answers.stored_papers import add_stored_papers
from sanya.suites.herbs.questions.question import ParsedQuestion, parse_question
from sanya.suites.herbs.questions.roles import assign_roles
from sanya.suites.herbs.safety.contract import MAX_ENTITIES, FindContraindicationsInput
from sanya.suites.herbs.safety.notice import NOTICE
from sanya.suites.herbs.safety.tools import SafetyTools
from sanya.suites.herbs.search.contract import HerbSearchAnswer, HybridSearchInput
from sanya.suites.herbs.search.index import IndexedGraph, SearchIndex
from sanya.suites.herbs.search.ranking import search
from sanya.suites.herbs.search.result_shapes import (
    build_hit_filter,
    build_search_note,
    format_ambiguous_names,
    format_hit,
)

_MAX_SAFETY_RESULTS = 10


@dataclass(frozen=True, slots=True)
class QuestionService:
    index: SearchIndex
    safety: SafetyTools
    least_confidence: float
    phraser: Phraser | None = None

    async def search(self, request: HybridSearchInput, context: Context) -> HerbSearchAnswer:
        indexed = await self.index.prepare()
        question = parse_question(request.query, request.lang, indexed.graph, indexed.gazetteer)
        hits = await search(indexed, question, build_hit_filter(request.filters), request.top_k)
        context.note("search", build_search_note(indexed, question, hits))
        shown = [format_hit(indexed, question, hit) for hit in hits]
        context.cite(indexed.graph.list_pmids(hit.source for hit in shown))
        return HerbSearchAnswer(
            hits=shown,
            lang=question.lang,
            ambiguous=format_ambiguous_names(indexed.graph, question.ambiguous, question.lang),
        )

    async def answer(self, request: RagAnswerInput, context: Context) -> RagAnswer:
        indexed = await self.index.prepare()
        question = parse_question(request.question, request.lang, indexed.graph, indexed.gazetteer)
        if indexed.library.words_only:
            context.note("search", indexed.library.words_only.build_note(question.lang))
        draft = await draft_answer(indexed, question, request.retrieval.top_k)
        scores = AnswerScores(
            retrieval=estimate_confidence("retrieval", draft.retrieval_features),
            answer_conf=draft.answer_conf,
        )
        numbers = GateNumbers(draft.support, scores.answer_conf, self.least_confidence)
        failed = find_failed_tests(draft, numbers)
        unclear = await list_possible_meanings(self.safety.store, question)
        meanings = format_ambiguous_names(indexed.graph, unclear, question.lang)
        text, phrased = "", False
        if not failed:
            text, phrased, failed = await phrase_answer(self.phraser, question, draft.lines, context.seed)
        citations = [
            build_citation(indexed.graph, fact, question.lang, used=bool(text) and fact in draft.sentences)
            for fact in draft.cited
        ]
        if draft.kind == "evidence" or question.intents & {"evidence", "papers"}:
            reader = self.safety.store.read_paper
            citations = await add_stored_papers(citations, indexed.graph, reader, context.caller)
        context.cite(indexed.graph.list_pmids(source.id for citation in citations for source in citation.sources))
        return RagAnswer(
            answer=text,
            citations=citations if text else shorten_citations(citations),
            scores=scores,
            withheld=explain_withholding(failed, draft, numbers, question, meanings),
            safety=await self._check_safety(indexed, question, context),
            ambiguous=format_ambiguous_names(indexed.graph, question.ambiguous, question.lang) + meanings,
            lang=question.lang,
            phrased=phrased,
            notice=NOTICE[question.lang],
            unrecognised=list(question.unrecognised) if draft.is_vetoed or text else [],
        )

    async def _check_safety(
        self, indexed: IndexedGraph, question: ParsedQuestion, context: Context
    ) -> SafetyNote | None:
        """Run the safety check for a question about safety, or one that names a medicine, a condition or an age. A
        name that means several species is checked as each of them; the answer lists it in `ambiguous`."""
        graph, roles = indexed.graph, assign_roles(indexed.graph, question)
        materials = AnswerMaterials(indexed, question, roles)
        asked = dict.fromkeys(id for subject in roles.subjects for id in materials.list_conditions(subject))
        if not roles.subjects or not (question.is_about_safety or asked):
            return None
        herbs, formulations = (
            [id for id in roles.subjects if graph.nodes[id].type == type][:MAX_ENTITIES]
            for type in ("herb", "formulation")
        )
        page = await self.safety.find_contraindications(
            FindContraindicationsInput(
                herb_ids=herbs,
                formulation_ids=formulations,
                drugs=[id for id in asked if graph.nodes[id].type == "drug"][:MAX_ENTITIES],
                conditions=[id for id in asked if graph.nodes[id].type == "condition"][:MAX_ENTITIES],
                lang=question.lang,
                limit=_MAX_SAFETY_RESULTS,
            ),
            context,
        )
        return SafetyNote(results=page.results, total=page.total, coverage=page.coverage)
