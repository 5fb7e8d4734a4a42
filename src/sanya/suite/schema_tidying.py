"""Tidies JSON Schemas of other servers into what a contract publishes: inlined, described and bounded."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

MAX_TEXT_CHARS = 100_000
"""Bound of a text argument whose schema has none."""
MAX_ITEMS = 10_000
"""Bound of a list argument whose schema has none."""

_DROPPED = frozenset(("$schema", "$id", "$anchor", "$comment", "$defs", "definitions", "components", "title"))
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_MAX_DEPTH = 12


def tidy_input(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of a tool's input. Arguments that it does not list are refused, if it lists any."""
    tidy = _Tidier(schema, bounded=True).tidy(schema)
    tidy["type"] = "object"
    if tidy.get("properties"):
        tidy.setdefault("additionalProperties", False)
    return tidy


def tidy_output(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {**_Tidier(schema, bounded=False).tidy(schema), "type": "object"}


class _Tidier:
    def __init__(self, root: Mapping[str, Any], *, bounded: bool) -> None:
        self._root = root
        self._bounded = bounded
        self._open: list[str] = []

    def tidy(self, schema: Any, depth: int = 0) -> dict[str, Any]:
        """Return the schema without references. Where one refers to itself, it takes any value of that type."""
        if not isinstance(schema, Mapping) or depth > _MAX_DEPTH:
            return {}
        if "$ref" in schema:
            return self._tidy_reference(schema, depth)
        tidy = {key: self._tidy_member(key, value, depth) for key, value in schema.items() if key not in _DROPPED}
        tidy = merge_parts(tidy)
        return self._add_bounds(tidy) if self._bounded else tidy

    def _tidy_reference(self, schema: Mapping[str, Any], depth: int) -> dict[str, Any]:
        reference = str(schema["$ref"])
        target = self._resolve(reference)
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        if reference in self._open:
            return {**({"type": target["type"]} if "type" in target else {}), **rest}
        self._open.append(reference)
        try:
            return self.tidy({**target, **rest}, depth + 1)
        finally:
            self._open.pop()

    def _tidy_member(self, key: str, value: Any, depth: int) -> Any:
        if key == "properties" and isinstance(value, Mapping):
            return {name: _describe(self.tidy(member, depth + 1), name) for name, member in value.items()}
        if key in ("anyOf", "oneOf", "allOf", "prefixItems") and isinstance(value, list):
            return [self.tidy(branch, depth + 1) for branch in value]
        if key in ("items", "additionalProperties", "not") and isinstance(value, Mapping):
            return self.tidy(value, depth + 1)
        return value

    def _resolve(self, reference: str) -> Mapping[str, Any]:
        """Return what a reference within the document names; an empty schema for one that leads outside."""
        node: Any = self._root
        if not reference.startswith("#"):
            return {}
        for part in filter(None, reference[1:].split("/")):
            node = node.get(part.replace("~1", "/").replace("~0", "~"), {}) if isinstance(node, Mapping) else {}
        return node if isinstance(node, Mapping) else {}

    @staticmethod
    def _add_bounds(schema: dict[str, Any]) -> dict[str, Any]:
        kinds = schema.get("type", ())
        kinds = (kinds,) if isinstance(kinds, str) else kinds
        if "string" in kinds and not {"maxLength", "enum", "const"} & schema.keys():
            schema["maxLength"] = MAX_TEXT_CHARS
        if "array" in kinds:
            schema.setdefault("maxItems", MAX_ITEMS)
        return schema


def merge_parts(schema: dict[str, Any]) -> dict[str, Any]:
    """Return an object made of the objects that `allOf` lists, as OpenAPI writes inheritance; others stay as they are.

    A single part of any kind is taken as well: it is a reference with a description beside it.
    """
    parts = schema.get("allOf")
    if not isinstance(parts, list) or not (len(parts) == 1 or all("properties" in part for part in parts)):
        return schema
    merged: dict[str, Any] = {}
    for part in (*parts, {key: value for key, value in schema.items() if key != "allOf"}):
        properties = {**merged.get("properties", {}), **part.get("properties", {})}
        required = [*dict.fromkeys([*merged.get("required", ()), *part.get("required", ())])]
        merged |= part
        merged |= {"properties": properties} if properties else {}
        merged |= {"required": required} if required else {}
    return merged


def _describe(schema: dict[str, Any], name: str) -> dict[str, Any]:
    """Add a description where there is none: the name in words."""
    if not str(schema.get("description", "")).strip():
        schema["description"] = write_in_words(name)
    return schema


def write_in_words(name: str) -> str:
    """Return a name as words: `dueDate` and `due_date` become `Due date`."""
    words = re.split(r"[^A-Za-z0-9]+", _HUMP.sub(" ", name))
    return " ".join(filter(None, words)).lower().capitalize() or name
