"""Plot of a soak over time, in three panels: memory, descriptors and response times."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.soak import Sample

_WIDTH, _HEIGHT, _GAP = 760, 110, 44
_LEFT, _RIGHT = 70, 20
_COLOURS = ("#1f6f8a", "#b3702e")

Curve = tuple[str, "Callable[[Sample], float]"]
_PANELS: tuple[tuple[str, tuple[Curve, ...]], ...] = (
    ("memory of the process itself, MiB", (("", lambda sample: sample.own_mib),)),
    ("open files and sockets", (("", lambda sample: sample.descriptors),)),
    ("time to an answer, ms", (("p50", lambda sample: sample.p50_ms), ("p99", lambda sample: sample.p99_ms))),
)


def plot(samples: Sequence[Sample]) -> str:
    height = len(_PANELS) * (_HEIGHT + _GAP) + 20
    panels = "".join(_draw_panel(at, *panel, samples) for at, panel in enumerate(_PANELS))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" '
        'font-family="system-ui, sans-serif" font-size="12">'
        "<title>Memory, open files and times of a server under mixed load</title>"
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>{panels}'
        f'<text x="{_WIDTH - _RIGHT}" y="{height - 6}" text-anchor="end" fill="#445">'
        f"{samples[-1].at_s / 60:.0f} minutes</text></svg>\n"
    )


def _draw_panel(at: int, title: str, curves: tuple[Curve, ...], samples: Sequence[Sample]) -> str:
    top = at * (_HEIGHT + _GAP) + 28
    most = 1.1 * max(read(sample) for _, read in curves for sample in samples) or 1.0
    drawn = "".join(
        _draw_curve([(sample.at_s, read(sample)) for sample in samples], most, top, colour)
        for (_, read), colour in zip(curves, _COLOURS, strict=False)
    )
    legend = "".join(
        f'<tspan fill="{colour}">  {name}</tspan>' for (name, _), colour in zip(curves, _COLOURS, strict=False) if name
    )
    bottom = top + _HEIGHT
    return (
        f'<text x="{_LEFT}" y="{top - 8}" fill="#223">{title}{legend}</text>'
        f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{bottom}" y2="{bottom}" stroke="#99a"/>'
        f'<text x="{_LEFT - 8}" y="{top + 10}" text-anchor="end" fill="#445">{most:.0f}</text>'
        f'<text x="{_LEFT - 8}" y="{bottom}" text-anchor="end" fill="#445">0</text>{drawn}'
    )


def _draw_curve(points: Sequence[tuple[float, float]], most: float, top: float, colour: str) -> str:
    last = points[-1][0] or 1.0
    places = " ".join(
        f"{_LEFT + (_WIDTH - _LEFT - _RIGHT) * at / last:.1f},{top + _HEIGHT * (1 - value / most):.1f}"
        for at, value in points
    )
    return f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
