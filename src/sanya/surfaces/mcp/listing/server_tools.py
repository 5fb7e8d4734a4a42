"""The tools of the MCP surface itself: `read_resource` and `more_tools`.

Other surfaces need neither, so they are in no contract. `read_resource` is for clients that show a model tools alone.
`more_tools` reaches the tools that an agent's list has no room for. Both end in the kernel: a call of `more_tools` is
the call of the tool that it names, with its scopes, its row in the ledger and its answer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import orjson
from mcp import MCPError, types

from sanya.kernel.contracts.catalogue import Catalogue
from sanya.kernel.contracts.tool import Tool
from sanya.kernel.strict_json import DuplicateName, parse_json
from sanya.surfaces.mcp.listing.schemas import iter_output_schemas, trim_input_schema
from sanya.surfaces.mcp.listing.tool_names import ToolNames
from sanya.surfaces.tool_texts import ListingLanguage, load_texts, read_tool_text, translate_schema

READ_RESOURCE = "read_resource"
MORE_TOOLS = "more_tools"
_SERVER_TOOLS = (READ_RESOURCE, MORE_TOOLS)
_SHOWN_CHARS = 64

CallTool = Callable[[str, Mapping[str, Any]], Awaitable[dict[str, Any]]]
ReadResource = Callable[[str], Awaitable[types.ReadResourceResult]]


def describe_server_tools(
    catalogue: Catalogue, names: ToolNames, unlisted: Sequence[Tool], language: ListingLanguage = "en"
) -> list[dict[str, Any]]:
    """Describe those that have something to reach, unless a suite has a tool of that name."""
    described = []
    if catalogue.resources:
        described.append(
            _translate_tool(_describe_read_resource(catalogue), language, example=_find_template(catalogue))
        )
    if unlisted:
        reached = [names.choose(tool) for tool in unlisted]
        described.append(
            _translate_tool(_describe_more_tools(reached), language, example=reached[0], tools=", ".join(reached))
        )
    return [tool for tool in described if catalogue.find_tool(tool["name"]) is None]


def map_server_schemas(catalogue: Catalogue) -> dict[str, dict[str, Any]]:
    return {name: {"type": "object"} for name in _SERVER_TOOLS if catalogue.find_tool(name) is None}


class ServerTools:
    def __init__(self, catalogue: Catalogue, names: ToolNames, language: ListingLanguage = "en") -> None:
        self._catalogue = catalogue
        self._names = names
        self._language = language

    def has(self, name: str) -> bool:
        return name in _SERVER_TOOLS and self._catalogue.find_tool(name) is None

    async def call(self, name: str, arguments: Mapping[str, Any], call: CallTool, read: ReadResource) -> dict[str, Any]:
        if name == READ_RESOURCE:
            return await self._read_resource(arguments, read)
        return await self._reach_tool(arguments, call)

    async def _read_resource(self, arguments: Mapping[str, Any], read: ReadResource) -> dict[str, Any]:
        if problem := _find_unknown(arguments, _describe_read_resource(self._catalogue)):
            return _refuse(problem)
        uri = arguments.get("uri")
        if not isinstance(uri, str) or not uri:
            return _refuse(f"uri is required: the address of a resource, e.g. {_find_template(self._catalogue)}")
        try:
            result = await read(uri)
        except MCPError as error:
            return _refuse(self._names.write(error.error.message))
        contents = [content for content in result.contents if isinstance(content, types.TextResourceContents)]
        structured = {"uri": uri, "mimeType": contents[0].mime_type, "text": contents[0].text}
        return _build_result(contents[0].text, structured, dict(result.meta or {}))

    async def _reach_tool(self, arguments: Mapping[str, Any], call: CallTool) -> dict[str, Any]:
        name, given = arguments.get("tool"), arguments.get("arguments")
        if problem := _find_unknown(arguments, _describe_more_tools(["papers.cite"])):
            return _refuse(self._names.write(problem))
        if isinstance(given, str):
            given = _parse_object(given)
        if not name:
            return self._list_tools()
        tool = self._catalogue.find_tool(name) if isinstance(name, str) else None
        if tool is None:
            return _refuse(self._names.write(self._catalogue.suggest(str(name)[:_SHOWN_CHARS])))
        if tool.effect != "read":
            way = "The operator can list it with tools = all." if tool.operator else "Call it by its own name."
            return _refuse(f"{self._names.choose(tool)} changes data, and more_tools only reads. {way}")
        if given is None and tool.input_schema.get("properties"):
            return self._describe(tool)
        if not isinstance(given, dict | None):
            return _refuse('arguments must be an object, e.g. {"tool": "papers.related", "arguments": {"limit": 5}}')
        return await call(self._names.choose(tool), given or {})

    def _list_tools(self) -> dict[str, Any]:
        tools = [
            {
                "name": self._names.choose(tool),
                "description": self._names.write(read_tool_text(tool, self._language).description),
            }
            for tool in self._catalogue.tools
            if tool.effect == "read" and not tool.operator
        ]
        return _build_json_result({"tools": tools})

    def _describe(self, tool: Tool) -> dict[str, Any]:
        text = read_tool_text(tool, self._language)
        described = {
            "name": self._names.choose(tool),
            "description": self._names.write(text.description),
            "inputSchema": trim_input_schema(text.input_schema),
            "outputSchema": list(iter_output_schemas(tool))[-1],
            "examples": [dict(example.arguments) for example in tool.examples],
        }
        return _build_json_result(described)


def _translate_tool(descriptor: dict[str, Any], language: ListingLanguage, **names: str) -> dict[str, Any]:
    """Return the descriptor of one of these tools in the language."""
    if language == "en":
        return descriptor
    text = load_texts("server")["tools"][descriptor["name"]]
    arguments = {name: words.format(**names) for name, words in text["arguments"].items()}
    schema = translate_schema(descriptor["inputSchema"], arguments)
    description = text["description"].format(**names)
    return {**descriptor, "title": text["title"], "description": description, "inputSchema": schema}


def _describe_read_resource(catalogue: Catalogue) -> dict[str, Any]:
    return {
        "name": READ_RESOURCE,
        "title": "Read a resource",
        "description": "Reads a resource that an answer links to; it never fetches from the web.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "uri": {
                    "type": "string",
                    "description": f"Address of the link, like {_find_template(catalogue)}",
                }
            },
            "required": ["uri"],
        },
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
    }


def _describe_more_tools(reached: Sequence[str]) -> dict[str, Any]:
    return {
        "name": MORE_TOOLS,
        "title": "Further tools",
        "description": f"Calls a tool that is not listed: {', '.join(reached)}. It never changes data.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "tool": {"type": "string", "description": f"Its name, like {reached[0]}"},
                "arguments": {"type": "object", "description": "Left out: tells what it takes and answers"},
            },
        },
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
    }


def _find_template(catalogue: Catalogue) -> str:
    return next((resource.uri for resource in catalogue.resources if resource.is_template), "")


def _find_unknown(arguments: Mapping[str, Any], descriptor: dict[str, Any]) -> str:
    """Say what the tool does not take. The arguments of another tool go into `arguments`."""
    known = descriptor["inputSchema"]["properties"]
    unknown = [name[:_SHOWN_CHARS] for name in arguments if name not in known]
    if not unknown:
        return ""
    form = '; e.g. {"tool": "papers.cite", "arguments": {"doc_ids": ["pmid:12345"]}}' if "arguments" in known else ""
    return f"unknown argument {', '.join(unknown)}; {descriptor['name']} takes: {', '.join(known)}{form}"


def _parse_object(text: str) -> Any:
    try:
        return parse_json(text)
    except (orjson.JSONDecodeError, DuplicateName):
        return text


def _build_json_result(structured: dict[str, Any]) -> dict[str, Any]:
    return _build_result(orjson.dumps(structured).decode("utf-8"), structured, {})


def _build_result(
    text: str, structured: dict[str, Any], meta: dict[str, Any], *, is_error: bool = False
) -> dict[str, Any]:
    return {
        "content": [{"type": "text", "text": text}],
        "structuredContent": structured,
        "isError": is_error,
        "resultType": "complete",
        "_meta": meta,
    }


def _refuse(message: str) -> dict[str, Any]:
    return _build_result(message, {"code": "INVALID_ARGUMENT", "message": message}, {}, is_error=True)
