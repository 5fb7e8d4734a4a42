"""Low-level server of the MCP SDK with the tool of a one-file suite: `python -m benchmarks.peers.sdk_shout PORT`."""

from __future__ import annotations

from typing import Any

from mcp import types
from mcp.server.lowlevel import Server

from benchmarks.peers.serving import serve

TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
TOOLS = [types.Tool(name="shout", description="Returns the text in capitals.", input_schema=TEXT)]


async def list_tools(context: Any, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    return types.ListToolsResult(tools=TOOLS)


async def call_tool(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    text = (params.arguments or {})["text"].upper()
    return types.CallToolResult(content=[types.TextContent(text=text)], structured_content={"result": text})


if __name__ == "__main__":
    server: Server[Any] = Server(
        "bare",
        version="1",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        get_tool_input_schema={tool.name: tool.input_schema for tool in TOOLS}.get,
    )
    serve(server.streamable_http_app(stateless_http=True, json_response=False))
