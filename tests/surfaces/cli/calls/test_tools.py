from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sanya.surfaces.cli.output.schema_rows import list_field_rows

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Run


def test_every_tool_is_listed_with_its_suite_and_effect(sanya: Run) -> None:
    lines = sanya("tools").out.splitlines()
    assert ["get_tasks", "tasks", "read"] in [line.split()[:3] for line in lines]
    assert {tool["name"] for tool in sanya("tools", "--json").json} == {line.split()[0] for line in lines[1:]}


def test_a_contract_is_shown_with_bounds_defaults_errors_and_examples(sanya: Run) -> None:
    shown = sanya("tools", "get_tasks").out
    (limit,) = [line for line in shown.splitlines() if line.startswith("limit ")]
    assert "≥ 1, ≤ 500" in limit
    assert " 50 " in limit
    assert "items[].title" in shown
    assert "INVALID_ARGUMENT" in shown
    assert "sanya call get_tasks '{" in shown


def test_tools_are_described_in_thai_when_asked(sanya: Run) -> None:
    assert "รายการงาน" in sanya("tools", "--lang", "th").out
    shown = sanya("tools", "get_tasks", "--lang", "th").out
    assert "ใช้ get_weekly_review" in shown
    assert "วันที่ระบุ เช่น 2025-01-31" in shown


def test_an_unknown_tool_gets_its_neighbours(sanya: Run) -> None:
    ran = sanya("tools", "get_task")
    assert (ran.code, ran.out) == (1, "")
    assert "get_tasks" in ran.err


def test_schemas_are_told_in_words() -> None:
    schema: dict[str, Any] = {
        "required": ["a"],
        "properties": {
            "a": {"type": "string", "minLength": 1, "pattern": "^x"},
            "b": {"enum": ["one", None], "default": None},
            "c": {"type": "array", "maxItems": 3, "items": {"type": "object", "properties": {"d": {"const": 4}}}},
            "e": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        },
    }
    assert [row[:4] for row in list_field_rows(schema)] == [
        ("a", "string", "≥ 1 characters, matches ^x", "required"),
        ("b", "one | null", "", "null"),
        ("c", "object[]", "≤ 3 items", ""),
        ("c[].d", "4", "", ""),
        ("e", "integer | string", "", ""),
    ]
    assert list_field_rows({})[0][0] == "(nothing)"
