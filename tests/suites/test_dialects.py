"""Every fault has a word in every contract, and every word of every contract can be heard."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from sanya.kernel.calls.call import Context
from sanya.kernel.contracts.dialect import CodeTable, Dialect, FaultResponse
from sanya.kernel.contracts.shapes import Shape
from sanya.kernel.contracts.tool import Tool
from sanya.kernel.faults import (
    Fault,
    Internal,
    InvalidArgument,
    InvariantBroken,
    MissingArgument,
    NotFound,
    RateLimited,
    StoreUnavailable,
    UnknownArgument,
    UnknownTool,
    UpstreamFailed,
    list_fault_kinds,
)
from sanya.suites.funds.dialect import DIALECT as FUNDS
from sanya.suites.herbs.dialect import DIALECT as HERBS
from sanya.suites.memory.dialect import DIALECT as MEMORY
from sanya.suites.memory.dialect import InvalidMergeTarget
from sanya.suites.papers.dialect import DIALECT as PAPERS
from sanya.suites.tasks.dialect import DIALECT as TASKS

DIALECTS: dict[str, Dialect] = {"funds": FUNDS, "herbs": HERBS, "memory": MEMORY, "papers": PAPERS, "tasks": TASKS}

VOCABULARIES = {
    "funds": {"BAD_REQUEST", "NOT_FOUND", "INTERNAL_ERROR", "UNAUTHORIZED", "RATE_LIMITED", "TIMEOUT", "UNAVAILABLE"},
    "herbs": {"INVALID_ARG", "NOT_FOUND", "FORBIDDEN", "RATE_LIMITED", "TIMEOUT", "UNAVAILABLE", "INTERNAL"},
    "memory": {
        "validation_error",
        "invalid_merge_target",
        "storage_unavailable",
        "not_found",
        "unauthorized",
        "rate_limited",
        "timeout",
        "upstream_failed",
        "internal_error",
    },
    "papers": {
        "RATE_LIMIT",
        "UPSTREAM",
        "VALIDATION",
        "NOT_FOUND",
        "INVARIANT_FAILURE",
        "STORE",
        "EMBEDDINGS",
        "WEAVIATE",
        "ENTREZ",
        "UNKNOWN",
    },
    "tasks": {
        "INVALID_ARGUMENT",
        "NOT_FOUND",
        "TIMEOUT",
        "RATE_LIMITED",
        "UNAUTHORIZED",
        "INTERNAL_ERROR",
        "UNAVAILABLE",
    },
}


def _details(kind: Any) -> dict[str, Any]:
    return {"type": kind}


def _error_object(code: str, extra: dict[str, Any], required: list[str]) -> dict[str, Any]:
    properties = {code: {"type": "string"}, "message": {"type": "string", "minLength": 1}, **extra}
    return {
        "type": "object",
        "required": [code, "message", *required],
        "properties": properties,
        "additionalProperties": False,
    }


def _enveloped(error: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": ["error"], "properties": {"error": error}, "additionalProperties": False}


_RETRY = {"retry_after_ms": {"type": "integer"}}
_MAYBE_RETRY = {"retry_after_ms": {"type": ["integer", "null"]}}

# Failure bodies as the contracts draw them; that of papers is its contract's own schema.
BODIES = {
    "funds": _enveloped(
        _error_object(
            "code",
            {"actionableHint": {"type": "string", "minLength": 1}, "details": _details("object")},
            ["actionableHint"],
        )
    ),
    "herbs": _enveloped(_error_object("code", {"details": _details("object"), **_RETRY}, [])),
    "memory": _error_object(
        "error_code",
        {"status": {"enum": ["rejected", "error", "not_found"]}, "details": _details("object"), **_RETRY},
        ["status"],
    ),
    "papers": _enveloped(_error_object("code", {"details": _details(["object", "array", "string", "null"])}, [])),
    "tasks": _error_object("code", {"details": _details("object"), **_MAYBE_RETRY}, ["retry_after_ms", "details"]),
}


class _Anything(Shape):
    pass


async def _handle(request: _Anything, context: Context) -> _Anything:
    return request


def a_tool(name: str, dialect: Dialect) -> Tool:
    return Tool(
        name=name,
        suite="any",
        title="Any",
        description="Any tool.",
        input=_Anything,
        output=_Anything,
        handler=_handle,
        dialect=dialect,
    )


def every_fault() -> Iterator[Fault]:
    for kind in list_fault_kinds().values():
        if issubclass(kind, UpstreamFailed):
            for source in ("entrez", "embeddings", "weaviate", "llm", "sec"):
                yield kind("it did not answer", source=source)
        else:
            yield kind("something is wrong", details={"field": "limit"}, retry_after_ms=1500)


def code_in(worded: FaultResponse) -> str:
    error = worded.error
    return str(error["error_code"] if "error_code" in error else error["code"])


@pytest.mark.parametrize("suite", DIALECTS)
def test_the_vocabulary_is_the_contracts(suite: str) -> None:
    codes = DIALECTS[suite].codes
    assert set(codes) == VOCABULARIES[suite]
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize("suite", DIALECTS)
@pytest.mark.parametrize("fault", list(every_fault()), ids=lambda fault: f"{fault.kind}-{getattr(fault, 'source', '')}")
def test_every_fault_is_worded_in_the_vocabulary_and_the_shape_of_the_contract(suite: str, fault: Fault) -> None:
    dialect = DIALECTS[suite]
    worded = dialect.render_fault(fault, a_tool("any_tool", dialect))
    assert code_in(worded) in dialect.codes
    assert dialect.get_code(type(fault)) in dialect.codes
    assert worded.is_error
    Draft202012Validator(BODIES[suite]).validate(worded.body)


@pytest.mark.parametrize("suite", DIALECTS)
def test_every_code_is_reachable_from_some_fault(suite: str) -> None:
    heard = {code_in(DIALECTS[suite].render_fault(fault, None)) for fault in every_fault()}
    assert heard == VOCABULARIES[suite]


@pytest.mark.parametrize("suite", DIALECTS)
@pytest.mark.parametrize("mistake", [Internal, InvariantBroken])
def test_our_own_mistakes_show_an_error_id_and_nothing_else(suite: str, mistake: type[Internal]) -> None:
    fault = mistake("KeyError: 'password' in store.py", error_id="err_1", details={"row": "secret"})
    said = repr(DIALECTS[suite].render_fault(fault, None))
    assert "err_1" in said
    assert "secret" not in said
    assert "password" not in said


@pytest.mark.parametrize("suite", DIALECTS)
def test_a_rate_limit_says_when_to_come_back(suite: str) -> None:
    assert "1234" in repr(DIALECTS[suite].render_fault(RateLimited("slow down", retry_after_ms=1234), None).error)


def test_a_fault_without_a_word_of_its_own_takes_its_nearest_ancestors() -> None:
    table = CodeTable({Fault: "OTHER", NotFound: "NOT_FOUND"})
    codes = [table.get_code(kind) for kind in (UnknownTool, NotFound, RateLimited)]
    assert codes == ["NOT_FOUND", "NOT_FOUND", "OTHER"]


def test_a_code_table_without_a_code_for_the_root_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a code for Fault itself"):
        CodeTable({NotFound: "NOT_FOUND"})


@pytest.mark.parametrize(
    ("source", "code"),
    [("entrez", "ENTREZ"), ("embeddings", "EMBEDDINGS"), ("weaviate", "WEAVIATE"), ("llm", "UPSTREAM")],
)
def test_papers_names_the_party_that_failed(source: str, code: str) -> None:
    assert PAPERS.render_fault(UpstreamFailed("no answer", source=source), None).error["code"] == code


@pytest.mark.parametrize(
    ("tool", "status", "blank"),
    [
        ("send_memory", "rejected", {"memory_id": ""}),
        ("get_memory", "error", {"memories": [], "contradictions": [], "meta": None}),
        ("correct_memory", "rejected", {"target_id": None, "action": None, "details": {}}),
    ],
)
def test_a_bad_value_is_an_ordinary_result_of_a_memory_tool(tool: str, status: str, blank: dict[str, Any]) -> None:
    worded = MEMORY.render_fault(InvalidArgument("limit must be at most 1000, got 5000"), a_tool(tool, MEMORY))
    assert not worded.is_error
    assert worded.body == {
        **blank,
        "status": status,
        "error_code": "validation_error",
        "message": "limit must be at most 1000, got 5000",
    }


def test_a_wrong_merge_target_and_an_unknown_target_are_ordinary_results() -> None:
    correct = a_tool("correct_memory", MEMORY)
    merge = MEMORY.render_fault(InvalidMergeTarget("a memory cannot be merged with itself"), correct)
    unknown = MEMORY.render_fault(NotFound("there is no memory mem_0"), correct)
    assert (merge.is_error, merge.error["error_code"], merge.error["status"]) == (
        False,
        "invalid_merge_target",
        "rejected",
    )
    assert (unknown.is_error, unknown.error["error_code"], unknown.error["status"]) == (False, "not_found", "not_found")


@pytest.mark.parametrize("fault", [MissingArgument("content is required"), UnknownArgument("unknown argument x")])
def test_a_missing_or_unknown_argument_is_a_tool_error_of_memory(fault: Fault) -> None:
    assert MEMORY.render_fault(fault, a_tool("send_memory", MEMORY)).is_error


def test_a_store_that_does_not_answer_is_an_error_of_memory() -> None:
    worded = MEMORY.render_fault(StoreUnavailable("the database is locked"), a_tool("send_memory", MEMORY))
    assert worded.is_error
    assert worded.error["error_code"] == "storage_unavailable"


def test_the_funds_body_lies_in_mcp_part_by_part() -> None:
    body = {
        "content": [{"type": "text", "text": "Found 403 funds."}],
        "structuredContent": {"funds": []},
        "_meta": {"openai/outputTemplate": "component://rmf-fund-list"},
    }
    parts = FUNDS.to_mcp_parts(body)
    assert parts.text == "Found 403 funds."
    assert parts.structured == {"funds": []}
    assert parts.meta == {"openai/outputTemplate": "component://rmf-fund-list"}


def test_the_schema_listed_on_mcp_is_that_of_the_structured_part() -> None:
    structured = {"type": "object", "properties": {"funds": {"type": "array"}}}
    schema = {"type": "object", "properties": {"content": {"type": "array"}, "structuredContent": structured}}
    assert FUNDS.to_mcp_schema(schema) == structured
    assert TASKS.to_mcp_schema(schema) == schema


def test_the_funds_hint_is_the_faults_own_where_it_has_one() -> None:
    fault = NotFound("there is no fund X", hint="Nearest codes: ABAPAC-RMF")
    assert FUNDS.render_fault(fault, None).error["actionableHint"] == "Nearest codes: ABAPAC-RMF"


def test_only_herbs_carries_its_stamp_in_the_body() -> None:
    assert [name for name, dialect in DIALECTS.items() if dialect.stamp_in_body] == ["herbs"]
