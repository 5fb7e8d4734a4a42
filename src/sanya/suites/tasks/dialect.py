"""How the tasks contract words its faults: one flat object with seven codes."""

from __future__ import annotations

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


class TasksDialect(TabledDialect):
    def word(self, fault: Fault, tool: Tool | None) -> Worded:  # noqa: ARG002 - the same words for every tool
        message = shown_message(fault)
        error = {
            "code": self.code_of(type(fault)),
            "message": message,
            "retry_after_ms": fault.retry_after_ms,
            "details": shown_details(fault),
        }
        return Worded(error, error, message)


DIALECT = TasksDialect(_TABLE)
