"""Runs in the environment of one client library: calls the server as an agent does, and prints what a model is handed.

`python visit.py fastmcp http://127.0.0.1:8787/mcp/portable` or `python visit.py fastmcp -- sanya mcp`. Sanya is not
installed there.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any

SEARCH = ("tool_hybrid_search", {"query": "ขมิ้นชัน", "top_k": 2, "detail": "short"})
CHECK = ("tool_find_contraindications", {"herb_ids": ["โกฐ"], "drugs": ["warfarin"], "detail": "short"})
CHOICE: dict[str, Any] = {"herb_ids:โกฐ": "angelica-sinensis"}

PATIENCE_S = 120.0
ENV = dict(os.environ)
Target = str | list[str]
Visit = Callable[[Target, list[str]], Awaitable[dict[str, Any]]]


async def visit_mcp(target: Target, asked: list[str]) -> dict[str, Any]:
    from mcp import Client, StdioServerParameters, types

    async def choose(context: Any, params: Any) -> Any:
        asked.append(params.message)
        return types.ElicitResult(action="accept", content=CHOICE)

    server = target if isinstance(target, str) else StdioServerParameters(command=target[0], args=target[1:], env=ENV)
    async with Client(server, elicitation_callback=choose) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        return read_results(tools, *[await client.call_tool(name, given) for name, given in (SEARCH, CHECK)])


async def visit_fastmcp(target: Target, asked: list[str]) -> dict[str, Any]:
    from fastmcp import Client
    from fastmcp.client.elicitation import ElicitResult
    from fastmcp.client.transports import StdioTransport

    async def choose(message: str, *_: Any) -> Any:
        asked.append(message)
        return ElicitResult(action="accept", content=CHOICE)

    server = target if isinstance(target, str) else StdioTransport(target[0], target[1:], env=ENV)
    async with Client(server, elicitation_handler=choose) as client:
        tools = [tool.name for tool in await client.list_tools()]
        return read_results(tools, *[await client.call_tool(name, given) for name, given in (SEARCH, CHECK)])


async def visit_openai_agents(target: Target, asked: list[str]) -> dict[str, Any]:
    """It has no way to ask a person. What `MCPUtil` returns is what the model reads."""
    from agents.mcp import MCPServerStdio, MCPServerStreamableHttp, MCPUtil
    from agents.run_context import RunContextWrapper

    more: dict[str, Any] = {"client_session_timeout_seconds": PATIENCE_S}
    if isinstance(target, str):
        server: Any = MCPServerStreamableHttp({"url": target}, **more)
    else:
        server = MCPServerStdio({"command": target[0], "args": target[1:], "env": ENV}, **more)
    async with server:
        tools = {tool.name: tool for tool in await server.list_tools()}
        context: Any = RunContextWrapper(context=None)
        read = [
            await MCPUtil.invoke_mcp_tool(server, tools[name], context, json.dumps(given))
            for name, given in (SEARCH, CHECK)
        ]
    texts = [[item["text"] for item in (answer if isinstance(answer, list) else [answer])] for answer in read]
    links = [json.loads(text) for text in texts[0] if '"resource_link"' in text]
    return {"tools": list(tools), "text": texts[0][0], "links": [link["uri"] for link in links], "check": texts[1][0]}


async def visit_pydantic_ai(target: Target, asked: list[str]) -> dict[str, Any]:
    """A model made of a function makes the calls and reads the answers."""
    from fastmcp.client.elicitation import ElicitResult
    from fastmcp.client.transports import StdioTransport
    from pydantic_ai import Agent
    from pydantic_ai.mcp import MCPToolset
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
    from pydantic_ai.models.function import FunctionModel

    async def choose(message: str, *_: Any) -> Any:
        asked.append(message)
        return ElicitResult(action="accept", content=CHOICE)

    tools: list[str] = []
    read: list[Any] = []

    async def answer(messages: list[Any], info: Any) -> Any:
        tools[:] = [tool.name for tool in info.function_tools]
        returned = [part for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
        if not returned:
            return ModelResponse([ToolCallPart(name, given) for name, given in (SEARCH, CHECK)])
        by_tool = {part.tool_name: part.content for part in returned}
        read.extend(by_tool[name] for name, _ in (SEARCH, CHECK))
        return ModelResponse([TextPart("done")])

    server: Any = target if isinstance(target, str) else StdioTransport(target[0], target[1:], env=ENV)
    agent = Agent(
        FunctionModel(answer),
        toolsets=[MCPToolset(server, elicitation_handler=choose, init_timeout=PATIENCE_S, read_timeout=PATIENCE_S)],
    )
    await agent.run("go")
    found, *links = read[0] if isinstance(read[0], list) else [read[0]]
    checked = read[1][0] if isinstance(read[1], list) else read[1]
    return {"tools": tools, "text": json.dumps(found), "links": links, "check": json.dumps(checked)}


async def visit_langchain(target: Target, asked: list[str]) -> dict[str, Any]:
    from langchain_mcp_adapters.callbacks import Callbacks
    from langchain_mcp_adapters.client import MultiServerMCPClient
    from mcp.types import ElicitResult

    async def choose(_: Any, params: Any, __: Any) -> Any:
        asked.append(params.message)
        return ElicitResult(action="accept", content=CHOICE)

    if isinstance(target, str):
        connection: Any = {"transport": "streamable_http", "url": target}
    else:
        connection = {"transport": "stdio", "command": target[0], "args": target[1:], "env": ENV}
    client = MultiServerMCPClient({"sanya": connection}, callbacks=Callbacks(on_elicitation=choose))
    tools = {tool.name: tool for tool in await client.get_tools()}
    read = [
        await tools[name].ainvoke({"type": "tool_call", "id": name, "name": name, "args": given})
        for name, given in (SEARCH, CHECK)
    ]
    links = [part["url"] for part in read[0].content if part["type"] == "file"]
    texts = [message.content[0]["text"] for message in read]
    structured = (read[0].artifact or {}).get("structured_content") is not None
    return {"tools": list(tools), "text": texts[0], "links": links, "check": texts[1], "structured": structured}


def read_results(tools: list[str], search: Any, check: Any) -> dict[str, Any]:
    return {
        "tools": tools,
        "text": search.content[0].text,
        "links": [str(part.uri) for part in search.content if part.type == "resource_link"],
        "check": check.content[0].text,
        "structured": search.structured_content is not None,
    }


VISITS: dict[str, Visit] = {
    "mcp": visit_mcp,
    "fastmcp": visit_fastmcp,
    "openai-agents": visit_openai_agents,
    "pydantic-ai-slim": visit_pydantic_ai,
    "langchain-mcp-adapters": visit_langchain,
}


async def main(library: str, target: Target) -> None:
    asked: list[str] = []
    found = await VISITS[library](target, asked)
    print(json.dumps({"structured": False, **found, "asked": asked}))


if __name__ == "__main__":
    library, *target = sys.argv[1:]
    asyncio.run(main(library, target[1:] if target[0] == "--" else target[0]))
