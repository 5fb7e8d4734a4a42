"""The contract of the two sync tools: shapes, bounds, descriptions, and generated calls."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanya.engines.database import open_database
from sanya.kernel.calls.call import Answered, Call, Caller, Progress, Refused
from sanya.kernel.calls.dispatch import Kernel
from sanya.kernel.calls.limits import LocalRateLimiter
from sanya.kernel.calls.requests import RequestWindow
from sanya.kernel.contracts.shapes import Shape, get_published_schema
from sanya.kernel.contracts.suite import Suite
from sanya.kernel.ledger.chain import Ledger
from sanya.suites.papers.dialect import DIALECT
from sanya.suites.papers.sync import contract as contract
from sanya.suites.papers.sync.query_sync import PubMedSync
from sanya.suites.papers.sync.tools import build_sync_tools
from sanya.surfaces.mcp.listing.lists import list_tools
from tests.kernel.conftest import InMemoryLedgerStore
from tests.sources.eutils import EUtils, Trouble, article, local_eutils
from tests.suites.generated import MANY, allowed, ruled_out
from tests.suites.papers.ingest_harness import NOW, IngestHarness, open_ingest_harness

INCREMENTAL, DELTA = "pubmed.sync.incremental", "pubmed.sync_delta"
INPUTS: dict[str, type[Shape]] = {INCREMENTAL: contract.SyncIncrementalInput, DELTA: contract.SyncDeltaInput}
GOOD: dict[str, dict[str, Any]] = {
    INCREMENTAL: {"query": "sample", "limit": 2},
    DELTA: {"query_key": "key", "term": "sample", "overlap_days": 3},
}
each_tool = pytest.mark.parametrize("name", list(GOOD))

# As papers.md has them, less the sentences.
INCREMENTAL_ANSWER = {
    "type": "object",
    "required": ["synced_documents", "total_found"],
    "properties": {
        "synced_documents": {"type": "integer", "minimum": 0},
        "total_found": {"type": "integer", "minimum": 0},
        "status": {"type": "string"},
    },
    "additionalProperties": False,
}
DELTA_FIELDS = {
    "job_id",
    "inserted",
    "updated",
    "skipped",
    "pmids_processed",
    "max_edat_seen",
    "warnings",
}


@pytest.fixture
async def eutils() -> AsyncIterator[EUtils]:
    async with local_eutils([article(number) for number in range(5)]) as utils:
        yield utils


@pytest.fixture
async def kernel(home: Path, eutils: EUtils) -> AsyncIterator[Kernel]:
    async with open_database("", home) as database, open_ingest_harness(database, home, eutils.url) as harness:
        ledger = Ledger(InMemoryLedgerStore(), group_ms=1)
        suite = Suite(name="papers", title="Papers", dialect=DIALECT, tools=build_sync_tools(_opener(harness)))
        kernel = Kernel([suite], ledger=ledger, limiter=LocalRateLimiter(), window=RequestWindow(), clock=lambda: NOW)
        ledger.start()
        try:
            yield kernel
        finally:
            await ledger.close()


def _opener(harness: IngestHarness) -> Any:
    async def open_sync() -> PubMedSync:
        return harness.sync

    return open_sync


async def call(kernel: Kernel, name: str, **arguments: Any) -> dict[str, Any]:
    outcome = await kernel.call(Call(name, arguments))
    assert isinstance(outcome, Answered), outcome
    return outcome.body


async def test_new_papers_come_up_to_the_limit_and_the_status_says_whether_there_are_more(kernel: Kernel) -> None:
    first = await call(kernel, INCREMENTAL, query="sample", limit=3)
    assert jsonschema_rs.validator_for(INCREMENTAL_ANSWER).is_valid(first)
    assert (first["synced_documents"], first["total_found"]) == (3, 5)
    assert first["status"] == "3 new papers of 5 found; there are more, call again"
    second = await call(kernel, INCREMENTAL, query="sample", limit=3)
    assert second["synced_documents"] == 2
    assert "nothing is left" in second["status"]


async def test_a_delta_tells_what_it_did(kernel: Kernel, eutils: EUtils) -> None:
    eutils.withdrawn = {next(iter(eutils.articles))}
    body = await call(kernel, DELTA, query_key="key", term="sample")
    assert set(body) == DELTA_FIELDS
    assert body["job_id"] == "sync_2024-06-01T12:00:00Z"
    assert (body["inserted"], body["updated"], body["skipped"], body["pmids_processed"]) == (4, 0, 0, 5)
    assert body["max_edat_seen"] == "2024-01-05T06:00:00Z"
    assert body["warnings"] == ["1 of the papers found were withdrawn by PubMed before they could be fetched"]


async def test_progress_is_told(kernel: Kernel) -> None:
    reported: list[Progress] = []
    await kernel.call(Call(DELTA, GOOD[DELTA], progress=reported.append))
    assert (reported[-1].done, reported[-1].total) == (5, 5)


@pytest.mark.parametrize(
    ("trouble", "code"),
    [
        (Trouble("esearch", "status", 429), "RATE_LIMIT"),
        (Trouble("esearch", "status", 500), "ENTREZ"),
        (Trouble("esearch", "close"), "ENTREZ"),
        (Trouble("efetch", "cut"), "ENTREZ"),
    ],
    ids=["429", "500", "closed", "cut"],
)
@each_tool
async def test_pubmeds_trouble_has_the_contracts_words(
    name: str, trouble: Trouble, code: str, kernel: Kernel, eutils: EUtils
) -> None:
    eutils.troubles = [trouble] * 5
    outcome = await kernel.call(Call(name, GOOD[name]))
    assert isinstance(outcome, Refused)
    assert outcome.body["error"]["code"] == code


@each_tool
async def test_who_may_only_read_may_not_sync(name: str, kernel: Kernel, eutils: EUtils) -> None:
    outcome = await kernel.call(Call(name, GOOD[name], Caller("reader", frozenset({"papers:read"}))))
    assert isinstance(outcome, Refused)
    assert eutils.asked == []


@each_tool
async def test_blanks_are_no_query(name: str, kernel: Kernel, eutils: EUtils) -> None:
    field = "query" if name == INCREMENTAL else "term"
    outcome = await kernel.call(Call(name, {**GOOD[name], field: " \n"}))
    assert isinstance(outcome, Refused)
    assert outcome.error["code"] == "VALIDATION"
    assert eutils.asked == []


@cache
def _allowed(name: str) -> st.SearchStrategy[dict[str, Any]]:
    schema = get_published_schema(INPUTS[name])
    likely = {"query": st.just("sample"), "term": st.just("sample"), "limit": st.integers(1, 5)}
    return allowed(schema, {field: value for field, value in likely.items() if field in schema["properties"]})


@cache
def _ruled_out(name: str) -> st.SearchStrategy[Any]:
    return ruled_out(get_published_schema(INPUTS[name]), GOOD[name])


@each_tool
@MANY
@given(data=st.data())
async def test_every_allowed_call_is_answered_or_refused_in_words(
    name: str, kernel: Kernel, eutils: EUtils, data: st.DataObject
) -> None:
    eutils.articles.clear()  # or most of the time would go into storing
    arguments = data.draw(_allowed(name))
    outcome = await kernel.call(Call(name, arguments))
    if isinstance(outcome, Refused):
        assert outcome.error["code"] == "VALIDATION", outcome


@each_tool
@MANY
@given(data=st.data())
async def test_every_wrong_call_is_refused_and_asks_nobody(
    name: str, kernel: Kernel, eutils: EUtils, data: st.DataObject
) -> None:
    eutils.asked.clear()
    arguments = data.draw(_ruled_out(name))
    outcome = await kernel.call(Call(name, arguments))
    assert isinstance(outcome, Refused)
    assert outcome.error["code"] == "VALIDATION"
    assert eutils.asked == []


def test_the_contract_of_incremental_is_kept() -> None:
    schema = get_published_schema(contract.SyncIncrementalInput)
    assert schema["required"] == ["query"]
    assert {key: schema["properties"]["limit"][key] for key in ("minimum", "maximum", "default")} == {
        "minimum": 1,
        "maximum": 500,
        "default": 100,
    }
    assert schema["properties"]["query"]["minLength"] == 1


async def test_every_field_is_described_and_the_listing_is_small(kernel: Kernel) -> None:
    for listed in list_tools(kernel.catalogue, portable=False).tools:
        listing = json.dumps(listed.model_dump(mode="json", by_alias=True, exclude_none=True), separators=(",", ":"))
        assert len(listing) <= 2400
    for tool in kernel.catalogue.tools:
        fields = [*tool.input_schema["properties"].values(), *tool.output_schema["properties"].values()]
        assert all(field["description"] for field in fields)
