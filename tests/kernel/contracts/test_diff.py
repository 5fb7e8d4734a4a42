"""Each kind of difference between two contracts is told apart, and called breaking or additive on the right side."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanya.kernel.contracts.diff import ADDITIVE, BREAKING, diff_catalogues, diff_contracts

Json = dict[str, Any]


def a_contract() -> Json:
    return {
        "name": "find_things",
        "portable_name": "find_things",
        "suite": "things",
        "title": "Find things",
        "description": "Finds things.",
        "effect": "read",
        "scopes": ["things:read"],
        "timeout_ms": 30_000,
        "errors": ["NOT_FOUND", "INTERNAL"],
        "unhashed": ["took_ms"],
        "redacted": ["token"],
        "examples": [],
        "input": a_schema(),
        "output": a_schema(),
    }


def a_schema() -> Json:
    return {
        "type": "object",
        "required": ["name"],
        "additionalProperties": False,
        "properties": {
            "name": {"type": "string", "minLength": 1, "maxLength": 40, "pattern": "^[a-z]+$", "description": "Name."},
            "state": {"type": ["string", "null"], "enum": ["open", "closed", None], "default": None},
            "size": {"type": "number", "minimum": 0, "maximum": 10, "default": 5},
            "day": {"type": "string", "format": "date"},
            "tags": {"type": "array", "maxItems": 5, "items": {"type": "string", "enum": ["red", "blue"]}},
            "filters": {"type": "object", "additionalProperties": True, "properties": {"since": {"type": "string"}}},
            "counts": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}},
            "value": {"anyOf": [{"type": "string"}, {"type": "object", "properties": {"x": {"type": "integer"}}}]},
        },
    }


def put(path: str, value: Any) -> Any:
    """An edit that sets (or, with None, removes) what lies at a dotted path of the contract."""

    def edit(contract: Json) -> None:
        *parents, last = path.split("/")
        node: Any = contract
        for part in parents:
            node = node[int(part) if isinstance(node, list) else part]
        if value is REMOVED:
            del node[last]
        else:
            node[last] = value

    return edit


REMOVED = object()
IN, OUT = "input/properties", "output/properties"
TWO_FORMS = [{"type": "string"}, {"type": "object", "properties": {"x": {"type": "integer"}}}]

CASES = [
    ("moved_tool", "suite", put("suite", "other")),
    ("moved_tool", "portable_name", put("portable_name", "other")),
    ("changed_effect", "effect", put("effect", "write")),
    ("added_scope", "scopes", put("scopes", ["things:read", "things:more"])),
    ("removed_scope", "scopes", put("scopes", [])),
    ("shortened_timeout", "timeout_ms", put("timeout_ms", 1000)),
    ("lengthened_timeout", "timeout_ms", put("timeout_ms", 60_000)),
    ("removed_error_code", "errors", put("errors", ["INTERNAL"])),
    ("added_error_code", "errors", put("errors", ["NOT_FOUND", "INTERNAL", "TIMEOUT"])),
    ("changed_hash_exclusions", "unhashed", put("unhashed", [])),
    ("changed_hash_exclusions", "unhashed", put("unhashed", ["took_ms", "at"])),
    ("removed_redaction", "redacted", put("redacted", [])),
    ("added_redaction", "redacted", put("redacted", ["token", "note"])),
    ("changed_wording", "description", put("description", "Finds all things.")),
    ("changed_wording", "input.name", put(f"{IN}/name/description", "The name.")),
    ("new_term", "destructive", put("destructive", False)),
    ("changed_term", "title", put("title", REMOVED)),
    ("removed_input_field", "input.size", put(f"{IN}/size", REMOVED)),
    ("removed_input_field", "input.filters.since", put(f"{IN}/filters/properties/since", REMOVED)),
    ("new_input_field", "input.extra", put(f"{IN}/extra", {"type": "string"})),
    ("input_became_required", "input.size", put("input/required", ["name", "size"])),
    ("input_became_optional", "input.name", put("input/required", [])),
    ("narrowed_input_type", "input.state", put(f"{IN}/state/type", "string")),
    ("narrowed_input_type", "input.size", put(f"{IN}/size/type", "integer")),
    ("widened_input_type", "input.name", put(f"{IN}/name/type", ["string", "null"])),
    ("removed_input_value", "input.state", put(f"{IN}/state/enum", ["open", None])),
    ("removed_input_value", "input.tags[]", put(f"{IN}/tags/items/enum", ["red"])),
    ("added_input_value", "input.state", put(f"{IN}/state/enum", ["open", "closed", "lost", None])),
    ("tightened_input_bound", "input.size", put(f"{IN}/size/maximum", 5)),
    ("tightened_input_bound", "input.size", put(f"{IN}/size/minimum", 1)),
    ("tightened_input_bound", "input.size", put(f"{IN}/size/exclusiveMinimum", 0)),
    ("tightened_input_bound", "input.name", put(f"{IN}/name/maxLength", 20)),
    ("tightened_input_bound", "input.tags", put(f"{IN}/tags/maxItems", 2)),
    ("tightened_input_bound", "input.tags", put(f"{IN}/tags/minItems", 1)),
    ("tightened_input_bound", "input.tags", put(f"{IN}/tags/uniqueItems", True)),
    ("tightened_input_bound", "input.day", put(f"{IN}/day/pattern", "^2")),
    ("tightened_input_bound", "input.day", put(f"{IN}/day/enum", ["2026-01-01"])),
    ("tightened_input_bound", "input.counts.*", put(f"{IN}/counts/additionalProperties/minimum", 1)),
    ("loosened_input_bound", "input.size", put(f"{IN}/size/maximum", 50)),
    ("loosened_input_bound", "input.name", put(f"{IN}/name/minLength", 0)),
    ("loosened_input_bound", "input.name", put(f"{IN}/name/maxLength", REMOVED)),
    ("loosened_input_bound", "input.name", put(f"{IN}/name/pattern", REMOVED)),
    ("loosened_input_bound", "input.state", put(f"{IN}/state/enum", REMOVED)),
    ("changed_default", "input.size", put(f"{IN}/size/default", 6)),
    ("changed_default", "input.size", put(f"{IN}/size/default", REMOVED)),
    ("changed_default", "input.day", put(f"{IN}/day/default", None)),
    ("changed_input_rule", "input.name", put(f"{IN}/name/pattern", "^[a-y]+$")),
    ("changed_input_rule", "input.day", put(f"{IN}/day/format", "date-time")),
    ("changed_input_rule", "input.size", put(f"{IN}/size/multipleOf", 2)),
    ("closed_input", "input.filters", put(f"{IN}/filters/additionalProperties", False)),
    ("opened_input", "input", put("input/additionalProperties", True)),
    ("removed_input_alternative", "input.value", put(f"{IN}/value/anyOf", TWO_FORMS[:1])),
    ("added_input_alternative", "input.value", put(f"{IN}/value/anyOf", [*TWO_FORMS, {"type": "object"}])),
    ("removed_output_field", "output.size", put(f"{OUT}/size", REMOVED)),
    ("new_output_field", "output.extra", put(f"{OUT}/extra", {"type": "string"})),
    ("output_no_longer_guaranteed", "output.name", put("output/required", [])),
    ("output_newly_guaranteed", "output.size", put("output/required", ["name", "size"])),
    ("widened_output_type", "output.name", put(f"{OUT}/name/type", ["string", "null"])),
    ("narrowed_output_type", "output.state", put(f"{OUT}/state/type", "string")),
    ("added_output_value", "output.state", put(f"{OUT}/state/enum", ["open", "closed", "lost", None])),
    ("removed_output_value", "output.tags[]", put(f"{OUT}/tags/items/enum", ["red"])),
    ("loosened_output_bound", "output.size", put(f"{OUT}/size/maximum", 50)),
    ("loosened_output_bound", "output.tags", put(f"{OUT}/tags/maxItems", REMOVED)),
    ("tightened_output_bound", "output.size", put(f"{OUT}/size/minimum", 1)),
    ("changed_output_rule", "output.day", put(f"{OUT}/day/format", "date-time")),
    ("changed_wording", "output.size", put(f"{OUT}/size/default", 6)),
    ("opened_output", "output", put("output/additionalProperties", True)),
    ("closed_output", "output.filters", put(f"{OUT}/filters/additionalProperties", False)),
    ("added_output_alternative", "output.value", put(f"{OUT}/value/anyOf", [*TWO_FORMS, {"type": "object"}])),
    ("removed_output_alternative", "output.value", put(f"{OUT}/value/anyOf", TWO_FORMS[:1])),
]


@pytest.mark.parametrize(("kind", "where", "edit"), CASES, ids=[f"{kind}-{where}" for kind, where, _ in CASES])
def test_a_single_edit_is_told_by_its_kind_and_place(kind: str, where: str, edit: Any) -> None:
    changed = a_contract()
    edit(changed)
    found = diff_contracts(a_contract(), changed)
    assert (kind, where) in [(difference.kind, difference.where) for difference in found]
    assert any(difference.breaking for difference in found) == (kind in BREAKING)


def test_a_new_argument_that_must_be_given_is_breaking() -> None:
    changed = a_contract()
    changed["input"]["properties"]["extra"] = {"type": "string"}
    changed["input"]["required"] = ["name", "extra"]
    assert [(difference.kind, difference.where) for difference in diff_contracts(a_contract(), changed)] == [
        ("new_required_input", "input.extra")
    ]


def test_tools_that_come_and_go_are_told() -> None:
    contract, other = a_contract(), {**a_contract(), "name": "other"}
    found = diff_catalogues({"find_things": contract}, {"other": other})
    assert [(each.tool, each.kind, each.breaking) for each in found] == [
        ("find_things", "removed_tool", True),
        ("other", "new_tool", False),
    ]


def test_every_kind_has_a_case_here() -> None:
    covered = {kind for kind, _, _ in CASES} | {"removed_tool", "new_tool", "new_required_input"}
    assert covered == {*BREAKING, *ADDITIVE}


def test_no_kind_is_both_breaking_and_additive() -> None:
    assert not {*BREAKING} & {*ADDITIVE}
    assert len(BREAKING) >= 12


def test_the_same_contract_has_no_differences() -> None:
    assert diff_contracts(a_contract(), a_contract()) == []


def test_a_constant_that_became_a_list_holding_it_takes_more() -> None:
    old, new = a_contract(), a_contract()
    old["input"]["properties"]["kind"] = {"type": "string", "const": "a"}
    new["input"]["properties"]["kind"] = {"type": "string", "enum": ["a", "b"]}
    assert [difference.kind for difference in diff_contracts(old, new)] == ["added_input_value"]
    assert [difference.kind for difference in diff_contracts(new, old)] == ["removed_input_value"]


def test_a_field_that_took_anything_and_now_takes_two_forms_is_breaking() -> None:
    old, new = a_contract(), a_contract()
    old["input"]["properties"]["value"] = {}
    assert any(difference.breaking for difference in diff_contracts(old, new))


def test_the_breaking_differences_come_first() -> None:
    changed = a_contract()
    changed["description"] = "Other."
    changed["input"]["properties"].pop("size")
    found = diff_catalogues({"find_things": a_contract()}, {"find_things": changed})
    assert [difference.breaking for difference in found] == [True, False]


# Edits of one field each, so that several can stand side by side.
FIELD_CASES = [
    case for case in CASES if "." in case[1] and not case[0].endswith(("required", "optional", "guaranteed"))
]


@given(st.lists(st.sampled_from(FIELD_CASES), min_size=2, max_size=5, unique_by=lambda case: case[1].split(".")[:2][1]))
def test_a_breaking_edit_is_seen_whatever_else_changed(cases: list[tuple[str, str, Any]]) -> None:
    changed = a_contract()
    for _, _, edit in cases:
        edit(changed)
    found = {(difference.kind, difference.where) for difference in diff_contracts(a_contract(), changed)}
    assert {(kind, where) for kind, where, _ in cases if kind in BREAKING} <= found
