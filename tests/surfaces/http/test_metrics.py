"""Prometheus metrics: every call is counted once, by tool, surface and status."""

from __future__ import annotations

import asyncio
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from sanya.kernel.calls.call import Call
from sanya.kernel.ledger.chain import LedgerEntry
from sanya.surfaces.http.metrics import BOUNDS_S, Metrics
from tests.surfaces.http.conftest import WAIT_S, DemoServer, OpenServer, bearer

Sample = tuple[str, frozenset[tuple[str, str]]]


def samples(text: str) -> dict[Sample, float]:
    found: dict[Sample, float] = {}
    for family in text_string_to_metric_families(text):
        assert family.documentation
        for sample in family.samples:
            found[sample.name, frozenset(sample.labels.items())] = sample.value
    return found


async def read(server: DemoServer) -> dict[Sample, float]:
    response = await server.client.get("/metrics")
    assert response.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    return samples(response.text)


def calls(tool: str, status: str, surface: str = "http") -> Sample:
    return "sanya_calls_total", frozenset({("tool", tool), ("surface", surface), ("status", status)})


async def test_calls_are_counted_by_tool_surface_and_status(server: DemoServer) -> None:
    for _ in range(3):
        await server.call("demo.say")
    await server.call("demo.say", {})
    await server.call("demo.lost")
    await server.app.call("demo.say", {"text": "x"})
    found = await read(server)
    assert found[calls("demo.say", "ok")] == 3
    assert found[calls("demo.say", "missing_argument")] == 1
    assert found[calls("demo.lost", "not_found")] == 1
    assert found[calls("demo.say", "ok", "python")] == 1


async def test_durations_are_a_consistent_histogram(server: DemoServer) -> None:
    for _ in range(4):
        await server.call("demo.say")
    found = await read(server)
    tool = ("tool", "demo.say")
    name = "sanya_call_duration_seconds"
    buckets = [found[f"{name}_bucket", frozenset({tool, ("le", str(le))})] for le in (*BOUNDS_S, "+Inf")]
    assert buckets == sorted(buckets)
    assert buckets[-1] == found[f"{name}_count", frozenset({tool})] == 4
    assert found[f"{name}_sum", frozenset({tool})] > 0


async def test_refused_requests_are_counted(server: DemoServer) -> None:
    await server.client.get("/tools", headers={"host": "evil.com"})
    await server.client.get("/nowhere")
    found = await read(server)
    assert found["sanya_http_refused_total", frozenset({("status", "421")})] == 1
    assert found["sanya_http_refused_total", frozenset({("status", "404")})] == 1


async def test_gauges_show_current_values(server: DemoServer) -> None:
    waiting = asyncio.create_task(server.call("demo.wait"))
    await asyncio.wait_for(server.control.started.wait(), WAIT_S)
    found = await read(server)
    assert found["sanya_http_in_flight", frozenset()] == 2
    assert found["sanya_tasks", frozenset()] >= 2
    assert ("sanya_ledger_pending", frozenset()) in found
    server.control.resume.set()
    await asyncio.wait_for(waiting, WAIT_S)


async def test_metrics_need_their_scope_where_credentials_are_needed(open_server: OpenServer) -> None:
    server = await open_server(require_auth=True)
    reader = await server.app.keys.create("prometheus", ["metrics:read"])
    other = await server.app.keys.create("other", ["demo:read"])
    assert (await server.client.get("/metrics", headers=bearer(reader))).status_code == 200
    assert (await server.client.get("/metrics", headers=bearer(other))).status_code == 403


def test_label_values_are_escaped() -> None:
    metrics = Metrics()
    values: dict[str, Any] = dict.fromkeys(LedgerEntry.__annotations__, "x")
    odd = 'memory://"{id}"\\\n'
    metrics.record_call(LedgerEntry(**{**values, "tool": odd, "surface": "mcp", "fault": None}), 1000, Call(odd, {}))
    assert samples(metrics.render({}).decode())[calls(odd, "ok", "mcp")] == 1


async def test_health_and_metrics_tell_how_many_documents_await_their_vectors(server: DemoServer) -> None:
    sql = "INSERT INTO {} VALUES ({})"
    async with server.app.database.transaction() as transaction:
        document = "'papers', 'en', 1, 'a', 1, NULL, '[]', '{}', x'00'"
        columns = "(namespace, partition_name, position, id, from_seq, to_seq, texts, fields, content_hash)"
        await transaction.execute(sql.format(f"retrieval_documents {columns}", document))
        await transaction.execute(sql.format("retrieval_late_vectors", "'papers', 'en', 1, NULL"))
    health = (await server.client.get("/health")).json()
    assert health["search"] == {"papers": {"awaiting_vectors": 1, "seconds_left": None}}
    assert (await read(server))["sanya_awaiting_vectors", frozenset()] == 1
