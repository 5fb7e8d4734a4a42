"""Sources of `sanya suite new --from`: an OpenAPI file, a JSON Schema, a list of tools, or a running MCP server."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from sanya.kernel.faults import Fault
from sanya.suite.schema_tidying import merge_parts, tidy_input, tidy_output, write_in_words
from sanya.suite.servers import McpServerAddress, ServerListing
from sanya.surfaces.cli.failures import CommandFailed

if TYPE_CHECKING:
    from sanya.assembly.guests import ServerOpener

_METHODS = ("get", "put", "post", "delete", "patch")
_NO_SCHEMA: dict[str, Any] = {
    "properties": {"done": {"type": "boolean", "description": "True once it is done"}},
    "required": ["done"],
}
_MAX_INHERITED = 10
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class ToolSketch:
    """A tool to be written: its contract without a handler. `name` is an identifier."""

    name: str
    title: str
    description: str
    is_read: bool
    input: Mapping[str, Any]
    output: Mapping[str, Any]


def is_file_source(source: str) -> bool:
    return not source.startswith(("http://", "https://")) and Path(source).suffix == ".json"


def read_address(source: str) -> McpServerAddress:
    """Return the server that a URL or a command line names."""
    if source.startswith(("http://", "https://")):
        return McpServerAddress(url=source)
    command = shlex.split(source)
    if not command:
        raise CommandFailed("--from is empty; name a JSON file, a URL or a command line")
    return McpServerAddress(command=command)


async def fetch_listing(name: str, address: McpServerAddress, open_server: ServerOpener) -> ServerListing:
    server = open_server(name, address)
    try:
        return await server.list_all()
    except Fault as fault:
        raise CommandFailed(fault.message) from None
    finally:
        await server.close()


def read_listed_tools(listing: ServerListing) -> list[ToolSketch]:
    return [_read_tool(tool) for tool in listing.tools]


def read_sketches(file: Path) -> list[ToolSketch]:
    """Return the tools that a JSON file describes: OpenAPI operations, a list of tools, or a schema of one input."""
    document = _read_document(file)
    if "openapi" in document:
        sketches = [*_read_operations(document)]
    elif isinstance(document.get("tools"), list):
        sketches = [_read_tool(tool) for tool in document["tools"] if isinstance(tool, Mapping) and "name" in tool]
    elif document.get("type") == "object" or "properties" in document or "$ref" in document:
        sketches = [_read_schema(document, file.stem)]
    else:
        raise CommandFailed(
            f"{file} is neither an OpenAPI 3 file nor a JSON Schema of an object nor an object with `tools`"
        )
    if not sketches:
        raise CommandFailed(f"{file} has no operation that could become a tool")
    return _make_names_unique(sketches)


def _read_document(file: Path) -> Mapping[str, Any]:
    try:
        document = orjson.loads(file.read_bytes())
    except OSError as error:
        raise CommandFailed(f"{file} cannot be read: {error.strerror}") from None
    except orjson.JSONDecodeError as error:
        raise CommandFailed(f"{file} is not JSON: {error}. A YAML file must be converted first.") from None
    if not isinstance(document, Mapping):
        raise CommandFailed(f"{file} must hold a JSON object")
    if "swagger" in document:
        raise CommandFailed(f"{file} is Swagger 2; convert it to OpenAPI 3 first")
    return document


def _read_tool(listed: Mapping[str, Any]) -> ToolSketch:
    name = str(listed["name"])
    hints = listed.get("annotations") or {}
    return ToolSketch(
        name=to_identifier(name),
        title=str(listed.get("title") or hints.get("title") or write_in_words(name)),
        description=str(listed.get("description") or write_in_words(name)),
        is_read=bool(hints.get("readOnlyHint")),
        input=tidy_input(listed.get("inputSchema") or {}),
        output=tidy_output(listed.get("outputSchema") or _NO_SCHEMA),
    )


def _read_schema(schema: Mapping[str, Any], stem: str) -> ToolSketch:
    title = str(schema.get("title") or write_in_words(stem))
    description = str(schema.get("description") or f"Takes {title}.")
    name = to_identifier(title)
    return ToolSketch(name, title, description, False, tidy_input(schema), tidy_output(_NO_SCHEMA))


def _read_operations(document: Mapping[str, Any]) -> Iterator[ToolSketch]:
    for path, item in document.get("paths", {}).items():
        shared = item.get("parameters", [])
        for method in _METHODS:
            operation = item.get(method)
            if isinstance(operation, Mapping):
                yield _read_operation(document, path, method, {**operation, "shared": shared})


def _read_operation(document: Mapping[str, Any], path: str, method: str, operation: Mapping[str, Any]) -> ToolSketch:
    name = str(operation.get("operationId") or f"{method} {path}")
    summary = str(operation.get("summary") or "")
    return ToolSketch(
        name=to_identifier(name),
        title=summary or write_in_words(name),
        description=str(operation.get("description") or summary or f"{method.upper()} {path}"),
        is_read=method == "get",
        input=_build_operation_input(document, operation),
        output=_build_operation_output(document, operation),
    )


def _build_operation_input(document: Mapping[str, Any], operation: Mapping[str, Any]) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    required: list[str] = []
    for listed in (*operation["shared"], *operation.get("parameters", [])):
        parameter = _resolve(document, listed)
        if parameter.get("in") in ("path", "query"):
            described = {"description": parameter["description"]} if "description" in parameter else {}
            properties[parameter["name"]] = {**parameter.get("schema", {}), **described}
            required += [parameter["name"]] if parameter.get("required") else []
    body = _resolve(document, operation.get("requestBody", {}))
    schema = _resolve_object(document, _find_json_schema(body))
    if schema.get("properties"):
        properties |= schema["properties"]
        required += schema.get("required", [])
    elif schema:
        properties["body"] = schema
        required += ["body"] if body.get("required") else []
    return tidy_input({**_keep_definitions(document), "properties": properties, "required": sorted(set(required))})


def _build_operation_output(document: Mapping[str, Any], operation: Mapping[str, Any]) -> dict[str, Any]:
    responses = operation.get("responses", {})
    success: Mapping[str, Any] = next(
        (responses[status] for status in sorted(responses) if str(status).startswith("2")), {}
    )
    schema = _resolve_object(document, _find_json_schema(_resolve(document, success)))
    if not schema:
        schema = _NO_SCHEMA
    elif schema.get("type") == "array":
        schema = {"properties": {"items": schema}, "required": ["items"]}
    elif "properties" not in schema:
        schema = {"properties": {"result": schema}, "required": ["result"]}
    return tidy_output({**_keep_definitions(document), **schema})


def _keep_definitions(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return what references lead to. Tidying drops it again from the schema."""
    return {"components": document.get("components", {})}


