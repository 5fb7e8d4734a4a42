"""Builds the results of `tools/list`, `resources/list` and `prompts/list`, the same for every caller.

A tool descriptor has a token budget, because hosts put every descriptor into the model's context. Names, descriptions
and arguments are always complete. The output schema goes in as deep as the budget allows; the published contract
has it in full.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import orjson
from mcp import types

from sanya.kernel.catalogue import Catalogue
from sanya.kernel.shapes import NO_NUL
from sanya.kernel.suite import Prompt, Resource
from sanya.kernel.tool import Tool
from sanya.surfaces.mcp.token_estimates import estimate_bytes
from sanya.surfaces.mcp.tool_names import choose_listed_name, write_portable_names
from sanya.surfaces.mcp.toolsets import EVERY_TOOL, Toolset

MAX_TOOL_TOKENS = 700
_DEEPEST = 6
_PROSE = ("description", "examples", "default")
_IMPLIED: tuple[tuple[str, object], ...] = (
    ("default", None),
    ("pattern", NO_NUL),
    ("additionalProperties", False),
    ("default", []),
)
_UNSHOWN = ("minLength", "maxLength")


def list_tools(catalogue: Catalogue, *, portable: bool, toolset: Toolset = EVERY_TOOL) -> types.ListToolsResult:
    chosen = toolset.choose_tools(catalogue)
    listed = [_describe_tool(tool, choose_listed_name(tool, portable=portable)) for tool in chosen]
    if portable:
        for tool in listed:
            tool.description = write_portable_names(tool.description or "", catalogue.tools)
    return types.ListToolsResult(tools=listed)


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


def list_prompts(prompts: Iterable[Prompt]) -> types.ListPromptsResult:
    return types.ListPromptsResult(prompts=[_describe_prompt(prompt) for prompt in prompts])


def _describe_tool(tool: Tool, name: str) -> types.Tool:
    descriptor: dict[str, Any] = {
        "name": name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": _drop_implied_keywords(tool.input_schema),
        "annotations": {
            "readOnlyHint": tool.effect == "read",
            "destructiveHint": tool.destructive,
            "idempotentHint": tool.effect == "read" or tool.idempotent,
            "openWorldHint": tool.open_world,
        },
    }
    if tool.meta:
        descriptor["_meta"] = dict(tool.meta)
    room = estimate_bytes(MAX_TOOL_TOKENS) - len(orjson.dumps(descriptor)) - len(b',"outputSchema":')
    for candidate in _iter_shallower(_relax_schema(tool.dialect.to_mcp_schema(tool.output_schema))):
        if len(orjson.dumps(candidate)) <= room:
            descriptor["outputSchema"] = candidate
            break
    return types.Tool.model_validate(descriptor)


def _drop_implied_keywords(schema: dict[str, Any]) -> dict[str, Any]:
    """Drop what a model need not know to fill an argument in, because every word of a listing costs tokens.

    Whoever leaves an argument out need not know that it may be null, and bounds on the length of a text are reported
    when they are broken. The published contract has the whole schema.
    """
    kept = {key: value for key, value in schema.items() if key not in _UNSHOWN and (key, value) not in _IMPLIED}
    if isinstance(kinds := kept.get("type"), list):
        named = [kind for kind in kinds if kind != "null"]
        kept["type"] = named[0] if len(named) == 1 else named
    if "enum" in kept:
        kept["enum"] = [choice for choice in kept["enum"] if choice is not None]
    if "properties" in kept:
        kept["properties"] = {name: _drop_implied_keywords(field) for name, field in kept["properties"].items()}
    if "items" in kept:
        kept["items"] = _drop_implied_keywords(kept["items"])
    return kept


def _relax_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Relax the output schema so that refusals match it too.

    A refusal is structured content as well, and the older era's TypeScript client throws where structured content does
    not match the output schema, even when the result is marked as an error.
    """
    return {keyword: value for keyword, value in schema.items() if keyword not in ("required", "additionalProperties")}


def _iter_shallower(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the schema, then ever shallower versions. Each accepts every value that the version before it accepts."""
    yield schema
    for depth in range(_DEEPEST, 0, -1):
        yield _clip(schema, depth)


def _clip(schema: dict[str, Any], depth: int) -> dict[str, Any]:
    """Remove prose, and everything but the type of whatever lies deeper than `depth`."""
    if depth == 0:
        return {"type": schema["type"]} if "type" in schema else {}
    clipped: dict[str, Any] = {}
    for keyword, value in schema.items():
        if keyword == "properties":
            clipped[keyword] = {name: _clip(field, depth - 1) for name, field in value.items()}
        elif keyword == "items":
            clipped[keyword] = _clip(value, depth)
        elif keyword in ("anyOf", "oneOf", "allOf"):
            clipped[keyword] = [_clip(branch, depth) for branch in value]
        elif keyword not in _PROSE:
            clipped[keyword] = value
    return clipped


def _describe_resource(resource: Resource) -> dict[str, Any]:
    return {
        "name": resource.name,
        "title": resource.title,
        "description": resource.description,
        "mime_type": resource.mime_type,
        "_meta": dict(resource.meta) or None,
    }


def _describe_prompt(prompt: Prompt) -> types.Prompt:
    arguments = [
        types.PromptArgument(name=argument.name, description=argument.description, required=argument.required)
        for argument in prompt.arguments
    ]
    return types.Prompt(
        name=prompt.name,
        title=_join_languages(prompt.title, prompt.title_th, " · "),
        description=_join_languages(prompt.description, prompt.description_th, " "),
        arguments=arguments or None,
    )


def _join_languages(english: str, thai: str, between: str) -> str:
    """Join both languages, because the protocol has one title and one description for all readers."""
    return f"{english}{between}{thai}" if thai else english
