"""Escapes characters that make a terminal do something else than show text.

ESC begins a control sequence, and so do the C1 controls U+0080 to U+009F: U+009B is the same as `ESC [`, U+009D begins
a window title. The bidirectional controls show text in another order than it is stored. A lone carriage return
overwrites the line. Zero-width characters stay, because Thai and emoji need them.
"""

from __future__ import annotations

import re

_UNSAFE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\r(?!\n)")


def escape_controls(text: str) -> str:
    r"""Return the text with each unsafe character as `\uXXXX`, which inside JSON means the same character."""
    if text.isprintable():  # a hundred times as fast, for what every log line and most texts are
        return text
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
