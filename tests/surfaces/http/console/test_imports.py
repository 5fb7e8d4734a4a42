"""Imports from the browser: a dry run changes nothing, writing changes what it showed, and the ledger has a row."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.surfaces.http.conftest import DemoServer, OpenServer

UPLOAD, IMPORTS = "/console/api/upload", "/console/api/imports"
OCTETS = {"content-type": "application/octet-stream"}
TODO = b"(A) Call the bank due:2027-01-05\nWater the plants\nx 2026-13-99 broken\n"
PAPER = b"""<?xml version="1.0"?><PubmedArticleSet><PubmedArticle><MedlineCitation><PMID Version="1">31999</PMID>
<Article><Journal><Title>Trials</Title><JournalIssue><PubDate><Year>2024</Year></PubDate></JournalIssue></Journal>
<ArticleTitle>Turmeric and warfarin: a trial.</ArticleTitle><Abstract><AbstractText>It bled.</AbstractText></Abstract>
<PublicationTypeList><PublicationType>Journal Article</PublicationType></PublicationTypeList></Article>
</MedlineCitation><PubmedData><ArticleIdList><ArticleId IdType="pubmed">31999</ArticleId></ArticleIdList></PubmedData>
</PubmedArticle></PubmedArticleSet>"""
FUND = json.dumps(
    {
        "fund_id": "M1",
        "symbol": "TEST-RMF",
        "fund_name": "Test",
        "amc": "Test AMC",
        "metadata": {"risk_level": 5, "fund_type": "RMF"},
        "latest_nav": {"nav_date": "2026-01-05", "last_val": 10.5},
        "nav_history_30d": [{"nav_date": "2026-01-05", "last_val": 10.5}],
    }
).encode()


async def send(server: DemoServer, kind: str, name: str, content: bytes, **more: str) -> httpx.Response:
    params = {"kind": kind, "name": name, **more}
    return await server.client.post(UPLOAD, params=params, content=content, headers=OCTETS)


async def act(server: DemoServer, id: str, action: str) -> dict[str, Any]:
    """Start an action and return the batch when it has ended."""
    answer = await server.client.post(IMPORTS, json={"id": id, "action": action})
    assert answer.status_code == 200, answer.text
    batch: dict[str, Any] = answer.json()
    async with asyncio.timeout(60):
        while batch["state"] in ("reading", "writing"):
            await asyncio.sleep(0.01)
            batch = (await server.client.get(IMPORTS, params={"id": id})).json()
    return batch


async def preview(server: DemoServer, kind: str, name: str, content: bytes) -> dict[str, Any]:
    return await act(server, (await send(server, kind, name, content)).json()["id"], "read")


async def read_rows(server: DemoServer, tool: str) -> list[Any]:
    await server.app.ledger.flush()
    return [link.entry for link in await server.app.ledger_store.page(10, tool=tool)]


async def count_tasks(server: DemoServer) -> int:
    return len((await server.app.call("get_tasks", {"limit": 100}))["items"])


async def test_tasks_are_shown_first_and_written_afterwards(server: DemoServer) -> None:
    before = await count_tasks(server)
    batch = await preview(server, "tasks", "todo.txt", TODO)
    assert batch["state"] == "ready" and await count_tasks(server) == before
    (shown,) = batch["preview"]["files"]
    assert (shown["format"], shown["counts"]["created"], shown["counts"]["samples_removed"]) == ("todotxt", 2, before)
    assert shown["refused"][0]["place"] == "todo.txt:3"
    assert await read_rows(server, "tasks.import") == []
    written = await act(server, batch["id"], "write")
    assert written["state"] == "done" and written["report"] == batch["preview"]
    assert await count_tasks(server) == 2
    (row,) = await read_rows(server, "tasks.import")
    assert json.loads(row.input)["counts"]["created"] == 2
    again = await server.client.post(IMPORTS, json={"id": batch["id"], "action": "write"})
    assert again.status_code == 400, "a batch is written once"
    assert not (server.app.settings.home / "uploads" / batch["id"]).exists()


async def test_papers_are_counted_by_what_is_here_already(server: DemoServer) -> None:
    batch = await preview(server, "papers", "new.xml", PAPER)
    assert batch["preview"]["files"][0]["counts"] == {"inserted": 1, "known": 0, "deleted": 0}
    assert batch["preview"]["files"][0]["titles"] == ["Turmeric and warfarin: a trial."]
    written = await act(server, batch["id"], "write")
    assert written["report"]["files"][0]["counts"]["inserted"] == 1
    assert (await server.app.call("rag.get", {"doc_id": "pmid:31999"}))["journal"] == "Trials"
    holding = (await server.client.get("/console/api/paper", params={"pmid": "31999"})).json()
    assert [version["version"] for version in holding["versions"]] == [1]
    assert (holding["has_full_text"], holding["in_graph"]) == (False, False)
    figures = (await server.client.get("/console/api/papers")).json()
    assert {"year": 2024, "papers": 1} in figures["years"] and figures["newest"][0]["pmid"] == "31999"
    again = await preview(server, "papers", "again.xml", PAPER.replace(b"bled", b"did"))
    assert again["preview"]["files"][0]["counts"]["known"] == 1


async def test_funds_of_several_files_are_one_import(server: DemoServer) -> None:
    first = (await send(server, "funds", "a.json", FUND)).json()
    second = await send(server, "funds", "b.json", FUND.replace(b"TEST-RMF", b"OTHER-RMF"), id=first["id"])
    assert second.json()["files"] == ["a.json", "b.json"]
    batch = await act(server, first["id"], "read")
    assert batch["state"] == "ready", batch
    assert batch["preview"]["files"][0]["counts"]["created"] == 2
    await act(server, first["id"], "write")
    found = await server.app.call("get_rmf_fund_detail", {"fundCode": "OTHER-RMF"})
    assert found["structuredContent"]["fund"]["nav_value"] == 10.5


@pytest.mark.parametrize(
    ("kind", "name", "content"),
    [("papers", "x.xml", b"<html>no"), ("funds", "x.json", b"[]"), ("papers", "x.gz", b"\x1f\x8b0")],
)
async def test_a_file_that_cannot_be_read_is_refused_with_its_reason(
    server: DemoServer, kind: str, name: str, content: bytes
) -> None:
    batch = await preview(server, kind, name, content)
    if batch["state"] == "ready":
        assert batch["preview"]["files"][0]["refused"], batch
        return
    assert batch["state"] == "failed" and batch["problem"]
    assert str(server.app.settings.home) not in batch["problem"]
    assert not any((server.app.settings.home / "uploads").iterdir())


async def test_a_document_lands_in_the_ingest_folder_under_a_free_name(server: DemoServer) -> None:
    inbox = server.app.settings.home / "inbox"
    for expected in ("notes.txt", "notes-2.txt"):
        kept = (await send(server, "documents", "../../notes.txt", b"Turmeric interacts with warfarin.")).json()
        assert kept["name"] == expected and Path(kept["uri"].removeprefix("file://")) == inbox / expected
    assert sorted(path.name for path in inbox.iterdir()) == ["notes-2.txt", "notes.txt"]
    started = await server.app.call(
        "tool.ingest.run", {"dry_run": True, "batch": [{"uri": kept["uri"], "lang": "en"}], "wait_s": 20}
    )
    assert started["job_id"]
    assert len(await read_rows(server, "documents.upload")) == 2


@pytest.mark.parametrize("name", ["", "..", "/", "a" * 300, "."])
async def test_a_name_that_is_none_is_refused(server: DemoServer, name: str) -> None:
    assert (await send(server, "tasks", name, TODO)).status_code == 400
    assert not (server.app.settings.home / "uploads").exists()


async def test_names_lose_folders_and_signs_that_could_mislead(server: DemoServer) -> None:
    for given, kept in (
        ("C:\\Users\\me\\todo.txt", "todo.txt"),
        ("a\u202egnp.exe", "a_gnp.exe"),
        (".bashrc", "bashrc"),
    ):
        assert (await send(server, "tasks", given, TODO)).json()["files"] == [kept]


async def test_what_is_too_large_or_empty_leaves_nothing(open_server: OpenServer) -> None:
    server = await open_server(ingest_max_bytes=2048)
    assert (await send(server, "tasks", "todo.txt", b"x" * 2049)).status_code == 413
    assert (await send(server, "tasks", "todo.txt", b"")).status_code == 400

    async def stream() -> Any:
        for _ in range(5):
            yield b"x" * 1000

    streamed = await server.client.post(UPLOAD, params={"kind": "tasks", "name": "a"}, content=stream(), headers=OCTETS)
    assert streamed.status_code == 413
    left = [path for path in (server.app.settings.home / "uploads").rglob("*") if path.is_file()]
    assert left == []


async def test_a_form_of_another_page_cannot_send_a_file(server: DemoServer) -> None:
    for kind in ("text/plain", "multipart/form-data; boundary=x", "application/json"):
        params = {"kind": "tasks", "name": "todo.txt"}
        answer = await server.client.post(UPLOAD, params=params, content=TODO, headers={"content-type": kind})
        assert answer.status_code == 400, kind
    foreign = await server.client.post(
        UPLOAD, params={"kind": "tasks", "name": "a"}, content=TODO, headers={**OCTETS, "origin": "http://localhost:1"}
    )
    assert foreign.status_code == 403
