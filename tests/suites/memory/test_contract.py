"""The contract of each tool: its shape, its bounds, its words, and whatever may be sent to it."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanya.kernel.calls.call import Answered, Call, Refused
from sanya.kernel.contracts.shapes import Shape, get_published_schema
from sanya.kernel.contracts.tool import Tool
from sanya.suites.memory import contract
from tests.suites.generated import MANY, allowed, fields_of, ruled_out
from tests.suites.memory.memory_harness import MemoryHarness

INPUTS: dict[str, type[Shape]] = {
    "send_memory": contract.SendMemoryInput,
    "get_memory": contract.GetMemoryInput,
    "correct_memory": contract.CorrectMemoryInput,
}
GOOD: dict[str, dict[str, Any]] = {
    "send_memory": {"content": "The plant starts in March."},
    "get_memory": {"query": "plant"},
    "correct_memory": {"target_id": "mem_0123456789abcdef", "action": "contest"},
}
TOOLS = tuple(INPUTS)
STATUSES = {"send_memory": "rejected", "get_memory": "error", "correct_memory": "rejected"}
TOO_MUCH = {
    ("send_memory", "content"): "x" * 65_537,
    ("send_memory", "source"): {"ref": "x" * 2049},
    ("send_memory", "confidence_hint"): "G",
    ("send_memory", "agent_id"): "x" * 129,
    ("get_memory", "query"): "x" * 10_001,
    ("get_memory", "max_depth"): 11,
    ("get_memory", "limit"): 1001,
    ("get_memory", "min_confidence"): "G7",
    ("correct_memory", "target_id"): "x" * 129,
    ("correct_memory", "action"): "delete",
}


def tool_named(harness: MemoryHarness, name: str) -> Tool:
    tool = harness.kernel.catalogue.find_tool(name)
    assert tool is not None
    return tool


async def test_there_are_these_tools(harness: MemoryHarness) -> None:
    assert {tool.name: tool.effect for tool in harness.kernel.catalogue.tools} == {
        "send_memory": "write",
        "get_memory": "read",
        "correct_memory": "write",
        "forget_memory": "write",
        "list_memories": "read",
        "get_entity": "read",
    }


async def test_every_field_is_described(harness: MemoryHarness) -> None:
    for name in TOOLS:
        for schema in (tool_named(harness, name).input_schema, tool_named(harness, name).output_schema):
            assert all(field.get("description") for field in fields_of(schema))


async def test_the_answers_have_the_frozen_fields(harness: MemoryHarness) -> None:
    sent = await harness.call("send_memory", **GOOD["send_memory"], source={"type": "minutes", "ref": "m1"})
    assert {"memory_id", "status", "error_code", "message"} <= set(sent)
    body = await harness.call("get_memory", query="plant")
    assert {"status", "error_code", "message", "memories", "contradictions", "meta"} == set(body)
    (found,) = body["memories"]
    assert {
        "id",
        "type",
        "dynamic_type",
        "content",
        "confidence",
        "properties",
        "participants",
        "causal_chain",
        "sources",
    } <= set(found)
    assert set(found["sources"][0]) == {"id", "type", "ref", "citation", "reliability", "credibility"}
    assert set(body["meta"]) == {
        "query",
        "total_found",
        "total_is_lower_bound",
        "returned",
        "truncated",
        "max_depth_used",
        "min_confidence_applied",
        "retrieval_ms",
        "working_memory_hits",
        "graph_hits",
        "shortened",
        "fit",
    }
    assert found["type"] == "Fact"
    assert found["confidence"] == "F3"
    corrected = await harness.correct(sent["memory_id"], "contest", reason="no")
    assert {"target_id", "action", "status", "details"} <= set(corrected)
    assert corrected["status"] == "applied"


@pytest.mark.parametrize(("name", "field"), TOO_MUCH)
async def test_a_bad_value_is_a_result_that_says_so(harness: MemoryHarness, name: str, field: str) -> None:
    body = await harness.call(name, **{**GOOD[name], field: TOO_MUCH[name, field]})
    assert (body["status"], body["error_code"]) == (STATUSES[name], "validation_error")
    assert field in body["message"]


@pytest.mark.parametrize("name", TOOLS)
async def test_a_missing_or_unknown_argument_is_an_error_of_the_tool(harness: MemoryHarness, name: str) -> None:
    for arguments in ({}, {**GOOD[name], "colour": "red"}):
        error = await harness.expect_refusal(name, arguments)
        assert error["error_code"] == "validation_error"


async def test_an_unknown_target_is_not_found_before_its_payload_is_read(harness: MemoryHarness) -> None:
    body = await harness.correct("mem_0000000000000000", "split_entity", split_into=7)
    assert (body["status"], body["error_code"]) == ("not_found", "not_found")


@pytest.mark.parametrize(
    ("action", "payload"),
    [
        ("contest", {"reason": "x" * 2049}),
        ("annotate", {}),
        ("annotate", {"note": "  "}),
        ("annotate", {"note": "x" * 4097}),
        ("merge_entities", {}),
        ("split_entity", {"split_into": []}),
        ("split_entity", {"split_into": ["a", " "]}),
        ("split_entity", {"split_into": ["x"] * 51}),
        ("split_entity", {"split_into": ["x" * 513]}),
        ("reclassify", {"new_type": "x" * 129}),
        ("contest", {"reason": "no", "colour": "red"}),
        ("contest", {"undo": "cor_0000000000000000"}),
    ],
)
async def test_a_bad_payload_is_rejected_by_name(harness: MemoryHarness, action: str, payload: dict[str, Any]) -> None:
    target = await harness.send("The plant starts in March.")
    before = await harness.hash_state()
    body = await harness.correct(target, action, **payload)
    assert (body["status"], body["error_code"]) == ("rejected", "validation_error")
    assert "payload" in body["message"] or "correction" in body["message"]
    assert await harness.hash_state() == before


async def test_a_merge_needs_another_memory(harness: MemoryHarness) -> None:
    target = await harness.send("The plant starts in March.")
    for other in (target, "mem_0000000000000000"):
        body = await harness.correct(target, "merge_entities", merge_with=other)
        assert (body["status"], body["error_code"]) == ("rejected", "invalid_merge_target")


async def test_a_payload_has_a_largest_size(harness: MemoryHarness) -> None:
    target = await harness.send("The plant starts in March.")
    body = await harness.correct(target, "split_entity", split_into=["ก" * 512] * 50)
    assert body["status"] == "rejected"


async def test_blanks_are_neither_remembered_nor_asked_for(harness: MemoryHarness) -> None:
    assert (await harness.call("send_memory", content=" \n "))["status"] == "rejected"
    assert (await harness.call("get_memory", query=" \n "))["status"] == "error"


async def test_what_is_remembered_never_enters_the_ledger(harness: MemoryHarness) -> None:
    target = await harness.send("The vault opens at noon.", source={"ref": "a private diary"}, agent_id="agent-7")
    await harness.correct(target, "annotate", note="the clock is slow")
    kept = json.dumps([row.entry.input for row in harness.ledger.rows])
    assert not any(word in kept for word in ("vault", "diary", "agent-7", "clock"))


ALLOWED = {
    "send_memory": allowed(get_published_schema(contract.SendMemoryInput)),
    "get_memory": allowed(get_published_schema(contract.GetMemoryInput)),
    "correct_memory": st.fixed_dictionaries(
        {
            "target_id": st.sampled_from(["mem_0123456789abcdef", "mem_x"]) | st.text(min_size=1, max_size=20),
            "action": st.sampled_from(["contest", "annotate", "merge_entities", "split_entity", "reclassify"]),
        },
        optional={"payload": st.none() | st.dictionaries(st.text(max_size=8), st.text(max_size=8), max_size=3)},
    ),
}


@cache
def bad_inputs(name: str) -> st.SearchStrategy[Any]:
    return ruled_out(get_published_schema(INPUTS[name]), GOOD[name])


@pytest.mark.parametrize("name", TOOLS)
@given(data=st.data())
@MANY
async def test_whatever_the_schema_allows_is_answered(harness: MemoryHarness, name: str, data: st.DataObject) -> None:
    outcome = await harness.kernel.call(Call(name, data.draw(ALLOWED[name])))
    if isinstance(outcome, Refused):
        # A half of a surrogate pair or U+0000 is no text that an engine can hold.
        assert outcome.error["error_code"] == "validation_error"
    else:
        assert isinstance(outcome, Answered)


@pytest.mark.parametrize("name", TOOLS)
@given(data=st.data())
@MANY
async def test_whatever_the_schema_rules_out_is_refused(harness: MemoryHarness, name: str, data: st.DataObject) -> None:
    outcome = await harness.kernel.call(Call(name, data.draw(bad_inputs(name))))
    body = outcome.body
    assert body["status"] in ("rejected", "error")
    assert body["error_code"] == "validation_error"
    assert body["message"]


async def test_a_refused_call_repeats_what_it_was_about(harness: MemoryHarness) -> None:
    sent = await harness.call("send_memory", content=" ")
    assert (sent["status"], sent["memory_id"]) == ("rejected", "")
    asked = await harness.call("get_memory", query="plant", limit=0, max_depth=2)
    assert (asked["status"], asked["meta"]["query"], asked["meta"]["max_depth_used"]) == ("error", "plant", 2)
    corrected = await harness.call("correct_memory", target_id="mem_0000000000000000", action="contest", payload={})
    assert (corrected["status"], corrected["target_id"], corrected["action"]) == (
        "not_found",
        "mem_0000000000000000",
        "contest",
    )


async def test_contesting_needs_a_reason(harness: MemoryHarness) -> None:
    target = await harness.send("The plant starts in March.")
    refused = await harness.correct(target, "contest")
    assert (refused["status"], refused["error_code"]) == ("rejected", "validation_error")
    assert await harness.read_rating(target) == "F3"


async def test_ratings_are_taken_in_lower_case(harness: MemoryHarness) -> None:
    sent = await harness.call("send_memory", content="The plant starts in March.", confidence_hint="b")
    assert sent["confidence"] == "B3"
    body = await harness.call("get_memory", query="plant", min_confidence="c3")
    assert body["meta"]["min_confidence_applied"] == "C3"
    assert len(body["memories"]) == 1


async def test_compact_answers_have_no_parts_of_scores(harness: MemoryHarness) -> None:
    await harness.send("The plant starts in March.")
    (found,) = await harness.find("plant", compact=True)
    assert found["score_parts"] == {}
    assert found["score"] is not None


async def test_a_new_memory_has_the_frozen_defaults(harness: MemoryHarness) -> None:
    sent = await harness.send("The pump in Trang has a new seal.")
    body = await harness.call("get_memory", query="pump seal")
    found = [(memory["id"], memory["type"], memory["confidence"]) for memory in body["memories"]]
    assert found == [(sent, "Fact", "F3")]
    meta = body["meta"]
    assert meta["working_memory_hits"] + meta["graph_hits"] == meta["returned"] == 1


@pytest.mark.parametrize(
    ("tool", "arguments", "filled"),
    [
        ("send_memory", {"content": " "}, {"status": "rejected", "error_code": "validation_error", "memory_id": ""}),
        (
            "get_memory",
            {"query": "pump", "limit": 0},
            {"status": "error", "error_code": "validation_error", "memories": [], "contradictions": []},
        ),
        (
            "correct_memory",
            {"target_id": "mem_0123456789abcdef", "action": "contest", "payload": {"reason": "no"}},
            {"status": "not_found", "target_id": "mem_0123456789abcdef", "action": "contest", "details": {}},
        ),
    ],
)
async def test_error_results_are_filled_as_the_contract_has_them(
    harness: MemoryHarness, tool: str, arguments: dict[str, Any], filled: dict[str, Any]
) -> None:
    body = await harness.call(tool, **arguments)
    assert {name: body[name] for name in filled} == filled
    assert body["message"]
