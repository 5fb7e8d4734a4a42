"""`GET /metrics`: call counts and durations in the Prometheus text format. Recording a call costs about 1 µs."""

from __future__ import annotations

import platform
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sanya import __version__
from sanya.build_version import find_commit
from sanya.kernel.breaker import Breaker
from sanya.kernel.calls.call import Call
from sanya.kernel.ledger.chain import LedgerEntry
from sanya.surfaces.http.metrics_history import MetricsHistory, estimate_percentile
from sanya.surfaces.http.process_figures import FIGURES, ProcessFigures

METRICS_SCOPE = "metrics:read"
CONTENT_TYPE = b"text/plain; version=0.0.4; charset=utf-8"

BOUNDS_S = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_BOUNDS_NS = tuple(round(bound * 1e9) for bound in BOUNDS_S)


class _DurationHistogram:
    """Durations of one tool's calls: a count for each bucket, one more for those above the last bound, and the sum."""

    __slots__ = ("counts", "sum_ns")

    def __init__(self) -> None:
        self.counts = [0] * (len(_BOUNDS_NS) + 1)
        self.sum_ns = 0


_Counted = Mapping[tuple[tuple[str, str], ...], "Metrics"]
"""Metrics by the labels that tell them apart."""


class Metrics:
    def __init__(self) -> None:
        self._calls: Counter[tuple[str, str, str]] = Counter()
        self._times: dict[str, _DurationHistogram] = {}
        self._refused: Counter[str] = Counter()
        self._told_process: dict[str, float] | None = None
        self.process = ProcessFigures()
        self.history = MetricsHistory()

    def record_call(self, entry: LedgerEntry, duration_ns: int, call: Call) -> None:  # noqa: ARG002 - the kernel's signature
        """Count a finished call. The kernel calls this for every call on every surface."""
        self._calls[entry.tool, entry.surface, entry.fault or "ok"] += 1
        times = self._times.get(entry.tool)
        if times is None:
            times = self._times[entry.tool] = _DurationHistogram()
        times.counts[bisect_left(_BOUNDS_NS, duration_ns)] += 1
        times.sum_ns += duration_ns
        self.history.record_call(duration_ns, is_error=entry.fault is not None)

    def read_counts(self) -> dict[str, Any]:
        """Return everything counted, as plain JSON for another worker."""
        return {
            "calls": [[*labels, count] for labels, count in self._calls.items()],
            "times": {tool: [times.sum_ns, times.counts] for tool, times in self._times.items()},
            "refused": dict(self._refused),
            "history": self.history.read_counts(),
            "process": self.process.read(),
        }

    def add_counts(self, counts: Mapping[str, Any]) -> None:
        """Add what another worker counted."""
        for tool, surface, status, count in counts["calls"]:
            self._calls[tool, surface, status] += count
        for tool, (sum_ns, durations) in counts["times"].items():
            times = self._times.setdefault(tool, _DurationHistogram())
            times.sum_ns += sum_ns
            times.counts = [ours + theirs for ours, theirs in zip(times.counts, durations, strict=True)]
        self._refused.update(counts["refused"])
        self.history.add_counts(counts["history"])
        self._told_process = counts["process"]

    def read_process(self) -> dict[str, float]:
        """Return the figures of the process that these metrics are of."""
        return self.process.read() if self._told_process is None else self._told_process

    def count_refusal(self, status: int) -> None:
        """Count a request that was refused before it reached a tool."""
        self._refused[str(status)] += 1

    def list_tools(self) -> list[dict[str, Any]]:
        """List the tools that were called, the most called first, with their errors and times in ms."""
        errors: Counter[str] = Counter()
        for (tool, _, status), count in self._calls.items():
            errors[tool] += 0 if status == "ok" else count
        tools = [
            {
                "tool": tool,
                "calls": sum(times.counts),
                "errors": errors[tool],
                "mean_ms": times.sum_ns / 1e6 / max(sum(times.counts), 1),
                "p95_ms": estimate_percentile(times.counts, 0.95),
            }
            for tool, times in self._times.items()
        ]
        return sorted(tools, key=lambda tool: (-int(tool["calls"]), str(tool["tool"])))

    def count_surfaces(self) -> dict[str, int]:
        counts: Counter[str] = Counter()
        for (_, surface, _), count in self._calls.items():
            counts[surface] += count
        return dict(counts.most_common())

    def count_refusals(self) -> dict[str, int]:
        return dict(self._refused)

    def render(
        self,
        gauges: Mapping[str, tuple[str, float]],
        breakers: Sequence[Breaker] = (),
        *,
        workers: Mapping[str, Metrics] | None = None,
    ) -> bytes:
        """Render the page. `gauges` maps a metric name to its help text and current value.

        `workers` are the metrics of each worker of this server, by number, where it has several. Each has its own
        series: if one is replaced, its counters begin again, and those of the others do not fall.
        """
        counted: _Counted = {(): self}
        if workers is not None:
            counted = {(("worker", name),): metrics for name, metrics in workers.items()}
        lines = (
            *_render_counters(counted),
            *_render_processes(counted),
            *_render_gauges(gauges),
            *_render_breakers(breakers),
        )
        return "".join(line + "\n" for line in lines).encode("utf-8")

    def list_call_counts(self) -> list[tuple[tuple[str, str, str], int]]:
        """List the calls by tool, surface and status."""
        return sorted(self._calls.items())

    def list_durations(self) -> list[tuple[str, _DurationHistogram]]:
        return sorted(self._times.items())


