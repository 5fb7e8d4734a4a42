"""Converts rows of the store to the contract's shapes. A row that breaks the contract is a fault that names it."""

from __future__ import annotations

from typing import TypeVar

from pydantic import ValidationError

from sanya.suite import Shape, StoreUnavailable
from sanya.suite.store import Row, Value
from sanya.suites.tasks.contract import Changelog, Project, Task
from sanya.suites.tasks.tables import CHANGELOG_COLUMNS, PROJECT_COLUMNS, TASK_COLUMNS

AnyShape = TypeVar("AnyShape", bound=Shape)

_IMPORTANT = TASK_COLUMNS.index("is_important")


def read_task(row: Row) -> Task:
    important = row[_IMPORTANT]
    values = (*row[:_IMPORTANT], bool(important) if important in (0, 1) else important, *row[_IMPORTANT + 1 :])
    return _read_row(Task, TASK_COLUMNS, values)


def read_project(row: Row) -> Project:
    return _read_row(Project, PROJECT_COLUMNS, row)


def read_changelog(row: Row) -> Changelog:
    return _read_row(Changelog, CHANGELOG_COLUMNS, row)


def _read_row(shape: type[AnyShape], columns: tuple[str, ...], row: Row) -> AnyShape:
    values = dict(zip(columns, row, strict=True))
    if "" in row:
        _check_timestamps(shape, values)
    try:
        return shape(**values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise _make_refusal(shape, values["id"], f"{first['loc'][0]} is {first['input']!r}") from None


def _check_timestamps(shape: type[Shape], values: dict[str, Value]) -> None:
    """Refuse an empty text: the attached tables return it for a required timestamp that cannot be read."""
    for name in ("created_at", "updated_at"):
        if values.get(name) == "":
            raise _make_refusal(shape, values["id"], f"{name} is not a time in ISO 8601")


def _make_refusal(shape: type[Shape], id: object, problem: str) -> StoreUnavailable:
    return StoreUnavailable(
        f"the task database holds a {shape.__name__.lower()} that breaks the contract: in {str(id)[:80]!r}, "
        f"{problem[:120]}; correct that row"
    )
