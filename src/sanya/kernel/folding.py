"""Case folding for comparisons that ignore case and typing variants. One definition for suites and engines."""

from __future__ import annotations

import re
import unicodedata

# Two spellings that look the same on every screen: nikhahit and sara aa (with a tone mark between them or not) for sara
# am, and two sara e for sara ae.
_SPLIT_SARA_AM = re.compile("\u0e4d([\u0e48-\u0e4b]*)\u0e32")
_DOUBLE_SARA_E = "\u0e40\u0e40"
_ZERO_WIDTH_SPACE = "\u200b"


def fold(text: str) -> str:
    """Return the text composed (NFC), case-folded, with Thai in one spelling and without zero-width spaces."""
    folded = unicodedata.normalize("NFC", text).casefold()
    if folded.isascii():
        return folded
    folded = folded.replace(_ZERO_WIDTH_SPACE, "").replace(_DOUBLE_SARA_E, "\u0e41")
    return _SPLIT_SARA_AM.sub("\\1\u0e33", folded)
