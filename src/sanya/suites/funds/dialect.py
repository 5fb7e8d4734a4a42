"""The dialect of the funds contract: faults with a hint of what to do, and the MCP layout of its three-part body."""

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
    McpParts,
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
from sanya.suites.funds.staleness import describe_staleness

_TABLE = CodeTable(
    {
        InvalidArgument: "BAD_REQUEST",
        TooLarge: "BAD_REQUEST",
        NotFound: "NOT_FOUND",
        Fault: "INTERNAL_ERROR",
        Unauthorized: "UNAUTHORIZED",
        Forbidden: "UNAUTHORIZED",
        RateLimited: "RATE_LIMITED",
        DeadlineExceeded: "TIMEOUT",
        Cancelled: "TIMEOUT",
        Unavailable: "UNAVAILABLE",
        UpstreamFailed: "UNAVAILABLE",
    }
)
_HINTS = {
    "BAD_REQUEST": "Correct the argument that the message names and call again.",
    "NOT_FOUND": "Find a valid fund code with search_rmf_funds.",
    "INTERNAL_ERROR": "Try again; if the error persists, report the error_id to the operator of this server.",
    "UNAUTHORIZED": "Ask the operator of this server for a key with the required scope.",
    "RATE_LIMITED": "Wait for retry_after_ms, then call again.",
    "TIMEOUT": "Request less (a smaller page, fewer funds), or try again.",
    "UNAVAILABLE": "Try again in a moment.",
}


class FundsDialect(TableDialect):
    def render_fault(self, fault: Fault, tool: Tool | None) -> FaultResponse:  # noqa: ARG002 - the same words for every tool
        code = self.get_code(type(fault))
        message = get_public_message(fault)
        error: dict[str, Any] = {"code": code, "message": message, "actionableHint": fault.hint or _HINTS[code]}
        details = dict(get_public_details(fault))
        if fault.retry_after_ms is not None:
            details["retry_after_ms"] = fault.retry_after_ms
        if details:
            error["details"] = details
        return FaultResponse(error, {"error": error}, message)

    def to_mcp_parts(self, body: dict[str, Any]) -> McpParts:
        """Map content, structuredContent and `_meta` to the MCP fields of the same names."""
        sentences = [part["text"] for part in body["content"] if part["type"] == "text"]
        if age := describe_staleness(body):
            sentences.append(age)
        return McpParts("\n".join(sentences), body["structuredContent"], body["_meta"])

    def to_mcp_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        structured: dict[str, Any] = schema["properties"]["structuredContent"]
        return structured


DIALECT = FundsDialect(_TABLE)
