"""The plots as SVG. Each has a title and a description that says the same in words."""

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
    """The area of the data: values from `least` to `most` upwards, from `first` to `last` to the right."""

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
    """The title and the description of a plot, for readers who do not see it."""

    id: str
    title: str
    description: str


@dataclass(frozen=True, slots=True)
class PlotLine:
    name: str
    css: str
    values: Sequence[float]


def draw_reliability(caption: PlotCaption, bins: Sequence[CalibrationBin]) -> Element:
    """Draw confidence to the right and truth upwards. Well calibrated points lie on the dashed line; the strip below
    shows the number of answers of each point."""
    area = PlotArea(240.0)
    most = max((bin_.count for bin_ in bins), default=1)
    strip = area.bottom + 30
    elements: list[Child] = [
        *_draw_grid(area, _format_tenths),
        *_draw_ticks(area, (0.0, 0.2, 0.4, 0.6, 0.8, 1.0), _format_tenths),
    ]
    elements.append(_draw_line("ideal", (area.scale_x(0), area.scale_y(0)), (area.scale_x(1), area.scale_y(1))))
    for bin_ in bins:
        x = area.scale_x(bin_.confidence)
        radius = max(_SMALLEST_DOT, _LARGEST_DOT * math.sqrt(bin_.count / most))
        high = max(1.5, bin_.count / most * _COUNTS_HIGH)
        left = area.scale_x(bin_.least) + 2
        elements += [
            _draw_line("gap", (x, area.scale_y(bin_.confidence)), (x, area.scale_y(bin_.right))),
            build_element("circle", {"class": "dot", "cx": x, "cy": area.scale_y(bin_.right), "r": radius}),
            _draw_box("count", (left, strip + _COUNTS_HIGH - high), area.scale_x(bin_.most) - left - 2, high),
            _draw_text(
                str(bin_.count), (area.scale_x((bin_.least + bin_.most) / 2), strip + _COUNTS_HIGH + 13), "middle"
            ),
        ]
    elements += [
        _draw_text("n", (area.scale_x(0) - 8, strip + _COUNTS_HIGH + 13), "end"),
        _draw_text("share right ↑", (area.scale_x(0) + 6, _TOP + 14), "start", "strong"),
        _draw_text("confidence →", (area.scale_x(1) - 6, area.bottom - 8), "end", "strong"),
    ]
    return _plot(caption, strip + _COUNTS_HIGH + 20, elements)


def draw_scores(caption: PlotCaption, outcomes: Sequence[ConfidenceOutcome], min_confidence: float) -> Element:
    """Draw the confidence of every draft: right ones above the axis, wrong ones below it."""
    right, wrong = _count_outcomes(outcomes, right=True), _count_outcomes(outcomes, right=False)
    up, down = max(*right, 1), max(*wrong, 1)
    room = 0.07 * (up + down)
    area = PlotArea(270.0, least=-down - room, most=up + room)
    wide = (area.scale_x(1) - area.scale_x(0)) / _SCORE_BINS
    elements: list[Child] = [
        _draw_box("zone", (area.scale_x(0), _TOP), area.scale_x(min_confidence) - area.scale_x(0), area.height)
    ]
    elements += _draw_ticks(area, (0.0, 0.2, 0.4, 0.6, 0.8, 1.0), _format_tenths)
    for at in range(_SCORE_BINS):
        left = area.scale_x(at / _SCORE_BINS) + 1
        for count, css, upper in ((right[at], "right", right[at]), (wrong[at], "wrong", 0)):
            if count:
                elements.append(
                    _draw_box(css, (left, area.scale_y(upper)), wide - 2, area.scale_y(0) - area.scale_y(count))
                )
                at_y = area.scale_y(right[at]) - 4 if css == "right" else area.scale_y(-wrong[at]) + 12
                elements.append(_draw_text(str(count), (left + wide / 2 - 1, at_y), "middle"))
    elements += [
        _draw_line("axis", (area.scale_x(0), area.scale_y(0)), (area.scale_x(1), area.scale_y(0))),
        _draw_line("tau-line", (area.scale_x(min_confidence), _TOP - 6), (area.scale_x(min_confidence), area.bottom)),
        _draw_text(f"τ {min_confidence:g}", (area.scale_x(min_confidence) + 5, _TOP + 4), "start", "tau"),
        _draw_text("← withheld", (area.scale_x(min_confidence) - 6, area.scale_y(up * 0.72)), "end", "strong"),
        _draw_text("given →", (area.scale_x(min_confidence) + 6, area.scale_y(up * 0.72)), "start", "strong"),
        _draw_text("right", (area.scale_x(0) - 5, area.scale_y(up * 0.5)), "end", "first"),
        _draw_text("wrong", (area.scale_x(0) - 5, area.scale_y(-down * 0.5)), "end", "third"),
    ]
    return _plot(caption, area.bottom + 38, [*elements, _draw_text("confidence", _place_below(area), "middle")])


