"""Names follow the rules of CONTRIBUTING.md. `python -m tests.house.naming PATH` lists what breaks them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.house.naming import (
    NAMED_FUNCTIONS,
    NAMED_MODULES,
    PYTHON_FOLDERS,
    ROOT,
    SHARED_CLASSES,
    SOURCE,
    find_pronouns,
    find_shared_classes,
    find_vague_docstrings,
    find_vague_module,
    find_verbless_functions,
    list_modules,
)

MAX_EXCEPTIONS = 40


def collect(find: Callable[[Path], Iterator[str]], folders: list[Path]) -> list[str]:
    return [complaint for path in list_modules(folders) for complaint in find(path)]


def test_no_variable_is_called_by_a_pronoun() -> None:
    assert collect(find_pronouns, [ROOT / folder for folder in PYTHON_FOLDERS]) == []


@pytest.mark.parametrize("find", [find_verbless_functions, find_vague_module, find_vague_docstrings])
def test_sources_follow_the_naming_rules(find: Callable[[Path], Iterator[str]]) -> None:
    assert collect(find, [SOURCE]) == []


def test_a_public_class_name_stands_in_one_module() -> None:
    assert find_shared_classes([SOURCE]) == {}


def test_the_exceptions_are_few_and_each_has_a_reason() -> None:
    exceptions = {**NAMED_FUNCTIONS, **NAMED_MODULES, **SHARED_CLASSES}
    assert len(exceptions) <= MAX_EXCEPTIONS
    assert all(len(reason.split()) >= 3 for reason in exceptions.values())


@pytest.mark.parametrize(
    ("find", "source"),
    [
        (find_pronouns, "for one in range(3): pass"),
        (find_verbless_functions, "def _told(error): pass"),
        (find_vague_docstrings, 'def run():\n    """What is run."""'),
    ],
)
def test_each_rule_finds_what_breaks_it(find: Callable[[Path], Iterator[str]], source: str, tmp_path: Path) -> None:
    path = tmp_path / "sample.py"
    path.write_text(source, "utf-8")
    assert len(list(find(path))) == 1
