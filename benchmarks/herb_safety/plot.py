"""Plot of the safety check's figures: names understood by kind, and outcomes of the pairs of each set."""

from __future__ import annotations

from typing import Any
from xml.sax.saxutils import escape

_WIDTH, _ROW, _LEFT, _RIGHT = 760, 24, 190, 110
_SPAN = _WIDTH - _LEFT - _RIGHT
_LEAST = 0.8
_SPLIT_COLOURS = {"development": "#1f6f8a", "unseen": "#b3702e"}
_OUTCOME_COLOURS = {
    "right": "#2e7d4f",
    "not_recorded": "#9aa5b1",
    "unknown": "#d9a441",
    "missed": "#c0392b",
    "guessed": "#8e44ad",
    "false": "#7b241c",
    "silent": "#000000",
}
_OUTCOME_WORDS = {
    "right": "right",
    "not_recorded": "no statement on record",
    "unknown": "name not known",
    "missed": "missed",
    "guessed": "guessed",
    "false": "false warning",
    "silent": "silent",
}


def plot_figures(figures: dict[str, Any]) -> str:
    names, cases = figures["names"], figures["cases"]
    second = 70 + len(names) * _ROW + 60
    height = second + len(cases) * _ROW + 50
    parts = [_write(12, 24, "Names understood, by kind (line: goal)", size=14), _write_split_legend(44)]
    parts += [_draw_name(row, 60 + at * _ROW) for at, row in enumerate(names)]
    parts.append(_write(12, second - 30, "Pairs of the case sets, by outcome", size=14))
    shown = [name for name in _OUTCOME_COLOURS if any(name in row["outcomes"] for row in cases)]
    parts.append(_write_outcome_legend(shown, second - 10))
    parts += [_draw_case(row, second + 6 + at * _ROW) for at, row in enumerate(cases)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" '
        'font-family="system-ui, sans-serif" font-size="12">'
        "<title>Herb safety check: names understood by kind, and outcomes of pairs</title>"
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>{"".join(parts)}</svg>\n'
    )


def _draw_name(row: dict[str, Any], top: int) -> str:
    share = row["known"] / row["all"]
    width, goal = _scale(share), _LEFT + _scale(row["goal"])
    return (
        _write(_LEFT - 8, top + 14, f"{row['kind']} · {row['split']}", anchor="end")
        + f'<rect x="{_LEFT}" y="{top + 3}" width="{width:.1f}" height="14" fill="{_SPLIT_COLOURS[row["split"]]}"/>'
        + f'<line x1="{goal:.1f}" x2="{goal:.1f}" y1="{top}" y2="{top + 20}" stroke="#111" stroke-width="2"/>'
        + _write(_LEFT + _SPAN + 6, top + 14, f"{share:.1%} of {row['all']}")
    )


def _draw_case(row: dict[str, Any], top: int) -> str:
    drawn = _write(_LEFT - 8, top + 14, f"{row['set'].replace('_', ' ')} · {row['split']}", anchor="end")
    left = float(_LEFT)
    for name, colour in _OUTCOME_COLOURS.items():
        width = _SPAN * row["outcomes"].get(name, 0) / row["pairs"]
        drawn += f'<rect x="{left:.1f}" y="{top + 3}" width="{width:.1f}" height="14" fill="{colour}"/>'
        left += width
    return drawn + _write(_LEFT + _SPAN + 6, top + 14, f"{row['outcomes']['right']} of {row['pairs']}")


def _scale(share: float) -> float:
    """Return the length of a bar. It begins at 80 %, which the axis says."""
    return _SPAN * max(share - _LEAST, 0) / (1 - _LEAST)


def _write_split_legend(top: int) -> str:
    words = "".join(f'<tspan fill="{colour}">■ {name}   </tspan>' for name, colour in _SPLIT_COLOURS.items())
    return f'<text x="{_LEFT}" y="{top}">{words}<tspan fill="#445">bars begin at 80 %</tspan></text>'


def _write_outcome_legend(names: list[str], top: int) -> str:
    words = "".join(f'<tspan fill="{_OUTCOME_COLOURS[name]}">■ {_OUTCOME_WORDS[name]}   </tspan>' for name in names)
    return f'<text x="{_LEFT}" y="{top}">{words}</text>'


def _write(left: float, top: float, text: str, *, anchor: str = "start", size: int = 12) -> str:
    return f'<text x="{left}" y="{top}" text-anchor="{anchor}" font-size="{size}" fill="#223">{escape(text)}</text>'
