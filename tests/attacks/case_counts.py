"""Counts the attacks that were made: the requests, calls and connections of each test, at least one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import PurePath
from typing import Any

PROPERTY = "attack cases"


class _Made:
    cases = 0


def count_case(number: int = 1) -> None:
    """Count attacks of the running test."""
    _Made.cases += number


def take_count() -> int:
    """Return the number of attacks since it was last taken."""
    taken, _Made.cases = _Made.cases, 0
    return taken


def sum_by_area(reports: Iterable[Any]) -> Counter[str]:
    """Sum the cases of test reports by area: the name of the test file."""
    areas: Counter[str] = Counter()
    for report in reports:
        if getattr(report, "when", "") == "teardown":
            count = sum(value for name, value in report.user_properties if name == PROPERTY)
            if count:
                areas[PurePath(report.nodeid.partition("::")[0]).stem.removeprefix("test_")] += count
    return areas
