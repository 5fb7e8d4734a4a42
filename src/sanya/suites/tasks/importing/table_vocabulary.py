"""Finds columns and values by the words that tables use for them (`table_vocabulary.toml`)."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import get_args

from sanya.suite.text import fold
from sanya.suites.tasks.contract import Priority, TaskStatus


def find_column(text: str) -> str | None:
    return _load_words()["columns"].get(_fold_word(text))


def find_status(text: str) -> TaskStatus | None:
    name = _load_words()["statuses"].get(_fold_word(text))
    return next((status for status in get_args(TaskStatus) if status == name), None)


def find_priority(text: str) -> Priority | None:
    name = _load_words()["priorities"].get(_fold_word(text))
    return next((priority for priority in get_args(Priority) if priority == name), None)


def find_boolean(text: str) -> bool | None:
    name = _load_words()["booleans"].get(_fold_word(text))
    return None if name is None else name == "true"


def find_month(text: str) -> int | None:
    """Return the number of a month by its Thai name or abbreviation."""
    name = _load_words()["months"].get(_fold_word(text))
    return None if name is None else int(name)


@cache
def _load_words() -> dict[str, dict[str, str]]:
    """Map each word of each table, folded, to the name that it stands for."""
    tables = tomllib.loads(files(__package__).joinpath("table_vocabulary.toml").read_text(encoding="utf-8"))
    return {
        table: {_fold_word(word): name for name, words in names.items() for word in (name, *words.split(", "))}
        for table, names in tables.items()
    }


def _fold_word(text: str) -> str:
    return "".join(character for character in fold(text) if character not in " _-.()?*:/")
