"""Conversion between the search and the shapes of its contract."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

from sanya.suite import InvalidArgument
from sanya.suite.search import Advice, CorpusSize, describe_fit, judge_fit
from sanya.suites.herbs.contract import EntityCandidate
from sanya.suites.herbs.facts.sentences import format_node_name
from sanya.suites.herbs.graph.model import SUBJECT_TYPES, HerbGraph, HerbNode
from sanya.suites.herbs.questions.question import AmbiguousMention, ParsedQuestion, QuestionLanguage
from sanya.suites.herbs.search.contract import AmbiguousName, HerbScoreParts, HerbSearchFilters, HitType, SearchHit
from sanya.suites.herbs.search.index import IndexedGraph
from sanya.suites.herbs.search.ranking import HitFilter, RankedHit
from sanya.suites.herbs.search.snippets import choose_fact, format_snippet

_ADVICE = Advice(
    "Name the herb, the complaint or the medicine, or give the scientific name.",
    "ระบุชื่อสมุนไพร อาการ หรือยา หรือใช้ชื่อวิทยาศาสตร์",
)


def build_hit_filter(filters: HerbSearchFilters | None) -> HitFilter:
    if filters is None:
        return HitFilter()
    if filters.year_from is not None and filters.year_to is not None and filters.year_from > filters.year_to:
        raise InvalidArgument("filters.year_from is after filters.year_to; swap them", field="filters.year_from")
    return HitFilter(
        types=tuple(filters.types or ()),
        ids=tuple(filters.ids or ()),
        sources=tuple(filters.sources or ()),
        review=tuple(filters.review or ()),
        year_from=filters.year_from,
        year_to=filters.year_to,
    )


def format_hit(indexed: IndexedGraph, question: ParsedQuestion, hit: RankedHit) -> SearchHit:
    fact = choose_fact(indexed, question, hit)
    node = indexed.graph.nodes[hit.passage.about]
    return SearchHit(
        id=hit.unit,
        type=cast(HitType, hit.passage.type),
        title=node.get_label(question.lang),
        snippet=format_snippet(fact, hit.passage.lang),
        score=hit.score,
        source=next(iter(fact.sources), ""),
        uri=format_node_uri(node),
        about=node.id,
        matched_lang=hit.passage.lang,
        score_parts=HerbScoreParts(**hit.parts),
        reasons=list(hit.reasons),
        relevance=hit.relevance,
    )


def build_search_note(indexed: IndexedGraph, question: ParsedQuestion, hits: Sequence[RankedHit]) -> dict[str, Any]:
    """Build the note on a search: how well the best hit fits, and what to do where none does."""
    fit = judge_fit([hit.relevance for hit in hits], by_words_alone=not any(hit.similarity for hit in hits))
    note: dict[str, Any] = {"fit": fit.level, "relevance": fit.best}
    if fit.level != "good":
        count = sum(1 for node in indexed.graph.nodes.values() if node.type in SUBJECT_TYPES)
        size = CorpusSize(count, "herbs and formulations", "สมุนไพรและตำรับ")
        note["message"] = describe_fit(fit, size, _ADVICE, question.lang)
    words_only = indexed.library.words_only
    return note | words_only.build_note(question.lang, note.get("message")) if words_only else note


def format_ambiguous_names(
    graph: HerbGraph, mentions: Iterable[AmbiguousMention], lang: QuestionLanguage
) -> list[AmbiguousName]:
    return [
        AmbiguousName(
            name=mention.name,
            candidates=[
                EntityCandidate(id=node_id, label=_format_plant(graph.nodes[node_id], lang))
                for node_id in mention.nodes
            ],
        )
        for mention in mentions
    ]


def _format_plant(node: HerbNode, lang: QuestionLanguage) -> str:
    """Return the name with the Latin one, which tells plants apart that share a name."""
    thai, english = format_node_name(node)
    latin = node.data.get("latin_name")
    if lang == "en":
        return english
    return f"{thai} ({latin})" if latin and latin != thai else thai


def format_node_uri(node: HerbNode) -> str:
    """Return the URI of the resource that describes the node."""
    return f"paper://pmid/{node.data['pmid']}" if "pmid" in node.data else f"kg://{node.type}/{node.id}"
