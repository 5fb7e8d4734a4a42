"""Papers from PubMed, papers from files, full texts, and checkpoints."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, date, datetime
from uuid import UUID

from sanya import App
from sanya.suites.papers.file_import import import_file
from sanya.suites.papers.indexing.paper_index import PaperIndex
from sanya.suites.papers.store import PaperStore
from tests.crashes.ground import Fact, Ground, call_tool
from tests.sources.eutils import FIRST_PMID, EUtils, Trouble, article, article_set
from tests.suites.papers.fulltext.articles import make_article

_LOT = 3
_BULK = 4
_FIRST_OF_BULK = 1_000_000
_CHUNKS = 2
_PARAGRAPHS = 7
_ENTERED = date(2024, 1, 10)
_TERM = re.compile(r"synced(\d+)x")
_REMEMBERED = 20
_CURRENT = "SELECT pmid FROM paper_versions WHERE to_seq IS NULL AND is_sample = 0"
_SEARCHED = "SELECT id FROM retrieval_documents WHERE namespace = 'papers' AND to_seq IS NULL AND fields NOT LIKE ?"


class EndlessPubMed(EUtils):
    """A PubMed that has papers for the term of every sync."""

    def _body(self, utility: str, fields: dict[str, str], trouble: Trouble | None) -> bytes:
        if found := _TERM.fullmatch(fields.get("term", "")):
            number = int(found[1])
            self.add(*(article(number * _LOT + at, f"synced{number}x", entered=_ENTERED) for at in range(_LOT)))
            for old in list(self.articles)[: -_REMEMBERED * _LOT]:
                del self.articles[old]
        elif fields.get("db") == "pubmed" and fields.get("id"):
            for at in (int(pmid) - FIRST_PMID for pmid in fields["id"].split(",")):
                self.add(article(at, f"synced{at // _LOT}x", entered=_ENTERED))
        if fields.get("db") == "pmc":
            self.full_texts = {id: make_article(id, None) for id in fields["id"].split(",")}
        return super()._body(utility, fields, trouble)


async def _count_lots(app: App) -> tuple[Counter[int], Counter[int]]:
    """Count the papers of each sync and of each file."""
    found = [int(str(pmid)) - FIRST_PMID for (pmid,) in await app.database.fetch(_CURRENT)]
    synced = Counter(number // _LOT for number in found if number < _FIRST_OF_BULK)
    return synced, Counter((number - _FIRST_OF_BULK) // _BULK for number in found if number >= _FIRST_OF_BULK)


async def _check_searched(app: App, words: str, count: int) -> None:
    """Check that every paper has all of its chunks, and that those of the newest batch are found."""
    papers, chunks = await app.database.fetch(_CURRENT), await app.database.fetch(_SEARCHED, ('%"sample"%',))
    if papers:
        assert len(chunks) == _CHUNKS * len(papers), "papers and their search are not one truth"
    found = await call_tool(app, "rag.search", {"query": words, "search_mode": "bm25", "top_k": 10})
    assert len([paper for paper in found.body["documents"] if words in paper["title"]]) == count


class Syncing:
    name = "papers sync"
    tools = frozenset({"pubmed.sync_delta", "pubmed.sync.incremental", "pubmed.fetch"})

    async def write(self, app: App, ground: Ground, number: int) -> AsyncIterator[Fact]:
        term = f"synced{number}x"
        if number % 3 == 0:
            done = await call_tool(app, "pubmed.sync.incremental", {"query": term, "limit": 20})
        elif number % 3 == 1:
            done = await call_tool(app, "pubmed.sync_delta", {"query_key": term, "term": term})
        else:
            ids = [f"pmid:{FIRST_PMID + number * _LOT + at}" for at in range(_LOT)]
            done = await call_tool(app, "pubmed.fetch", {"doc_ids": ids})
        yield {"call": done.id}

    async def check(self, app: App, ground: Ground, facts: Sequence[Fact]) -> None:
        synced, _ = await _count_lots(app)
        assert set(synced.values()) <= {_LOT}, "half a sync"
        assert {fact["number"] for fact in facts} <= set(synced), "an acknowledged sync is lost"
        marks = {str(key) for (key,) in await app.database.fetch("SELECT query_key FROM paper_watermarks")}
        assert {f"synced{fact['number']}x" for fact in facts if fact["number"] % 3 < 2} <= marks
        for fact in facts[-1:]:
            await _check_searched(app, f"synced{fact['number']}x", _LOT)


class BulkImport:
    name = "papers import"
    tools: frozenset[str] = frozenset()

    async def write(self, app: App, ground: Ground, number: int) -> AsyncIterator[Fact]:
        first = _FIRST_OF_BULK + number * _BULK
        lot = [article(first + at, f"bulk{number}x", entered=_ENTERED) for at in range(_BULK)]
        file = ground.write_file(f"bulk-{number}.xml", article_set(lot))
        paper_index = PaperIndex(app.library, app.database, UUID(app.settings.papers_uuid_namespace))
        await import_file(PaperStore(app.database, paper_index), file, datetime.now(UTC))
        yield {"file": file.name}

    async def check(self, app: App, ground: Ground, facts: Sequence[Fact]) -> None:
        _, bulk = await _count_lots(app)
        assert set(bulk.values()) <= {_BULK}, "half a file"
        assert {fact["number"] for fact in facts} <= set(bulk), "an acknowledged file is lost"
        done = await app.database.fetch("SELECT name FROM paper_imports WHERE finished_at IS NOT NULL")
        assert {fact["file"] for fact in facts} <= {str(name) for (name,) in done}
        for fact in facts[-1:]:
            await _check_searched(app, f"bulk{fact['number']}x", _BULK)


class FullTexts:
    name = "papers full texts"
    tools = frozenset({"papers.fulltext.fetch"})

    async def write(self, app: App, ground: Ground, number: int) -> AsyncIterator[Fact]:
        pmcid = f"PMC{1 + number}"
        done = await call_tool(app, "papers.fulltext.fetch", {"doc_ids": [f"pmcid:{pmcid}"]})
        yield {"call": done.id, "pmcid": pmcid}

    async def check(self, app: App, ground: Ground, facts: Sequence[Fact]) -> None:
        kept = {str(pmcid) for (pmcid,) in await app.database.fetch("SELECT pmcid FROM paper_fulltexts")}
        assert {fact["pmcid"] for fact in facts} <= kept, "an acknowledged full text is lost"
        found = "SELECT id FROM retrieval_documents WHERE namespace = 'papers.fulltext' AND to_seq IS NULL"
        documents = Counter(str(id).split(":")[0] for (id,) in await app.database.fetch(found))
        assert documents == dict.fromkeys(kept, _PARAGRAPHS), "full texts and their search are not one truth"


class Checkpointing:
    name = "papers checkpoint"
    tools = frozenset({"corpus.checkpoint.create"})

    async def write(self, app: App, ground: Ground, number: int) -> AsyncIterator[Fact]:
        made = await call_tool(
            app, "corpus.checkpoint.create", {"name": f"Checkpoint {number}"}, f"checkpoint-{number}"
        )
        yield {"call": made.id, "body": made.body}

    async def check(self, app: App, ground: Ground, facts: Sequence[Fact]) -> None:
        kept = {str(id) for (id,) in await app.database.fetch("SELECT checkpoint_id FROM paper_checkpoints")}
        assert {fact["body"]["checkpoint_id"] for fact in facts} <= kept, "an acknowledged checkpoint is lost"
        for fact in facts[-1:]:
            id = fact["body"]["checkpoint_id"]
            assert (await call_tool(app, "corpus.checkpoint.get", {"checkpoint_id": id})).body == fact["body"]
            await call_tool(app, "rag.search", {"query": "sample", "checkpoint_id": id})
