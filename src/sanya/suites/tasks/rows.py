"""Converts rows of the store to the contract's shapes. A row that breaks the contract is a fault that names it."""

from __future__ import annotations

from typing import TypeVar

from pydantic import ValidationError

from sanya.suite import Shape, StoreUnavailable
from sanya.suite.store import Row, Value
from sanya.suites.tasks.contract import Changelog, Project, Task
from sanya.suites.tasks.tables import CHANGELOG_COLUMNS, PROJECT_COLUMNS, TASK_COLUMNS

AnyShape = TypeVar("AnyShape", bound=Shape)


def read_task(row: Row) -> Task:
    values = dict(zip(TASK_COLUMNS, row, strict=True))
    if values["is_important"] in (0, 1):
        values["is_important"] = values["is_important"] == 1
    return _read_values(Task, values)


def read_project(row: Row) -> Project:
    return _read_values(Project, dict(zip(PROJECT_COLUMNS, row, strict=True)))


def read_changelog(row: Row) -> Changelog:
    return _read_values(Changelog, dict(zip(CHANGELOG_COLUMNS, row, strict=True)))


def _read_values(shape: type[AnyShape], values: dict[str, Value]) -> AnyShape:
    if "" in values.values():
        _check_timestamps(shape, values)
    try:
        return shape.model_validate(values)
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
