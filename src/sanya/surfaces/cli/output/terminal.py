"""Lines, notes and JSON on the terminal: results on stdout, remarks for the person on stderr.

Whatever is written here is made safe for a terminal, because most of it is somebody else's text.
"""

from __future__ import annotations

import os
import re
import sys
from typing import Any, TextIO

import orjson

from sanya.kernel.control_characters import escape_controls

GOOD, BAD, WARNING, MILD = "green", "red", "yellow", "cyan"

_COLOUR_CODES = {GOOD: 32, BAD: 31, WARNING: 33, MILD: 36}
_COLOURS = re.compile("(\x1b\\[(?:31|32|33|36|0)m)")


def write_line(text: str = "") -> None:
    sys.stdout.write(f"{_escape(text, sys.stdout)}\n")


def write_note(text: str) -> None:
    """Write a remark to stderr, so that stdout stays clean for programs."""
    sys.stderr.write(f"{_escape(text, sys.stderr)}\n")


def _escape(text: str, stream: TextIO) -> str:
    """Escape control characters, except the colours of `paint` on a stream that shows them."""
    if not can_show_colour(stream):
        return escape_controls(text)
    parts = _COLOURS.split(text)
    return "".join(part if index % 2 else escape_controls(part) for index, part in enumerate(parts))


def write_json(value: Any, *, pretty: bool = False) -> None:
    """Write indented JSON on a terminal or on request, compact JSON elsewhere."""
    option = orjson.OPT_INDENT_2 if pretty or sys.stdout.isatty() else 0
    write_line(orjson.dumps(value, option=option).decode("utf-8"))


def paint(text: str, colour: str) -> str:
    """Return the text in a colour if stdout shows colours, else unchanged."""
    return f"\x1b[{_COLOUR_CODES[colour]}m{text}\x1b[0m" if can_show_colour(sys.stdout) else text


def can_show_colour(stream: TextIO) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def remove_control_characters(text: str) -> str:
    """Replace control characters with spaces: text from outside must not move the cursor or hide other text."""
    return "".join(character if character.isprintable() else " " for character in text)
