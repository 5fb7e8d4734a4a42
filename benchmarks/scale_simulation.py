"""What a corpus and a team of agents need: slopes measured on this project's engines, and a simulation of the queues.

`python -m benchmarks.scale_simulation` prints the tables of docs/scale.md and draws docs/scale.svg. Nothing is measured
here. The service times are those in docs/search.md (searches by engine and size) and docs/benchmarks.json (calls).
Between and beyond the measured sizes a power law goes through the two largest ones. Agents think for a while, call, and
wait for the answer; calls queue for the cores of the servers and, with an index of its own, for the cores of that.
"""

from __future__ import annotations

import heapq
import json
import math
import random
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from benchmarks.page import KEPT, read_engines
from benchmarks.scale_plot import Curve, plot

THINK_S = 10.0
SIMULATED_S = 120.0
WARM_UP_S = 20.0
GOAL_S = 1.0
CORES = 16
"""Cores of all servers together, and as many for an index or database of its own."""
EMBEDDING_MS = 10.0
"""CPU time of a query of ten words in both packaged models: 7.1 ms and 2.6 ms."""
AGENTS = (10, 30, 100, 300, 1_000, 2_000, 3_000, 5_000, 10_000)
CORPORA = (10_000, 100_000, 1_000_000, 10_000_000, 300_000_000)
PLOT = Path(__file__).parents[1] / "docs" / "scale.svg"


@dataclass(frozen=True, slots=True)
class EngineSlope:
    """A power law through the two largest measured sizes: of time, CPU in our process, disk and build."""

    name: str
    sizes: tuple[int, ...]
    clock_ms: tuple[float, ...]
    cpu_ms: tuple[float, ...]
    disk_gb: tuple[float, ...]
    built_s: tuple[float, ...]
    spread: float
    """Sigma of the logarithm of a search's time, from its p99 and p50."""

    def estimate(self, figures: Sequence[float], rows: int) -> float:
        """Return the figure at this size: as measured, or by the power law."""
        if rows in self.sizes:
            return figures[self.sizes.index(rows)]
        (small, low), (large, high) = list(zip(self.sizes, figures, strict=True))[-2:]
        exponent: float = math.log(high / low) / math.log(large / small)
        return high * math.exp(exponent * math.log(rows / large))


@dataclass(frozen=True, slots=True)
class CallKind:
    """A kind of call: its share of all calls, and its mean time on the servers and on the index, in seconds."""

    share: float
    server_s: float
    index_s: float = 0.0


class Station:
    """So many cores with one queue, first come first served."""

    def __init__(self, cores: int) -> None:
        self._free = cores
        self._waiting: deque[tuple[int, float]] = deque()
        self.busy_s = 0.0

    def arrive(self, call: int, service_s: float) -> float | None:
        """Return the service time if a core is free; else the call waits."""
        if not self._free:
            self._waiting.append((call, service_s))
            return None
        self._free -= 1
        self.busy_s += service_s
        return service_s

    def leave(self) -> tuple[int, float] | None:
        """Free a core and return the call that takes it."""
        if not self._waiting:
            self._free += 1
            return None
        call, service_s = self._waiting.popleft()
        self.busy_s += service_s
        return call, service_s


@dataclass(frozen=True, slots=True)
class Simulated:
    agents: int
    p50_s: float
    p95_s: float
    calls_per_s: float
    server_load: float
    index_load: float


class Simulation:
    """Agents that think, call and wait. Each call visits the servers, then the index if it has a time there."""

    def __init__(self, kinds: Sequence[CallKind], spread: float, agents: int, seed: int = 1) -> None:
        self._random = random.Random(seed)
        self._kinds = kinds
        self._spread = spread
        self._agents = agents
        self._stations = (Station(CORES), Station(CORES))
        self._events: list[tuple[float, int, int, int]] = []
        self._numbers = count()
        self._began: dict[int, float] = {}
        self._index_s: dict[int, float] = {}
        self._taken: list[float] = []

    def run(self) -> Simulated:
        for agent in range(self._agents):
            self._plan(self._random.expovariate(1 / THINK_S), -1, agent)
        while self._events and self._events[0][0] < SIMULATED_S:
            now, _, station, agent = heapq.heappop(self._events)
            if station < 0:
                self._begin(now, agent)
            else:
                self._finish(now, station, agent)
        # Calls that still wait at the end took at least so long: an overloaded system must not look quick.
        self._taken += [SIMULATED_S - began for began in self._began.values()]
        taken = sorted(self._taken) or [0.0]
        loads = [station.busy_s / (CORES * SIMULATED_S) for station in self._stations]
        rate = len(taken) / (SIMULATED_S - WARM_UP_S)
        return Simulated(self._agents, _take(taken, 0.5), _take(taken, 0.95), rate, loads[0], loads[1])

    def _plan(self, at: float, station: int, agent: int) -> None:
        heapq.heappush(self._events, (at, next(self._numbers), station, agent))

    def _begin(self, now: float, agent: int) -> None:
        (kind,) = self._random.choices(self._kinds, [kind.share for kind in self._kinds])
        self._began[agent] = now
        self._index_s[agent] = self._vary(kind.index_s)
        self._visit(now, 0, agent, self._vary(kind.server_s))

    def _visit(self, now: float, station: int, agent: int, service_s: float) -> None:
        if (taken := self._stations[station].arrive(agent, service_s)) is not None:
            self._plan(now + taken, station, agent)

    def _finish(self, now: float, station: int, agent: int) -> None:
        if (following := self._stations[station].leave()) is not None:
            self._plan(now + following[1], station, following[0])
        if station == 0 and (index_s := self._index_s[agent]) > 0:
            self._visit(now, 1, agent, index_s)
            return
        began = self._began.pop(agent)
        if now > WARM_UP_S:
            self._taken.append(now - began)
        self._plan(now + self._random.expovariate(1 / THINK_S), -1, agent)

    def _vary(self, mean_s: float) -> float:
        """Draw a time with this mean, as far from it as measured searches are."""
        sigma = self._spread
        return mean_s * self._random.lognormvariate(-sigma * sigma / 2, sigma) if mean_s else 0.0


