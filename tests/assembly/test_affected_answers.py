"""The papers that answers named, over all suites, and the command that lists the answers of a retracted paper."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from sanya import app as sanya_app
from sanya.app import App
from sanya.surfaces.cli.main import main
from tests.assembly.test_retractions import NOTICE, import_records, make_record

PMID = "41000007"


async def list_tools_that_named(app: App, pmid: str) -> list[str]:
    await app.ledger.flush()
    return [call.tool for call in await app.cited_papers.list_calls(pmid, 50)]


async def test_papers_and_herbs_record_what_they_name_and_memory_does_not(
    home: Path, database_url: str, tmp_path: Path
) -> None:
    async with sanya_app.open(home, database_url=database_url) as app:
        record = make_record(PMID, 2024, types=("Randomized Controlled Trial",))
        await import_records(app, tmp_path / "first.xml", record)
        await app.call("rag.search", {"query": "trial", "search_mode": "bm25"})
        await app.call("papers.cite", {"doc_ids": [f"pmid:{PMID}"]})
        source = {"type": "pmid", "ref": PMID}
        await app.call("send_memory", {"content": "The trial of blue lamps worked.", "source": source})
        await app.call("get_memory", {"query": "blue lamps"})
        await app.call("list_memories", {})
        assert await list_tools_that_named(app, PMID) == ["papers.cite", "rag.search"]

        # The graph names this source by an id of its own, not by its PMID.
        ((source_id, pmid),) = await app.database.fetch(
            "SELECT s.id, s.pmid FROM herb_sources s JOIN herb_edges e ON e.sources LIKE '%\"' || s.id || '\"%' "
            "WHERE s.pmid IS NOT NULL AND s.id NOT LIKE 'pmid:%' AND e.from_type = 'herb' ORDER BY s.id LIMIT 1"
        )
        ((herb,),) = await app.database.fetch(
            "SELECT from_id FROM herb_edges WHERE from_type = 'herb' AND sources LIKE ? ORDER BY from_id LIMIT 1",
            (f'%"{source_id!s}"%',),
        )
        start = {"type": "herb", "id": herb}
        await app.call("tool.query_kg", {"start": start, "max_depth": 1, "limit": 200})
        assert await list_tools_that_named(app, str(pmid)) == ["tool.query_kg"]


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(list(words))
    out, err = capsys.readouterr()
    return code, out, err


def test_the_command_lists_answers_from_before_and_after_a_retraction(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    doi = '<ArticleIdList><ArticleId IdType="doi">10.1000/LAMPS</ArticleId></ArticleIdList>'
    types = ("Randomized Controlled Trial",)

    async def ask(*records: str) -> None:
        async with sanya_app.open(home) as app:
            await import_records(app, tmp_path / f"{len(list(tmp_path.iterdir()))}.xml", *records)
            await app.call("rag.get", {"doc_id": f"pmid:{PMID}"})

    asyncio.run(ask(make_record(PMID, 2024, types=types).replace("<ArticleIdList/>", doi)))
    code, out, _ = run(capsys, "--home", str(home), "papers", "affected", PMID)
    assert (code, f"PMID {PMID}: no notice on record" in out, out.count("rag.get")) == (0, True, 1)
    assert (
        "No recorded answer named a paper that was retracted"
        in run(capsys, "--home", str(home), "papers", "affected")[1]
    )

    retracted = make_record(PMID, 2026, types=(*types, "Retracted Publication"), link=("RetractionIn", NOTICE))
    asyncio.run(ask(retracted.replace("<ArticleIdList/>", doi)))
    for paper in ((), (PMID,), (f"https://pubmed.ncbi.nlm.nih.gov/{PMID}/",), ("https://doi.org/10.1000/lamps",)):
        code, out, err = run(capsys, "--home", str(home), "papers", "affected", *paper)
        rows = [line for line in out.splitlines() if "rag.get" in line]
        assert code == 0
        assert ["before the notice" in row for row in rows] == [False, True]
        assert "sanya audit show CALL" in err
    body: Any = json.loads(run(capsys, "--home", str(home), "papers", "affected", PMID, "--json")[1])
    assert body["total"] == 2
    assert body["standings"][0]["standing"] == "retracted"


@pytest.mark.parametrize(("paper", "message"), [("10.1000/none", "no stored paper"), ("a title", "is no PMID")])
def test_a_paper_that_cannot_be_named_is_refused_with_advice(
    home: Path, capsys: pytest.CaptureFixture[str], paper: str, message: str
) -> None:
    code, _, err = run(capsys, "--home", str(home), "papers", "affected", paper)
    assert code != 0
    assert message in err
