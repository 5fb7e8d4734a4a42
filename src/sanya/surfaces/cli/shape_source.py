"""Writes the Python source of shapes from JSON Schemas, and of tools from sketches."""

from __future__ import annotations

import keyword
import textwrap
from collections.abc import Mapping
from typing import Any

import orjson

from sanya.suite.schema_tidying import write_in_words
from sanya.surfaces.cli.suite_sources import ToolSketch, to_identifier

_HEAD = '''"""Shapes of the tools. A published field is never renamed or removed; new ones are optional."""

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from sanya.suite import Integer, Shape, Text
'''
_BOUNDS = {
    "minLength": "min_length",
    "maxLength": "max_length",
    "minimum": "ge",
    "maximum": "le",
    "exclusiveMinimum": "gt",
    "exclusiveMaximum": "lt",
    "minItems": "min_length",
    "maxItems": "max_length",
    "pattern": "pattern",
}
_PLAIN = {"string": "Text", "integer": "Integer", "number": "float", "boolean": "bool", "null": "None"}
_TAKEN = frozenset(("copy", "json", "schema", "validate", "construct", "dict"))


def write_contract(sketches: list[ToolSketch]) -> str:
    writer = _ShapeWriter()
    for sketch in sketches:
        writer.write_shape(f"{to_class_name(sketch.name)}Input", sketch.input)
        writer.write_shape(f"{to_class_name(sketch.name)}Answer", sketch.output)
    return _HEAD + "".join(f"\n\n{source}" for source in writer.classes.values())


def write_handlers(suite: str, sketches: list[ToolSketch]) -> str:
    return "\n".join(
        f"    async def {_to_variable(sketch.name)}(request: contract.{to_class_name(sketch.name)}Input, "
        f"context: Context) -> contract.{to_class_name(sketch.name)}Answer:\n"
        f'        raise Unavailable("{suite}.{sketch.name} is not written yet")\n'
        for sketch in sketches
    )


def write_tools(suite: str, sketches: list[ToolSketch]) -> str:
    return "\n".join(
        textwrap.indent(
            f"tool(\n"
            f'    name="{suite}.{sketch.name}",\n'
            f"    title={write_value(sketch.title)},\n"
            f"    description={write_value(sketch.description)},\n"
            f"    input=contract.{to_class_name(sketch.name)}Input,\n"
            f"    output=contract.{to_class_name(sketch.name)}Answer,\n"
            f"    handler={_to_variable(sketch.name)},\n" + ("" if sketch.is_read else '    effect="write",\n') + "),",
            " " * 12,
        )
        for sketch in sketches
    )


def to_class_name(name: str) -> str:
    return write_in_words(name).title().replace(" ", "")


def _to_variable(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) else name


