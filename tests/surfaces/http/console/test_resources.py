"""Resources, completions and widgets as the console's pages read them: by the same scopes as everywhere."""

from __future__ import annotations

import pytest

from sanya.console.widgets import WIDGETS, load_widget
from tests.surfaces.http.conftest import House, OpenHouse

RESOURCE = "/console/api/resource"
COMPLETE = "/console/api/complete"


@pytest.fixture
async def house(open_house: OpenHouse) -> House:
    return await open_house(require_auth=True)


async def bearer(house: House, name: str, *scopes: str) -> dict[str, str]:
    return {"authorization": f"Bearer {await house.app.keys.create(name, scopes)}"}


async def test_a_resource_is_read_and_stands_in_the_ledger(house: House) -> None:
    key = await bearer(house, "reader", "tasks:read")
    found = await house.client.get(RESOURCE, params={"uri": "tasks://task/sample-fix-tap"}, headers=key)
    assert found.json()["data"]["title"] == "ซ่อมก๊อกน้ำในครัว"
    await house.app.ledger.flush()
    (link,) = await house.app.ledger_store.page(1, tool="tasks://task/{id}")
    assert (link.entry.surface, link.entry.status) == ("http", "ok")


async def test_what_cannot_be_read_is_refused_by_its_reason(house: House) -> None:
    key = await bearer(house, "reader", "tasks:read")
    for uri, status in (
        ("", 400),
        ("tasks://task/nothing", 404),
        ("nowhere://x", 404),
        ("funds://fund/ABAPAC-RMF", 403),
        ("\0", 404),
    ):
        assert (await house.client.get(RESOURCE, params={"uri": uri}, headers=key)).status_code == status, uri
        assert (await house.client.get(RESOURCE, params={"uri": uri})).status_code == 401


async def test_completions_are_offered_to_who_may_read_the_suite(house: House) -> None:
    asked = {"prompt": "compare_funds", "argument": "funds", "value": "ABAPAC-RMF, es-g"}
    mine = await house.client.get(COMPLETE, params=asked, headers=await bearer(house, "saver", "funds:read"))
    assert mine.json() == {"values": ["ABAPAC-RMF, ES-GOLDRMF-UH"]}
    none = await house.client.get(COMPLETE, params=asked, headers=await bearer(house, "other", "tasks:read"))
    assert none.json() == {"values": []}
    for value in ("x" * 201, "a\0"):
        odd = {**asked, "value": value}
        found = await house.client.get(
            COMPLETE, params=odd, headers=await bearer(house, value[:1] + "odd", "funds:read")
        )
        assert found.json() == {"values": []}


async def test_a_completion_of_nothing_known_or_readable_is_refused(house: House) -> None:
    key = await bearer(house, "reader", "tasks:read")
    for query, status in (
        ("", 404),
        ("prompt=no", 404),
        ("prompt=weekly_review&argument=week_start", 404),
        ("value=%ff", 400),
        ("&".join(["a=b"] * 11), 400),
    ):
        assert (await house.client.get(f"{COMPLETE}?{query}", headers=key)).status_code == status, query


async def test_widgets_are_shown_to_anybody_and_kept_apart(house: House) -> None:
    for name in WIDGETS:
        shown = await house.client.get(f"/console/widgets/{name}")
        assert shown.text == load_widget(name).html
        assert shown.headers["content-security-policy"] == "sandbox allow-scripts; frame-ancestors 'self'"
    assert (await house.client.get("/console/widgets/none")).status_code == 404
