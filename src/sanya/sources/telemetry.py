"""Exports spans and two metrics for every finished call over OTLP/HTTP.

A call is a span, with a child for each wait for the database, the index, the embedder or another server. Spans are
created when their call has ended, with the real times.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from sanya.kernel.calls.call import Call
from sanya.kernel.ledger.chain import LedgerEntry
from sanya.kernel.spans import read_spans
from sanya.sources.egress import BadDestination, Destination

if TYPE_CHECKING:
    import requests
    from opentelemetry.context import Context
    from opentelemetry.trace import Span

_TRACE_ID = re.compile(r"(?!0{32})[0-9a-f]{32}")
_SPAN_ID = re.compile(r"(?!0{16})[0-9a-f]{16}")
_EXPORT_EVERY_MS = 15_000
_TIMEOUT_S = 3.0


class TelemetryUnavailable(ValueError):
    """Telemetry is set but not available. The message says what to do."""


@asynccontextmanager
async def open_telemetry(endpoint: str, version: str) -> AsyncIterator[Telemetry]:
    """Export to the collector at `endpoint` (its base, e.g. http://127.0.0.1:4318) while the context is entered."""
    try:
        destination = Destination.from_url(endpoint, private=True)
        telemetry = Telemetry(endpoint.rstrip("/"), version, _open_guarded_session(destination))
    except BadDestination as problem:
        raise TelemetryUnavailable(f"otel_endpoint: {problem}") from None
    except ImportError:
        raise TelemetryUnavailable(
            "otel_endpoint is set, but OpenTelemetry is not installed: pip install 'sanya[telemetry]'"
        ) from None
    try:
        yield telemetry
    finally:
        await telemetry.close()


class Telemetry:
    def __init__(self, endpoint: str, version: str, session: requests.Session) -> None:
        from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.metrics import MeterProvider
        from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        resource = Resource.create({"service.name": "sanya", "service.version": version})
        spans = OTLPSpanExporter(f"{endpoint}/v1/traces", session=session, timeout=_TIMEOUT_S)
        self._traces = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._traces.add_span_processor(BatchSpanProcessor(spans))
        metrics = OTLPMetricExporter(f"{endpoint}/v1/metrics", session=session, timeout=_TIMEOUT_S)
        reader = PeriodicExportingMetricReader(metrics, export_interval_millis=_EXPORT_EVERY_MS)
        self._meters = MeterProvider([reader], resource=resource, shutdown_on_exit=False)
        self._tracer = self._traces.get_tracer("sanya", version)
        meter = self._meters.get_meter("sanya", version)
        self._calls = meter.create_counter("sanya.calls", "{call}", "Finished calls.")
        self._times = meter.create_histogram("sanya.call.duration", "s", "Time from a call's arrival to its stamp.")

    def record(self, entry: LedgerEntry, duration_ns: int, call: Call) -> None:
        """Record a finished call. The kernel calls this for each one."""
        self._trace(entry, duration_ns, call)
        attributes = {"sanya.tool": entry.tool, "sanya.surface": entry.surface, "sanya.status": entry.fault or "ok"}
        self._calls.add(1, attributes)
        self._times.record(duration_ns / 1e9, attributes)

    def _trace(self, entry: LedgerEntry, duration_ns: int, call: Call) -> None:
        from opentelemetry.trace import SpanKind, StatusCode

        ended_ns = time.time_ns()
        span = self._tracer.start_span(
            entry.tool,
            context=_build_parent(call),
            kind=SpanKind.SERVER,
            attributes=_build_attributes(entry),
            start_time=ended_ns - duration_ns,
        )
        if entry.status == "error":
            span.set_status(StatusCode.ERROR, entry.fault)
        self._trace_waits(span, ended_ns - time.perf_counter_ns())
        span.end(ended_ns)

    def _trace_waits(self, parent: Span, offset_ns: int) -> None:
        """Add a child for each wait of the call. `offset_ns` turns their clock into the time of day."""
        from opentelemetry.trace import SpanKind, StatusCode, set_span_in_context

        context = set_span_in_context(parent)
        for wait in read_spans():
            span = self._tracer.start_span(
                wait.name,
                context=context,
                kind=SpanKind.CLIENT if wait.kind == "client" else SpanKind.INTERNAL,
                attributes=wait.attributes,
                start_time=wait.started_ns + offset_ns,
            )
            if "error.type" in wait.attributes:
                span.set_status(StatusCode.ERROR)
            span.end((wait.ended_ns or time.perf_counter_ns()) + offset_ns)

    async def close(self) -> None:
        """Flush both exporters, concurrently and off the event loop: they wait for the collector."""
        await asyncio.gather(asyncio.to_thread(self._traces.shutdown), asyncio.to_thread(self._meters.shutdown))


def _build_attributes(entry: LedgerEntry) -> Mapping[str, str]:
    """Return the attributes for an operator: never arguments, answers or the name of the caller."""
    attributes = {
        "sanya.call_id": entry.id,
        "sanya.tool": entry.tool,
        "sanya.suite": entry.suite,
        "sanya.effect": entry.effect,
        "sanya.surface": entry.surface,
        "sanya.status": entry.status,
    }
    optional = {"error.type": entry.fault, "sanya.error_id": entry.error_id, "sanya.trace_id": entry.trace_id}
    return {**attributes, **{name: value for name, value in optional.items() if value is not None}}


def _build_parent(call: Call) -> Context | None:
    """Return the caller's span. Where only its trace is known, generate the missing span id."""
    from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context

    if call.trace_id is None or not _TRACE_ID.fullmatch(call.trace_id):
        return None
    known = _SPAN_ID.fullmatch(call.parent_span_id or "")
    span_id = int(known[0], 16) if known else secrets.randbits(63) + 1
    parent = SpanContext(int(call.trace_id, 16), span_id, is_remote=True, trace_flags=TraceFlags(TraceFlags.SAMPLED))
    return set_span_in_context(NonRecordingSpan(parent))


def _open_guarded_session(destination: Destination) -> requests.Session:
    """Return an HTTP session that reaches the collector and nothing else. The exporter brings its own client."""
    import httpx
    import requests
    from requests.adapters import HTTPAdapter

    class Guard(HTTPAdapter):
        def send(self, request: requests.PreparedRequest, *args: Any, **kwargs: Any) -> requests.Response:
            if not destination.can_reach(httpx.URL(request.url or "")):
                raise requests.exceptions.InvalidURL(f"telemetry may not go to {request.url}")
            return super().send(request, *args, **kwargs)

    session = requests.Session()
    session.trust_env = False
    session.max_redirects = 0
    for scheme in ("http://", "https://"):
        session.mount(scheme, Guard())
    return session
