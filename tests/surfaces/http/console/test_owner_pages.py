"""What only the owner does in the console: settings, keys, watched queries, backups. Each leaves a ledger row."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest

import sanya
from sanya.settings import list_names
from sanya.surfaces.http.console.settings import GUARDED
from tests.surfaces.http.conftest import ADDRESS, DemoServer, OpenServer, bearer

API = "/console/api"
SETTINGS, KEYS, REVOKE, WATCHES, BACKUPS = (
    f"{API}/{name}" for name in ("settings", "keys", "keys/revoke", "watches", "backups")
)


async def read_rows(server: DemoServer, tool: str) -> list[Any]:
    await server.app.ledger.flush()
    return [link.entry for link in await server.app.ledger_store.page(10, tool=tool)]


async def post(server: DemoServer, path: str, document: Any, **headers: str) -> httpx.Response:
    return await server.client.post(path, json=document, headers=headers)


@pytest.mark.parametrize("path", [SETTINGS, KEYS, BACKUPS, f"{API}/imports?id=x"])
async def test_another_page_of_this_machine_does_nothing_in_the_owners_name(server: DemoServer, path: str) -> None:
    """Pages on other ports may call tools; to act as the owner, a page must be one of ours."""
    for headers in ({"origin": "http://localhost:3000"}, {"sec-fetch-site": "same-site"}, {"origin": "null"}):
        assert (await server.client.get(path, headers=headers)).status_code == 403, headers
        assert (await post(server, path.partition("?")[0], {"name": "x"}, **headers)).status_code == 403, headers
    own = {"origin": ADDRESS, "sec-fetch-site": "same-origin"}
    assert (await server.client.get(path, headers=own)).status_code in (200, 404)


async def test_settings_are_listed_without_secrets_and_changed_with_a_row(open_server: OpenServer) -> None:
    server = await open_server(entrez_api_key="nbi-secret-123")
    listed = await server.client.get(SETTINGS)
    assert "nbi-secret-123" not in listed.text
    rows = {row["name"]: row for row in listed.json()["settings"]}
    assert set(rows) == set(list_names()) - {"home"}
    assert rows["time_zone"]["text"] == "UTC" and rows["time_zone"]["source"] == "default"
    file = server.app.settings.home / "sanya.toml"
    checked = await post(server, SETTINGS, {"name": "time_zone", "value": "Asia/Bangkok", "check": True})
    assert checked.status_code == 200 and not file.exists()
    changed = await post(server, SETTINGS, {"name": "time_zone", "value": "Asia/Bangkok"})
    assert changed.json()["value"] == "Asia/Bangkok"
    assert file.read_text(encoding="utf-8") == 'time_zone = "Asia/Bangkok"\n'
    row = next(row for row in (await server.client.get(SETTINGS)).json()["settings"] if row["name"] == "time_zone")
    assert (row["text"], row["running"], row["is_set"]) == ("Asia/Bangkok", "UTC", True)
    (entry,) = await read_rows(server, "settings.set")
    assert json.loads(entry.input) == {"name": "time_zone", "value": "Asia/Bangkok"}
    assert (entry.effect, entry.caller) == ("write", "anonymous")


async def test_a_secret_setting_reaches_the_file_and_neither_ledger_nor_answer(server: DemoServer) -> None:
    answer = await post(server, SETTINGS, {"name": "entrez_api_key", "value": "nbi-secret-123"})
    assert answer.status_code == 200 and "nbi-secret" not in answer.text
    assert "nbi-secret-123" in (server.app.settings.home / "sanya.toml").read_text(encoding="utf-8")
    (entry,) = await read_rows(server, "settings.set")
    assert "nbi-secret" not in entry.input


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("time_zone", "Mars/Olympus", "IANA"),
        ("port", "many", "number"),
        ("home", "/tmp/x", "home"),
        ("no_such_setting", "1", "no setting"),
        ("log_level", "loud", "debug"),
    ],
)
async def test_a_wrong_setting_is_refused_with_what_it_takes(
    server: DemoServer, name: str, value: str, says: str
) -> None:
    answer = await post(server, SETTINGS, {"name": name, "value": value})
    assert answer.status_code == 400 and says in answer.json()["error"]["message"]
    assert not (server.app.settings.home / "sanya.toml").exists()


async def test_without_a_key_nobody_opens_the_server_further(open_server: OpenServer) -> None:
    assert set(list_names()) >= GUARDED
    server = await open_server()
    for name in ("ingest_roots", "allowed_origins", "phrasing_url", "host"):
        refused = await post(server, SETTINGS, {"name": name, "value": "/"})
        assert refused.status_code in (400, 403), (name, refused.text)
    refused = await post(server, SETTINGS, {"name": "allowed_hosts", "value": "evil.example"})
    assert refused.status_code == 403 and "sanya settings set" in refused.json()["error"]["message"]
    key = await server.app.keys.create("owner", ["*"])
    guarded = await open_server(require_auth=True)
    changed = await post(guarded, SETTINGS, {"name": "allowed_hosts", "value": "sanya.example"}, **bearer(key))
    assert changed.status_code == 200


async def test_a_key_is_created_used_and_revoked(open_server: OpenServer) -> None:
    server = await open_server(require_auth=True)
    owner = bearer(await server.app.keys.create("owner", ["*"]))
    made = (await post(server, KEYS, {"name": "laptop", "scopes": ["tasks:read"]}, **owner)).json()
    assert (await server.client.post("/tools/get_tasks", json={}, headers=bearer(made["key"]))).status_code == 200
    assert (await server.client.get(KEYS, headers=bearer(made["key"]))).status_code == 403
    listed = await server.client.get(KEYS, headers=owner)
    assert made["key"].rpartition("_")[2] not in listed.text
    assert {key["name"] for key in listed.json()["keys"]} == {"owner", "laptop"}
    revoked = await post(server, REVOKE, {"id": made["id"]}, **owner)
    assert revoked.json() == {"id": made["id"], "active": True}
    assert (await server.client.post("/tools/get_tasks", json={}, headers=bearer(made["key"]))).status_code == 401
    (created,) = await read_rows(server, "keys.create")
    assert json.loads(created.input)["scopes"] == ["tasks:read"] and made["key"] not in created.input
    assert len(await read_rows(server, "keys.revoke")) == 1


@pytest.mark.parametrize(
    "document",
    [
        {"name": "x", "scopes": []},
        {"name": "x", "scopes": ["tasks:reed"]},
        {"name": "", "scopes": ["*"]},
        {"name": "a\x00b", "scopes": ["*"]},
        {"name": "x", "scopes": ["*"], "calls_per_minute": -1},
        {"name": "x", "scopes": ["*"], "more": 1},
        [],
    ],
)
async def test_a_wrong_key_is_refused(server: DemoServer, document: Any) -> None:
    assert (await post(server, KEYS, document)).status_code == 400
    assert await server.app.keys.list() == []


async def test_a_query_is_watched_listed_and_no_longer_watched(server: DemoServer) -> None:
    watched = await post(server, WATCHES, {"query": "turmeric[mh]", "every_s": 86_400})
    assert [watch["query"] for watch in watched.json()["watches"]] == ["turmeric[mh]"]
    assert (await post(server, WATCHES, {"query": "turmeric[mh]", "every_s": 5})).status_code == 400
    ended = await post(server, WATCHES, {"query": "turmeric[mh]", "every_s": None})
    assert ended.json() == {"watches": []}
    assert (await post(server, WATCHES, {"query": "turmeric[mh]", "every_s": None})).status_code == 404
    rows = [*await read_rows(server, "papers.watch"), *await read_rows(server, "papers.unwatch")]
    assert [row.status for row in rows] == ["ok", "ok"]


async def test_a_backup_is_written_and_opens_as_a_home(server: DemoServer, tmp_path: Any) -> None:
    from sanya.settings import load_settings
    from sanya.transfer import restore

    state = (await post(server, BACKUPS, {})).json()
    async with asyncio.timeout(60):
        while state["running"]:
            await asyncio.sleep(0.02)
            state = (await server.client.get(BACKUPS)).json()
    assert state["problem"] is None
    (file,) = state["files"]
    assert file["bytes"] > 100_000
    path = server.app.settings.home / "backups" / file["name"]
    assert path.stat().st_mode & 0o077 == 0, "only its owner may read it"
    await restore(load_settings({"home": str(tmp_path / "again")}), path)
    async with sanya.open(tmp_path / "again") as restored:
        assert len((await restored.call("get_tasks", {"limit": 3}))["items"]) == 3
    (entry,) = await read_rows(server, "backup.create")
    assert entry.status == "ok"
