"""Two answers are compared: each difference is located, and rounding is told from a real difference."""

from __future__ import annotations

from typing import Any

import pytest

from sanya.kernel.calls.comparison import ABSENT, AnswerDifference, find_differences
from sanya.kernel.contracts.shapes import Shape
from sanya.kernel.contracts.tool import Tool
from sanya.suites.tasks.dialect import DIALECT


class Nothing(Shape):
    pass


async def handle(_: Nothing, __: object) -> Nothing:
    return Nothing()


TOOL = Tool(
    name="demo.find",
    suite="tasks",
    title="Find",
    description="Finds.",
    input=Nothing,
    output=Nothing,
    handler=handle,
    dialect=DIALECT,
    unhashed=("took_ms", "hits.*.seen_at"),
)


def found(here: dict[str, Any], there: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    return [(difference.path, difference.here, difference.there) for difference in find_differences(here, there, TOOL)]


def test_what_differs_is_named_by_its_path() -> None:
    here = {"hits": [{"id": "a", "tags": ["x"]}, {"id": "b"}], "odd name": 1}
    there = {"hits": [{"id": "a", "tags": ["x", "y"]}, {"id": "c", "more": None}], "odd name": True}
    assert found(here, there) == [
        ("$.hits[0].tags[1]", ABSENT, "y"),
        ("$.hits[1].id", "b", "c"),
        ("$.hits[1].more", ABSENT, None),
        ('$["odd name"]', 1, True),
    ]


def test_the_stamp_and_what_the_contract_leaves_out_of_the_hash_are_not_compared() -> None:
    here = {"hits": [{"id": "a", "seen_at": 1}], "took_ms": 5, "audit": {"out_hash": "x"}}
    there = {"hits": [{"id": "a", "seen_at": 2}], "took_ms": 9, "audit": {"out_hash": "y"}}
    assert found(here, there) == []


def test_another_order_is_a_difference() -> None:
    assert [path for path, _, _ in found({"ids": ["a", "b"]}, {"ids": ["b", "a"]})] == ["$.ids[0]", "$.ids[1]"]


@pytest.mark.parametrize(
    ("here", "there", "is_rounding"),
    [
        (0.5, 0.500004, True),
        (0.5, 0.50001, False),
        (22.00582504272461, 22.00582, True),
        (1.0, 1, True),
        (3, 4, False),
        (10_000_000, 10_000_001, False),
        (1.0, True, False),
        (0.0, None, False),
        ("0.5", 0.5, False),
    ],
)
def test_only_numbers_with_a_fraction_are_rounded(here: Any, there: Any, is_rounding: bool) -> None:
    assert AnswerDifference("$.score", here, there).is_rounding is is_rounding
