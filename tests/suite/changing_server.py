"""An MCP server on standard input and output whose tools stand in a JSON file: `python changing_server.py TOOLS.json`.

A test changes the file to see what becomes of a proxy in front of it.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

FILE = Path(sys.argv[1])


async def list_tools(_: Any, __: Any) -> types.ListToolsResult:
    return types.ListToolsResult(
        tools=[types.Tool.model_validate(tool) for tool in json.loads(FILE.read_text("utf-8"))], ttl_ms=0
    )


async def call_tool(ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    arguments = params.arguments or {}
    match params.name:
        case "stop":
            os._exit(3)
        case "wait":
            await asyncio.Event().wait()
        case "fail":
            return types.CallToolResult(
                content=[types.TextContent(type="text", text="the disk is full")], is_error=True
            )
        case "promise":
            return types.CallToolResult(content=[], structured_content={"total": arguments["given"]})
        case "progress":
            await ctx.session.report_progress(1, 2, "half")
    text = json.dumps({"tool": params.name, "arguments": arguments}, ensure_ascii=False)
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)])


async def get_prompt(_: Any, params: types.GetPromptRequestParams) -> types.GetPromptResult:
    said = types.TextContent(type="text", text=f"Greet {(params.arguments or {})['name']}.")
    return types.GetPromptResult(
        messages=[
            types.PromptMessage(role="user", content=said),
            types.PromptMessage(role="assistant", content=types.TextContent(type="text", text="With pleasure.")),
        ]
    )


async def list_prompts(_: Any, __: Any) -> types.ListPromptsResult:
    argument = types.PromptArgument(name="name", description="Whom to greet", required=True)
    return types.ListPromptsResult(prompts=[types.Prompt(name="greet", arguments=[argument])], ttl_ms=0)


async def list_resources(_: Any, __: Any) -> types.ListResourcesResult:
    dot = types.Resource(uri="file:///dot.png", name="dot", mime_type="image/png")
    page = types.Resource(uri="memo://hello", name="hello", mime_type="text/plain")
    return types.ListResourcesResult(resources=[dot, page], ttl_ms=0)


async def read_resource(_: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
    if params.uri == "file:///dot.png":
        contents: Any = types.BlobResourceContents(uri=params.uri, blob="iVBORw==", mime_type="image/png")
    else:
        contents = types.TextResourceContents(uri=params.uri, text="sawasdee", mime_type="text/plain")
    return types.ReadResourceResult(contents=[contents], ttl_ms=0)


async def main() -> None:
    server: Server[Any] = Server(
        "changing",
        version="1",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_get_prompt=get_prompt,
        on_list_prompts=list_prompts,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
    )
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(main())
