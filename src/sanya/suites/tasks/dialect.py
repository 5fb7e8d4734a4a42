"""How the tasks contract words its faults: one flat object with seven codes."""

from __future__ import annotations

from typing import Any

from sanya.kernel.dialect import CodeTable, McpParts, Worded, plain_parts, shown_details, shown_message
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


class TasksDialect:
    codes = _TABLE.codes
    stamp_in_body = False

    def code_of(self, fault: type[Fault]) -> str:
        return _TABLE.code_of(fault)

    def word(self, fault: Fault, tool: Tool | None) -> Worded:  # noqa: ARG002 - the same words for every tool
        message = shown_message(fault)
        error = {
            "code": self.code_of(type(fault)),
            "message": message,
            "retry_after_ms": fault.retry_after_ms,
            "details": shown_details(fault),
        }
        return Worded(error, error, message)

    def mcp_parts(self, body: dict[str, Any]) -> McpParts:
        return plain_parts(body)

    def mcp_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        return schema


DIALECT = TasksDialect()
