"""How the chosen sentences become an answer: as they stand, or phrased by a model that the owner configured. What a
model writes is checked sentence by sentence against the spans it cites; what they do not bear out is not given."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from sanya.kernel.faults import UpstreamFailed
from sanya.retrieval.stops import thai_stops
from sanya.suites.herbs.answers.gate import Test
from sanya.suites.herbs.questions.question import Asked
from sanya.text.tokens import tokens

_MARK = re.compile(r"\[(\d{1,2})\]")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_LEAST_SHARED = 0.7
# Words that turn a statement round, soften or strengthen it. A sentence has the same kinds of them as its spans.
_POLARITY = {
    "warning": re.compile(
        r"ห้าม|ระวัง|ปฏิกิริยา|ไม่ควร|หลีกเลี่ยง|contraindicat|caution|interact|avoid|must not|should not|do not", re.I
    ),
    "reassurance": re.compile(
        r"ปลอดภัย|ไม่มีผล|ไม่เป็นอันตราย|\bsafe(?:ly)?\b|no (?:risk|interaction|effect|problem)|harmless", re.I
    ),
    "high": re.compile(r"(?:รุนแรง|ระดับ)\s*สูง|\bhigh\b|severe", re.I),
    "moderate": re.compile(r"ปานกลาง|\bmoderate\b", re.I),
    "low": re.compile(r"(?:รุนแรง|ระดับ)\s*ต่ำ|\blow\b|\bmild\b|เล็กน้อย", re.I),
}


class Phraser(Protocol):
    async def phrase(self, question: str, spans: Sequence[str], lang: str, seed: int) -> str:
        """An answer made of the numbered spans, every sentence with [n] behind it. Raises UpstreamFailed."""
        ...


async def phrase(
    phraser: Phraser | None, asked: Asked, spans: Sequence[str], seed: int
) -> tuple[str, bool, list[Test]]:
    """The text, whether a model wrote it, and the tests it failed. A model that does not answer is done without."""
    quoted = "\n".join(f"{span} [{number}]" for number, span in enumerate(spans, 1))
    if phraser is None:
        return quoted, False, []
    try:
        written = await phraser.phrase(asked.text, spans, asked.lang, seed)
    except UpstreamFailed:
        return quoted, False, []
    if not is_supported(written, spans):
        return "", True, ["support"]
    return written.strip(), True, []


def is_supported(written: str, spans: Sequence[str]) -> bool:
    """Whether every sentence is borne out by the spans it cites, and no warning was left out."""
    cited: set[int] = set()
    pieces = _with_their_marks(written)
    if not pieces:
        return False
    for sentence, marks in pieces:
        if not marks or not all(1 <= mark <= len(spans) for mark in marks):
            return False
        if not _borne_out(sentence, [spans[mark - 1] for mark in marks]):
            return False
        cited.update(marks)
    warnings = {number for number, span in enumerate(spans, 1) if _POLARITY["warning"].search(span)}
    return warnings <= cited


def _with_their_marks(written: str) -> list[tuple[str, list[int]]]:
    """The stretches of text between groups of marks, each with the marks right behind it."""
    found: list[tuple[str, list[int]]] = []
    start = 0
    for group in re.finditer(r"(?:\s*\[\d{1,2}\])+[.。]?", written):
        found.append((written[start : group.start()], [int(mark) for mark in _MARK.findall(group[0])]))
        start = group.end()
    if re.search(r"\w", written[start:]):
        found.append((written[start:], []))
    return [(text, marks) for text, marks in found if re.search(r"\w", text) or not marks]


def _borne_out(sentence: str, spans: Sequence[str]) -> bool:
    behind = " ".join(spans)
    if not set(_NUMBER.findall(sentence)) <= set(_NUMBER.findall(behind)):
        return False
    for kind, pattern in _POLARITY.items():
        said, held = pattern.search(sentence) is not None, pattern.search(behind) is not None
        if (said and not held) or (kind == "warning" and held and not said):
            return False
    stops = thai_stops()
    words = {word for word in tokens(sentence) if word not in stops}
    shared = words & set(tokens(behind))
    return bool(words) and len(shared) / len(words) >= _LEAST_SHARED
