"""Plot of a simulation: the p95 of calls over the number of agents, a panel for each engine, both axes logarithmic."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

_WIDTH, _HEIGHT, _GAP = 760, 220, 70
_LEFT, _RIGHT = 70, 150
_COLOURS = ("#9db8c0", "#6a9fb5", "#1f6f8a", "#b3702e", "#8a1f3c")
_LEAST_S, _MOST_S = 0.005, 100.0
_TICKS_S = (0.01, 0.1, 1.0, 10.0, 100.0)


@dataclass(frozen=True, slots=True)
class Curve:
    engine: str
    rows: int
    points: list[tuple[int, float]]
    """Agents and the p95 of their calls in seconds."""


def plot(curves: Sequence[Curve], goal_s: float) -> str:
    engines = list(dict.fromkeys(curve.engine for curve in curves))
    height = len(engines) * (_HEIGHT + _GAP) + 20
    panels = "".join(
        _draw_panel(at, engine, [curve for curve in curves if curve.engine == engine], goal_s)
        for at, engine in enumerate(engines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" '
        'font-family="system-ui, sans-serif" font-size="12">'
        "<title>p95 of calls over the number of agents, by engine and size of the corpus</title>"
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>{panels}</svg>\n'
    )


def _draw_panel(at: int, engine: str, curves: Sequence[Curve], goal_s: float) -> str:
    top = at * (_HEIGHT + _GAP) + 36
    agents = [number for number, _ in curves[0].points]
    axes = "".join(
        f'<text x="{_LEFT - 8}" y="{_place_y(top, tick) + 4:.1f}" text-anchor="end" fill="#445">{tick:g}</text>'
        f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{_place_y(top, tick):.1f}" y2="{_place_y(top, tick):.1f}" '
        f'stroke="{"#a33" if tick == goal_s else "#dde"}"/>'
        for tick in _TICKS_S
    )
    labels = "".join(
        f'<text x="{_place_x(agents, number):.1f}" y="{top + _HEIGHT + 16}" text-anchor="middle" fill="#445">'
        f"{number:,}</text>"
        for number in agents
        if number in (10, 100, 1_000, 10_000)
    )
    drawn = "".join(
        _draw_curve(agents, top, curve, colour, at)
        for at, (curve, colour) in enumerate(zip(curves, _COLOURS, strict=False))
    )
    return (
        f'<text x="{_LEFT}" y="{top - 12}" fill="#223">{engine}: seconds to an answer (p95) over agents; '
        f"red: {goal_s:g} s</text>{axes}{labels}{drawn}"
    )


def _draw_curve(agents: Sequence[int], top: float, curve: Curve, colour: str, at: int) -> str:
    places = " ".join(f"{_place_x(agents, x):.1f},{_place_y(top, y):.1f}" for x, y in curve.points)
    legend_y = top + 14 + 18 * at
    return (
        f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="2"/>'
        f'<text x="{_WIDTH - _RIGHT + 12}" y="{legend_y:.0f}" fill="{colour}">{curve.rows:,} chunks</text>'
    )


def _place_x(agents: Sequence[int], number: int) -> float:
    share = math.log(number / agents[0]) / math.log(agents[-1] / agents[0])
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * share


def _place_y(top: float, seconds: float) -> float:
    clipped = min(max(seconds, _LEAST_S), _MOST_S)
    return top + _HEIGHT * (1 - math.log(clipped / _LEAST_S) / math.log(_MOST_S / _LEAST_S))