def _render_counters(counted: _Counted) -> Iterator[str]:
    yield from _render_head("sanya_calls_total", "counter", "Finished calls; status is ok or the kind of fault.")
    for whose, metrics in counted.items():
        for (tool, surface, status), count in metrics.list_call_counts():
            labels = _render_labels(tool=tool, surface=surface, status=status, **dict(whose))
            yield f"sanya_calls_total{labels} {count}"
    yield from _render_head("sanya_call_duration_seconds", "histogram", "Time from the call's arrival to its stamp.")
    for whose, metrics in counted.items():
        for tool, times in metrics.list_durations():
            yield from _render_histogram(tool, times, dict(whose))
    yield from _render_head("sanya_http_refused_total", "counter", "Requests refused before they reached a tool.")
    for whose, metrics in counted.items():
        for status, count in sorted(metrics.count_refusals().items()):
            yield f"sanya_http_refused_total{_render_labels(status=status, **dict(whose))} {count}"


def _render_processes(counted: _Counted) -> Iterator[str]:
    figures = [(dict(whose), metrics.read_process()) for whose, metrics in counted.items()]
    for name, (kind, help) in FIGURES.items():
        yield from _render_head(name, kind, help)
        for whose, found in figures:
            if name in found:
                yield f"{name}{_render_labels(**whose) if whose else ''} {found[name]:.17g}"
    version = _render_labels(version=__version__, commit=find_commit(), python=platform.python_version())
    yield from _render_head("sanya_build_info", "gauge", "1; the labels tell what runs.")
    yield f"sanya_build_info{version} 1"


def _render_gauges(gauges: Mapping[str, tuple[str, float]]) -> Iterator[str]:
    for name, (help, value) in gauges.items():
        yield from _render_head(name, "gauge", help)
        yield f"{name} {value:g}"


def _render_breakers(breakers: Sequence[Breaker]) -> Iterator[str]:
    yield from _render_head("sanya_engine_up", "gauge", "1: in use; 0: the circuit breaker is open after failures.")
    for breaker in breakers:
        yield f"sanya_engine_up{_render_labels(engine=breaker.name)} {int(breaker.state == 'closed')}"
    yield from _render_head(
        "sanya_engine_outages_total", "counter", "Times the circuit breaker opened, failed trial calls included."
    )
    for breaker in breakers:
        yield f"sanya_engine_outages_total{_render_labels(engine=breaker.name)} {breaker.open_count}"


def _render_histogram(tool: str, times: _DurationHistogram, whose: Mapping[str, str]) -> Iterator[str]:
    running = 0
    for bound, count in zip((*BOUNDS_S, "+Inf"), times.counts, strict=True):
        running += count
        yield f"sanya_call_duration_seconds_bucket{_render_labels(tool=tool, le=str(bound), **whose)} {running}"
    yield f"sanya_call_duration_seconds_sum{_render_labels(tool=tool, **whose)} {times.sum_ns / 1e9:.9f}"
    yield f"sanya_call_duration_seconds_count{_render_labels(tool=tool, **whose)} {running}"


def _render_head(name: str, kind: str, help: str) -> tuple[str, str]:
    return f"# HELP {name} {help}", f"# TYPE {name} {kind}"


def _render_labels(**labels: str) -> str:
    return "{" + ",".join(f'{name}="{_escape(value)}"' for name, value in labels.items()) + "}"


def _escape(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
