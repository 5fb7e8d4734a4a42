"""How the herbs contract words its faults: `{"error": {"code", "message"}}`, with the stamp beside it in the body."""

from __future__ import annotations

from typing import Any

from sanya.kernel.dialect import CodeTable, TabledDialect, Worded, shown_details, shown_message
from sanya.kernel.faults import (
    Cancelled,
    DeadlineExceeded,
    Fault,
    Forbidden,
    InvalidArgument,
    NotFound,
    RateLimited,
    TooLarge,
    Unauthorized,
    Unavailable,
    UpstreamFailed,
)
from sanya.kernel.tool import Tool

_TABLE = CodeTable(
    {
        InvalidArgument: "INVALID_ARG",
        TooLarge: "INVALID_ARG",
        NotFound: "NOT_FOUND",
        Forbidden: "FORBIDDEN",
        Unauthorized: "FORBIDDEN",
        RateLimited: "RATE_LIMITED",
        DeadlineExceeded: "TIMEOUT",
        Cancelled: "TIMEOUT",
        Unavailable: "UNAVAILABLE",
        UpstreamFailed: "UNAVAILABLE",
        Fault: "INTERNAL",
    }
)


class HerbsDialect(TabledDialect):
    stamp_in_body = True

    def word(self, fault: Fault, tool: Tool | None) -> Worded:  # noqa: ARG002 - the same words for every tool
        """`details` and `retry_after_ms` are ours, so they appear only where there is something to say."""
        message = shown_message(fault)
        error: dict[str, Any] = {"code": self.code_of(type(fault)), "message": message}
        if details := shown_details(fault):
            error["details"] = details
        if fault.retry_after_ms is not None:
            error["retry_after_ms"] = fault.retry_after_ms
        return Worded(error, {"error": error}, message)


DIALECT = HerbsDialect(_TABLE)
