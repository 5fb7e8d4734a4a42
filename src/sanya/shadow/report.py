"""The comparisons of a shadow: tallied in the server's process, stored in its home, bounded in size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sanya.kernel.storage.database import Database, Transaction, Value
from sanya.shadow.latencies import estimate_quantile_ms, find_bucket
from sanya.shadow.verdicts import KINDS, ComparisonKind, ReportedDifference

SIDES = ("primary", "shadow")
# The differences of this many latest calls are kept.
KEPT_CALLS = 500

_TRIAL = (
    "INSERT INTO shadow_trials (trial, began_at, last_at, problem) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (trial) DO UPDATE SET last_at = excluded.last_at, problem = excluded.problem"
)
_TALLY = (
    "INSERT INTO shadow_tallies (trial, tool, kind, calls) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (trial, tool, kind) DO UPDATE SET calls = shadow_tallies.calls + excluded.calls"
)
_LATENCY = (
    "INSERT INTO shadow_latencies (trial, tool, side, bucket, calls) VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT (trial, tool, side, bucket) DO UPDATE SET calls = shadow_latencies.calls + excluded.calls"
)
_DIFFERENCE = (
    "INSERT INTO shadow_differences (call_id, place, trial, tool, kind, at, path, here, there) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (call_id, place) DO NOTHING"
)
_DELETE_OLD = (
    "DELETE FROM shadow_differences WHERE call_id < (SELECT MIN(call_id) FROM "  # noqa: S608 - our own number
    f"(SELECT DISTINCT call_id FROM shadow_differences ORDER BY call_id DESC LIMIT {KEPT_CALLS}) AS latest)"
)
_TABLES = ("shadow_trials", "shadow_tallies", "shadow_latencies", "shadow_differences")


@dataclass(frozen=True, slots=True)
class CallComparison:
    """The comparison of one call: its kind, where the answers differ, and the microseconds each side took."""

    call_id: str
    tool: str
    at: str
    kind: ComparisonKind
    took_us: tuple[float, float] | None = None
    places: Sequence[ReportedDifference] = ()


@dataclass(slots=True)
class ComparisonTally:
    """Comparisons that are not stored yet."""

    tallies: Counter[tuple[str, ComparisonKind]] = field(default_factory=Counter)
    latencies: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    differing: list[CallComparison] = field(default_factory=list)

    def add(self, found: CallComparison) -> None:
        self.tallies[found.tool, found.kind] += 1
        if found.took_us is not None:
            for side, microseconds in zip(SIDES, found.took_us, strict=True):
                self.latencies[found.tool, side, find_bucket(microseconds)] += 1
        if found.places:
            self.differing = [*self.differing[1 - KEPT_CALLS :], found]

    def join(self, earlier: ComparisonTally) -> None:
        self.tallies += earlier.tallies
        self.latencies += earlier.latencies
        self.differing = [*earlier.differing, *self.differing][-KEPT_CALLS:]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolReport:
    tool: str
    calls: dict[ComparisonKind, int]
    primary_ms: tuple[float | None, float | None]
    """p50 and p95 of the compared calls on the primary."""
    shadow_ms: tuple[float | None, float | None]

    def as_json(self) -> dict[str, Any]:
        times = {"primary_ms": self.primary_ms, "shadow_ms": self.shadow_ms}
        shown = {side: dict(zip(("p50", "p95"), both, strict=True)) for side, both in times.items()}
        counted: dict[str, int] = {str(kind): calls for kind, calls in self.calls.items()}
        return {"tool": self.tool, "calls": sum(self.calls.values()), **counted, **shown}


@dataclass(frozen=True, slots=True)
class TrialReport:
    """The report of a pair of engines. `problem` says why they cannot be compared, or which tables differ."""

    trial: str
    began_at: str
    last_at: str
    problem: str | None
    tools: tuple[ToolReport, ...]
    differences: tuple[CallComparison, ...]

    def count_calls(self, *kinds: ComparisonKind) -> int:
        return sum(tool.calls[kind] for tool in self.tools for kind in kinds)

    @property
    def is_clean(self) -> bool:
        """True where something was compared and nothing differed."""
        return self.problem is None and not self.count_calls("different", "failed") and bool(self.count_calls(*_EQUAL))

    def as_json(self) -> dict[str, Any]:
        return {
            "trial": self.trial,
            "began_at": self.began_at,
            "last_at": self.last_at,
            "problem": self.problem,
            "clean": self.is_clean,
            "tools": [tool.as_json() for tool in self.tools],
            "differences": [
                {
                    "call_id": comparison.call_id,
                    "tool": comparison.tool,
                    "at": comparison.at,
                    "kind": comparison.kind,
                    "places": [
                        {"path": place.path, "here": place.here, "there": place.there} for place in comparison.places
                    ],
                }
                for comparison in self.differences
            ],
        }


_EQUAL: tuple[ComparisonKind, ...] = ("equal", "rounding", "late", "raced")


def build_report(trial: tuple[str, str, str, str | None], tally: ComparisonTally) -> TrialReport:
    """Build the report. `trial` is its name, its first and last time, and its problem."""
    tools = sorted({tool for tool, _ in tally.tallies})
    return TrialReport(*trial, tuple(_build_tool_report(tool, tally) for tool in tools), tuple(tally.differing))


def _build_tool_report(tool: str, tally: ComparisonTally) -> ToolReport:
    times = {
        side: {bucket: count for (of, on, bucket), count in tally.latencies.items() if (of, on) == (tool, side)}
        for side in SIDES
    }
    shown = [(estimate_quantile_ms(0.5, times[side]), estimate_quantile_ms(0.95, times[side])) for side in SIDES]
    calls = {kind: tally.tallies[tool, kind] for kind in KINDS}
    return ToolReport(tool=tool, calls=calls, primary_ms=shown[0], shadow_ms=shown[1])


class ReportStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, trial: str, at: str, tally: ComparisonTally, problem: str | None) -> None:
        """Add to the stored tally, so that several servers can share a report."""
        async with self._database.transaction() as transaction:
            await transaction.execute(_TRIAL, (trial, at, at, problem))
            await transaction.execute_many(
                _TALLY, [(trial, *key, count) for key, count in sorted(tally.tallies.items())]
            )
            await transaction.execute_many(
                _LATENCY, [(trial, *key, count) for key, count in sorted(tally.latencies.items())]
            )
            await _add_differences(transaction, trial, tally.differing)

    async def read(self) -> list[TrialReport]:
        trials = await self._database.fetch(
            "SELECT trial, began_at, last_at, problem FROM shadow_trials ORDER BY last_at DESC, trial"
        )
        return [
            build_report((str(trial), str(began), str(last), _to_text(problem)), await self._read_tally(str(trial)))
            for trial, began, last, problem in trials
        ]

    async def clear(self) -> None:
        async with self._database.transaction() as transaction:
            for table in _TABLES:
                await transaction.execute(f"DELETE FROM {table}")  # noqa: S608 - our own table names

    async def _read_tally(self, trial: str) -> ComparisonTally:
        tally = ComparisonTally()
        fetch = self._database.fetch
        for tool, kind, calls in await fetch("SELECT tool, kind, calls FROM shadow_tallies WHERE trial = ?", (trial,)):
            tally.tallies[str(tool), _to_kind(kind)] = int(str(calls))
        sql = "SELECT tool, side, bucket, calls FROM shadow_latencies WHERE trial = ?"
        for tool, side, bucket, calls in await fetch(sql, (trial,)):
            tally.latencies[str(tool), str(side), int(str(bucket))] = int(str(calls))
        tally.differing = await self._read_differing(trial)
        return tally

    async def _read_differing(self, trial: str) -> list[CallComparison]:
        sql = (
            "SELECT call_id, tool, at, kind, path, here, there FROM shadow_differences WHERE trial = ? "
            "ORDER BY call_id DESC, place"
        )
        found: dict[str, CallComparison] = {}
        for call_id, tool, at, kind, *place in await self._database.fetch(sql, (trial,)):
            known = found.get(str(call_id)) or CallComparison(str(call_id), str(tool), str(at), _to_kind(kind))
            shown = ReportedDifference(*map(str, place))
            found[known.call_id] = CallComparison(
                known.call_id, known.tool, known.at, known.kind, None, (*known.places, shown)
            )
        return list(found.values())


async def _add_differences(transaction: Transaction, trial: str, differing: Sequence[CallComparison]) -> None:
    rows = [
        (
            comparison.call_id,
            number,
            trial,
            comparison.tool,
            comparison.kind,
            comparison.at,
            place.path,
            place.here,
            place.there,
        )
        for comparison in differing
        for number, place in enumerate(comparison.places)
    ]
    if rows:
        await transaction.execute_many(_DIFFERENCE, rows)
        await transaction.execute(_DELETE_OLD)


def _to_text(value: Value) -> str | None:
    return None if value is None else str(value)


def _to_kind(text: object) -> ComparisonKind:
    return next(kind for kind in KINDS if kind == text)