class _ShapeWriter:
    def __init__(self) -> None:
        self.classes: dict[str, str] = {}

    def write_shape(self, name: str, schema: Mapping[str, Any], *, nested: bool = False) -> str:
        """Write a class, after those that it is made of, and return its name. Of equal nested ones there is one."""
        while name in self.classes:
            name += "Part"
        self.classes[name] = ""
        required = set(schema.get("required", ()))
        fields = [self._write_field(name, key, member, key in required) for key, member in _sort_members(schema)]
        del self.classes[name]
        body = "(Shape):\n" + ("".join(fields) or "    pass\n")
        for known, source in self.classes.items():
            if nested and source == f"class {known}{body}":
                return known
        self.classes[name] = f"class {name}{body}"
        return name

    def _write_field(self, owner: str, key: str, member: Mapping[str, Any], required: bool) -> str:
        name, settings = to_identifier(key) if not key.isidentifier() else key, []
        if keyword.iskeyword(name) or name in _TAKEN or name.startswith(("_", "model_")):
            name = f"{name.strip('_')}_"
        if name != key:
            settings.append(f"alias={write_value(key)}")
        kind = self._write_type(member, owner + to_class_name(to_identifier(key)))
        default = ""
        if "default" in member and not required:
            default = _write_default(member["default"])
        elif not required:
            kind, default = (kind if kind.endswith("None") else f"{kind} | None"), " = None"
        if settings:
            kind = f"Annotated[{kind}, Field({', '.join(settings)})]"
        description = " ".join(str(member.get("description", "")).split()) or write_in_words(key)
        return f"    {name}: {kind}{default}\n    {_quote(description)}\n"

    def _write_type(self, schema: Mapping[str, Any], name: str) -> str:
        kinds = schema.get("type")
        branches = schema.get("anyOf") or schema.get("oneOf")
        if "enum" in schema or "const" in schema:
            return _write_literal(schema.get("enum", [schema.get("const")]))
        if isinstance(kinds, list):
            written = [self._write_type({**schema, "type": kind}, name) for kind in kinds]
            return " | ".join(dict.fromkeys(sorted(written, key=lambda text: text == "None")))
        if kinds is None and branches:
            written = [self._write_type(branch, f"{name}{number}") for number, branch in enumerate(branches, 1)]
            return " | ".join(dict.fromkeys(sorted(written, key=lambda text: text == "None")))
        kind = self._write_single_type(str(kinds), schema, name)
        return f"{kind} | None" if schema.get("nullable") and kind != "None" else kind

    def _write_single_type(self, kind: str, schema: Mapping[str, Any], name: str) -> str:
        if kind == "array":
            inner = self._write_type(schema.get("items") or {}, f"{name}Item")
            return _write_bounded(f"list[{inner}]", schema, ("minItems", "maxItems"))
        if kind == "object" or "properties" in schema:
            if schema.get("properties"):
                return self.write_shape(name, schema, nested=True)
            more = schema.get("additionalProperties")
            return f"dict[str, {self._write_type(more, f'{name}Value')}]" if isinstance(more, Mapping) else _ANY_OBJECT
        return _write_bounded(_PLAIN[kind], schema, _RULES.get(kind, ())) if kind in _PLAIN else "JsonValue"


_ANY_OBJECT = "dict[str, JsonValue]"
_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_RULES = {"string": ("minLength", "maxLength", "pattern"), "integer": _NUMBERS, "number": _NUMBERS}


def _write_bounded(kind: str, schema: Mapping[str, Any], rules: tuple[str, ...]) -> str:
    # pydantic's regular expressions know no look-around; the server behind checks such a pattern itself.
    given = [rule for rule in rules if rule in schema and not (rule == "pattern" and "(?" in schema[rule])]
    bounds = [f"{_BOUNDS[rule]}={write_value(schema[rule])}" for rule in given]
    return f"Annotated[{kind}, Field({', '.join(bounds)})]" if bounds else kind


def _write_literal(values: list[Any]) -> str:
    plain = [value for value in values if isinstance(value, str | int | bool)]
    written = f"Literal[{', '.join(map(write_value, plain))}]" if plain else "JsonValue"
    return f"{written} | None" if None in values else written


def write_value(value: Any) -> str:
    """Return a JSON value as Python, texts in double quotes."""
    match value:
        case str():
            return orjson.dumps(value).decode("utf-8")
        case list():
            return f"[{', '.join(map(write_value, value))}]"
        case dict():
            return f"{{{', '.join(f'{write_value(key)}: {write_value(member)}' for key, member in value.items())}}}"
    return repr(value)


def _write_default(value: Any) -> str:
    return (
        f" = Field(default_factory=lambda: {write_value(value)})"
        if isinstance(value, list | dict)
        else f" = {write_value(value)}"
    )


def _sort_members(schema: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the members, required ones first: in a class, a field with a default cannot stand before one without."""
    required = set(schema.get("required", ()))
    members = schema.get("properties", {}).items()
    return sorted(members, key=lambda item: item[0] not in required)


def _quote(text: str) -> str:
    shown = text.replace("\\", "\\\\").replace('"""', "'''")
    return f'"""{shown} """' if shown.endswith('"') else f'"""{shown}"""'
