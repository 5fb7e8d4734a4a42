"""Addresses that people open, the console's own reads in the ledger, and the figures of the operations page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sanya.surfaces.clients import load_thai_steps
from sanya.surfaces.http.console.pages import PAGE_NAMES
from sanya.surfaces.http.metrics_history import MetricsHistory
from tests.surfaces.http.conftest import DemoServer

BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
ROUTES = Path(__file__).parents[4] / "web/src/console/routes.ts"


def test_the_server_knows_every_page_of_the_console() -> None:
    assert set(re.findall(r'name: "(\w+)"', ROUTES.read_text(encoding="utf-8"))) == PAGE_NAMES


@pytest.mark.parametrize(
    "path", ["/papers/31999", "/herbs/herb/curcuma-longa", "/tools/get_tasks", "/tools", "/jobs/job_1"]
)
async def test_an_address_without_a_hash_opens_the_console(server: DemoServer, path: str) -> None:
    page = await server.client.get(path, headers=BROWSER)
    assert page.status_code == 200 and page.text.startswith("<!doctype html>")
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]


async def test_an_unknown_address_is_a_page_that_says_so_and_programs_get_json(server: DemoServer) -> None:
    page = await server.client.get("/nowhere/at/all", headers=BROWSER)
    assert page.status_code == 404 and page.text.startswith("<!doctype html>")
    assert (await server.client.get("/nowhere")).json()["error"]["code"] == "NOT_FOUND"
    assert (await server.client.get("/tools/get_tasks")).json()["name"] == "get_tasks"
    assert (await server.client.get("/console/api/nothing", headers=BROWSER)).json()["ok"] is False
    for path in ("/health", "/openapi.json", "/jobs/none/log"):
        assert "html" not in (await server.client.get(path, headers=BROWSER)).headers["content-type"], path


async def test_own_reads_are_left_out_where_asked_and_writes_and_others_stay(server: DemoServer) -> None:
    mine = {"sanya-client": "console"}
    await server.client.post("/tools/demo.say", json={"args": {"text": "looked"}}, headers=mine)
    await server.client.post("/tools/demo.write", json={"args": {"text": "wrote"}}, headers=mine)
    await server.client.post("/tools/demo.say", json={"args": {"text": "a program"}})
    shown = await server.client.get("/console/api/ledger", params={"suite": "demo"})
    assert [call["surface"] for call in shown.json()["calls"]] == ["http", "console", "console"]
    hidden = await server.client.get("/console/api/ledger", params={"suite": "demo", "own_reads": "hidden"})
    assert [(call["tool"], call["surface"]) for call in hidden.json()["calls"]] == [
        ("demo.say", "http"),
        ("demo.write", "console"),
    ]
    assert (await server.client.get("/console/api/ledger", params={"own_reads": "maybe"})).status_code == 400


async def test_operations_show_calls_errors_and_times(server: DemoServer) -> None:
    for tool in ("demo.say", "demo.say", "demo.lost"):
        await server.call(tool)
    shown = (await server.client.get("/console/api/operations", params={"minutes": "5"})).json()
    assert sum(minute["calls"] for minute in shown["minutes"]) == 3
    assert sum(minute["errors"] for minute in shown["minutes"]) == 1
    assert shown["tools"][0]["tool"] == "demo.say" and shown["tools"][0]["calls"] == 2
    assert shown["surfaces"] == {"http": 3}
    assert shown["embedding"] is not None and shown["engines"] == []
    assert (await server.client.get("/console/api/operations", params={"minutes": "0"})).status_code == 400


def test_the_history_keeps_a_day_and_estimates_percentiles_by_bucket() -> None:
    now = 1_000_000.0
    history = MetricsHistory(lambda: now)
    for duration_ms in (1, 2, 3, 4, 400):
        history.record_call(duration_ms * 1_000_000, is_error=duration_ms == 400)
    (minute,) = history.list_minutes(60)
    assert (minute["calls"], minute["errors"], minute["p50_ms"], minute["p95_ms"]) == (5, 1, 5.0, 500.0)
    now += 86_400 + 60
    history.record_sample({"awaiting": 3.0})
    history.record_call(1, is_error=False)
    minutes = history.list_minutes(1440)
    assert len(minutes) == 1440 and sum(minute["calls"] for minute in minutes) == 1
    assert minutes[-1]["awaiting"] == 3.0 and minutes[0]["p95_ms"] is None


async def test_names_of_nodes_come_in_both_languages(server: DemoServer) -> None:
    answer = await server.client.get("/console/api/herbs/labels", params={"ids": "curcuma-longa|nothing|drug:warfarin"})
    labels = answer.json()["labels"]
    assert labels["curcuma-longa"] == {"th": "ขมิ้นชัน", "en": "turmeric"} and "nothing" not in labels


async def test_sources_come_with_their_titles_and_addresses(server: DemoServer) -> None:
    answer = await server.client.get("/console/api/herbs/labels", params={"sources": "herbs97|nothing"})
    (source,) = answer.json()["sources"]
    assert source["id"] == "herbs97" and source["title"].startswith("97 NLEM herbal items")
    assert source["url"].startswith("https://")


async def test_the_steps_of_every_client_come_in_thai_too(server: DemoServer) -> None:
    clients = (await server.client.get("/console/api/clients")).json()["clients"]
    assert set(load_thai_steps()) == {client["name"] for client in clients}
    for client in clients:
        assert re.search("[ก-๙]", client["steps_th"]), client["name"]
        assert set(re.findall(r"`[^`]+`|/mcp\b|oauth_\w+", client["steps"])) <= set(
            re.findall(r"`[^`]+`|/mcp\b|oauth_\w+", client["steps_th"])
        ), client["name"]
