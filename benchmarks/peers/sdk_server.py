"""Low-level server of the MCP SDK with one trivial tool: `python -m benchmarks.peers.sdk_server PORT`."""

from __future__ import annotations

from typing import Any

from mcp import types
from mcp.server.lowlevel import Server

from benchmarks.peers.serving import serve
from benchmarks.wire import TOOL

TOOLS = [types.Tool(name=TOOL, description="Answers at once.", input_schema={"type": "object"})]


async def list_tools(context: Any, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    return types.ListToolsResult(tools=TOOLS)


async def call_tool(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text="ok")], structured_content={"ok": True})


def build() -> Any:
    # Without cached schemas, the SDK lists all tools on every call.
    server: Server[Any] = Server(
        "bare",
        version="1",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        get_tool_input_schema={tool.name: tool.input_schema for tool in TOOLS}.get,
    )
    return server.streamable_http_app(stateless_http=True, json_response=False)


if __name__ == "__main__":
    serve(build())
