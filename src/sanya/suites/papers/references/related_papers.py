"""Finds papers related to a paper, and says why: a notice, a citation, shared references or headings, similar text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple

from sanya.suite.search import FitLevel, rate_relevance
from sanya.suites.papers.corpus import CorpusState
from sanya.suites.papers.indexing.paper_facts import PaperFacts
from sanya.suites.papers.pubmed.record import PaperRecord
from sanya.suites.papers.references.shared_references import CitationRelation, SharedReferences, name_paper
from sanya.suites.papers.search.paper_search import PaperFilter, PaperHit, PaperQuery, PaperSearch
from sanya.suites.papers.store import Doc, PaperStore

RelationKind = Literal["link", "mesh", "text"]

_CANDIDATES = 50
_READ_FOR_S = 1.0
_MAX_QUERY_CHARACTERS = 1500
_MAX_SHOWN_HEADINGS = 8
# Similar text finds papers that nobody has indexed yet; shared headings confirm the subject. A link is beyond doubt.
_TEXT_SHARE = 0.6
_MESH_SHARE = 0.4
_LINK_SHARE = 1.0
_CITATION_SHARE = 0.6


class Relation(NamedTuple):
    """A reason: its kind, what is shared or how the papers are linked, and its part of the score."""

    kind: RelationKind
    values: tuple[str, ...]
    score: float


@dataclass(frozen=True, slots=True)
class RelatedPaper:
    doc: Doc
    relations: tuple[Relation, ...]
    shared_references: tuple[str, ...] = ()

    @property
    def score(self) -> float:
        return round(sum(relation.score for relation in self.relations), 6)


@dataclass(frozen=True, slots=True)
class RelatedPapers:
    store: PaperStore
    search: PaperSearch
    facts: PaperFacts
    citations: SharedReferences

    async def find(self, source: PaperRecord, limit: int, state: CorpusState) -> list[RelatedPaper]:
        await self.facts.catch_up(_READ_FOR_S)
        hits = await self._find_similar_texts(source, state)
        texts = _rate_similarity(hits)
        cited = await self.citations.find(source, _CANDIDATES, state)
        linked = {link.pmid for link in source.links if link.pmid}
        docs = await self.store.get_pubmed_docs([*dict.fromkeys((*texts, *cited, *sorted(linked)))], state.seq)
        docs.pop(source.pmid, None)
        papers = []
        for pmid, doc in docs.items():
            citation = _select_held(cited.get(pmid), source, doc.record, state)
            relations = _list_relations(source, doc.record, texts.get(pmid, 0.0), citation)
            papers.append(RelatedPaper(doc, relations, citation.shared if citation else ()))
        known = {hit.best.indexed.pmid for hit in _select_similar(hits)}
        related = [paper for paper in papers if _has_reason(paper, known)]
        related.sort(key=lambda paper: (-paper.score, int(paper.doc.record.pmid)))
        return related[:limit]

    async def _find_similar_texts(self, source: PaperRecord, state: CorpusState) -> list[PaperHit]:
        """Return other papers by the similarity of their text, the most similar first."""
        text = f"{source.title or source.vernacular_title or ''} {source.abstract or ''}".strip()
        query = PaperQuery(
            text=text[:_MAX_QUERY_CHARACTERS] or f"PMID {source.pmid}",
            limit=_CANDIDATES,
            mode="hybrid",
            alpha=None,
            paper_filter=PaperFilter(),
            by_quality=False,
            enhance=False,
            returns_chunks=False,
        )
        hits = (await self.search.find(query, state)).hits
        return [hit for hit in hits if hit.best.indexed.pmid != source.pmid]


def _rate_similarity(hits: Sequence[PaperHit]) -> dict[str, float]:
    """Return the similarity of text by PMID, 1 for the most similar paper."""
    scores = {hit.best.indexed.pmid: hit.best.score for hit in hits}
    best = max(scores.values(), default=0.0)
    return {pmid: max(score, 0.0) / best for pmid, score in scores.items()} if best > 0 else {}


def _select_similar(hits: Sequence[PaperHit]) -> list[PaperHit]:
    """Keep texts that are similar by themselves, not only beside worse ones. Of SciFact's abstracts the three nearest
    to another are kept in 90 of 100 cases, any other in 1 of 200. Where nothing has a vector, relevance is lower, and
    only what does not fit at all is left out."""
    has_vectors = any(hit.best.hit.similarity for hit in hits)
    levels: tuple[FitLevel, ...] = ("good",) if has_vectors else ("good", "weak")
    return [hit for hit in hits if hit.relevance is None or rate_relevance(hit.relevance) in levels]


def _has_reason(paper: RelatedPaper, similar: set[str]) -> bool:
    """Return whether a paper is related by more than a text that is not similar by itself."""
    kinds = {relation.kind for relation in paper.relations}
    return bool(kinds - {"text"}) or ("text" in kinds and paper.doc.record.pmid in similar)


def _select_held(
    citation: CitationRelation | None, source: PaperRecord, other: PaperRecord, state: CorpusState
) -> CitationRelation | None:
    """Return what of the relation held in an earlier state: the table of references knows the current one only."""
    if citation is None or state.seq is None:
        return citation
    shared = tuple(work for work in citation.shared if work in other.references)
    is_cited = citation.is_cited and not set(name_paper(source)).isdisjoint(other.references)
    held = CitationRelation(shared, citation.cites, is_cited, citation.strength)
    return held if shared or held.cites or is_cited else None


def _list_relations(
    source: PaperRecord, other: PaperRecord, text_similarity: float, citation: CitationRelation | None
) -> tuple[Relation, ...]:
    relations = []
    kinds = _list_link_kinds(source, other)
    if kinds or citation:
        values = (*kinds, *_list_citation_kinds(citation))
        score = _LINK_SHARE if kinds else _CITATION_SHARE * (citation.strength if citation else 0.0)
        relations.append(Relation("link", values, round(score, 6)))
    shared, share = compare_headings(source, other)
    if shared:
        relations.append(Relation("mesh", tuple(shared[:_MAX_SHOWN_HEADINGS]), round(_MESH_SHARE * share, 6)))
    if text_similarity > 0:
        relations.append(Relation("text", (), round(_TEXT_SHARE * text_similarity, 6)))
    return tuple(relations)


def _list_link_kinds(source: PaperRecord, other: PaperRecord) -> tuple[str, ...]:
    return tuple(sorted({link.kind for link in source.links if link.pmid == other.pmid}))


def _list_citation_kinds(citation: CitationRelation | None) -> tuple[str, ...]:
    if citation is None:
        return ()
    kinds = (("cites", citation.cites), ("cited_by", citation.is_cited), ("shared_references", citation.shared))
    return tuple(kind for kind, holds in kinds if holds)


def compare_headings(source: PaperRecord, other: PaperRecord) -> tuple[Sequence[str], float]:
    """Return the shared headings, those of major topics first, and their weight among the source's headings."""
    weights = _weigh_headings(source)
    shared = [name for name in weights if name in _weigh_headings(other)]
    shared.sort(key=lambda name: (-weights[name], name))
    total = sum(weights.values())
    return shared, sum(weights[name] for name in shared) / total if total else 0.0


def _weigh_headings(record: PaperRecord) -> dict[str, int]:
    """Weigh a heading that is a major topic of the paper twice; leave those out that say nothing of its subject."""
    weights: dict[str, int] = {}
    for heading in record.mesh:
        if heading.descriptor not in _load_common_headings():
            is_major = heading.major or any(qualifier.major for qualifier in heading.qualifiers)
            weights[heading.descriptor] = 2 if is_major else 1
    return weights


@cache
def _load_common_headings() -> frozenset[str]:
    text = files("sanya.suites.papers.references").joinpath("common_headings.txt").read_text(encoding="utf-8")
    return frozenset(line for line in text.splitlines() if line and not line.startswith("#"))
