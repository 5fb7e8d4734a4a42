"""What a shadow found, gathered in the process that serves and kept in its home, bounded in size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sanya.kernel.database import Database, Transaction, Value
from sanya.shadow.latencies import bucket_of, milliseconds_at
from sanya.shadow.verdicts import KINDS, Kind, Place

SIDES = ("primary", "shadow")
# Of so many calls, the latest, the differences are kept.
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
_FORGET_OLD = (
    "DELETE FROM shadow_differences WHERE call_id < (SELECT MIN(call_id) FROM "  # noqa: S608 - a number of our own
    f"(SELECT DISTINCT call_id FROM shadow_differences ORDER BY call_id DESC LIMIT {KEPT_CALLS}) AS latest)"
)
_TABLES = ("shadow_trials", "shadow_tallies", "shadow_latencies", "shadow_differences")


@dataclass(frozen=True, slots=True)
class Found:
    """The verdict on one call, with where the answers differ and how many microseconds each side took."""

    call_id: str
    tool: str
    at: str
    kind: Kind
    took_us: tuple[float, float] | None = None
    places: Sequence[Place] = ()


@dataclass(slots=True)
class Gathered:
    """What has not been written down yet."""

    tallies: Counter[tuple[str, Kind]] = field(default_factory=Counter)
    latencies: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    differing: list[Found] = field(default_factory=list)

    def add(self, found: Found) -> None:
        self.tallies[found.tool, found.kind] += 1
        if found.took_us is not None:
            for side, microseconds in zip(SIDES, found.took_us, strict=True):
                self.latencies[found.tool, side, bucket_of(microseconds)] += 1
        if found.places:
            self.differing = [*self.differing[1 - KEPT_CALLS :], found]

    def join(self, earlier: Gathered) -> None:
        self.tallies += earlier.tallies
        self.latencies += earlier.latencies
        self.differing = [*earlier.differing, *self.differing][-KEPT_CALLS:]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolReport:
    tool: str
    calls: dict[Kind, int]
    primary_ms: tuple[float | None, float | None]
    """Of the primary: within this time a half, and 95 of 100, of the calls that were compared ended."""
    shadow_ms: tuple[float | None, float | None]

    def as_json(self) -> dict[str, Any]:
        times = {"primary_ms": self.primary_ms, "shadow_ms": self.shadow_ms}
        shown = {side: dict(zip(("p50", "p95"), both, strict=True)) for side, both in times.items()}
        counted: dict[str, int] = {str(kind): calls for kind, calls in self.calls.items()}
        return {"tool": self.tool, "calls": sum(self.calls.values()), **counted, **shown}


@dataclass(frozen=True, slots=True)
class TrialReport:
    """`problem` says why the shadow cannot be compared, or what it holds more or less of."""

    trial: str
    began_at: str
    last_at: str
    problem: str | None
    tools: tuple[ToolReport, ...]
    differences: tuple[Found, ...]

    def calls(self, *kinds: Kind) -> int:
        return sum(one.calls[kind] for one in self.tools for kind in kinds)

    @property
    def is_clean(self) -> bool:
        """Whether all that was compared was the same, and something was."""
        return self.problem is None and not self.calls("different", "failed") and bool(self.calls(*_EQUAL))

    def as_json(self) -> dict[str, Any]:
        return {
            "trial": self.trial,
            "began_at": self.began_at,
            "last_at": self.last_at,
            "problem": self.problem,
            "clean": self.is_clean,
            "tools": [one.as_json() for one in self.tools],
            "differences": [
                {
                    "call_id": one.call_id,
                    "tool": one.tool,
                    "at": one.at,
                    "kind": one.kind,
                    "places": [{"path": it.path, "here": it.here, "there": it.there} for it in one.places],
                }
                for one in self.differences
            ],
        }


_EQUAL: tuple[Kind, ...] = ("equal", "rounding", "late", "raced")


def report_of(trial: tuple[str, str, str, str | None], gathered: Gathered) -> TrialReport:
    """`trial` is its name, when it began and was last added to, and its problem."""
    tools = sorted({tool for tool, _ in gathered.tallies})
    return TrialReport(*trial, tuple(_tool_report(tool, gathered) for tool in tools), tuple(gathered.differing))


def _tool_report(tool: str, gathered: Gathered) -> ToolReport:
    times = {
        side: {bucket: count for (of, on, bucket), count in gathered.latencies.items() if (of, on) == (tool, side)}
        for side in SIDES
    }
    shown = [(milliseconds_at(0.5, times[side]), milliseconds_at(0.95, times[side])) for side in SIDES]
    calls = {kind: gathered.tallies[tool, kind] for kind in KINDS}
    return ToolReport(tool=tool, calls=calls, primary_ms=shown[0], shadow_ms=shown[1])


class ReportStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, trial: str, at: str, gathered: Gathered, problem: str | None) -> None:
        """Adds to what is there, so that several servers may."""
        async with self._database.transaction() as transaction:
            await transaction.execute(_TRIAL, (trial, at, at, problem))
            await transaction.execute_many(
                _TALLY, [(trial, *key, count) for key, count in sorted(gathered.tallies.items())]
            )
            await transaction.execute_many(
                _LATENCY, [(trial, *key, count) for key, count in sorted(gathered.latencies.items())]
            )
            await _add_differences(transaction, trial, gathered.differing)

    async def read(self) -> list[TrialReport]:
        trials = await self._database.fetch(
            "SELECT trial, began_at, last_at, problem FROM shadow_trials ORDER BY last_at DESC, trial"
        )
        return [
            report_of((str(trial), str(began), str(last), _text(problem)), await self._gathered(str(trial)))
            for trial, began, last, problem in trials
        ]

    async def clear(self) -> None:
        async with self._database.transaction() as transaction:
            for table in _TABLES:
                await transaction.execute(f"DELETE FROM {table}")  # noqa: S608 - names of our own

    async def _gathered(self, trial: str) -> Gathered:
        gathered = Gathered()
        fetch = self._database.fetch
        for tool, kind, calls in await fetch("SELECT tool, kind, calls FROM shadow_tallies WHERE trial = ?", (trial,)):
            gathered.tallies[str(tool), _kind(kind)] = int(str(calls))
        sql = "SELECT tool, side, bucket, calls FROM shadow_latencies WHERE trial = ?"
        for tool, side, bucket, calls in await fetch(sql, (trial,)):
            gathered.latencies[str(tool), str(side), int(str(bucket))] = int(str(calls))
        gathered.differing = await self._differing(trial)
        return gathered

    async def _differing(self, trial: str) -> list[Found]:
        sql = (
            "SELECT call_id, tool, at, kind, path, here, there FROM shadow_differences WHERE trial = ? "
            "ORDER BY call_id DESC, place"
        )
        found: dict[str, Found] = {}
        for call_id, tool, at, kind, *place in await self._database.fetch(sql, (trial,)):
            known = found.get(str(call_id)) or Found(str(call_id), str(tool), str(at), _kind(kind))
            shown = Place(*map(str, place))
            found[known.call_id] = Found(known.call_id, known.tool, known.at, known.kind, None, (*known.places, shown))
        return list(found.values())


async def _add_differences(transaction: Transaction, trial: str, differing: Sequence[Found]) -> None:
    rows = [
        (one.call_id, number, trial, one.tool, one.kind, one.at, place.path, place.here, place.there)
        for one in differing
        for number, place in enumerate(one.places)
    ]
    if rows:
        await transaction.execute_many(_DIFFERENCE, rows)
        await transaction.execute(_FORGET_OLD)


def _text(value: Value) -> str | None:
    return None if value is None else str(value)


def _kind(text: object) -> Kind:
    return next(kind for kind in KINDS if kind == text)
