"""Handlers of `corpus.status` and `corpus.checkpoint.list`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from sanya.suite import Context, Cursors, Example, Tool
from sanya.suites.papers.checkpoints import Checkpoint, count_checkpoints, list_newest_checkpoints
from sanya.suites.papers.dialect import DIALECT
from sanya.suites.papers.indexing.paper_index import NAMESPACE, PaperIndex
from sanya.suites.papers.prompts import NAME
from sanya.suites.papers.status import contract
from sanya.suites.papers.sync.watches import Watches
from sanya.suites.papers.tools import PaperTools

_FIRST_CALL_MS = 120_000  # the first call stores the samples
_SYNCED = "SELECT query_key, term, last_edat FROM paper_watermarks WHERE last_edat <> '' ORDER BY query_key LIMIT 500"


@dataclass(frozen=True, slots=True)
class StatusTools:
    papers: PaperTools
    index: PaperIndex
    watches: Watches
    cursors: Cursors

    async def get_status(self, request: contract.StatusInput, context: Context) -> contract.StatusAnswer:
        del request, context
        state = await self.papers.resolve_state(None)
        store = self.papers.store
        papers = await store.count()
        unembedded = await (await self.index.prepare()).count_unembedded(NAMESPACE)
        synced = await store.database.fetch(_SYNCED)
        return contract.StatusAnswer(
            papers=papers,
            samples=await store.count(is_sample=True),
            newest_entry=state.as_of.isoformat() if state.as_of else None,
            chunks_without_vectors=unembedded,
            checkpoints=await count_checkpoints(store.database),
            synced_queries=[
                contract.SyncedQuery(query_key=str(key), term=str(term), synced_to=str(edat))
                for key, term, edat in synced
            ],
            watched_queries=[
                contract.WatchedQuery(
                    query=watch.query,
                    every_s=watch.every_s,
                    next_at=watch.next_at,
                    last_at=watch.last_at,
                    last_status=watch.last_status,
                )
                for watch in await self.watches.list_watches()
            ],
            advice=_advise(papers, unembedded),
        )

    async def list_checkpoints(
        self, request: contract.ListCheckpointsInput, context: Context
    ) -> contract.ListCheckpointsAnswer:
        del context
        await self.papers.starter.load()
        database, query = self.papers.store.database, {"tool": "corpus.checkpoint.list"}
        before = None
        if request.cursor is not None:
            created_at, checkpoint_id = self.cursors.open(query, request.cursor)
            before = (str(created_at), str(checkpoint_id))
        rows = await list_newest_checkpoints(database, request.limit + 1, before)
        shown = rows[: request.limit]
        last = shown[-1] if len(rows) > len(shown) else None
        return contract.ListCheckpointsAnswer(
            checkpoints=[_to_listed(checkpoint) for checkpoint in shown],
            total=await count_checkpoints(database),
            next_cursor=self.cursors.seal(query, [last.created_at, last.checkpoint_id]) if last else None,
        )


def _advise(papers: int, unembedded: int) -> str | None:
    if papers == 0:
        return "Only samples are here. Bring papers with pubmed.sync.incremental, or `sanya papers import FILE`."
    if unembedded:
        return "Some chunks have no vectors yet. A running server embeds them; `sanya search embed papers` does so now."
    return None


def _to_listed(checkpoint: Checkpoint) -> contract.ListedCheckpoint:
    return contract.ListedCheckpoint(
        checkpoint_id=checkpoint.checkpoint_id,
        name=checkpoint.name,
        description=checkpoint.description,
        created_at=checkpoint.created_at,
        primary_queries=list(checkpoint.primary_queries),
        papers=checkpoint.papers,
        as_of=checkpoint.as_of.isoformat() if checkpoint.as_of else None,
    )


def build_status_tools(tools: StatusTools) -> tuple[Tool, ...]:
    tool = partial(Tool, suite=NAME, dialect=DIALECT, timeout_ms=_FIRST_CALL_MS)
    return (
        tool(
            name="corpus.status",
            title="Show the state of the corpus",
            description="Tells how many papers are stored, how fresh they are, and which queries are synced. Use "
            "it before you trust an empty rag.search; it never asks PubMed.",
            input=contract.StatusInput,
            specialist=True,
            output=contract.StatusAnswer,
            handler=tools.get_status,
            # These change while the corpus stays the same.
            unhashed=("chunks_without_vectors", "watched_queries", "advice"),
            examples=(Example("Now", {}),),
        ),
        tool(
            name="corpus.checkpoint.list",
            operator=True,
            title="List checkpoints",
            description="Lists the named states of the corpus, newest first. For one by its id use "
            "corpus.checkpoint.get; it never creates one, which corpus.checkpoint.create does.",
            input=contract.ListCheckpointsInput,
            output=contract.ListCheckpointsAnswer,
            handler=tools.list_checkpoints,
            examples=(Example("The newest", {"limit": 5}),),
        ),
    )
