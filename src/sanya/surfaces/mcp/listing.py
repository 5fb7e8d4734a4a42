"""Builds the results of `tools/list`, `resources/list` and `prompts/list`, the same for every caller.

Hosts put every tool into the model's context, so an agent's list has a budget of tokens. Names, descriptions and
arguments are always whole. If they do not fit, the tools of specialists are left out, which `more_tools` reaches. What
is left of the budget goes to the schemas of answers: those of all tools one step deeper, as long as there is room.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import orjson
from mcp import types

from sanya.kernel.catalogue import Catalogue
from sanya.kernel.suite import Prompt, Resource
from sanya.kernel.tool import Tool
from sanya.surfaces.mcp.listed_schemas import iter_output_schemas, trim_input_schema
from sanya.surfaces.mcp.server_tools import describe_server_tools
from sanya.surfaces.mcp.token_estimates import estimate_tokens
from sanya.surfaces.mcp.tool_names import ToolNames
from sanya.surfaces.mcp.toolsets import EVERY_TOOL, Toolset

MAX_LIST_TOKENS = 6_000
"""The budget of an agent's list."""
MAX_TOOL_TOKENS = 600
"""The budget of a tool in the other lists, which are as long as somebody asked for."""
_ENVELOPE_TOKENS = 100
"""What the older and the newer era put around the list."""


def list_tools(catalogue: Catalogue, *, portable: bool = False, toolset: Toolset = EVERY_TOOL) -> types.ListToolsResult:
    names = ToolNames(catalogue.tools, portable=portable)
    chosen = choose_tools(catalogue, toolset)
    unlisted = find_unlisted(catalogue, toolset)
    described = [_describe_tool(tool, names) for tool in chosen]
    own = describe_server_tools(catalogue, names, unlisted)
    if toolset.audience == "agent":
        _add_output_schemas(chosen, described, MAX_LIST_TOKENS - _ENVELOPE_TOKENS - _count_tokens([*described, *own]))
    else:
        for tool, descriptor in zip(chosen, described, strict=True):
            _add_output_schemas([tool], [descriptor], MAX_TOOL_TOKENS - _count_tokens([descriptor]))
    return types.ListToolsResult(tools=[types.Tool.model_validate(descriptor) for descriptor in [*described, *own]])


def choose_tools(catalogue: Catalogue, toolset: Toolset) -> list[Tool]:
    """Return the tools of a list: an agent's without those of specialists where the list would be too long."""
    chosen = toolset.choose_tools(catalogue)
    if toolset.audience != "agent":
        return chosen
    names = ToolNames(catalogue.tools, portable=False)
    if _count_tokens([_describe_tool(tool, names) for tool in chosen]) <= MAX_LIST_TOKENS * 2 // 3:
        return chosen
    return [tool for tool in chosen if not tool.specialist]


def find_unlisted(catalogue: Catalogue, toolset: Toolset) -> list[Tool]:
    """Return the tools of specialists that an agent's list leaves out, but for those that change data."""
    if toolset.audience != "agent":
        return []
    listed = {tool.name for tool in choose_tools(catalogue, toolset)}
    return [tool for tool in toolset.choose_tools(catalogue) if tool.name not in listed and tool.effect == "read"]


def list_resources(resources: Iterable[Resource]) -> types.ListResourcesResult:
    return types.ListResourcesResult(
        resources=[
            types.Resource(uri=resource.uri, **_describe_resource(resource))
            for resource in resources
            if not resource.is_template
        ]
    )


def list_templates(resources: Iterable[Resource]) -> types.ListResourceTemplatesResult:
    return types.ListResourceTemplatesResult(
        resource_templates=[
            types.ResourceTemplate(uri_template=resource.uri, **_describe_resource(resource))
            for resource in resources
            if resource.is_template
        ]
    )


def list_prompts(prompts: Iterable[Prompt], names: ToolNames) -> types.ListPromptsResult:
    return types.ListPromptsResult(prompts=[_describe_prompt(prompt, names) for prompt in prompts])


def _describe_tool(tool: Tool, names: ToolNames) -> dict[str, Any]:
    schema = trim_input_schema(tool.input_schema)
    descriptor: dict[str, Any] = {
        "name": names.choose(tool),
        "title": tool.title,
        "description": names.write(tool.description),
        "inputSchema": orjson.loads(names.write(orjson.dumps(schema).decode("utf-8"))),
        "annotations": _describe_effect(tool),
    }
    if tool.meta:
        descriptor["_meta"] = dict(tool.meta)
    return descriptor


def _describe_effect(tool: Tool) -> dict[str, bool]:
    """Return the hints. Of a tool that only reads, the protocol asks nothing about destroying and repeating."""
    if tool.effect == "read":
        return {"readOnlyHint": True, "openWorldHint": tool.open_world}
    return {
        "readOnlyHint": False,
        "destructiveHint": tool.destructive,
        "idempotentHint": tool.idempotent,
        "openWorldHint": tool.open_world,
    }


def _add_output_schemas(tools: Sequence[Tool], descriptors: Sequence[dict[str, Any]], room: int) -> None:
    """Add the schemas of answers, all of them step by step deeper while there is room, the smallest steps first."""
    schemas = [list(iter_output_schemas(tool.dialect.to_mcp_schema(tool.output_schema))) for tool in tools]
    sizes = [[_count_tokens(schema) for schema in deeper] for deeper in schemas]
    steps = sorted(
        (depth, size - (own[depth - 1] if depth else 0), index)
        for index, own in enumerate(sizes)
        for depth, size in enumerate(own)
    )
    reached = [-1] * len(tools)
    for depth, size, index in steps:
        if size <= room and reached[index] == depth - 1:
            room -= size
            reached[index] = depth
            descriptors[index]["outputSchema"] = schemas[index][depth]


def _count_tokens(value: Any) -> int:
    return estimate_tokens(orjson.dumps(value).decode("utf-8"))


def _describe_resource(resource: Resource) -> dict[str, Any]:
    return {
        "name": resource.name,
        "title": resource.title,
        "description": resource.description,
        "mime_type": resource.mime_type,
        "_meta": dict(resource.meta) or None,
    }


def _describe_prompt(prompt: Prompt, names: ToolNames) -> types.Prompt:
    arguments = [
        types.PromptArgument(name=argument.name, description=argument.description, required=argument.required)
        for argument in prompt.arguments
    ]
    return types.Prompt(
        name=prompt.name,
        title=_join_languages(prompt.title, prompt.title_th, " · "),
        description=names.write(_join_languages(prompt.description, prompt.description_th, " ")),
        arguments=arguments or None,
    )


def _join_languages(english: str, thai: str, between: str) -> str:
    """Join both languages, because the protocol has one title and one description for all readers."""
    return f"{english}{between}{thai}" if thai else english