def _take(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def read_slopes() -> list[EngineSlope]:
    """Read the measured rows of docs/search.md, by engine."""
    slopes = []
    rows = [row for row in read_engines() if row[-2][0].isdigit()]
    for name in dict.fromkeys(row[1] for row in rows):
        own = [row for row in rows if row[1] == name]
        if len(own) < 3:
            continue  # a line through two sizes cannot be checked by a third
        clock = [_read_numbers(row[2]) for row in own]
        slopes.append(
            EngineSlope(
                name=name,
                sizes=tuple(int(row[0].replace(",", "")) for row in own),
                clock_ms=tuple(found[0] for found in clock),
                cpu_ms=tuple(float(row[6]) for row in own),
                disk_gb=tuple(_read_numbers(row[-1])[0] for row in own),
                built_s=tuple(_read_numbers(row[-2])[0] for row in own),
                spread=math.log(clock[-1][1] / clock[-1][0]) / 2.326,
            )
        )
    return slopes


def _read_numbers(cell: str) -> list[float]:
    """Return the numbers of a cell such as `12.3 (29.6)`."""
    words = cell.replace("(", " ").replace(")", " ").replace(",", "").split()
    return [float(word) for word in words if word.replace(".", "", 1).isdigit()]


def build_kinds(slope: EngineSlope, rows: int, rates: dict[str, float]) -> list[CallKind]:
    """Return the mix of a research team: half searches of papers, the rest memories and tasks."""
    search_ms = slope.estimate(slope.clock_ms, rows)
    is_inside = slope.name == "embedded"
    own_ms = EMBEDDING_MS + (search_ms if is_inside else slope.estimate(slope.cpu_ms, rows))
    index_ms = 0.0 if is_inside else max(search_ms - slope.estimate(slope.cpu_ms, rows), 0.0)
    memory_ms = EMBEDDING_MS + slope.estimate(slope.clock_ms, 100_000)
    return [
        CallKind(0.5, own_ms / 1e3, index_ms / 1e3),
        CallKind(0.2, memory_ms / 1e3),
        CallKind(0.1, 1 / rates["memory_send"]),
        CallKind(0.2, 1 / rates["get_tasks_vs_sdk"]),
    ]


def find_most_agents(results: Sequence[Simulated]) -> int:
    """Return the largest number of agents up to which the p95 keeps the goal."""
    most = 0
    for result in results:
        if result.p95_s > GOAL_S:
            break
        most = result.agents
    return most


def describe_shards(slope: EngineSlope, rows_each: int) -> str:
    """Return what one of the shards of the largest corpus needs. Every search asks all of them."""
    searches_per_s = 0.5 * 1_000 / THINK_S
    busy = searches_per_s * slope.estimate(slope.clock_ms, rows_each) / 1e3
    shards = math.ceil(CORPORA[-1] / rows_each)
    return (
        f"| {rows_each:,} | {slope.name} | {shards} | {slope.estimate(slope.clock_ms, rows_each):,.0f} "
        f"| {slope.estimate(slope.disk_gb, rows_each):,.1f} | {busy:.1f} | {busy * shards:,.0f} "
        f"| {slope.estimate(slope.built_s, rows_each) / 3600:,.1f} |"
    )


def main() -> None:
    results = json.loads(KEPT.read_text(encoding="utf-8"))
    rates = {name: float(results[name]["result"]["ours"]) for name in ("memory_send", "get_tasks_vs_sdk")}
    curves: list[Curve] = []
    for slope in read_slopes():
        for rows in CORPORA:
            simulated = [Simulation(build_kinds(slope, rows, rates), slope.spread, n).run() for n in AGENTS]
            at_goal = next(result for result in simulated if result.agents == 1_000)
            print(
                f"| {rows:,} | {slope.name} | {slope.estimate(slope.clock_ms, rows):,.0f} "
                f"| {slope.estimate(slope.disk_gb, rows):,.2f} | {slope.estimate(slope.built_s, rows) / 3600:,.1f} "
                f"| {at_goal.p50_s * 1e3:,.0f} / {at_goal.p95_s * 1e3:,.0f} | {at_goal.server_load:.2f} "
                f"| {at_goal.index_load:.2f} | {find_most_agents(simulated):,} |"
            )
            curves.append(Curve(slope.name, rows, [(result.agents, result.p95_s) for result in simulated]))
        for rows_each in (1_000_000, 3_000_000, 10_000_000):
            print(describe_shards(slope, rows_each))
    PLOT.write_text(plot(curves, GOAL_S), encoding="utf-8")


if __name__ == "__main__":
    main()