def _find_json_schema(holder: Mapping[str, Any]) -> Mapping[str, Any]:
    content = holder.get("content", {})
    found: Mapping[str, Any] = next(
        (media.get("schema", {}) for kind, media in content.items() if kind.partition(";")[0].endswith("json")), {}
    )
    return found


def _resolve(document: Mapping[str, Any], node: Mapping[str, Any]) -> Mapping[str, Any]:
    seen = 0
    while isinstance(reference := node.get("$ref"), str) and reference.startswith("#/") and seen < 20:
        target: Any = document
        for part in reference[2:].split("/"):
            target = target.get(part.replace("~1", "/").replace("~0", "~"), {})
        node, seen = target, seen + 1
    return node


def _resolve_object(document: Mapping[str, Any], node: Mapping[str, Any], depth: int = 0) -> Mapping[str, Any]:
    """Return the schema that a reference leads to, with the parts that it inherits."""
    schema = _resolve(document, node)
    if not isinstance(schema.get("allOf"), list) or depth > _MAX_INHERITED:
        return schema
    return merge_parts({**schema, "allOf": [_resolve_object(document, part, depth + 1) for part in schema["allOf"]]})


def to_identifier(name: str) -> str:
    words = re.split(r"[^A-Za-z0-9]+", _HUMP.sub("_", name))
    found = "_".join(filter(None, words)).lower()
    return found if found[:1].isalpha() else f"tool_{found}"


def _make_names_unique(sketches: list[ToolSketch]) -> list[ToolSketch]:
    names = [sketch.name for sketch in sketches]
    if doubled := sorted({name for name in names if names.count(name) > 1}):
        raise CommandFailed(f"two tools would be called {doubled[0]}; give their operations different names")
    return sketches
