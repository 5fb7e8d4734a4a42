"""Text search of tasks: folds a task's texts into one string, and the query in the same way."""

from __future__ import annotations

from typing import Literal

from sanya.suite.text import fold

# Separates the texts and is never searched for, so that no match spans two texts.
_SEPARATOR = "\x1f"

_CONTAINS = {"sqlite": "instr(folded, ?) > 0", "postgresql": "strpos(folded, ?) > 0"}


def fold_texts(title: str, description: str | None, notes: str | None) -> str:
    texts = (text.replace(_SEPARATOR, " ") for text in (title, description or "", notes or ""))
    return fold(_SEPARATOR.join(texts))


def fold_query(text: str) -> str:
    return fold(text.replace(_SEPARATOR, " "))


def build_condition(dialect: Literal["sqlite", "postgresql"]) -> str:
    """Return the SQL condition that `folded` contains the parameter; it has no wildcards."""
    return _CONTAINS[dialect]
