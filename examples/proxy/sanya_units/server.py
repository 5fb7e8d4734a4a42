"""An MCP server as people run them: two tools on standard input and output, written with the protocol's own SDK."""

import asyncio
import json

from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

FACTORS = {"km": 1000.0, "m": 1.0, "mile": 1609.344, "วา": 2.0, "ศอก": 0.5, "เส้น": 40.0}
UNIT = {"type": "string", "enum": list(FACTORS)}
CONVERT = types.Tool(
    name="convert",
    description="Converts a length, Thai units included.",
    input_schema={
        "type": "object",
        "properties": {"value": {"type": "number"}, "fromUnit": UNIT, "toUnit": UNIT},
        "required": ["value", "fromUnit", "toUnit"],
    },
    output_schema={"type": "object", "properties": {"value": {"type": "number"}}, "required": ["value"]},
    annotations=types.ToolAnnotations(read_only_hint=True, open_world_hint=False),
)
LIST = types.Tool(name="list-units", description="Lists the units.", input_schema={"type": "object", "properties": {}})


async def list_tools(_, __):
    return types.ListToolsResult(tools=[CONVERT, LIST])


async def call_tool(_, params):
    if params.name == "list-units":
        text = json.dumps(list(FACTORS), ensure_ascii=False)
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)])
    given = params.arguments
    value = given["value"] * FACTORS[given["fromUnit"]] / FACTORS[given["toUnit"]]
    said = types.TextContent(type="text", text=str(value))
    return types.CallToolResult(content=[said], structured_content={"value": value})


async def main():
    server = Server("units", version="1", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(main())
