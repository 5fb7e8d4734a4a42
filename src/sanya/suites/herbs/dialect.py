"""The error format of the herbs contracts: `{"error": {"code", "message"}}`, with the stamp in the body beside it."""

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
    NotFound,
    RateLimited,
    TableDialect,
    Tool,
    TooLarge,
    Unauthorized,
    Unavailable,
    UpstreamFailed,
    get_public_details,
    get_public_message,
)

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


class HerbsDialect(TableDialect):
    stamp_in_body = True

    def render_fault(self, fault: Fault, tool: Tool | None) -> FaultResponse:  # noqa: ARG002 - the same words for every tool
        """Add `details` and `retry_after_ms` only where they have a value: the contract does not promise them."""
        message = get_public_message(fault)
        error: dict[str, Any] = {"code": self.get_code(type(fault)), "message": message}
        if details := get_public_details(fault):
            error["details"] = details
        if fault.retry_after_ms is not None:
            error["retry_after_ms"] = fault.retry_after_ms
        return FaultResponse(error, {"error": error}, message)


DIALECT = HerbsDialect(_TABLE)
