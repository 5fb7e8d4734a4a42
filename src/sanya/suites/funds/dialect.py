"""How the funds contract words its faults (each with a hint of what to do), and how its three-part body lies in MCP."""

from __future__ import annotations

from typing import Any

from sanya.kernel.dialect import CodeTable, McpParts, TabledDialect, Worded, shown_details, shown_message
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
    "INTERNAL_ERROR": "Try again; if it stays, give the error_id to whoever runs this server.",
    "UNAUTHORIZED": "Ask whoever runs this server for a key with the scope that is needed.",
    "RATE_LIMITED": "Wait for retry_after_ms, then call again.",
    "TIMEOUT": "Ask for less (a smaller page, fewer funds) or try again.",
    "UNAVAILABLE": "Try again in a moment.",
}


class FundsDialect(TabledDialect):
    def word(self, fault: Fault, tool: Tool | None) -> Worded:  # noqa: ARG002 - the same words for every tool
        code = self.code_of(type(fault))
        message = shown_message(fault)
        error: dict[str, Any] = {"code": code, "message": message, "actionableHint": fault.hint or _HINTS[code]}
        details = dict(shown_details(fault))
        if fault.retry_after_ms is not None:
            details["retry_after_ms"] = fault.retry_after_ms
        if details:
            error["details"] = details
        return Worded(error, {"error": error}, message)

    def mcp_parts(self, body: dict[str, Any]) -> McpParts:
        """The contract already speaks MCP: its sentence, its structure and its `_meta` go where they are named for."""
        sentences = [part["text"] for part in body["content"] if part["type"] == "text"]
        return McpParts("\n".join(sentences), body["structuredContent"], body["_meta"])

    def mcp_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        structured: dict[str, Any] = schema["properties"]["structuredContent"]
        return structured


DIALECT = FundsDialect(_TABLE)
