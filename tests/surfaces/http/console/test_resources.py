"""Resources, completions and widgets for the console's pages, with the usual scopes."""

from __future__ import annotations

import pytest

from sanya.console.widgets import WIDGETS, load_widget
from tests.surfaces.http.conftest import DemoServer, OpenServer

RESOURCE = "/console/api/resource"
COMPLETE = "/console/api/complete"


@pytest.fixture
async def server(open_server: OpenServer) -> DemoServer:
    return await open_server(require_auth=True)


async def bearer(server: DemoServer, name: str, *scopes: str) -> dict[str, str]:
    return {"authorization": f"Bearer {await server.app.keys.create(name, scopes)}"}


async def test_reading_a_resource_is_recorded_in_the_ledger(server: DemoServer) -> None:
    key = await bearer(server, "reader", "tasks:read")
    found = await server.client.get(RESOURCE, params={"uri": "tasks://task/sample-fix-tap"}, headers=key)
    assert found.json()["data"]["title"] == "ซ่อมก๊อกน้ำในครัว"
    await server.app.ledger.flush()
    (link,) = await server.app.ledger_store.page(1, tool="tasks://task/{id}")
    assert (link.entry.surface, link.entry.status) == ("http", "ok")


async def test_unreadable_resources_are_refused_with_the_right_status(server: DemoServer) -> None:
    key = await bearer(server, "reader", "tasks:read")
    for uri, status in (
        ("", 400),
        ("tasks://task/nothing", 404),
        ("nowhere://x", 404),
        ("funds://fund/ABAPAC-RMF", 403),
        ("\0", 404),
    ):
        assert (await server.client.get(RESOURCE, params={"uri": uri}, headers=key)).status_code == status, uri
        assert (await server.client.get(RESOURCE, params={"uri": uri})).status_code == 401


async def test_completions_need_the_scope_of_the_suite(server: DemoServer) -> None:
    asked = {"prompt": "compare_funds", "argument": "funds", "value": "ABAPAC-RMF, es-g"}
    mine = await server.client.get(COMPLETE, params=asked, headers=await bearer(server, "saver", "funds:read"))
    assert mine.json() == {"values": ["ABAPAC-RMF, ES-GOLDRMF-UH"]}
    none = await server.client.get(COMPLETE, params=asked, headers=await bearer(server, "other", "tasks:read"))
    assert none.json() == {"values": []}
    for value in ("x" * 201, "a\0"):
        odd = {**asked, "value": value}
        found = await server.client.get(
            COMPLETE, params=odd, headers=await bearer(server, value[:1] + "odd", "funds:read")
        )
        assert found.json() == {"values": []}


async def test_a_completion_of_an_unknown_argument_is_refused(server: DemoServer) -> None:
    key = await bearer(server, "reader", "tasks:read")
    for query, status in (
        ("", 404),
        ("prompt=no", 404),
        ("prompt=weekly_review&argument=week_start", 404),
        ("value=%ff", 400),
        ("&".join(["a=b"] * 11), 400),
    ):
        assert (await server.client.get(f"{COMPLETE}?{query}", headers=key)).status_code == status, query


async def test_widgets_are_public_and_sandboxed(server: DemoServer) -> None:
    for name in WIDGETS:
        shown = await server.client.get(f"/console/widgets/{name}")
        assert shown.text == load_widget(name).html
        assert (
            shown.headers["content-security-policy"] == "sandbox allow-scripts allow-downloads; frame-ancestors 'self'"
        )
    assert (await server.client.get("/console/widgets/none")).status_code == 404
