"""The error dialect of the tasks contract: one flat object with seven codes."""

from __future__ import annotations

from sanya.kernel.dialect import CodeTable, FaultResponse, TableDialect, get_public_details, get_public_message
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
        InvalidArgument: "INVALID_ARGUMENT",
        TooLarge: "INVALID_ARGUMENT",
        NotFound: "NOT_FOUND",
        DeadlineExceeded: "TIMEOUT",
        Cancelled: "TIMEOUT",
        RateLimited: "RATE_LIMITED",
        Unauthorized: "UNAUTHORIZED",
        Forbidden: "UNAUTHORIZED",
        Fault: "INTERNAL_ERROR",
        Unavailable: "UNAVAILABLE",
        UpstreamFailed: "UNAVAILABLE",
    }
)


class TasksDialect(TableDialect):
    def render_fault(self, fault: Fault, tool: Tool | None) -> FaultResponse:  # noqa: ARG002 - every tool reports faults alike
        message = get_public_message(fault)
        error = {
            "code": self.get_code(type(fault)),
            "message": message,
            "retry_after_ms": fault.retry_after_ms,
            "details": get_public_details(fault),
        }
        return FaultResponse(error, error, message)


DIALECT = TasksDialect(_TABLE)
