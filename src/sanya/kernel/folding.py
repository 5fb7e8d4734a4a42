"""Text as it is compared when case and the way it was typed do not matter. One definition for suites and engines."""

from __future__ import annotations

import re
import unicodedata

# Both spellings look the same on every screen: nikhahit and sara aa (a tone mark may stand between) for sara am, and
# two sara e for sara ae.
_SPLIT_SARA_AM = re.compile("\u0e4d([\u0e48-\u0e4b]*)\u0e32")
_DOUBLE_SARA_E = "\u0e40\u0e40"
_ZERO_WIDTH_SPACE = "\u200b"


def fold(text: str) -> str:
    """Composed, case-folded, Thai in one spelling, without the invisible spaces that web pages put into Thai."""
    folded = unicodedata.normalize("NFC", text).casefold()
    if folded.isascii():
        return folded
    folded = folded.replace(_ZERO_WIDTH_SPACE, "").replace(_DOUBLE_SARA_E, "\u0e41")
    return _SPLIT_SARA_AM.sub("\\1\u0e33", folded)
