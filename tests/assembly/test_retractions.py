"""A retraction that arrives in an update file, and all that it changes here.

The retraction is made up: it names a paper that the herb graph cites, and that nobody has retracted.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from sanya import app as sanya_app
from sanya.app import App
from sanya.assembly.citations import follow_citations
from sanya.suites.herbs.graph.model import WARNING_EDGES, HerbEdge, HerbSource
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.papers.file_import import import_file
from sanya.suites.papers.indexing.paper_index import PaperIndex
from sanya.suites.papers.store import PaperStore

NOW = datetime(2026, 11, 18, tzinfo=UTC)
NOTICE = "99999901"


def make_record(pmid: str, revised: int, *, types: tuple[str, ...], link: tuple[str, str] | None = None) -> str:
    listed = "".join(f'<PublicationType UI="D000000">{name}</PublicationType>' for name in types)
    links = (
        f'<CommentsCorrectionsList><CommentsCorrections RefType="{link[0]}"><RefSource>J Samples. 2026</RefSource>'
        f"<PMID>{link[1]}</PMID></CommentsCorrections></CommentsCorrectionsList>"
        if link
        else ""
    )
    return (
        f"<PubmedArticle><MedlineCitation><PMID>{pmid}</PMID><DateRevised><Year>{revised}</Year><Month>01</Month>"
        f"<Day>01</Day></DateRevised><Article><Journal><Title>Lancet (London, England)</Title></Journal>"
        f"<ArticleTitle>A trial.</ArticleTitle><Abstract><AbstractText>It worked.</AbstractText></Abstract>"
        f"<PublicationTypeList>{listed}</PublicationTypeList></Article>{links}<MeshHeadingList><MeshHeading>"
        f'<DescriptorName UI="D006801">Humans</DescriptorName></MeshHeading></MeshHeadingList></MedlineCitation>'
        f"<PubmedData><ArticleIdList/></PubmedData></PubmedArticle>"
    )


async def import_records(app: App, path: Path, *records: str) -> int:
    path.write_text(f"<PubmedArticleSet>{''.join(records)}</PubmedArticleSet>", encoding="utf-8")
    store = PaperStore(app.database, PaperIndex(app.library, app.database))
    await import_file(store, path, NOW)
    return await follow_citations(app.kernel.catalogue.suites)


async def find_cited_warning(app: App) -> tuple[HerbEdge, HerbSource]:
    """Return a warning that rests on a paper, and the paper."""
    graph = await HerbStore(app.database).load_graph()
    return next(
        (edge, graph.sources[id])
        for edge in graph.edges
        for id in edge.sources
        if edge.type in WARNING_EDGES and edge.from_type == "herb" and id in graph.sources and graph.sources[id].pmid
    )


async def check_pair(app: App, edge: HerbEdge) -> dict[str, Any]:
    field = "drugs" if edge.to_type == "drug" else "conditions"
    arguments = {"herb_ids": [edge.from_id], field: [edge.to_id], "lang": "en"}
    body = await app.call("tool.find_contraindications", arguments)
    return next(pair for pair in body["pairs"] if edge.fact in pair["statement_ids"])


async def recall(app: App, memory_id: str) -> dict[str, Any]:
    body = await app.call("get_memory", {"query": "quiet trial of blue lamps"})
    return next(memory for memory in body["memories"] if memory["id"] == memory_id)


async def wait_for_rating(app: App, memory_id: str, rating: str) -> bool:
    """Wait for the background work that rates a new memory."""
    async with asyncio.timeout(60):
        # The background work has no event to wait for.
        while (await recall(app, memory_id))["confidence"] != rating:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    return True


@pytest.mark.parametrize("arrives_as", ["own record", "notice alone"])
async def test_a_retraction_in_an_update_file_changes_a_herb_verdict_and_a_memorys_rating(
    home: Path, database_url: str, tmp_path: Path, arrives_as: str
) -> None:
    async with sanya_app.open(home, database_url=database_url) as app:
        edge, source = await find_cited_warning(app)
        assert source.pmid
        trial = make_record(source.pmid, 2024, types=("Randomized Controlled Trial",))
        assert await import_records(app, tmp_path / "baseline.xml", trial) == 0
        sent = await app.call(
            "send_memory",
            {
                "content": "The quiet trial of blue lamps found better sleep.",
                "source": {"type": "paper", "ref": f"https://pubmed.ncbi.nlm.nih.gov/{source.pmid}/"},
                "confidence_hint": "B",
            },
        )
        before, verdict = await recall(app, sent["memory_id"]), await check_pair(app, edge)
        assert (before["confidence"], verdict["notices"]) == ("B3", [])

        if arrives_as == "own record":
            types = ("Randomized Controlled Trial", "Retracted Publication")
            update = make_record(source.pmid, 2026, types=types, link=("RetractionIn", NOTICE))
        else:
            update = make_record(NOTICE, 2026, types=("Retraction of Publication",), link=("RetractionOf", source.pmid))
        assert await import_records(app, tmp_path / "update.xml", update) > 0

        verdict = await check_pair(app, edge)
        assert verdict["notices"] == [{"source": source.id, "pmid": source.pmid, "standing": "retracted"}]
        assert f"PMID {source.pmid} was retracted" in verdict["message"]
        assert verdict["verdict"] == "warned"
        after = await recall(app, sent["memory_id"])
        assert after["confidence"] == "B4"
        assert after["properties"]["paper_notices"][0]["standing"] == "retracted"
        events = await app.database.fetch(
            "SELECT action, payload FROM memory_corrections WHERE target_id = ?", (sent["memory_id"],)
        )
        assert [event[0] for event in events] == ["paper_notice"]

        late = await app.call(
            "send_memory",
            {
                "content": "A second note on the quiet trial of blue lamps: it was done in Riga.",
                "source": {"type": "pmid", "ref": source.pmid},
                "confidence_hint": "B",
            },
        )
        assert await wait_for_rating(app, late["memory_id"], "B4")


async def test_a_retracted_trial_has_no_quality(home: Path, tmp_path: Path) -> None:
    async with sanya_app.open(home) as app:
        pmid, kinds = "41000001", ("Randomized Controlled Trial",)
        await import_records(app, tmp_path / "first.xml", make_record(pmid, 2024, types=kinds))
        assert (await app.call("rag.get", {"doc_id": f"pmid:{pmid}"}))["quality"]["total"] > 0
        retracted = make_record(pmid, 2026, types=(*kinds, "Retracted Publication"), link=("RetractionIn", NOTICE))
        await import_records(app, tmp_path / "second.xml", retracted)
        assert (await app.call("rag.get", {"doc_id": f"pmid:{pmid}"}))["quality"]["total"] == 0
        (found,) = (await app.call("rag.search", {"query": "trial", "search_mode": "bm25"}))["documents"]
        assert (found["quality"], found["retracted"]) == (0, True)


async def test_a_retraction_that_is_taken_back_restores_the_rating(
    home: Path, database_url: str, tmp_path: Path
) -> None:
    async with sanya_app.open(home, database_url=database_url) as app:
        source = {"type": "doi", "ref": "10.1000/lamps"}
        content = "The quiet trial of blue lamps found better sleep."
        sent = await app.call("send_memory", {"content": content, "source": source, "confidence_hint": "A"})
        await recall(app, sent["memory_id"])
        doi = '<ArticleIdList><ArticleId IdType="doi">10.1000/LAMPS</ArticleId></ArticleIdList>'
        ratings = []
        for year, types in ((2025, ("Retracted Publication",)), (2026, ("Journal Article",))):
            record = make_record("41000002", year, types=types).replace("<ArticleIdList/>", doi)
            await import_records(app, tmp_path / f"{year}.xml", record)
            ratings.append((await recall(app, sent["memory_id"]))["confidence"])
        assert ratings == ["A4", "A3"]
