"""Where questions are answered: a question in, hits or a cited answer out, in the shapes of the contract."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from sanya.kernel.call import Context
from sanya.kernel.faults import InvalidArgument
from sanya.suites.herbs.answers.confidence import confidence
from sanya.suites.herbs.answers.contract import Citation, CitedSource, RagAnswer, RagAnswerInput, SafetyNote, Scores
from sanya.suites.herbs.answers.draft import draft
from sanya.suites.herbs.answers.gate import failed_tests, withheld
from sanya.suites.herbs.answers.phrasing import Phraser, phrase
from sanya.suites.herbs.contract import Candidate
from sanya.suites.herbs.facts import sentences
from sanya.suites.herbs.facts.fact import Fact
from sanya.suites.herbs.graph.model import Graph, Node
from sanya.suites.herbs.questions.question import Asked, understand
from sanya.suites.herbs.safety.contract import FindContraindicationsInput
from sanya.suites.herbs.safety.tools import NOTICE, SafetyTools
from sanya.suites.herbs.search.contract import (
    AmbiguousName,
    HitType,
    HybridSearchInput,
    ScoreParts,
    SearchAnswer,
    SearchFilters,
    SearchHit,
)
from sanya.suites.herbs.search.index import Searchable, SearchIndex
from sanya.suites.herbs.search.ranking import Narrowing, Ranked, search
from sanya.suites.herbs.search.snippets import best_fact, snippet

_SAFETY_RESULTS = 10
_CHECKED_AT_ONCE = 20


@dataclass(frozen=True, slots=True)
class Desk:
    index: SearchIndex
    safety: SafetyTools
    least_confidence: float
    phraser: Phraser | None = None

    async def search(self, request: HybridSearchInput, context: Context) -> SearchAnswer:
        del context
        searchable = await self.index.ready()
        asked = understand(request.query, request.lang, searchable.graph, searchable.gazetteer)
        hits = await search(searchable, asked, _narrowing(request.filters), request.top_k)
        return SearchAnswer(
            hits=[_hit(searchable, asked, hit) for hit in hits],
            lang=asked.lang,
            ambiguous=_ambiguous(searchable.graph, asked),
        )

    async def answer(self, request: RagAnswerInput, context: Context) -> RagAnswer:
        searchable = await self.index.ready()
        asked = understand(request.question, request.lang, searchable.graph, searchable.gazetteer)
        drafted = await draft(searchable, asked, request.retrieval.top_k)
        scores = Scores(
            retrieval=confidence("retrieval", drafted.retrieval), answer_conf=confidence("answer", drafted.signs)
        )
        tests = failed_tests(drafted.support, scores.answer_conf, self.least_confidence)
        text, phrased = "", False
        if not tests:
            said = [fact.said_in(asked.lang) for fact in drafted.said]
            text, phrased, tests = await phrase(self.phraser, asked, said, context.seed)
        return RagAnswer(
            answer=text,
            citations=[
                _citation(searchable.graph, asked, fact, bool(text) and fact in drafted.said) for fact in drafted.cited
            ],
            scores=scores,
            withheld=withheld(tests, drafted.support, scores.answer_conf, self.least_confidence, asked),
            safety=await self._safety(searchable.graph, asked, context) if asked.is_about_safety else None,
            ambiguous=_ambiguous(searchable.graph, asked),
            lang=asked.lang,
            phrased=phrased,
            notice=NOTICE[asked.lang],
        )

    async def _safety(self, graph: Graph, asked: Asked, context: Context) -> SafetyNote | None:
        """What find_contraindications knows of what is named. It does not guess either: a name that means several
        species is left to `ambiguous`."""
        unsure = {node for one in asked.ambiguous for node in one.nodes}
        herbs, formulations = (
            [one for one in asked.of_types(graph, kind) if one not in unsure][:_CHECKED_AT_ONCE]
            for kind in ("herb", "formulation")
        )
        if not herbs and not formulations:
            return None
        found = await self.safety.find_contraindications(
            FindContraindicationsInput(
                herb_ids=herbs,
                formulation_ids=formulations,
                drugs=asked.of_types(graph, "drug")[:_CHECKED_AT_ONCE],
                conditions=asked.of_types(graph, "condition")[:_CHECKED_AT_ONCE],
                lang=asked.lang,
                limit=_SAFETY_RESULTS,
            ),
            context,
        )
        return SafetyNote(results=found.results, total=found.total, coverage=found.coverage)


def _narrowing(filters: SearchFilters | None) -> Narrowing:
    if filters is None:
        return Narrowing()
    if filters.year_from is not None and filters.year_to is not None and filters.year_from > filters.year_to:
        raise InvalidArgument("filters.year_from lies after filters.year_to", field="filters.year_from")
    return Narrowing(
        types=tuple(filters.types or ()),
        ids=tuple(filters.ids or ()),
        sources=tuple(filters.sources or ()),
        review=tuple(filters.review or ()),
        year_from=filters.year_from,
        year_to=filters.year_to,
    )


def _hit(searchable: Searchable, asked: Asked, hit: Ranked) -> SearchHit:
    fact = best_fact(searchable, asked, hit)
    node = searchable.graph.nodes[hit.passage.about]
    return SearchHit(
        id=hit.unit,
        type=cast(HitType, hit.passage.type),
        title=node.label_in(asked.lang),
        snippet=snippet(fact, hit.passage.lang),
        score=hit.score,
        source=next(iter(fact.sources), ""),
        uri=uri_of(node),
        about=node.id,
        matched_lang=hit.passage.lang,
        score_parts=ScoreParts(**hit.parts),
        reasons=list(hit.reasons),
    )


def _citation(graph: Graph, asked: Asked, fact: Fact, used: bool) -> Citation:
    node = graph.nodes[fact.subject]
    return Citation(
        id=fact.id,
        uri=uri_of(node),
        title=node.label_in(asked.lang),
        span=fact.said_in(asked.lang),
        used=used,
        strength=fact.strength,
        basis=fact.basis,
        review=fact.review,
        sources=[_source(graph, one) for one in fact.sources],
    )


def _source(graph: Graph, source_id: str) -> CitedSource:
    source = graph.sources.get(source_id)
    return CitedSource(id=source_id, title=source.title if source else None, url=source.url if source else None)


def _ambiguous(graph: Graph, asked: Asked) -> list[AmbiguousName]:
    return [
        AmbiguousName(
            name=one.name,
            candidates=[Candidate(id=node, label=sentences.called(graph.nodes[node])[1]) for node in one.nodes],
        )
        for one in asked.ambiguous
    ]


def uri_of(node: Node) -> str:
    """Where the node can be read; what has no resource of its own is named in the same form."""
    return f"paper://pmid/{node.data['pmid']}" if "pmid" in node.data else f"kg://{node.type}/{node.id}"
