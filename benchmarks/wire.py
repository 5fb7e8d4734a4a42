"""Requests that the benchmarks send: `tools/call` of the latest protocol revision."""

from __future__ import annotations

from typing import Any

import orjson
from mcp.types import CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, PROTOCOL_VERSION_META_KEY
from mcp.types.version import LATEST_MODERN_VERSION

TOOL = "get_tasks"
ARGUMENTS = {"limit": 1}


def build_call_body(tool: str = TOOL, arguments: dict[str, Any] | None = None) -> bytes:
    meta = {
        PROTOCOL_VERSION_META_KEY: LATEST_MODERN_VERSION,
        CLIENT_INFO_META_KEY: {"name": "benchmark", "version": "1"},
        CLIENT_CAPABILITIES_META_KEY: {},
    }
    given = ARGUMENTS if arguments is None else arguments
    params: dict[str, Any] = {"name": tool, "arguments": given, "_meta": meta}
    return orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})


def build_call_request(port: int, path: str = "/mcp") -> bytes:
    return build_tool_request(port, TOOL, ARGUMENTS, path)


def build_tool_request(port: int, tool: str, arguments: dict[str, Any], path: str = "/mcp") -> bytes:
    body = build_call_body(tool, arguments)
    lines = (
        f"POST {path} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Content-Type: application/json",
        "Accept: application/json, text/event-stream",
        f"MCP-Protocol-Version: {LATEST_MODERN_VERSION}",
        "Mcp-Method: tools/call",
        f"Mcp-Name: {tool}",
        f"Content-Length: {len(body)}",
    )
    return "\r\n".join(lines).encode("ascii") + b"\r\n\r\n" + body
