"""The console's files and its JSON endpoints, which show each caller only their own data."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from typing import Any

import httpx
import pytest

from sanya.kernel.calls.call import Call, Caller
from sanya.kernel.clock import read_clock
from sanya.surfaces.http.console.pages import POLICY
from tests.surfaces.http.conftest import DemoServer, OpenServer, bearer

API = "/console/api"


async def _get(server: DemoServer, path: str, key: str | None = None) -> httpx.Response:
    return await server.client.get(f"{API}/{path}", headers=bearer(key) if key else {})


async def _verify(server: DemoServer, headers: dict[str, str] | None = None) -> dict[str, Any]:
    """Run a verification and return its verdict."""
    state = (await server.client.post(f"{API}/verification", headers=headers)).json()
    async with asyncio.timeout(20):
        while state["running"]:
            await asyncio.sleep(0.01)  # the client shares our event loop, so let the verification run
            state = (await server.client.get(f"{API}/verification", headers=headers)).json()
    return dict(state["verdict"])


async def test_the_page_has_its_policy_and_refers_to_immutable_files(server: DemoServer) -> None:
    page = await server.client.get("/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["content-security-policy"].encode() == POLICY
    assert page.headers["cache-control"] == "no-cache"
    names = re.findall(r'(?:src|href)="(/console/[^"]+)"', page.text)
    assert len(names) > 4
    for name in names:
        file = await server.client.get(name)
        assert file.status_code == 200
        assert "immutable" in file.headers["cache-control"]
        assert file.headers["content-security-policy"].encode() == POLICY


async def test_a_file_is_gzipped_on_request_and_revalidated_by_etag(server: DemoServer) -> None:
    page = await server.client.get("/")
    (name,) = re.findall(r'src="(/console/[^"]+main.js)"', page.text)
    plain = await server.client.get(name, headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    async with server.client.stream("GET", name, headers={"accept-encoding": "br, gzip;q=0.8"}) as packed:
        raw = b"".join([part async for part in packed.aiter_raw()])
    assert gzip.decompress(raw) == plain.content and len(raw) < len(plain.content)
    refused = await server.client.get(name, headers={"accept-encoding": "gzip;q=0"})
    assert "content-encoding" not in refused.headers
    again = await server.client.get(name, headers={"if-none-match": plain.headers["etag"]})
    assert again.status_code == 304 and again.content == b""


async def test_the_owner_on_loopback_sees_everything(server: DemoServer) -> None:
    session = (await _get(server, "session")).json()
    assert session["open"] is True and session["scopes"] == ["*"]
    assert {"herbs", "papers", "memory", "funds", "tasks"} <= {suite["name"] for suite in session["suites"]}
    holdings = {holding["suite"]: holding for holding in (await _get(server, "holdings")).json()["suites"]}
    assert holdings["funds"]["sample"] is True and holdings["funds"]["counts"]["funds"] > 0
    assert holdings["herbs"]["counts"]["nodes"] > 0
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", holdings["funds"]["as_of"])


async def test_client_configurations_match_those_of_the_command_line(server: DemoServer) -> None:
    found = (await _get(server, "clients")).json()
    assert found["address"] == "http://127.0.0.1:8787/mcp/portable" and found["needs_key"] is False
    clients = {client["name"]: client for client in found["clients"]}
    assert clients["claude-desktop"]["http"] is None
    assert clients["vscode"]["http"]["servers"]["sanya"]["url"] == found["address"]
    assert "--tool-names" in clients["cursor"]["stdio"]["mcpServers"]["sanya"]["args"]


async def test_the_ledger_is_paged_and_filtered(server: DemoServer) -> None:
    for text in ("a", "b", "c"):
        await server.call("demo.say", {"text": text})
    await server.call("demo.lost")
    first = (await _get(server, "ledger?limit=2")).json()
    assert [row["tool"] for row in first["calls"]] == ["demo.lost", "demo.say"]
    rest = (await _get(server, f"ledger?limit=2&before={first['before']}")).json()
    assert [row["seq"] for row in rest["calls"]] == [2, 1]
    errors = (await _get(server, "ledger?status=error")).json()["calls"]
    assert [row["fault"] for row in errors] == ["not_found"]
    timestamp = first["calls"][0]["at"]
    assert len((await _get(server, f"ledger?since={timestamp}")).json()["calls"]) >= 1
    assert (await _get(server, "ledger?until=2020-01-01T00:00:00Z")).json()["calls"] == []


async def test_an_invalid_ledger_query_is_refused(server: DemoServer) -> None:
    for asked in ("limit=0", "limit=201", "before=x", "since=yesterday", "since=2026-01-01T00:00:00", "colour=red"):
        refused = await _get(server, f"ledger?{asked}")
        assert (refused.status_code, refused.json()["error"]["code"]) == (400, "INVALID_ARGUMENT"), asked


async def test_a_call_is_shown_with_its_row_and_replayed_with_what_changed(server: DemoServer) -> None:
    id = (await server.call("demo.say")).json()["meta"]["call_id"]
    row = (await _get(server, f"call?id={id}")).json()
    assert row["intact"] is True and row["not_replayable"] is None and row["input"] == '{"text":"hi","times":1}'
    again = (await server.client.post(f"{API}/replay?id={id}")).json()
    assert again["same"] is True and again["changed"] == [] and again["answer"]["said"] == ["hi"]
    assert again["then"]["out_hash"] == again["now"]["out_hash"] and again["now"]["id"] != id
    wrote = (await server.call("demo.write")).json()["meta"]["call_id"]
    assert "is a write" in (await _get(server, f"call?id={wrote}")).json()["not_replayable"]
    assert (await server.client.post(f"{API}/replay?id={wrote}")).status_code == 400
    assert (await _get(server, "call?id=call_none")).status_code == 404


async def test_the_chain_is_verified_in_the_background(server: DemoServer) -> None:
    before = (await _get(server, "verification")).json()
    assert before["running"] is False and before["verdict"] is None
    for _ in range(3):
        await server.call("demo.say")
    verdict = await _verify(server)
    assert verdict["ok"] is True and verdict["rows"] == 3


async def test_without_the_scope_a_caller_sees_only_their_own_calls(open_server: OpenServer) -> None:
    server = await open_server()
    auditor = await server.app.keys.create("auditor", ["audit:read", "demo:read"])
    worker = await server.app.keys.create("worker", ["demo:read"])
    blind = await server.app.keys.create("blind", ["audit:read"])
    await server.client.post("/tools/demo.say", json={"args": {"text": "mine"}}, headers=bearer(worker))
    other = await server.app.kernel.call(Call("demo.say", {"text": "private"}, Caller("key:other", frozenset({"*"}))))
    own = (await _get(server, "ledger?caller=key:other", worker)).json()
    assert own["own_only"] is True and [row["tool"] for row in own["calls"]] == ["demo.say"]
    assert (await _get(server, f"call?id={other.id}", worker)).status_code == 404
    assert (await server.client.post(f"{API}/replay?id={other.id}", headers=bearer(worker))).status_code == 404
    assert (await _get(server, "verification", worker)).status_code == 403
    assert (await server.client.post(f"{API}/verification", headers=bearer(worker))).status_code == 403
    everything = (await _get(server, "ledger", auditor)).json()
    assert everything["own_only"] is False and len(everything["calls"]) == 2
    assert (await _verify(server, bearer(auditor)))["ok"] is True
    replayed = (await server.client.post(f"{API}/replay?id={other.id}", headers=bearer(auditor))).json()
    assert replayed["same"] is True and replayed["answer"] is None, "the answer belongs to the other caller"
    assert (await server.client.post(f"{API}/replay?id={other.id}", headers=bearer(blind))).status_code == 403


async def test_with_require_auth_only_the_page_is_public(open_server: OpenServer) -> None:
    server = await open_server(require_auth=True)
    key = await server.app.keys.create("reader", ["funds:read"])
    assert (await server.client.get("/")).status_code == 200
    for path in ("session", "holdings", "clients", "inbox", "ledger", "call?id=1", "verification"):
        assert (await _get(server, path)).status_code == 401, path
    assert (await server.client.get("/jobs")).status_code == 401
    session = (await _get(server, "session", key)).json()
    assert session["open"] is False and session["scopes"] == ["funds:read"]
    assert [holding["suite"] for holding in (await _get(server, "holdings", key)).json()["suites"]] == ["funds"]
    assert (await _get(server, "inbox", key)).status_code == 403
    clients = (await _get(server, "clients", key)).json()
    assert clients["clients"][1]["http"]["mcpServers"]["sanya"]["headers"] == {"Authorization": "Bearer YOUR-KEY"}


async def test_only_a_key_with_all_scopes_learns_where_the_program_and_the_home_are(open_server: OpenServer) -> None:
    server = await open_server(require_auth=True)
    restricted = await server.app.keys.create("reader", [f"{suite}:read" for suite in ("funds", "tasks", "herbs")])
    shown = (await _get(server, "clients", restricted)).text
    assert str(server.app.settings.home) not in shown and "/bin/" not in shown
    assert all(client["stdio"] is None for client in json.loads(shown)["clients"])
    owner = await server.app.keys.create("owner", ["*"])
    assert any(client["stdio"] for client in (await _get(server, "clients", owner)).json()["clients"])


async def test_a_page_of_another_origin_is_refused(server: DemoServer) -> None:
    for path in ("session", "ledger", "verification"):
        refused = await server.client.get(f"{API}/{path}", headers={"origin": "https://evil.example"})
        assert refused.status_code == 403
    refused = await server.client.post(f"{API}/verification", headers={"origin": "https://evil.example"})
    assert refused.status_code == 403


async def test_jobs_are_visible_only_to_their_owner(open_server: OpenServer) -> None:
    server = await open_server()
    jobs = server.app.jobs
    keys = {
        name: await server.app.keys.create(name, scopes) for name, scopes in (("a", ["x"]), ("b", ["x"]), ("o", ["*"]))
    }
    caller = await server.app.keys.find(keys["a"])
    assert caller is not None
    job = await jobs.create("demo", caller.id, {"dry_run": True, "batch": [{"uri": "file:///d/x.pdf"}]}, read_clock())
    await jobs.write_log(job.id, ["one", "two"], read_clock())
    for name, count in (("a", 1), ("b", 0), ("o", 1)):
        listed = (await server.client.get("/jobs", headers=bearer(keys[name]))).json()["jobs"]
        assert len(listed) == count
        shown_job = await server.client.get(f"/jobs/{job.id}", headers=bearer(keys[name]))
        log = await server.client.get(f"/jobs/{job.id}/log", headers=bearer(keys[name]))
        assert (shown_job.status_code, log.status_code) == ((200, 200) if count else (404, 404))
    shown = (await server.client.get(f"/jobs/{job.id}?after=1", headers=bearer(keys["a"]))).json()
    assert shown["documents"] == ["file:///d/x.pdf"] and [line["text"] for line in shown["log"]] == ["two"]
    assert log.headers["content-type"].startswith("text/plain") and log.text.count("\n") == 2


@pytest.mark.parametrize("path", ["/console", "/ui", "/index.html"])
async def test_an_unknown_path_points_to_the_console(server: DemoServer, path: str) -> None:
    answer = await server.client.get(path)
    assert answer.status_code == 404
    assert f"Nothing at {path!r}. The console is at /." in answer.text
