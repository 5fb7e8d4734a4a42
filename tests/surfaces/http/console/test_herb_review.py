"""The console's review of herb statements: who may read, who may decide, and what the ledger keeps of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.surfaces.http.conftest import DemoServer, OpenServer

LIST = "/console/api/herbs/review"
STATEMENT = "/console/api/herbs/statement"
UNDO = "/console/api/herbs/undo"
COVERAGE = "/console/api/herbs/coverage"
# Ya Hom Nawakot with drugs of CYP3A4: doubtful, minor, theoretical.
DOUBTFUL = {"id": "ix-0014"}
REJECTION = {"verdict": "reject", "reviewer": "ภญ. สมศรี", "reason": "the paper studied piperine alone"}


@pytest.fixture
async def server(open_server: OpenServer) -> DemoServer:
    return await open_server(require_auth=True)


async def bearer(server: DemoServer, name: str, *scopes: str) -> dict[str, str]:
    return {"authorization": f"Bearer {await server.app.keys.create(name, scopes)}"}


async def read_ledger(server: DemoServer, tool: str) -> list[Any]:
    await server.app.ledger.flush()
    return [link.entry for link in await server.app.ledger_store.page(10, tool=tool)]


async def test_a_reviewer_lists_reads_decides_and_undoes(server: DemoServer) -> None:
    key = await bearer(server, "pharmacist", "herbs:read", "herbs:review")
    listed = (await server.client.get(LIST, params={"severity": "minor", "limit": "2"}, headers=key)).json()
    assert (len(listed["statements"]), listed["total"] > 50) == (2, True)
    card = (await server.client.get(STATEMENT, params=DOUBTFUL, headers=key)).json()
    assert (card["state"], card["may_decide"]) == ("open", True)
    decided = await server.client.post(STATEMENT, params=DOUBTFUL, json=REJECTION, headers=key)
    assert (decided.status_code, decided.json()["state"]) == (200, "rejected")
    undone = await server.client.post(UNDO, params=DOUBTFUL, json={"reviewer": "ภญ. สมศรี"}, headers=key)
    assert undone.json()["state"] == "open"
    assert [made["undone"]["by"] for made in undone.json()["history"]] == ["ภญ. สมศรี"]


async def test_decisions_are_in_the_ledger_under_the_key_that_made_them(server: DemoServer) -> None:
    key = await bearer(server, "pharmacist", "herbs:read", "herbs:review")
    await server.client.post(STATEMENT, params=DOUBTFUL, json=REJECTION, headers=key)
    (entry,) = await read_ledger(server, "herbs.review")
    assert (entry.surface, entry.effect, entry.status) == ("http", "write", "ok")
    assert entry.caller.startswith("key:")
    assert json.loads(entry.input)["reviewer"] == "ภญ. สมศรี"


async def test_a_key_that_may_ingest_may_not_decide(server: DemoServer) -> None:
    key = await bearer(server, "agent", "herbs:read", "herbs:write")
    card = (await server.client.get(STATEMENT, params=DOUBTFUL, headers=key)).json()
    assert card["may_decide"] is False
    for address, body in ((STATEMENT, REJECTION), (UNDO, {"reviewer": "x"})):
        refused = await server.client.post(address, params=DOUBTFUL, json=body, headers=key)
        assert refused.status_code == 403
        assert "herbs:review" in refused.text
    assert await read_ledger(server, "herbs.review") == []


async def test_without_the_scope_or_a_key_nothing_is_shown(server: DemoServer) -> None:
    other = await bearer(server, "other", "tasks:read")
    for address in (LIST, STATEMENT, COVERAGE):
        assert (await server.client.get(address, params=DOUBTFUL)).status_code == 401
        assert (await server.client.get(address, headers=other)).status_code == 403


async def test_a_page_of_another_origin_cannot_decide(server: DemoServer) -> None:
    key = await bearer(server, "pharmacist", "herbs:read", "herbs:review")
    foreign = await server.client.post(
        STATEMENT, params=DOUBTFUL, json=REJECTION, headers={**key, "origin": "https://evil.example"}
    )
    assert foreign.status_code == 403
    form = await server.client.post(
        STATEMENT, params=DOUBTFUL, content=json.dumps(REJECTION), headers={**key, "content-type": "text/plain"}
    )
    assert form.status_code == 415
    assert (await server.client.get(STATEMENT, params=DOUBTFUL, headers=key)).json()["state"] == "open"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"verdict": "reject", "reviewer": "x"}, "reason or a source"),
        ({"verdict": "maybe", "reviewer": "x"}, "verdict"),
        ({"verdict": "accept"}, "reviewer is required"),
        ({"verdict": "accept", "reviewer": "x", "colour": "red"}, "unknown argument colour"),
        ([], "must be an object"),
    ],
)
async def test_a_wrong_decision_is_refused_with_what_is_wrong(server: DemoServer, body: Any, words: str) -> None:
    key = await bearer(server, "pharmacist", "herbs:read", "herbs:review")
    refused = await server.client.post(STATEMENT, params=DOUBTFUL, json=body, headers=key)
    assert (refused.status_code, words in refused.text) == (400, True)


async def test_unknown_statements_filters_and_types_are_refused(server: DemoServer) -> None:
    key = await bearer(server, "reader", "herbs:read")
    assert (await server.client.get(STATEMENT, params={"id": "ix-99999"}, headers=key)).status_code == 404
    for address, params in (
        (STATEMENT, {}),
        (LIST, {"severity": "huge"}),
        (LIST, {"limit": "0"}),
        (LIST, {"limit": "many"}),
        (LIST, {"colour": "red"}),
        (COVERAGE, {"type": "drug"}),
    ):
        assert (await server.client.get(address, params=params, headers=key)).status_code == 400, (address, params)


async def test_coverage_counts_a_class_for_its_members_and_marks_what_is_only_partly_known(server: DemoServer) -> None:
    key = await bearer(server, "reader", "herbs:read")
    grid = (await server.client.get(COVERAGE, headers=key)).json()
    columns = [column["id"] for column in grid["columns"]]
    garlic = next(row for row in grid["rows"] if row["id"] == "allium-sativum")
    cell = garlic["cells"][str(columns.index("drug:anticoagulants"))]
    assert cell["severity"] in ("major", "contraindicated")
    assert cell["statements"]
    usual = [column["id"] for column in grid["columns"] if column["usual"]]
    assert columns[: len(usual)] == usual
    assert len(grid["rows"]) > 250
    covered = [bool(row["cells"]) for row in grid["rows"]]
    assert covered == sorted(covered, reverse=True)
