"""Builds the papers suite: search, single papers, checkpoints, and the tools and workers of the sync."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from sanya.suite import (
    Content,
    Context,
    Example,
    NotFound,
    Resource,
    ResourceLinks,
    Suite,
    Tool,
    UpstreamFailed,
    Worker,
)
from sanya.suites.papers import contract
from sanya.suites.papers.completions import PaperCompletions
from sanya.suites.papers.dialect import DIALECT
from sanya.suites.papers.prompts import NAME, build_prompts, make_completer
from sanya.suites.papers.sample_ids import FIRST_SAMPLE
from sanya.suites.papers.starter import SAMPLE_CHECKPOINT
from sanya.suites.papers.tools import PaperTools

_FIRST_CALL_MS = 120_000  # the first call loads the models


_LEFT_OUT_OF_SEARCH = (
    "documents.*.uuid",
    "documents.*.pmid",
    "documents.*.chunk_id",
    "documents.*.section",
    "documents.*.score",
    "documents.*.score_parts",
    "documents.*.sim",
    "documents.*.bm25",
    "documents.*.sections_found",
    "documents.*.chunk_count",
    "performance",
)
_LEFT_OUT_OF_PAPER = (
    "edat",
    "lr",
    "version",
    "quality.design",
    "quality.recency",
    "quality.journal",
    "quality.human",
)


def build(tools: PaperTools, more: tuple[Tool, ...] = (), workers: tuple[Worker, ...] = ()) -> Suite:
    offers = PaperCompletions(tools.store.database, tools.corpus, tools.starter)
    return Suite(
        name=NAME,
        title="Papers",
        dialect=DIALECT,
        tools=(*_build_reading_tools(tools), *_build_checkpoint_tools(tools), *more),
        resources=(_build_paper_resource(tools, offers),),
        prompts=build_prompts(offers),
        workers=workers,
    )


def _build_reading_tools(tools: PaperTools) -> tuple[Tool, ...]:
    tool = partial(Tool, suite=NAME, dialect=DIALECT, timeout_ms=_FIRST_CALL_MS)
    return (
        tool(
            name="rag.search",
            title="Search papers",
            description="Searches the stored PubMed abstracts, better studies first. For a title, DOI or PMID use "
            "papers.resolve, for paragraphs papers.fulltext.search; it never asks PubMed.",
            input=contract.SearchInput,
            links=(ResourceLinks("documents.*", "resource://pubmed/paper/{doc_id}", "title", prefix="pmid:"),),
            left_out_in_short=_LEFT_OUT_OF_SEARCH,
            output=contract.SearchAnswer,
            handler=tools.search_papers,
            faults=(NotFound, UpstreamFailed),
            unhashed=("performance",),
            examples=(
                Example("Whole papers", {"query": "randomized trial of weight loss against placebo", "top_k": 3}),
                Example(
                    "Single chunks by words, of recent years",
                    {
                        "query": "heart attack",
                        "top_k": 3,
                        "search_mode": "bm25",
                        "return_chunks": True,
                        "filters": {"date_from": "2020-01-01"},
                    },
                ),
                Example("In Thai", {"query": "สมุนไพร ไข้หวัด", "top_k": 3}),
            ),
        ),
        tool(
            name="rag.get",
            title="Show a paper",
            description="Shows a stored abstract with dates, quality and version. To find its doc_id use "
            "rag.search, for the full text papers.fulltext.get; it never asks PubMed.",
            input=contract.GetInput,
            left_out_in_short=_LEFT_OUT_OF_PAPER,
            output=contract.Paper,
            handler=tools.get_paper,
            faults=(NotFound,),
            examples=(Example("A sample", {"doc_id": f"pmid:{FIRST_SAMPLE}"}),),
        ),
    )


def _build_checkpoint_tools(tools: PaperTools) -> tuple[Tool, ...]:
    tool = partial(Tool, suite=NAME, dialect=DIALECT)
    return (
        tool(
            name="corpus.checkpoint.get",
            operator=True,
            timeout_ms=_FIRST_CALL_MS,
            title="Show a checkpoint",
            description="Shows one named state of the corpus by its id. To see all of them use "
            "corpus.checkpoint.list; it never returns papers, which rag.search does with checkpoint_id.",
            input=contract.GetCheckpointInput,
            output=contract.CheckpointAnswer,
            handler=tools.get_checkpoint,
            faults=(NotFound,),
            examples=(Example("The samples", {"checkpoint_id": SAMPLE_CHECKPOINT}),),
        ),
        tool(
            name="corpus.checkpoint.create",
            operator=True,
            title="Make a checkpoint",
            description="Operators: names the corpus as it is now, so that rag.search and rag.get can answer from "
            "it later. To see existing ones use corpus.checkpoint.list; it never changes papers.",
            input=contract.CreateCheckpointInput,
            output=contract.CheckpointAnswer,
            handler=tools.create_checkpoint,
            effect="write",
            timeout_ms=600_000,
            faults=(UpstreamFailed,),
            unhashed=("checkpoint_id", "created_at"),
            examples=(Example("Before a review", {"name": "Before the June review", "primary_queries": ["obesity"]}),),
        ),
    )


def _build_paper_resource(tools: PaperTools, offers: PaperCompletions) -> Resource:
    async def read(parts: Mapping[str, str], context: Context) -> Content:
        pmid = parts["pmid"]
        if not (pmid.isascii() and pmid.isdecimal()):
            raise NotFound(f"{pmid!r} is no PMID; write digits only", details={"pmid": pmid})
        request = contract.GetInput.model_validate({"doc_id": f"pmid:{pmid}"})
        return Content(data=(await tools.get_paper(request, context)).model_dump(mode="json"))

    return Resource(
        uri="resource://pubmed/paper/{pmid}",
        suite=NAME,
        name="paper",
        title="One paper",
        description="A synced PubMed paper by its PMID, as rag.get returns it.",
        read=read,
        complete={"pmid": make_completer(offers.complete_pmid)},
    )
