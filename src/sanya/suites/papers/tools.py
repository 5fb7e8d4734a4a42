"""The reading tools: arguments into a question, what was found into the contract's shapes."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from time import perf_counter

from sanya.kernel.call import Context
from sanya.kernel.dispatch import iso_time
from sanya.kernel.faults import InvalidArgument, InvariantBroken, NotFound
from sanya.kernel.requests import is_earlier_try
from sanya.suites.papers import contract
from sanya.suites.papers.checkpoints import Checkpoint, Checkpoints, Named
from sanya.suites.papers.corpus import Corpus, State
from sanya.suites.papers.fields import published, source_url
from sanya.suites.papers.quality import recency, standing_of
from sanya.suites.papers.sample_ids import is_sample_id
from sanya.suites.papers.search import Asked, Found, PaperSearch, Result, Wanted
from sanya.suites.papers.starter import Starter
from sanya.suites.papers.store import Doc, PaperStore
from sanya.text.dates import PartialDate

TARGET_MS = 200.0


@dataclass(frozen=True, slots=True)
class PaperTools:
    store: PaperStore
    corpus: Corpus
    search: PaperSearch
    checkpoints: Checkpoints
    starter: Starter

    async def rag_search(self, request: contract.SearchInput, context: Context) -> contract.SearchAnswer:
        del context
        begun = perf_counter()
        asked = _asked(request)
        found = await self.search.find(asked, await self._state(request.checkpoint_id))
        documents = [_document(result) for result in found.results]
        return contract.SearchAnswer(
            documents=documents,
            total_results=len(documents),
            performance=_performance(found, asked, (perf_counter() - begun) * 1000),
        )

    async def rag_get(self, request: contract.GetInput, context: Context) -> contract.Paper:
        del context
        state = await self._state(request.checkpoint_id)
        pmid = request.doc_id.removeprefix("pmid:").lstrip("0") or "0"
        doc = await self.store.get_pubmed_doc(pmid, state.seq)
        if doc is None:
            raise NotFound(
                f"there is no paper {request.doc_id} here; rag.search finds those there are, and "
                "pubmed.sync.incremental brings more",
                details={"doc_id": request.doc_id},
            )
        if doc.record.pmid != pmid:
            raise InvariantBroken(f"the record stored as {pmid} is that of {doc.record.pmid}")
        return paper_of(doc, state)

    async def checkpoint_get(self, request: contract.GetCheckpointInput, context: Context) -> contract.CheckpointAnswer:
        del context
        await self.starter.load()
        return _checkpoint(await self.checkpoints.get(request.checkpoint_id))

    async def checkpoint_create(
        self, request: contract.CreateCheckpointInput, context: Context
    ) -> contract.CheckpointAnswer:
        await self.starter.load()
        known = await self.checkpoints.find(_checkpoint_id(context.request))
        if known is not None and is_earlier_try(known.created_at, context.now):
            return _checkpoint(known)
        named = Named(
            _checkpoint_id(context.request if known is None else context.id),
            request.name,
            request.description,
            iso_time(context.now),
            request.primary_queries or (),
        )
        return _checkpoint(await self.checkpoints.create(named, context.progress))

    async def _state(self, checkpoint_id: str | None) -> State:
        await self.starter.load()
        if checkpoint_id is not None:
            return (await self.checkpoints.get(checkpoint_id)).state
        return await self.corpus.now()


def _asked(request: contract.SearchInput) -> Asked:
    filters = request.filters or contract.SearchFilters()
    date_from = _day(filters.date_from, "filters.date_from")
    date_to = _day(filters.date_to, "filters.date_to")
    if date_from and date_to and date_from.first_day > date_to.last_day:
        raise InvalidArgument(
            f"filters.date_from ({filters.date_from}) is after filters.date_to ({filters.date_to})",
            field="filters.date_from",
        )
    return Asked(
        text=request.query,
        limit=request.top_k,
        mode=request.search_mode,
        alpha=request.alpha,
        wanted=Wanted(date_from, date_to, tuple(filters.journals or ())),
        by_quality=request.rerank_by_quality,
        enhance=request.enhance_query,
        chunks=request.return_chunks,
    )


def _day(text: str | None, field: str) -> PartialDate | None:
    if text is None:
        return None
    parts = text.split("-")
    try:
        if [len(part) for part in parts] not in ([4], [4, 2], [4, 2, 2]) or not all(map(str.isdecimal, parts)):
            raise ValueError
        day = PartialDate(*map(int, parts))
        _ = day.first_day, day.last_day
    except ValueError:
        raise InvalidArgument(f"{field} takes a date such as 2024-05-31, got {text!r}", field=field) from None
    return day


def _document(result: Result) -> contract.FoundDocument:
    best, piece = result.best, result.best.piece
    return contract.FoundDocument(
        uuid=piece.uuid,
        doc_id=f"pmid:{piece.pmid}",
        pmid=piece.pmid,
        chunk_id=piece.chunk.chunk_id,
        section=piece.chunk.section,
        title=piece.title,
        abstract=result.text,
        score=best.score,
        score_parts=contract.ScoreParts(**best.parts),
        sim=best.hit.similarity,
        bm25=best.hit.bm25,
        quality=best.quality.total,
        journal=piece.journal,
        pub_types=list(piece.pub_types),
        year=piece.year,
        retracted=piece.retracted,
        sample=is_sample_id(piece.pmid),
        sections_found=list(result.sections),
        chunk_count=len(piece.siblings),
        source_url=source_url(piece.pmid),
    )


def _performance(found: Found, asked: Asked, total_ms: float) -> contract.Performance:
    return contract.Performance(
        search_time_ms=f"{found.search_ms:.1f}",
        total_time_ms=f"{total_ms:.1f}",
        target_time_ms=TARGET_MS,
        enhanced_query=found.enhanced,
        reconstructed_docs=not asked.chunks,
    )


def paper_of(doc: Doc, state: State) -> contract.Paper:
    record, standing = doc.record, standing_of(doc.record)
    day = published(record)
    recent = recency(day.last_day if day else None, state.as_of)
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
        quality=contract.PaperQuality(
            design=standing.design,
            recency=recent,
            journal=standing.journal,
            human=standing.human,
            total=standing.design + recent + standing.journal + standing.human,
        ),
        version=doc.version,
    )


def _checkpoint_id(request: str) -> str:
    return "cp_" + sha256(request.encode()).hexdigest()[:16]


def _checkpoint(one: Checkpoint) -> contract.CheckpointAnswer:
    return contract.CheckpointAnswer(
        checkpoint_id=one.checkpoint_id,
        name=one.name,
        description=one.description,
        created_at=one.created_at,
        primary_queries=list(one.primary_queries),
    )
