"""paper://pmid/{id} of a home whose papers suite stores the record, by the scopes of who asks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sanya import app as sanya_app
from sanya.app import App
from sanya.kernel.calls.call import Answered, Call, Caller
from tests.assembly.test_retractions import NOTICE, import_records, make_record

PMID = "27776366"  # a paper of which the graph knows nothing but its PMID


async def read(app: App, *scopes: str) -> dict[str, Any]:
    caller = Caller("somebody", frozenset(scopes or ("*",)))
    outcome = await app.kernel.read(Call(f"paper://pmid/{PMID}", {}, caller=caller))
    assert isinstance(outcome, Answered)
    return outcome.body


async def test_a_stored_record_fills_what_the_graph_lacks(home: Path, tmp_path: Path, database_url: str) -> None:
    async with sanya_app.open(home, database_url=database_url) as app:
        bare = await read(app)
        assert (bare["stored"], bare["abstract"], "--sync" in bare["advice"]) == (False, "", True)

        types = ("Randomized Controlled Trial", "Retracted Publication")
        record = make_record(PMID, 2026, types=types, link=("RetractionIn", NOTICE))
        await import_records(app, tmp_path / "papers.xml", record)
        filled = await read(app)
        assert (filled["title"], filled["abstract"]) == ("A trial.", "It worked.")
        assert (filled["journal"], filled["standing"]) == ("Lancet (London, England)", "retracted")
        assert filled["missing"] == ["authors", "year"]
        assert (await read(app, "herbs:read"))["abstract"] == ""
        assert (await read(app, "herbs:read", "papers:read"))["abstract"] == "It worked."


async def test_a_disabled_papers_suite_fills_nothing(home: Path, tmp_path: Path) -> None:
    async with sanya_app.open(home) as app:
        await import_records(app, tmp_path / "papers.xml", make_record(PMID, 2026, types=("Journal Article",)))
    async with sanya_app.open(home, suites_disabled=("papers",)) as app:
        assert (await read(app))["stored"] is False
