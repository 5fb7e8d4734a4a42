"""Handlers of the reading tools: translate arguments into queries, and results into the contract's shapes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from time import perf_counter

from sanya.suite import Context, InvalidArgument, InvariantBroken, NotFound
from sanya.suite.runtime import format_timestamp, is_earlier_try
from sanya.suite.text import PartialDate, parse_date
from sanya.suites.papers import contract
from sanya.suites.papers.checkpoints import Checkpoint, CheckpointRequest, Checkpoints
from sanya.suites.papers.corpus import Corpus, CorpusState
from sanya.suites.papers.indexing.fields import build_source_url, read_publication_date
from sanya.suites.papers.indexing.quality import rate_fixed_quality, rate_recency
from sanya.suites.papers.pubmed.record import PaperRecord
from sanya.suites.papers.sample_ids import is_sample_id
from sanya.suites.papers.search.notes import build_search_note
from sanya.suites.papers.search.paper_search import PaperFilter, PaperHit, PaperQuery, PaperSearch, PaperSearchResult
from sanya.suites.papers.search.passages import Quotation
from sanya.suites.papers.search.ranking import RETRACTED_QUALITY, Quality
from sanya.suites.papers.starter import PaperStarter
from sanya.suites.papers.store import Doc, PaperStore

TARGET_MS = 200.0
_AMBIGUOUS_DATE = re.compile(r"[0-9๐-๙]{1,2}[-/.][0-9๐-๙]{1,2}[-/.]")


@dataclass(frozen=True, slots=True)
class PaperTools:
    store: PaperStore
    corpus: Corpus
    search: PaperSearch
    checkpoints: Checkpoints
    starter: PaperStarter

    async def search_papers(self, request: contract.SearchInput, context: Context) -> contract.SearchAnswer:
        begun = perf_counter()
        query = _to_query(request)
        state = await self.resolve_state(request.checkpoint_id)
        result = await self.search.find(query, state)
        context.note("search", await build_search_note(query, result, self.corpus, state, context.now.date()))
        documents = [_to_document(hit) for hit in result.hits]
        return contract.SearchAnswer(
            documents=documents,
            total_results=len(documents),
            performance=_to_performance(result, query, (perf_counter() - begun) * 1000),
        )

    async def get_paper(self, request: contract.GetInput, context: Context) -> contract.Paper:
        del context
        state = await self.resolve_state(request.checkpoint_id)
        doc = await self.read_doc(request.doc_id, state)
        return to_paper(doc, state)

    async def read_doc(self, doc_id: str, state: CorpusState) -> Doc:
        """Return the paper of an id such as `pmid:12345`, or raise `NotFound`."""
        pmid = doc_id.removeprefix("pmid:").lstrip("0") or "0"
        doc = await self.store.get_pubmed_doc(pmid, state.seq)
        if doc is None:
            raise NotFound(
                f"there is no paper {doc_id} in this corpus; find papers with rag.search, or sync more with "
                "pubmed.sync.incremental",
                details={"doc_id": doc_id},
            )
        if doc.record.pmid != pmid:
            raise InvariantBroken(f"the record stored as {pmid} has the PMID {doc.record.pmid}")
        return doc

    async def get_checkpoint(self, request: contract.GetCheckpointInput, context: Context) -> contract.CheckpointAnswer:
        del context
        await self.starter.load()
        return _to_checkpoint_answer(await self.checkpoints.get(request.checkpoint_id))

    async def create_checkpoint(
        self, request: contract.CreateCheckpointInput, context: Context
    ) -> contract.CheckpointAnswer:
        await self.starter.load()
        known = await self.checkpoints.find(_make_checkpoint_id(context.request))
        if known is not None and is_earlier_try(known.created_at, context.now):
            return _to_checkpoint_answer(known)
        checkpoint = CheckpointRequest(
            _make_checkpoint_id(context.request if known is None else context.id),
            request.name,
            request.description,
            format_timestamp(context.now),
            request.primary_queries or (),
        )
        return _to_checkpoint_answer(await self.checkpoints.create(checkpoint))

    async def resolve_state(self, checkpoint_id: str | None) -> CorpusState:
        """Return the current state of the corpus, or that of a checkpoint."""
        await self.starter.load()
        if checkpoint_id is not None:
            return (await self.checkpoints.get(checkpoint_id)).state
        return await self.corpus.get_current_state()


def _to_query(request: contract.SearchInput) -> PaperQuery:
    filters = request.filters or contract.SearchFilters()
    date_from = _parse_date(filters.date_from, "filters.date_from")
    date_to = _parse_date(filters.date_to, "filters.date_to")
    if date_from and date_to and date_from.first_day > date_to.last_day:
        raise InvalidArgument(
            f"filters.date_from ({filters.date_from}) is after filters.date_to ({filters.date_to}); swap them",
            field="filters.date_from",
        )
    return PaperQuery(
        text=request.query,
        limit=request.top_k,
        mode=request.search_mode,
        alpha=request.alpha,
        paper_filter=PaperFilter(date_from, date_to, tuple(filters.journals or ())),
        sections=tuple(filters.sections or ()),
        by_quality=request.rerank_by_quality,
        enhance=request.enhance_query,
        returns_chunks=request.return_chunks,
    )


def _parse_date(text: str | None, field: str) -> PartialDate | None:
    if text is None:
        return None
    # 05/06/2024 is a day in May to some and in June to others.
    day = None if _AMBIGUOUS_DATE.match(text.strip()) else parse_date(text)
    if day is None:
        raise InvalidArgument(
            f"{field} is {text!r}; write a date as 2024-05-31, 2024-05, 2024, or in the Buddhist era as 2567-05-31, "
            "พ.ศ. 2567 or พ.ค. 2567",
            field=field,
        )
    return day


def _to_document(hit: PaperHit) -> contract.FoundDocument:
    best, indexed = hit.best, hit.best.indexed
    return contract.FoundDocument(
        uuid=indexed.uuid,
        doc_id=f"pmid:{indexed.pmid}",
        pmid=indexed.pmid,
        chunk_id=indexed.chunk.chunk_id,
        section=indexed.chunk.section,
        title=indexed.title,
        abstract=hit.text,
        score=best.score,
        score_parts=contract.ScoreParts(**best.parts),
        relevance=hit.relevance,
        sim=best.hit.similarity,
        bm25=best.hit.bm25,
        quality=best.quality.total,
        journal=indexed.journal,
        pub_types=list(indexed.pub_types),
        year=indexed.year,
        retracted=indexed.is_retracted,
        sample=is_sample_id(indexed.pmid),
        sections_found=list(hit.sections),
        chunk_count=len(indexed.sibling_ids),
        source_url=build_source_url(indexed.pmid),
        quotation=_to_quotation(hit.quotation),
    )


def _to_quotation(quotation: Quotation | None) -> contract.PassageQuotation | None:
    if quotation is None:
        return None
    return contract.PassageQuotation(**{**quotation._asdict(), "headings": list(quotation.headings)})


def _to_performance(result: PaperSearchResult, query: PaperQuery, total_ms: float) -> contract.Performance:
    return contract.Performance(
        search_time_ms=f"{result.search_ms:.1f}",
        total_time_ms=f"{total_ms:.1f}",
        target_time_ms=TARGET_MS,
        enhanced_query=result.is_enhanced,
        reconstructed_docs=not query.returns_chunks,
    )


def to_paper(doc: Doc, state: CorpusState) -> contract.Paper:
    record = doc.record
    quality = _rate_paper(record, state)
    return contract.Paper(
        doc_id=f"pmid:{record.pmid}",
        title=record.title,
        abstract=record.abstract,
        journal=record.journal,
        pub_types=list(record.pub_types),
        pdat=record.pdat,
        edat=record.edat,
        lr=record.lr,
        pmcid=record.pmcid,
        quality=contract.PaperQuality(**quality._asdict(), total=quality.total),
        version=doc.version,
    )


def _rate_paper(record: PaperRecord, state: CorpusState) -> Quality:
    if record.is_retracted:
        return RETRACTED_QUALITY
    fixed, day = rate_fixed_quality(record), read_publication_date(record)
    return Quality(fixed.design, rate_recency(day.last_day if day else None, state.as_of), fixed.journal, fixed.human)


def _make_checkpoint_id(request: str) -> str:
    return "cp_" + sha256(request.encode()).hexdigest()[:16]


def _to_checkpoint_answer(checkpoint: Checkpoint) -> contract.CheckpointAnswer:
    return contract.CheckpointAnswer(
        checkpoint_id=checkpoint.checkpoint_id,
        name=checkpoint.name,
        description=checkpoint.description,
        created_at=checkpoint.created_at,
        primary_queries=list(checkpoint.primary_queries),
    )
