"""Telemetry against a local collector: a span and measurements for every call, with the times and parent it had."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

import sanya
from sanya.app import App
from sanya.kernel.calls.call import Call
from sanya.settings import BadSetting
from sanya.sources.egress import Destination
from sanya.sources.telemetry import _open_guarded_session
from tests.sources.pages import Page, Pages, local_pages

trace_service = pytest.importorskip("opentelemetry.proto.collector.trace.v1.trace_service_pb2")
metrics_service = pytest.importorskip("opentelemetry.proto.collector.metrics.v1.metrics_service_pb2")

pytestmark = pytest.mark.usefixtures("begun_home")
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
SPAN = "00f067aa0ba902b7"
_SERVER = 2


@pytest.fixture
async def collector() -> AsyncIterator[Pages]:
    async with local_pages() as pages:
        pages.pages["/v1/traces"] = pages.pages["/v1/metrics"] = Page()
        yield pages


async def record(home: Path, collector: Pages, *calls: Call) -> None:
    """Makes the calls in a home that reports to the collector; closing it sends what is left."""
    async with sanya.open(home, otel_endpoint=collector.url) as app:
        for call in calls:
            await app.kernel.call(call)


def spans(collector: Pages) -> list[Any]:
    found = []
    for asked in collector.asked:
        if asked.path == "/v1/traces":
            message = trace_service.ExportTraceServiceRequest.FromString(asked.body)
            found += [
                span for resource in message.resource_spans for scope in resource.scope_spans for span in scope.spans
            ]
    return found


def server_spans(collector: Pages) -> list[Any]:
    return [span for span in spans(collector) if span.kind == _SERVER]


def attributes(thing: Any) -> dict[str, str]:
    return {attribute.key: attribute.value.string_value for attribute in thing.attributes}


async def test_a_call_becomes_a_span_with_its_real_times(home: Path, collector: Pages) -> None:
    before = time.time_ns()
    await record(home, collector, Call("get_tasks", {"limit": 1}, surface="http"))
    [span] = server_spans(collector)
    assert span.name == "get_tasks"
    assert before <= span.start_time_unix_nano < span.end_time_unix_nano <= time.time_ns()
    shown = attributes(span)
    assert (shown["sanya.suite"], shown["sanya.surface"], shown["sanya.status"]) == ("tasks", "http", "ok")
    assert shown["sanya.call_id"].startswith("call_")


async def test_the_waits_of_a_call_are_its_children_in_the_conventions_words(home: Path, collector: Pages) -> None:
    await record(home, collector, Call("rag.search", {"query": "curcumin bleeding"}), Call("get_tasks", {}))
    searched, listed = server_spans(collector)
    waits = {span.name: span for span in spans(collector) if span.parent_span_id == searched.span_id}
    assert {span.trace_id for span in waits.values()} == {searched.trace_id}
    assert attributes(waits["search papers"]) == {"db.operation.name": "search", "db.collection.name": "papers"}
    embedded = [attributes(span) for name, span in waits.items() if name.startswith("embeddings ")]
    assert {shown["gen_ai.operation.name"] for shown in embedded} == {"embeddings"}
    reads = [attributes(span) for span in spans(collector) if span.parent_span_id == listed.span_id]
    assert {"db.system.name": "sqlite", "db.operation.name": "SELECT", "db.collection.name": "tasks"}.items() <= {
        name: value for read in reads if read.get("db.collection.name") == "tasks" for name, value in read.items()
    }.items()
    for span in waits.values():
        assert searched.start_time_unix_nano <= span.start_time_unix_nano <= span.end_time_unix_nano
        assert span.end_time_unix_nano <= searched.end_time_unix_nano


async def test_a_request_to_another_server_is_a_child_with_its_status(home: Path, collector: Pages) -> None:
    async with sanya.open(home, otel_endpoint=collector.url, embedder="openai", embedder_model="m",
                          embedder_url=f"{collector.url}/v1") as app:  # fmt: skip
        await app.kernel.call(Call("rag.search", {"query": "curcumin bleeding"}))
    [asked, *_] = [attributes(span) for span in spans(collector) if "http.request.method" in attributes(span)]
    assert (asked["http.request.method"], asked["server.address"]) == ("POST", "127.0.0.1")


async def test_the_span_stands_below_the_callers_span(home: Path, collector: Pages) -> None:
    await record(home, collector, Call("get_tasks", {}, trace_id=TRACE, parent_span_id=SPAN))
    [span] = server_spans(collector)
    assert (span.trace_id.hex(), span.parent_span_id.hex()) == (TRACE, SPAN)


async def test_a_trace_without_a_span_is_joined_and_another_name_is_kept_beside(home: Path, collector: Pages) -> None:
    calls = [Call("get_tasks", {}, trace_id=TRACE, parent_span_id=span) for span in (None, "nonsense")]
    await record(home, collector, *calls, Call("get_tasks", {}, trace_id="my trace"))
    *joined, beside = server_spans(collector)
    assert [span.trace_id.hex() for span in joined] == [TRACE, TRACE]
    assert attributes(beside)["sanya.trace_id"] == "my trace"
    assert beside.parent_span_id == b""


async def test_a_refused_call_is_an_error_span_of_its_kind(home: Path, collector: Pages) -> None:
    await record(home, collector, Call("get_tasks", {"limit": 9999}))
    [span] = spans(collector)
    assert span.status.code == 2
    assert attributes(span)["error.type"] == "invalid_argument"


async def test_calls_are_counted_and_timed(home: Path, collector: Pages) -> None:
    await record(home, collector, *[Call("get_tasks", {})] * 3)
    found = {}
    for asked in collector.asked:
        if asked.path == "/v1/metrics":
            message = metrics_service.ExportMetricsServiceRequest.FromString(asked.body)
            for resource in message.resource_metrics:
                assert attributes(resource.resource)["service.name"] == "sanya"
                found.update({metric.name: metric for scope in resource.scope_metrics for metric in scope.metrics})
    [calls] = found["sanya.calls"].sum.data_points
    [times] = found["sanya.call.duration"].histogram.data_points
    assert (calls.as_int, times.count) == (3, 3)
    assert times.sum > 0
    assert attributes(calls) == {"sanya.tool": "get_tasks", "sanya.surface": "python", "sanya.status": "ok"}


async def test_arguments_and_callers_do_not_leave(home: Path, collector: Pages) -> None:
    await record(home, collector, Call("search_tasks", {"query": "a very private word"}))
    sent = b"".join(asked.body for asked in collector.asked)
    assert b"search_tasks" in sent
    assert b"private" not in sent
    assert b"owner" not in sent


async def test_a_collector_that_is_down_does_not_disturb_calls(
    home: Path, collector: Pages, caplog: pytest.LogCaptureFixture
) -> None:
    collector.pages.clear()
    async with asyncio.timeout(30), sanya.open(home, otel_endpoint=collector.url) as app:
        assert (await app.call("get_tasks", {}))["items"] is not None
    assert caplog.records


async def test_without_an_endpoint_nothing_is_recorded(home: Path) -> None:
    async with sanya.open(home) as app:
        assert isinstance(app, App)
        assert app.observers == []


async def test_missing_packages_are_explained(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(BadSetting, match=r"pip install 'sanya\[telemetry\]'"):
        async with sanya.open(home, otel_endpoint="http://127.0.0.1:4318"):
            pass


@pytest.mark.parametrize("endpoint", ["collector", "ftp://collector", "grpc://collector:4317"])
async def test_an_endpoint_must_be_an_address(home: Path, endpoint: str) -> None:
    with pytest.raises(BadSetting, match="otel_endpoint"):
        async with sanya.open(home, otel_endpoint=endpoint):
            pass


def test_the_exporter_reaches_the_collector_and_nothing_else() -> None:
    import requests

    session = _open_guarded_session(Destination("http", "127.0.0.1", 4318, private=True))
    for url in ("http://127.0.0.1:4319/v1/traces", "https://127.0.0.1:4318/", "http://169.254.169.254/"):
        with pytest.raises(requests.exceptions.InvalidURL):
            session.post(url, b"")
