"""How the memory contract words its faults: in the result itself, as `status`, `error_code` and `message`.

A bad value of a known argument and an unknown target are ordinary results of the three contract tools. What makes no
result at all (an argument missing or unknown, a caller without the right, a store that does not answer) is an error.
"""

from __future__ import annotations

from typing import Any

from sanya.kernel.dialect import CodeTable, FaultResponse, TableDialect, get_public_details, get_public_message
from sanya.kernel.faults import (
    Cancelled,
    DeadlineExceeded,
    Fault,
    Forbidden,
    InvalidArgument,
    MissingArgument,
    NotFound,
    RateLimited,
    TooLarge,
    Unauthorized,
    Unavailable,
    UnknownArgument,
    UpstreamFailed,
)
from sanya.kernel.tool import Tool


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

# What each contract tool answers beside status, error_code and message when there is nothing to answer.
_BLANK: dict[str, dict[str, Any]] = {
    "send_memory": {"memory_id": None},
    "get_memory": {"memories": [], "contradictions": [], "meta": None},
    "correct_memory": {"target_id": None, "action": None, "details": {}},
}


class MemoryDialect(TableDialect):
    def render_fault(self, fault: Fault, tool: Tool | None) -> FaultResponse:
        name = tool.name if tool else ""
        ordinary = name in _BLANK and _is_result(fault)
        message = get_public_message(fault)
        error: dict[str, Any] = {
            "status": _choose_status(fault, name, ordinary),
            "error_code": self.get_code(type(fault)),
            "message": message,
        }
        if ordinary:
            return FaultResponse(error, {**_BLANK[name], **error}, message, is_error=False)
        if details := get_public_details(fault):
            error["details"] = details
        if fault.retry_after_ms is not None:
            error["retry_after_ms"] = fault.retry_after_ms
        return FaultResponse(error, error, message)


def _is_result(fault: Fault) -> bool:
    if isinstance(fault, MissingArgument | UnknownArgument):
        return False
    return isinstance(fault, InvalidArgument | NotFound)


def _choose_status(fault: Fault, tool: str, ordinary: bool) -> str:
    if isinstance(fault, NotFound):
        return "not_found"
    return "rejected" if ordinary and tool != "get_memory" else "error"


DIALECT = MemoryDialect(_TABLE)
