"""The text of an answer: quoted facts, or facts phrased by a model that the owner configured.

A model's text is checked sentence by sentence against the spans that it cites. It is rejected, and the answer withheld,
where a sentence has no citation, adds a number, changes a warning or its grade, shares too few words with its spans, or
where the text leaves a warning out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Protocol

from sanya.suite import UpstreamFailed
from sanya.suite.search import load_thai_stop_words
from sanya.suite.text import extract_tokens
from sanya.suites.herbs.answers.gate import GateTest
from sanya.suites.herbs.answers.lines import AnswerLine, present_sentence
from sanya.suites.herbs.facts.fact import HerbFact
from sanya.suites.herbs.pattern_tables import read_pattern_table
from sanya.suites.herbs.questions.question import ParsedQuestion

_MARK = re.compile(r"\[(\d{1,2})\]")
_MARK_GROUP = re.compile(r"(?:\s*\[\d{1,2}\])+[.。]?")
_LETTER = re.compile(r"\w")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_MIN_SHARED_WORDS = 0.7


class Phraser(Protocol):
    async def phrase(self, question: str, spans: Sequence[str], lang: str, seed: int) -> str:
        """Return an answer made of the numbered spans, with [n] after every sentence. Raises UpstreamFailed."""
        ...


async def phrase_answer(
    phraser: Phraser | None, question: ParsedQuestion, lines: Sequence[AnswerLine], seed: int
) -> tuple[str, bool, list[GateTest]]:
    """Return the text, whether a model wrote it, and the tests it failed. If the model fails, the facts are quoted.

    A model gets the facts alone. Our own lines, such as how many are not shown, stand after what it wrote.
    """
    quoted = quote_lines(lines, question.lang)
    if phraser is None:
        return quoted, False, []
    spans = [present_sentence(fact, question.lang) for fact in list_facts(lines)]
    try:
        written = await phraser.phrase(question.text, spans, question.lang, seed)
    except UpstreamFailed:
        return quoted, False, []
    if not is_supported(written, spans):
        return "", True, ["support"]
    own = [line.text for line in lines if line.fact is None and not line.text.endswith(":")]
    return "\n".join([written.strip(), *own]), True, []


def list_facts(lines: Sequence[AnswerLine]) -> list[HerbFact]:
    """Return the facts of the lines, each once, in order: the citations have the same."""
    return list(dict.fromkeys(line.fact for line in lines if line.fact is not None))


def quote_lines(lines: Sequence[AnswerLine], lang: str) -> str:
    """Return the lines as text, each fact with the number of its citation."""
    numbers = {fact: number for number, fact in enumerate(list_facts(lines), 1)}
    return "\n".join(
        line.text if line.fact is None else f"{present_sentence(line.fact, lang)} [{numbers[line.fact]}]"
        for line in lines
    )


def is_supported(written: str, spans: Sequence[str]) -> bool:
    """Return whether the spans that each sentence cites support it, and no span with a warning is left out."""
    cited: set[int] = set()
    sentences = _split_by_marks(written)
    if not sentences:
        return False
    for sentence, marks in sentences:
        if not marks or not all(1 <= mark <= len(spans) for mark in marks):
            return False
        if not _is_sentence_supported(sentence, [spans[mark - 1] for mark in marks]):
            return False
        cited.update(marks)
    warning = _compile_polarity()["warning"]
    warnings = {number for number, span in enumerate(spans, 1) if warning.search(span)}
    return warnings <= cited


def _split_by_marks(written: str) -> list[tuple[str, list[int]]]:
    """Return the text between groups of marks, each piece with the marks that follow it."""
    pieces: list[tuple[str, list[int]]] = []
    start = 0
    for group in _MARK_GROUP.finditer(written):
        pieces.append((written[start : group.start()], [int(mark) for mark in _MARK.findall(group[0])]))
        start = group.end()
    if _LETTER.search(written[start:]):
        pieces.append((written[start:], []))
    return [(text, marks) for text, marks in pieces if _LETTER.search(text) or not marks]


def _is_sentence_supported(sentence: str, spans: Sequence[str]) -> bool:
    evidence = " ".join(spans)
    if not set(_NUMBER.findall(sentence)) <= set(_NUMBER.findall(evidence)):
        return False
    for polarity, pattern in _compile_polarity().items():
        in_sentence, in_evidence = pattern.search(sentence) is not None, pattern.search(evidence) is not None
        if (in_sentence and not in_evidence) or (polarity == "warning" and in_evidence and not in_sentence):
            return False
    stop_words = load_thai_stop_words()
    words = {word for word in extract_tokens(sentence) if word not in stop_words}
    shared = words & set(extract_tokens(evidence))
    return bool(words) and len(shared) / len(words) >= _MIN_SHARED_WORDS


@cache
def _compile_polarity() -> dict[str, re.Pattern[str]]:
    table = read_pattern_table("sanya.suites.herbs.answers", "polarity_words.toml")
    return {polarity: re.compile(pattern, re.IGNORECASE) for polarity, pattern in table.items()}
