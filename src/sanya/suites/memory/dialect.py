"""The dialect of the memory contract: faults stand in the result itself, as `status`, `error_code` and `message`.

An invalid value of a known argument and an unknown target are ordinary results of the tools. A missing or unknown
argument, a caller without the scope and a database that does not respond are errors.
"""

from __future__ import annotations

from typing import Any

from sanya.suite import (
    Cancelled,
    CodeTable,
    DeadlineExceeded,
    Fault,
    FaultResponse,
    Forbidden,
    InvalidArgument,
    MissingArgument,
    NotFound,
    RateLimited,
    TableDialect,
    Tool,
    TooLarge,
    Unauthorized,
    Unavailable,
    UnknownArgument,
    UpstreamFailed,
    get_public_details,
    get_public_message,
)


class InvalidMergeTarget(InvalidArgument):
    """the second memory of a merge is the first one, or does not exist (memory alone raises it)"""

    kind = "invalid_merge_target"


_TABLE = CodeTable(
    {
        InvalidArgument: "validation_error",
        TooLarge: "validation_error",
        InvalidMergeTarget: "invalid_merge_target",
        Unavailable: "storage_unavailable",
        NotFound: "not_found",
        Unauthorized: "unauthorized",
        Forbidden: "unauthorized",
        RateLimited: "rate_limited",
        DeadlineExceeded: "timeout",
        Cancelled: "timeout",
        UpstreamFailed: "upstream_failed",
        Fault: "internal_error",
    }
)

_DEFAULT_DEPTH = 3
_MAX_REPEATED_CHARS = 1000
# The other fields of each tool's result when it reports a fault.
_EMPTY_RESULTS: dict[str, dict[str, Any]] = {
    "send_memory": {"memory_id": ""},
    "get_memory": {"memories": [], "contradictions": [], "meta": None},
    "correct_memory": {"target_id": None, "action": None, "details": {}},
    "forget_memory": {"memory_id": None, "erased": [], "affected": []},
    "list_memories": {"memories": [], "next_cursor": None},
    "get_entity": {"entities": []},
}


class MemoryDialect(TableDialect):
    def render_fault(self, fault: Fault, tool: Tool | None) -> FaultResponse:
        name = tool.name if tool else ""
        is_result = name in _EMPTY_RESULTS and _is_result(fault)
        message = get_public_message(fault)
        error: dict[str, Any] = {
            "status": _choose_status(fault, name, is_result),
            "error_code": self.get_code(type(fault)),
            "message": message,
        }
        if is_result:
            body = {**_EMPTY_RESULTS[name], **error}
            return FaultResponse(error, body, message, is_error=False, repeat=_REPEATED.get(name))
        if details := get_public_details(fault):
            error["details"] = details
        if fault.retry_after_ms is not None:
            error["retry_after_ms"] = fault.retry_after_ms
        return FaultResponse(error, error, message)


def _repeat_target(arguments: object) -> dict[str, Any]:
    given: dict[str, Any] = arguments if isinstance(arguments, dict) else {}
    return {"target_id": _get_text(given, "target_id"), "action": _get_text(given, "action")}


def _repeat_question(arguments: object) -> dict[str, Any]:
    given: dict[str, Any] = arguments if isinstance(arguments, dict) else {}
    depth = given.get("max_depth", _DEFAULT_DEPTH)
    meta = {
        "query": _get_text(given, "query"),
        "total_found": 0,
        "total_is_lower_bound": False,
        "returned": 0,
        "truncated": False,
        "max_depth_used": depth if type(depth) is int else None,
        "min_confidence_applied": _get_text(given, "min_confidence", "F6"),
        "retrieval_ms": None,
        "working_memory_hits": 0,
        "graph_hits": 0,
        "shortened": [],
        "fit": "none",
    }
    return {"meta": meta}


_REPEATED = {"correct_memory": _repeat_target, "get_memory": _repeat_question}


def _get_text(given: dict[str, Any], name: str, default: str = "") -> str:
    value = given.get(name, default)
    if not isinstance(value, str):
        return default
    return value[:_MAX_REPEATED_CHARS].encode("utf-8", "replace").decode("utf-8")


def _is_result(fault: Fault) -> bool:
    if isinstance(fault, MissingArgument | UnknownArgument):
        return False
    return isinstance(fault, InvalidArgument | NotFound)


def _choose_status(fault: Fault, tool: str, is_result: bool) -> str:
    if isinstance(fault, NotFound):
        return "not_found"
    return "rejected" if is_result and not tool.startswith("get_") else "error"


DIALECT = MemoryDialect(_TABLE)
