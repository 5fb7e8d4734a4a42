"""The lines of an answer: quoted facts, and our own words between them, which state no fact."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from sanya.suites.herbs.facts.fact import HerbFact

# "… (ความรุนแรง: รุนแรง หลักฐาน: … ระดับความรุนแรง สูง ตาม…)", "… (severity major, evidence …, strength high, basis: …)"
_GRADE = re.compile(
    r"(?: ?ระดับความรุนแรง (?:ต่ำ|ปานกลาง|สูง) .*|(?:, )?strength (?:low|moderate|high), basis: .*)\)(?=\.?$)"
)
_EMPTY_GRADE = re.compile(r" \(\)")
# "(warfarin, heparin)": which medicines of the group a statement is filed under
_EXAMPLES = re.compile(r" ?\((?:[a-z][a-z -]+(?:, )?)+\)")
_JOINED = re.compile(r"([A-Za-z0-9).])(ใช้สำหรับ|สำหรับ|ในกรณี|มีปฏิกิริยา|อาจเป็น|ประกอบด้วย|มีรูปแบบ|มีสาร)")


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """A line of an answer: a fact, or a heading or count of our own."""

    fact: HerbFact | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class AnswerPlan:
    """The lines that an answer will say. `fit` is how exactly the lines answer the question, 0 to 1."""

    lines: tuple[AnswerLine, ...] = ()
    fit: float = 0.0
    bearing: tuple[HerbFact, ...] = ()
    """Facts that bear on the question and are cited without being quoted."""
    is_recorded_warning: bool = False
    """True where it states a recorded warning for exactly what was asked; no confidence withholds that."""
    is_unrecorded: bool = False
    """True where everything named was understood and nothing on record links it."""
    is_unclear: bool = False
    """True where the question asks something else of what it names than any table holds."""

    @property
    def facts(self) -> tuple[HerbFact, ...]:
        return tuple(dict.fromkeys(line.fact for line in self.lines if line.fact is not None))


NO_PLAN = AnswerPlan()
UNRECORDED = AnswerPlan(is_unrecorded=True)
UNCLEAR = AnswerPlan(is_unclear=True)


def quote(facts: Iterable[HerbFact]) -> list[AnswerLine]:
    return [AnswerLine(fact) for fact in dict.fromkeys(facts)]


def drop_repeated_lines(lines: Iterable[AnswerLine], lang: str) -> tuple[AnswerLine, ...]:
    """Return the lines without those that say again what an earlier one said: a statement is filed once for each
    medicine that it names, and a reader wants it once. The line under a heading stays."""
    kept: list[AnswerLine] = []
    said: set[str] = set()
    for line in lines:
        text = get_said(line, lang)
        is_under_heading = bool(kept) and kept[-1].fact is None and kept[-1].text.endswith(":")
        if text not in said or (line.fact and is_under_heading):
            kept.append(line)
        said.add(text)
    return tuple(kept)


def get_said(line: AnswerLine, lang: str) -> str:
    """Return what a line says, the same for a statement that is filed under several medicines."""
    return _EXAMPLES.sub("", present_sentence(line.fact, lang)) if line.fact else line.text


def present_sentence(fact: HerbFact, lang: str) -> str:
    """Return the fact's sentence for a reader: without the strength and its basis, which its citation has as fields,
    and with a blank between a Latin name and the Thai words after it."""
    sentence = _GRADE.sub(")", fact.get_sentence(lang))
    return _JOINED.sub(r"\1 \2", _EMPTY_GRADE.sub("", sentence))


def write_line(lang: str, name: str, **values: object) -> AnswerLine:
    """Return a line of our own in the language of the answer."""
    return AnswerLine(text=_load_phrases()[lang][name].format(**values))


@cache
def _load_phrases() -> dict[str, dict[str, str]]:
    text = (files("sanya.suites.herbs.answers") / "phrases.json").read_text(encoding="utf-8")
    phrases: dict[str, dict[str, str]] = json.loads(text)
    return phrases
