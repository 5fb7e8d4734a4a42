"""What the console asks of the server: its files, and JSON that shows each caller only what is theirs to see."""

from __future__ import annotations

import asyncio
import gzip
import re
from typing import Any

import httpx
import pytest

from sanya.kernel.call import Call, Caller
from sanya.kernel.clock import read_clock
from sanya.surfaces.http.console.pages import POLICY
from tests.surfaces.http.conftest import House, OpenHouse, bearer

API = "/console/api"


async def _get(house: House, path: str, key: str | None = None) -> httpx.Response:
    return await house.client.get(f"{API}/{path}", headers=bearer(key) if key else {})


async def _verified(house: House, headers: dict[str, str] | None = None) -> dict[str, Any]:
    """What a verification came to."""
    state = (await house.client.post(f"{API}/verification", headers=headers)).json()
    async with asyncio.timeout(20):
        while state["running"]:
            await asyncio.sleep(0.01)  # the client shares our loop, and waits for nothing of its own
            state = (await house.client.get(f"{API}/verification", headers=headers)).json()
    return dict(state["verdict"])


async def test_the_page_is_served_with_its_policy_and_names_files_that_are_kept_for_good(house: House) -> None:
    page = await house.client.get("/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["content-security-policy"].encode() == POLICY
    assert page.headers["cache-control"] == "no-cache"
    names = re.findall(r'(?:src|href)="(/console/[^"]+)"', page.text)
    assert len(names) > 4
    for name in names:
        file = await house.client.get(name)
        assert file.status_code == 200
        assert "immutable" in file.headers["cache-control"]
        assert file.headers["content-security-policy"].encode() == POLICY


async def test_a_file_is_packed_for_who_takes_it_and_not_sent_twice(house: House) -> None:
    page = await house.client.get("/")
    (name,) = re.findall(r'src="(/console/[^"]+main.js)"', page.text)
    plain = await house.client.get(name, headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    async with house.client.stream("GET", name, headers={"accept-encoding": "br, gzip;q=0.8"}) as packed:
        raw = b"".join([part async for part in packed.aiter_raw()])
    assert gzip.decompress(raw) == plain.content and len(raw) < len(plain.content)
    refused = await house.client.get(name, headers={"accept-encoding": "gzip;q=0"})
    assert "content-encoding" not in refused.headers
    again = await house.client.get(name, headers={"if-none-match": plain.headers["etag"]})
    assert again.status_code == 304 and again.content == b""


async def test_the_owner_on_loopback_sees_everything(house: House) -> None:
    session = (await _get(house, "session")).json()
    assert session["open"] is True and session["scopes"] == ["*"]
    assert {"herbs", "papers", "memory", "funds", "tasks"} <= {one["name"] for one in session["suites"]}
    holdings = {one["suite"]: one for one in (await _get(house, "holdings")).json()["suites"]}
    assert holdings["funds"]["sample"] is True and holdings["funds"]["counts"]["funds"] > 0
    assert holdings["herbs"]["counts"]["nodes"] > 0
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", holdings["funds"]["as_of"])


async def test_clients_are_connected_as_the_command_line_does_it(house: House) -> None:
    found = (await _get(house, "clients")).json()
    assert found["address"] == "http://127.0.0.1:8787/mcp/portable" and found["needs_key"] is False
    clients = {one["name"]: one for one in found["clients"]}
    assert clients["claude-desktop"]["http"] is None
    assert clients["vscode"]["http"]["servers"]["sanya"]["url"] == found["address"]
    assert "--tool-names" in clients["cursor"]["stdio"]["mcpServers"]["sanya"]["args"]


async def test_the_ledger_is_paged_and_filtered(house: House) -> None:
    for text in ("a", "b", "c"):
        await house.call("demo.say", {"text": text})
    await house.call("demo.lost")
    first = (await _get(house, "ledger?limit=2")).json()
    assert [one["tool"] for one in first["calls"]] == ["demo.lost", "demo.say"]
    rest = (await _get(house, f"ledger?limit=2&before={first['before']}")).json()
    assert [one["seq"] for one in rest["calls"]] == [2, 1]
    errors = (await _get(house, "ledger?status=error")).json()["calls"]
    assert [one["fault"] for one in errors] == ["not_found"]
    moment = first["calls"][0]["at"]
    assert len((await _get(house, f"ledger?since={moment}")).json()["calls"]) >= 1
    assert (await _get(house, "ledger?until=2020-01-01T00:00:00Z")).json()["calls"] == []


async def test_a_question_to_the_ledger_that_makes_no_sense_is_refused(house: House) -> None:
    for asked in ("limit=0", "limit=201", "before=x", "since=yesterday", "since=2026-01-01T00:00:00", "colour=red"):
        refused = await _get(house, f"ledger?{asked}")
        assert (refused.status_code, refused.json()["error"]["code"]) == (400, "INVALID_ARGUMENT"), asked


async def test_a_call_is_shown_with_its_row_and_replayed_with_what_changed(house: House) -> None:
    id = (await house.call("demo.say")).json()["meta"]["call_id"]
    row = (await _get(house, f"call?id={id}")).json()
    assert row["intact"] is True and row["not_replayable"] is None and row["input"] == '{"text":"hi","times":1}'
    again = (await house.client.post(f"{API}/replay?id={id}")).json()
    assert again["same"] is True and again["changed"] == [] and again["answer"]["said"] == ["hi"]
    assert again["then"]["out_hash"] == again["now"]["out_hash"] and again["now"]["id"] != id
    wrote = (await house.call("demo.write")).json()["meta"]["call_id"]
    assert "wrote" in (await _get(house, f"call?id={wrote}")).json()["not_replayable"]
    assert (await house.client.post(f"{API}/replay?id={wrote}")).status_code == 400
    assert (await _get(house, "call?id=call_none")).status_code == 404


async def test_the_chain_is_verified_in_the_background(house: House) -> None:
    before = (await _get(house, "verification")).json()
    assert before["running"] is False and before["verdict"] is None
    for _ in range(3):
        await house.call("demo.say")
    verdict = await _verified(house)
    assert verdict["ok"] is True and verdict["rows"] == 3


async def test_without_the_scope_a_caller_sees_only_their_own_calls(open_house: OpenHouse) -> None:
    house = await open_house()
    auditor = await house.app.keys.create("auditor", ["audit:read", "demo:read"])
    worker = await house.app.keys.create("worker", ["demo:read"])
    blind = await house.app.keys.create("blind", ["audit:read"])
    await house.client.post("/tools/demo.say", json={"args": {"text": "mine"}}, headers=bearer(worker))
    other = await house.app.kernel.call(Call("demo.say", {"text": "private"}, Caller("key:other", frozenset({"*"}))))
    own = (await _get(house, "ledger?caller=key:other", worker)).json()
    assert own["own_only"] is True and [one["tool"] for one in own["calls"]] == ["demo.say"]
    assert (await _get(house, f"call?id={other.id}", worker)).status_code == 404
    assert (await house.client.post(f"{API}/replay?id={other.id}", headers=bearer(worker))).status_code == 404
    assert (await _get(house, "verification", worker)).status_code == 403
    assert (await house.client.post(f"{API}/verification", headers=bearer(worker))).status_code == 403
    everything = (await _get(house, "ledger", auditor)).json()
    assert everything["own_only"] is False and len(everything["calls"]) == 2
    assert (await _verified(house, bearer(auditor)))["ok"] is True
    replayed = (await house.client.post(f"{API}/replay?id={other.id}", headers=bearer(auditor))).json()
    assert replayed["same"] is True and replayed["answer"] is None, "what another was told stays with them"
    assert (await house.client.post(f"{API}/replay?id={other.id}", headers=bearer(blind))).status_code == 403


async def test_with_a_key_needed_everything_but_the_page_asks_for_one(open_house: OpenHouse) -> None:
    house = await open_house(require_auth=True)
    key = await house.app.keys.create("reader", ["funds:read"])
    assert (await house.client.get("/")).status_code == 200
    for path in ("session", "holdings", "clients", "inbox", "ledger", "call?id=1", "verification"):
        assert (await _get(house, path)).status_code == 401, path
    assert (await house.client.get("/jobs")).status_code == 401
    session = (await _get(house, "session", key)).json()
    assert session["open"] is False and session["scopes"] == ["funds:read"]
    assert [one["suite"] for one in (await _get(house, "holdings", key)).json()["suites"]] == ["funds"]
    assert (await _get(house, "inbox", key)).status_code == 403
    clients = (await _get(house, "clients", key)).json()
    assert clients["clients"][1]["http"]["mcpServers"]["sanya"]["headers"] == {"Authorization": "Bearer YOUR-KEY"}


async def test_a_page_of_somebody_else_cannot_ask(house: House) -> None:
    for path in ("session", "ledger", "verification"):
        refused = await house.client.get(f"{API}/{path}", headers={"origin": "https://evil.example"})
        assert refused.status_code == 403
    refused = await house.client.post(f"{API}/verification", headers={"origin": "https://evil.example"})
    assert refused.status_code == 403


async def test_jobs_are_seen_by_who_asked_for_them(open_house: OpenHouse) -> None:
    house = await open_house()
    jobs = house.app.jobs
    keys = {
        name: await house.app.keys.create(name, scopes) for name, scopes in (("a", ["x"]), ("b", ["x"]), ("o", ["*"]))
    }
    caller = await house.app.keys.find(keys["a"])
    assert caller is not None
    job = await jobs.create("demo", caller.id, {"dry_run": True, "batch": [{"uri": "file:///d/x.pdf"}]}, read_clock())
    await jobs.write_log(job.id, ["one", "two"], read_clock())
    for name, count in (("a", 1), ("b", 0), ("o", 1)):
        listed = (await house.client.get("/jobs", headers=bearer(keys[name]))).json()["jobs"]
        assert len(listed) == count
        one = await house.client.get(f"/jobs/{job.id}", headers=bearer(keys[name]))
        log = await house.client.get(f"/jobs/{job.id}/log", headers=bearer(keys[name]))
        assert (one.status_code, log.status_code) == ((200, 200) if count else (404, 404))
    shown = (await house.client.get(f"/jobs/{job.id}?after=1", headers=bearer(keys["a"]))).json()
    assert shown["documents"] == ["file:///d/x.pdf"] and [line["text"] for line in shown["log"]] == ["two"]
    assert log.headers["content-type"].startswith("text/plain") and log.text.count("\n") == 2


@pytest.mark.parametrize("path", ["/console", "/ui", "/index.html"])
async def test_who_looks_for_the_console_elsewhere_is_told_where_it_is(house: House, path: str) -> None:
    answer = await house.client.get(path)
    assert answer.status_code == 404
    assert f"there is nothing at {path!r}; the console is at /" in answer.text
