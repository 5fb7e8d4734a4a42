"""Builds the results of `tools/list`, `resources/list` and `prompts/list`, the same for every caller.

Hosts put every tool into the model's context, so an agent's list has a budget of tokens. Names, descriptions and
arguments are always whole. If they do not fit, the tools of specialists are left out, which `more_tools` reaches. What
is left of the budget goes to the schemas of answers: its main fields, then all names, then types and deeper fields,
as far as it goes.
An agent's list has icons only where a few suites leave room for them, because no model sees them.

A list in Thai is the English one with other words, so it has the same tools and schemas and is longer than the budget.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import orjson
from mcp import types

from sanya.kernel.contracts.catalogue import Catalogue
from sanya.kernel.contracts.suite import Prompt, Resource
from sanya.kernel.contracts.tool import Tool
from sanya.surfaces.mcp.listing.icons import find_icons
from sanya.surfaces.mcp.listing.schemas import iter_output_schemas, trim_input_schema
from sanya.surfaces.mcp.listing.server_tools import describe_server_tools
from sanya.surfaces.mcp.listing.token_estimates import estimate_tokens
from sanya.surfaces.mcp.listing.tool_names import ToolNames
from sanya.surfaces.mcp.listing.toolsets import EVERY_TOOL, Toolset
from sanya.surfaces.tool_texts import ListingLanguage, read_resource_text, read_tool_text

MAX_LIST_TOKENS = 6_000
"""The budget of an agent's list."""
MAX_TOOL_TOKENS = 650
"""The budget of a tool in the other lists, which are as long as somebody asked for."""
_LEAST_SCHEMA_TOKENS = 30
"""Room that an icon leaves for the fields of the answer."""
_ENVELOPE_TOKENS = 55
"""What the older and the newer era put around the list."""


def list_tools(catalogue: Catalogue, *, portable: bool = False, toolset: Toolset = EVERY_TOOL) -> types.ListToolsResult:
    names = ToolNames(catalogue.tools, portable=portable)
    chosen = choose_tools(catalogue, toolset)
    unlisted = find_unlisted(catalogue, toolset)
    described = [_describe_tool(tool, names) for tool in chosen]
    own = describe_server_tools(catalogue, names, unlisted)
    if toolset.audience == "agent":
        budget = MAX_LIST_TOKENS - _ENVELOPE_TOKENS - _count_tokens(own)
        _add_output_schemas(chosen, described, budget - _count_tokens(described))
        _add_icons(chosen, described, budget - _count_tokens(described))
    else:
        for tool, descriptor in zip(chosen, described, strict=True):
            _add_icons([tool], [descriptor], MAX_TOOL_TOKENS - _LEAST_SCHEMA_TOKENS - _count_tokens([descriptor]))
            _add_output_schemas([tool], [descriptor], MAX_TOOL_TOKENS - _count_tokens([descriptor]))
    if toolset.language != "en":
        for tool, descriptor in zip(chosen, described, strict=True):
            descriptor.update(_describe_words(tool, names, toolset.language))
        own = describe_server_tools(catalogue, names, unlisted, toolset.language)
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


def list_resources(resources: Iterable[Resource], language: ListingLanguage = "en") -> types.ListResourcesResult:
    return types.ListResourcesResult(
        resources=[
            types.Resource(uri=resource.uri, **_describe_resource(resource, language))
            for resource in resources
            if not resource.is_template
        ]
    )


def list_templates(
    resources: Iterable[Resource], language: ListingLanguage = "en"
) -> types.ListResourceTemplatesResult:
    return types.ListResourceTemplatesResult(
        resource_templates=[
            types.ResourceTemplate(uri_template=resource.uri, **_describe_resource(resource, language))
            for resource in resources
            if resource.is_template
        ]
    )


def list_prompts(prompts: Iterable[Prompt], names: ToolNames) -> types.ListPromptsResult:
    return types.ListPromptsResult(prompts=[_describe_prompt(prompt, names) for prompt in prompts])


def _describe_tool(tool: Tool, names: ToolNames) -> dict[str, Any]:
    descriptor: dict[str, Any] = {
        "name": names.choose(tool),
        **_describe_words(tool, names, "en"),
        "annotations": _describe_effect(tool),
    }
    if tool.meta:
        descriptor["_meta"] = dict(tool.meta)
    return descriptor


def _describe_words(tool: Tool, names: ToolNames, language: ListingLanguage) -> dict[str, Any]:
    """Return the parts of a descriptor that have words."""
    text = read_tool_text(tool, language)
    schema = trim_input_schema(text.input_schema)
    return {
        "title": text.title,
        "description": names.write(text.description),
        "inputSchema": orjson.loads(names.write(orjson.dumps(schema).decode("utf-8"))),
    }


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


def _add_icons(tools: Sequence[Tool], descriptors: Sequence[dict[str, Any]], room: int) -> None:
    """Add the icons of all tools, or none if there is no room for all."""
    icons = [[icon.model_dump(by_alias=True, exclude_none=True) for icon in find_icons(tool.suite)] for tool in tools]
    if sum(_count_tokens({"icons": own}) for own in icons) <= room:
        for descriptor, own in zip(descriptors, icons, strict=True):
            descriptor["icons"] = own


def _add_output_schemas(tools: Sequence[Tool], descriptors: Sequence[dict[str, Any]], room: int) -> None:
    """Add the schemas of answers, all of them step by step deeper while there is room, the smallest steps first."""
    schemas = [list(iter_output_schemas(tool)) for tool in tools]
    sizes = [[_count_tokens({"outputSchema": schema}) for schema in deeper] for deeper in schemas]
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


def _describe_resource(resource: Resource, language: ListingLanguage) -> dict[str, Any]:
    title, description = read_resource_text(resource, language)
    return {
        "name": resource.name,
        "title": title,
        "description": description,
        "mime_type": resource.mime_type,
        "icons": find_icons(resource.suite),
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
        icons=find_icons(prompt.suite),
    )


def _join_languages(english: str, thai: str, between: str) -> str:
    """Join both languages, because the protocol has one title and one description for all readers."""
    return f"{english}{between}{thai}" if thai else english