def draw_recall(caption: PlotCaption, lines: Sequence[PlotLine], k: int) -> Element:
    """Draw a line for each language, and mark the k of the run."""
    deep = len(lines[0].values)
    lowest = min((min(line.values) for line in lines), default=0.0)
    least = max(0.0, min(0.9, math.floor((lowest - 0.02) * 10) / 10))
    area = PlotArea(240.0, first=1.0, last=float(deep), least=least)
    elements: list[Child] = [
        *_draw_grid(area, _format_hundredths),
        *_draw_ticks(area, (1, 5, 10, 15, 20), lambda at: f"{at:g}"),
    ]
    if k <= deep:
        elements.append(_draw_line("tau-line", (area.scale_x(k), _TOP), (area.scale_x(k), area.bottom)))
        elements.append(_draw_text(f"k = {k}", (area.scale_x(k) + 5, area.bottom - 8), "start", "tau"))
    for number, line in enumerate(lines):
        points = [(area.scale_x(at), area.scale_y(value)) for at, value in enumerate(line.values, 1)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        elements.append(build_element("polyline", {"class": f"curve {line.css}", "points": path}))
        elements += [
            build_element("circle", {"class": f"dot {line.css}", "cx": x, "cy": y, "r": 3.0}) for x, y in points[:10]
        ]
        at = area.bottom - 26 - 17 * (len(lines) - 1 - number)
        elements.append(_draw_text(line.name, (area.scale_x(deep) - 40, at), "end", line.css))
        legend = f"{area.scale_x(deep) - 32:.1f},{at - 4:.1f} {area.scale_x(deep) - 4:.1f},{at - 4:.1f}"
        elements.append(build_element("polyline", {"class": f"curve {line.css}", "points": legend}))
    return _plot(caption, area.bottom + 38, [*elements, _draw_text("hits looked at", _place_below(area), "middle")])


def draw_meter(share: float, css: str = "") -> Element:
    """Draw a min_confidence for the number beside it."""
    return build_element(
        "svg",
        {"class": "meter", "viewBox": "0 0 100 6", "preserveAspectRatio": "none", "aria-hidden": "true"},
        build_element("rect", {"class": "rail", "width": 100, "height": 6, "rx": 1}),
        build_element("rect", {"class": f"fill {css}".strip(), "width": share * 100, "height": 6, "rx": 1}),
    )


def _count_outcomes(outcomes: Sequence[ConfidenceOutcome], *, right: bool) -> list[int]:
    counts = [0] * _SCORE_BINS
    for outcome in outcomes:
        if outcome.right is right:
            counts[min(_SCORE_BINS - 1, int(outcome.confidence * _SCORE_BINS))] += 1
    return counts


def _draw_grid(area: PlotArea, format_value: Callable[[float], str]) -> list[Child]:
    step = 0.2 if area.most - area.least > 0.5 else 0.1 if area.most - area.least > 0.2 else 0.05
    count = round((area.most - area.least) / step)
    lines: list[Child] = []
    for number in range(count + 1):
        value = area.least + number * step
        y = area.scale_y(value)
        lines += [
            _draw_line("grid", (_LEFT, y), (_WIDTH - _RIGHT, y)),
            _draw_text(format_value(value), (_LEFT - 6, y + 4), "end"),
        ]
    return lines


def _draw_ticks(area: PlotArea, values: Sequence[float], format_value: Callable[[float], str]) -> list[Child]:
    below = area.bottom + 15
    return [
        _draw_text(format_value(value), (area.scale_x(value), below), "middle")
        for value in values
        if value <= area.last
    ]


def _place_below(area: PlotArea) -> tuple[float, float]:
    return (area.scale_x(area.first) + area.scale_x(area.last)) / 2, area.bottom + 32


def _format_tenths(value: float) -> str:
    return f"{value:.1f}"


def _format_hundredths(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _draw_line(css: str, start: tuple[float, float], end: tuple[float, float]) -> Element:
    return build_element("line", {"class": css, "x1": start[0], "y1": start[1], "x2": end[0], "y2": end[1]})


def _draw_box(css: str, corner: tuple[float, float], width: float, height: float) -> Element:
    return build_element(
        "rect", {"class": css, "x": corner[0], "y": corner[1], "width": width, "height": max(0.0, height), "rx": 1}
    )


def _draw_text(text: str, place: tuple[float, float], anchor: str, css: str = "") -> Element:
    attributes: Attributes = {"x": place[0], "y": place[1], "text-anchor": anchor, "class": css or "plain"}
    return build_element("text", attributes, text)


def _plot(caption: PlotCaption, height: float, elements: Sequence[Child]) -> Element:
    title, description = f"{caption.id}-title", f"{caption.id}-desc"
    return build_element(
        "svg",
        {
            "class": "plot",
            "viewBox": f"0 0 {_WIDTH:g} {height:g}",
            "role": "img",
            "aria-labelledby": f"{title} {description}",
        },
        build_element("title", {"id": title}, caption.title),
        build_element("desc", {"id": description}, caption.description),
        *elements,
    )
