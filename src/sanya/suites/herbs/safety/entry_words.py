"""Words of an entry that change nothing about what it names: "surgery next week" is "surgery"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from sanya.suite.text import has_thai
from sanya.suites.herbs.graph.model import NodeType
from sanya.suites.herbs.graph.name_keys import fold_name
from sanya.suites.herbs.pattern_tables import read_pattern_table

_LETTER = re.compile(r"[^\W\d_]")
_MIN_CORE = 3
_KINDS: dict[NodeType, str] = {"herb": "plant", "formulation": "plant", "drug": "drug", "condition": "condition"}


def cut_fillers(text: str) -> str:
    """Return the text without the words before and after a name, as often as some are there."""
    leading, trailing = _compile_ends()
    while True:
        shorter = trailing.sub("", leading.sub("", text.strip())).strip()
        if shorter == text or len(shorter) < _MIN_CORE:
            return text
        text = shorter


def cut_kind_word(text: str, type: NodeType) -> str:
    """Return the text without a leading word for the kind of thing that it names."""
    return _compile_kind_word().sub("", text.strip()) if type == "condition" else text


def add_kind_word(text: str, type: NodeType) -> str:
    """Return the text with a word for the kind of thing: who says "ไต" or "liver" of a patient means the disease."""
    if type != "condition":
        return text
    return f"โรค{text}" if has_thai(text) else f"{text} disease"


def measure_name(text: str, type: NodeType) -> int:
    """Return the length of what tells the entry from others: "ยาหอบ" and "ยาหอม" share more than they differ in."""
    bare = text.strip().removeprefix("ยา") if type == "drug" else cut_kind_word(text, type)
    return len(fold_name(bare))


def is_rest_ignored(text: str, spans: Iterable[tuple[int, int]], type: NodeType) -> bool:
    """Return whether all that stands outside the spans says nothing about what is meant."""
    rest, last = "", 0
    for start, end in sorted(spans):
        rest, last = f"{rest}{text[last:start]} ", end
    rest += text[last:]
    return not _LETTER.search(_compile_ignored(_KINDS[type]).sub(" ", rest.casefold()))


def cut_form_words(text: str, type: NodeType) -> str:
    """Return the text without the words that say nothing about what is meant: "tumeric pills" is "tumeric"."""
    ignored = _compile_ignored(_KINDS[type])
    words = _compile_doses().sub(" ", text.casefold()).split()
    return " ".join(word for word in words if not ignored.fullmatch(word))


@cache
def _load_tables() -> dict[str, Any]:
    return read_pattern_table("sanya.suites.herbs.safety", "entry_words.toml")


@cache
def _compile_ends() -> tuple[re.Pattern[str], re.Pattern[str]]:
    leading, trailing = _load_tables()["leading"], _load_tables()["trailing"]
    return (
        re.compile(rf"^(?:(?:{leading['english']})\s+|(?:{leading['thai']})\s*)", re.IGNORECASE),
        re.compile(rf"(?:\s+(?:{trailing['english']})|\s*(?:{trailing['thai']}))$", re.IGNORECASE),
    )


@cache
def _compile_kind_word() -> re.Pattern[str]:
    return re.compile(f"^{_load_tables()['kinds']['condition']}\\s*")


@cache
def _compile_doses() -> re.Pattern[str]:
    return re.compile(_load_tables()["doses"]["any"])


@cache
def _compile_ignored(kind: str) -> re.Pattern[str]:
    ignored = _load_tables()["ignored"]
    return re.compile(f"{ignored['any']}|{ignored[kind]}")
