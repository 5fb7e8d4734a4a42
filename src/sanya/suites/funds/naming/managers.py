"""Managers by the names that people use: Thai names, short names, brands. `managers.json` has them with sources."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import orjson

from sanya.suite.text import fold


@cache
def _load() -> dict[str, Any]:
    data: dict[str, Any] = orjson.loads(Path(__file__).with_name("managers.json").read_bytes())
    return data


@cache
def list_manager_names(amc: str) -> tuple[str, ...]:
    """Return all names of a manager, folded: the one of the register without company words, and its other names."""
    folded = fold(amc)
    names = [folded, _strip_company_words(folded)]
    for manager in _load()["managers"]:
        if folded.startswith(fold(manager["register"])):
            names += [fold(name) for name in manager["names"]]
    return tuple(dict.fromkeys(names))


def is_manager(text: str, amc: str) -> bool:
    """Return whether the text is part of a name of this manager. Company words in the text do not count."""
    wanted = _strip_company_words(fold(text))
    joined = _join_words(wanted)
    return bool(wanted) and any(wanted in name or joined == _join_words(name) for name in list_manager_names(amc))


def _join_words(name: str) -> str:
    """Return the name without blanks and hyphens, which people set as they like: "X spring", "k asset"."""
    return name.replace(" ", "").replace("-", "")


def is_manager_name(text: str, amc: str) -> bool:
    """Return whether the text is a whole name of this manager."""
    return bool(text) and text in list_manager_names(amc)


@cache
def _list_company_words() -> tuple[str, ...]:
    # The longest first, so that a part of a longer word does not remain.
    return tuple(sorted(map(fold, _load()["company_words"]), key=len, reverse=True))


def _strip_company_words(text: str) -> str:
    stripped = text
    for word in _list_company_words():
        stripped = stripped.replace(word, " ")
    return " ".join(stripped.split()) or " ".join(text.split())
