"""The last day of calls, minute by minute, for the operations page. It is in memory and ends with the server."""

from __future__ import annotations

import asyncio
import contextlib
import time
from bisect import bisect_left
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sanya.kernel.faults import Unavailable

MINUTES = 24 * 60
BOUNDS_MS = (0.5, 1.0, 2.5, 5.0, 10.0, 25.0, 50.0, 100.0, 250.0, 500.0, 1000.0, 2500.0, 5000.0, 10_000.0, 30_000.0)
_BOUNDS_NS = tuple(round(bound * 1e6) for bound in BOUNDS_MS)
_EVERY_S = 60.0

Sample = dict[str, float]


@dataclass(slots=True)
class CallMinute:
    """The calls of one minute: how many there were, how many failed, and how long they took."""

    calls: int = 0
    errors: int = 0
    durations: list[int] = field(default_factory=lambda: [0] * (len(_BOUNDS_NS) + 1))


class MetricsHistory:
    def __init__(self, now: Callable[[], float] = time.time) -> None:
        self._now = now
        self._minutes: dict[int, CallMinute] = {}
        self._samples: dict[int, Sample] = {}
        self.started_at = now()

    def record_call(self, duration_ns: int, *, is_error: bool) -> None:
        number = int(self._now() // 60)
        minute = self._minutes.get(number)
        if minute is None:
            minute = self._minutes[number] = CallMinute()
            self._forget(number)
        minute.calls += 1
        minute.errors += is_error
        minute.durations[bisect_left(_BOUNDS_NS, duration_ns)] += 1

    def read_counts(self) -> dict[str, Any]:
        """Return everything kept, as plain JSON for another worker."""
        minutes = [[number, minute.calls, minute.errors, minute.durations] for number, minute in self._minutes.items()]
        return {"started_at": self.started_at, "minutes": minutes, "samples": list(self._samples.items())}

    def add_counts(self, counts: Mapping[str, Any]) -> None:
        """Add the calls of another worker. Samples are figures of the home, so each worker measures the same."""
        self.started_at = min(self.started_at, counts["started_at"])
        for number, calls, errors, durations in counts["minutes"]:
            minute = self._minutes.setdefault(number, CallMinute())
            minute.calls += calls
            minute.errors += errors
            minute.durations = [ours + theirs for ours, theirs in zip(minute.durations, durations, strict=True)]
        self._samples = {**dict(counts["samples"]), **self._samples}

    def record_sample(self, sample: Sample) -> None:
        """Keep figures that are measured, not counted, such as documents that await vectors."""
        self._samples[int(self._now() // 60)] = sample

    async def sample_often(self, measure: Callable[[], Awaitable[Sample]]) -> None:
        """Measure once a minute until cancelled. While the database is away there is nothing to record."""
        while True:
            await asyncio.sleep(_EVERY_S)
            with contextlib.suppress(Unavailable):
                self.record_sample(await measure())

    def list_minutes(self, count: int) -> list[dict[str, Any]]:
        """List the last `count` minutes, oldest first. A minute without calls has none and no durations."""
        last = int(self._now() // 60)
        first = max(last - count + 1, int(self.started_at // 60))
        return [self._describe(number) for number in range(first, last + 1)]

    def _describe(self, number: int) -> dict[str, Any]:
        minute = self._minutes.get(number) or CallMinute()
        return {
            "at": number * 60,
            "calls": minute.calls,
            "errors": minute.errors,
            "p50_ms": estimate_percentile(minute.durations, 0.5),
            "p95_ms": estimate_percentile(minute.durations, 0.95),
            **self._samples.get(number, {}),
        }

    def _forget(self, number: int) -> None:
        for kept in (self._minutes, self._samples):
            for old in [known for known in kept if known <= number - MINUTES]:
                del kept[old]


def estimate_percentile(durations: Sequence[int], share: float) -> float | None:
    """Return the bound in ms under which this share of the calls lies: exact to a bucket. None without calls."""
    total = sum(durations)
    if total == 0:
        return None
    running = 0
    for bound, count in zip(BOUNDS_MS, durations, strict=False):
        running += count
        if running >= share * total:
            return bound
    return BOUNDS_MS[-1]
