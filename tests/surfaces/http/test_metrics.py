"""What Prometheus reads: every call counted once, by tool, surface and how it ended."""

from __future__ import annotations

import asyncio
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from sanya.kernel.call import Call
from sanya.kernel.ledger import Entry
from sanya.surfaces.http.metrics import BOUNDS_S, Metrics
from tests.surfaces.http.conftest import WAIT_S, House, OpenHouse, bearer

Sample = tuple[str, frozenset[tuple[str, str]]]


def samples(text: str) -> dict[Sample, float]:
    found: dict[Sample, float] = {}
    for family in text_string_to_metric_families(text):
        assert family.documentation
        for one in family.samples:
            found[one.name, frozenset(one.labels.items())] = one.value
    return found


async def read(house: House) -> dict[Sample, float]:
    response = await house.client.get("/metrics")
    assert response.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    return samples(response.text)


def calls(tool: str, status: str, surface: str = "http") -> Sample:
    return "sanya_calls_total", frozenset({("tool", tool), ("surface", surface), ("status", status)})


async def test_calls_are_counted_by_tool_surface_and_status(house: House) -> None:
    for _ in range(3):
        await house.call("demo.say")
    await house.call("demo.say", {})
    await house.call("demo.lost")
    await house.app.call("demo.say", {"text": "x"})
    found = await read(house)
    assert found[calls("demo.say", "ok")] == 3
    assert found[calls("demo.say", "missing_argument")] == 1
    assert found[calls("demo.lost", "not_found")] == 1
    assert found[calls("demo.say", "ok", "python")] == 1


async def test_times_are_a_histogram_that_adds_up(house: House) -> None:
    for _ in range(4):
        await house.call("demo.say")
    found = await read(house)
    tool = ("tool", "demo.say")
    name = "sanya_call_duration_seconds"
    buckets = [found[f"{name}_bucket", frozenset({tool, ("le", str(le))})] for le in (*BOUNDS_S, "+Inf")]
    assert buckets == sorted(buckets)
    assert buckets[-1] == found[f"{name}_count", frozenset({tool})] == 4
    assert found[f"{name}_sum", frozenset({tool})] > 0


async def test_refusals_at_the_door_are_counted(house: House) -> None:
    await house.client.get("/tools", headers={"host": "evil.com"})
    await house.client.get("/nowhere")
    found = await read(house)
    assert found["sanya_http_refused_total", frozenset({("status", "421")})] == 1
    assert found["sanya_http_refused_total", frozenset({("status", "404")})] == 1


async def test_what_happens_now_is_shown(house: House) -> None:
    waiting = asyncio.create_task(house.call("demo.wait"))
    await asyncio.wait_for(house.stage.started.wait(), WAIT_S)
    found = await read(house)
    assert found["sanya_http_in_flight", frozenset()] == 2
    assert found["sanya_tasks", frozenset()] >= 2
    assert ("sanya_ledger_pending", frozenset()) in found
    house.stage.go_on.set()
    await asyncio.wait_for(waiting, WAIT_S)


async def test_metrics_need_their_scope_where_credentials_are_needed(open_house: OpenHouse) -> None:
    house = await open_house(require_auth=True)
    reader = await house.app.keys.create("prometheus", ["metrics:read"])
    other = await house.app.keys.create("other", ["demo:read"])
    assert (await house.client.get("/metrics", headers=bearer(reader))).status_code == 200
    assert (await house.client.get("/metrics", headers=bearer(other))).status_code == 403


def test_names_with_quotes_and_lines_stay_one_label() -> None:
    metrics = Metrics()
    values: dict[str, Any] = dict.fromkeys(Entry.__annotations__, "x")
    odd = 'memory://"{id}"\\\n'
    metrics.record_call(Entry(**{**values, "tool": odd, "surface": "mcp", "fault": None}), 1000, Call(odd, {}))
    assert samples(metrics.render({}).decode())[calls(odd, "ok", "mcp")] == 1
