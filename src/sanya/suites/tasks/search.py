"""What a search compares: a task's texts in one folded string, and the wanted text folded the same way."""

from __future__ import annotations

from typing import Literal

from sanya.kernel.folding import fold

# Stands between the texts and is never searched for, so that no match runs from one text into the next.
_SEPARATOR = "\x1f"

_CONTAINS = {"sqlite": "instr(folded, ?) > 0", "postgresql": "strpos(folded, ?) > 0"}


def fold_texts(title: str, description: str | None, notes: str | None) -> str:
    texts = (text.replace(_SEPARATOR, " ") for text in (title, description or "", notes or ""))
    return fold(_SEPARATOR.join(texts))


def fold_query(text: str) -> str:
    return fold(text.replace(_SEPARATOR, " "))


def build_condition(dialect: Literal["sqlite", "postgresql"]) -> str:
    """The condition that `folded` holds the parameter; nothing in it is a wildcard."""
    return _CONTAINS[dialect]
