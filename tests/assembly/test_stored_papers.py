"""Answers about evidence show the papers suite's own record of what they cite, where it is stored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sanya import app as sanya_app
from sanya.app import App
from sanya.suites.herbs.graph.store import HerbStore
from tests.assembly.test_retractions import import_records, make_record

QUESTION = "effect of ginger on the pharmacokinetics of warfarin"


async def list_sources(app: App) -> list[dict[str, Any]]:
    body = await app.call("tool.rag_answer", {"question": QUESTION})
    assert body["answer"]
    return [source for citation in body["citations"] for source in citation["sources"]]


async def test_an_answer_about_evidence_cites_the_stored_record(home: Path, tmp_path: Path) -> None:
    async with sanya_app.open(home) as app:
        graph = await HerbStore(app.database).load_graph()
        before = await list_sources(app)
        assert {source["paper_uri"] for source in before} == {None}
        cited = next(source for source in before if graph.sources[source["id"]].pmid)
        pmid = graph.sources[cited["id"]].pmid
        await import_records(app, tmp_path / "record.xml", make_record(str(pmid), 2025, types=("Review",)))
        after = next(source for source in await list_sources(app) if source["id"] == cited["id"])
    assert after["paper_uri"] == f"resource://pubmed/paper/{pmid}"
    assert (after["title"], after["journal"]) == ("A trial.", "Lancet (London, England)")
