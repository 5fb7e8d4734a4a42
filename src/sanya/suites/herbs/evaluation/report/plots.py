"""The plots, drawn as SVG by hand: each has a title and a sentence that says the same in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from sanya.suites.herbs.evaluation.measures import CalibrationBin, ConfidenceOutcome
from sanya.suites.herbs.evaluation.report.markup import Attributes, Child, build_element

_WIDTH = 420.0
_LEFT, _RIGHT, _TOP = 40.0, 14.0, 14.0
_COUNTS_HIGH = 34.0
_SCORE_BINS = 20
_LARGEST_DOT, _SMALLEST_DOT = 11.0, 3.5


@dataclass(frozen=True, slots=True)
class PlotArea:
    """Where the data lie on the drawing: from `least` to `most` upwards, from `first` to `last` to the right."""

    height: float
    first: float = 0.0
    last: float = 1.0
    least: float = 0.0
    most: float = 1.0

    def scale_x(self, value: float) -> float:
        return _LEFT + (value - self.first) / (self.last - self.first) * (_WIDTH - _LEFT - _RIGHT)

    def scale_y(self, value: float) -> float:
        return _TOP + (self.most - value) / (self.most - self.least) * self.height

    @property
    def bottom(self) -> float:
        return _TOP + self.height


@dataclass(frozen=True, slots=True)
class PlotCaption:
    """What a plot is called, and what it shows, for whoever does not see it."""

    id: str
    title: str
    description: str


@dataclass(frozen=True, slots=True)
class PlotLine:
    name: str
    css: str
    values: Sequence[float]


def draw_reliability(told: PlotCaption, bins: Sequence[CalibrationBin]) -> Element:
    """Confidence to the right, truth upwards: what is well calibrated lies on the dashed line. The strip below tells
    how many answers are behind each point."""
    field = PlotArea(240.0)
    most = max((one.count for one in bins), default=1)
    strip = field.bottom + 30
    drawn: list[Child] = [*_levels(field, _tenths), *_marks(field, (0.0, 0.2, 0.4, 0.6, 0.8, 1.0), _tenths)]
    drawn.append(_line("ideal", (field.scale_x(0), field.scale_y(0)), (field.scale_x(1), field.scale_y(1))))
    for one in bins:
        x = field.scale_x(one.confidence)
        radius = max(_SMALLEST_DOT, _LARGEST_DOT * math.sqrt(one.count / most))
        high = max(1.5, one.count / most * _COUNTS_HIGH)
        left = field.scale_x(one.least) + 2
        drawn += [
            _line("gap", (x, field.scale_y(one.confidence)), (x, field.scale_y(one.right))),
            build_element("circle", {"class": "dot", "cx": x, "cy": field.scale_y(one.right), "r": radius}),
            _box("count", (left, strip + _COUNTS_HIGH - high), field.scale_x(one.most) - left - 2, high),
            _text(str(one.count), (field.scale_x((one.least + one.most) / 2), strip + _COUNTS_HIGH + 13), "middle"),
        ]
    drawn += [
        _text("n", (field.scale_x(0) - 8, strip + _COUNTS_HIGH + 13), "end"),
        _text("share right ↑", (field.scale_x(0) + 6, _TOP + 14), "start", "strong"),
        _text("confidence →", (field.scale_x(1) - 6, field.bottom - 8), "end", "strong"),
    ]
    return _plot(told, strip + _COUNTS_HIGH + 20, drawn)


def draw_scores(told: PlotCaption, judged: Sequence[ConfidenceOutcome], bar: float) -> Element:
    """How sure every draft was: those that were right above the axis, those that were not below it."""
    right, wrong = _counted(judged, right=True), _counted(judged, right=False)
    up, down = max(*right, 1), max(*wrong, 1)
    room = 0.07 * (up + down)
    field = PlotArea(270.0, least=-down - room, most=up + room)
    wide = (field.scale_x(1) - field.scale_x(0)) / _SCORE_BINS
    drawn: list[Child] = [_box("zone", (field.scale_x(0), _TOP), field.scale_x(bar) - field.scale_x(0), field.height)]
    drawn += _marks(field, (0.0, 0.2, 0.4, 0.6, 0.8, 1.0), _tenths)
    for at in range(_SCORE_BINS):
        left = field.scale_x(at / _SCORE_BINS) + 1
        for count, css, upper in ((right[at], "right", right[at]), (wrong[at], "wrong", 0)):
            if count:
                drawn.append(_box(css, (left, field.scale_y(upper)), wide - 2, field.scale_y(0) - field.scale_y(count)))
                at_y = field.scale_y(right[at]) - 4 if css == "right" else field.scale_y(-wrong[at]) + 12
                drawn.append(_text(str(count), (left + wide / 2 - 1, at_y), "middle"))
    drawn += [
        _line("axis", (field.scale_x(0), field.scale_y(0)), (field.scale_x(1), field.scale_y(0))),
        _line("tau-line", (field.scale_x(bar), _TOP - 6), (field.scale_x(bar), field.bottom)),
        _text(f"τ {bar:g}", (field.scale_x(bar) + 5, _TOP + 4), "start", "tau"),
        _text("← withheld", (field.scale_x(bar) - 6, field.scale_y(up * 0.72)), "end", "strong"),
        _text("given →", (field.scale_x(bar) + 6, field.scale_y(up * 0.72)), "start", "strong"),
        _text("right", (field.scale_x(0) - 5, field.scale_y(up * 0.5)), "end", "first"),
        _text("wrong", (field.scale_x(0) - 5, field.scale_y(-down * 0.5)), "end", "third"),
    ]
    return _plot(told, field.bottom + 38, [*drawn, _text("confidence", _below(field), "middle")])


def draw_recall(told: PlotCaption, lines: Sequence[PlotLine], k: int) -> Element:
    """One line a language; the mark is the k of the run."""
    deep = len(lines[0].values)
    lowest = min((min(line.values) for line in lines), default=0.0)
    least = max(0.0, min(0.9, math.floor((lowest - 0.02) * 10) / 10))
    field = PlotArea(240.0, first=1.0, last=float(deep), least=least)
    drawn: list[Child] = [*_levels(field, _hundredths), *_marks(field, (1, 5, 10, 15, 20), lambda at: f"{at:g}")]
    if k <= deep:
        drawn.append(_line("tau-line", (field.scale_x(k), _TOP), (field.scale_x(k), field.bottom)))
        drawn.append(_text(f"k = {k}", (field.scale_x(k) + 5, field.bottom - 8), "start", "tau"))
    for number, line in enumerate(lines):
        points = [(field.scale_x(at), field.scale_y(value)) for at, value in enumerate(line.values, 1)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        drawn.append(build_element("polyline", {"class": f"curve {line.css}", "points": path}))
        drawn += [
            build_element("circle", {"class": f"dot {line.css}", "cx": x, "cy": y, "r": 3.0}) for x, y in points[:10]
        ]
        at = field.bottom - 26 - 17 * (len(lines) - 1 - number)
        drawn.append(_text(line.name, (field.scale_x(deep) - 40, at), "end", line.css))
        legend = f"{field.scale_x(deep) - 32:.1f},{at - 4:.1f} {field.scale_x(deep) - 4:.1f},{at - 4:.1f}"
        drawn.append(build_element("polyline", {"class": f"curve {line.css}", "points": legend}))
    return _plot(told, field.bottom + 38, [*drawn, _text("hits looked at", _below(field), "middle")])


def draw_meter(share: float, css: str = "") -> Element:
    """A bar that says what the number beside it says."""
    return build_element(
        "svg",
        {"class": "meter", "viewBox": "0 0 100 6", "preserveAspectRatio": "none", "aria-hidden": "true"},
        build_element("rect", {"class": "rail", "width": 100, "height": 6, "rx": 1}),
        build_element("rect", {"class": f"fill {css}".strip(), "width": share * 100, "height": 6, "rx": 1}),
    )


def _counted(judged: Sequence[ConfidenceOutcome], *, right: bool) -> list[int]:
    counts = [0] * _SCORE_BINS
    for one in judged:
        if one.right is right:
            counts[min(_SCORE_BINS - 1, int(one.confidence * _SCORE_BINS))] += 1
    return counts


def _levels(field: PlotArea, shown: Callable[[float], str]) -> list[Child]:
    step = 0.2 if field.most - field.least > 0.5 else 0.1 if field.most - field.least > 0.2 else 0.05
    count = round((field.most - field.least) / step)
    found: list[Child] = []
    for number in range(count + 1):
        value = field.least + number * step
        y = field.scale_y(value)
        found += [
            _line("grid", (_LEFT, y), (_WIDTH - _RIGHT, y)),
            _text(shown(value), (_LEFT - 6, y + 4), "end"),
        ]
    return found


def _marks(field: PlotArea, values: Sequence[float], shown: Callable[[float], str]) -> list[Child]:
    below = field.bottom + 15
    return [_text(shown(value), (field.scale_x(value), below), "middle") for value in values if value <= field.last]


def _below(field: PlotArea) -> tuple[float, float]:
    return (field.scale_x(field.first) + field.scale_x(field.last)) / 2, field.bottom + 32


def _tenths(value: float) -> str:
    return f"{value:.1f}"


def _hundredths(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _line(css: str, start: tuple[float, float], end: tuple[float, float]) -> Element:
    return build_element("line", {"class": css, "x1": start[0], "y1": start[1], "x2": end[0], "y2": end[1]})


def _box(css: str, corner: tuple[float, float], width: float, height: float) -> Element:
    return build_element(
        "rect", {"class": css, "x": corner[0], "y": corner[1], "width": width, "height": max(0.0, height), "rx": 1}
    )


def _text(text: str, place: tuple[float, float], anchor: str, css: str = "") -> Element:
    attributes: Attributes = {"x": place[0], "y": place[1], "text-anchor": anchor, "class": css or "plain"}
    return build_element("text", attributes, text)


def _plot(told: PlotCaption, height: float, drawn: Sequence[Child]) -> Element:
    title, description = f"{told.id}-title", f"{told.id}-desc"
    return build_element(
        "svg",
        {
            "class": "plot",
            "viewBox": f"0 0 {_WIDTH:g} {height:g}",
            "role": "img",
            "aria-labelledby": f"{title} {description}",
        },
        build_element("title", {"id": title}, told.title),
        build_element("desc", {"id": description}, told.description),
        *drawn,
    )
