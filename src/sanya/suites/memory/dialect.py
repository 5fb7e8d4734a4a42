"""The dialect of the memory contract: faults stand in the result itself, as `status`, `error_code` and `message`.

An invalid value of a known argument and an unknown target are ordinary results of the three tools. A missing or unknown
argument, a caller without the scope and a database that does not respond are errors.
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

# The other fields of each tool's result when it reports a fault.
_EMPTY_RESULTS: dict[str, dict[str, Any]] = {
    "send_memory": {"memory_id": None},
    "get_memory": {"memories": [], "contradictions": [], "meta": None},
    "correct_memory": {"target_id": None, "action": None, "details": {}},
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
            return FaultResponse(error, {**_EMPTY_RESULTS[name], **error}, message, is_error=False)
        if details := get_public_details(fault):
            error["details"] = details
        if fault.retry_after_ms is not None:
            error["retry_after_ms"] = fault.retry_after_ms
        return FaultResponse(error, error, message)


def _is_result(fault: Fault) -> bool:
    if isinstance(fault, MissingArgument | UnknownArgument):
        return False
    return isinstance(fault, InvalidArgument | NotFound)


def _choose_status(fault: Fault, tool: str, is_result: bool) -> str:
    if isinstance(fault, NotFound):
        return "not_found"
    return "rejected" if is_result and tool != "get_memory" else "error"


DIALECT = MemoryDialect(_TABLE)
