"""Detection of text that reads like an instruction to whoever reads it later (prompt injection).

A memory is quoted to a model, and some texts are written to be obeyed there. Such a memory is stored as data and
marked, and a marked memory has no influence on ratings or on the graph.
"""

from __future__ import annotations

import re
import unicodedata

from sanya.suites.memory.word_lists import open_word_file

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\U000e0000-\U000e007f]")
_BLANKS = re.compile(r"\s+")
# A search holds the interpreter until it returns, so that no other thread runs: 40 ms for the longest memory in one
# piece. A window takes 3 ms.
_WINDOW_CHARS = 4_096
_LONGEST_MATCH_CHARS = 512


def _compile_patterns() -> re.Pattern[str]:
    words = open_word_file(__file__)
    (orders,) = words.read_lines("orders")
    patterns = [line.replace("{orders}", orders) for line in (*words.read_lines("english"), *words.read_lines("thai"))]
    # NFKC takes Thai sara am apart. The texts are brought to that form, so the patterns are too.
    return re.compile(unicodedata.normalize("NFKC", "|".join(patterns)), re.MULTILINE)


_INSTRUCTION = _compile_patterns()


def is_instruction_like(text: str) -> bool:
    normalised = _normalise(text)
    return any(_has_instruction(normalised, start) for start in range(0, max(1, len(normalised)), _WINDOW_CHARS))


def _has_instruction(text: str, start: int) -> bool:
    """Search one window. A match that the end of the window cuts off begins in the next one, which finds it."""
    end = start + _WINDOW_CHARS + _LONGEST_MATCH_CHARS
    match = _INSTRUCTION.search(text, start, end)
    return match is not None and (match.end() < end or end >= len(text))


def _normalise(text: str) -> str:
    """Remove disguises: full-width letters, invisible characters, runs of blanks."""
    visible = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).casefold()
    return "\n".join(_BLANKS.sub(" ", line) for line in visible.splitlines())
