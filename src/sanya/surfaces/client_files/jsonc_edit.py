"""Changes one member of a JSON file with comments, and leaves every other character as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_BLANK = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")
_INDENT = re.compile(r"^([ \t]+)\S", re.MULTILINE)
_DEEPEST = 200


class BadJson(ValueError):
    """Text that is not JSON with comments. The message says what and where."""


@dataclass(frozen=True, slots=True)
class ObjectSpan:
    """An object in the text: where it opens, and where the value of each member stands."""

    start: int
    members: dict[str, tuple[int, int]]


def parse_jsonc(text: str) -> Any:
    """Return the value of JSON that may have comments and commas before a closing bracket."""
    reader = _Reader(text)
    value = reader.read_value(reader.skip(0), 0)
    end = reader.skip(reader.position)
    if end != len(text):
        raise reader.fail(end, "there is more after its end")
    return value


def set_member(text: str, path: Sequence[str], value: Any) -> str:
    """Return the text with the member at a path of two names set; the objects above it are made where they miss."""
    section, name = path
    reader = _Reader(text)
    root = reader.find_object(reader.skip(0))
    indent = _detect_indent(text)
    if section not in root.members:
        return _insert(text, root, section, _format({name: value}, indent, 1), indent, 1)
    start, _ = root.members[section]
    servers = reader.find_object(start)
    formatted = _format(value, indent, 2)
    if name in servers.members:
        begin, end = servers.members[name]
        return text[:begin] + formatted + text[end:]
    return _insert(text, servers, name, formatted, indent, 2)


def _insert(text: str, target: ObjectSpan, name: str, formatted: str, indent: str, depth: int) -> str:
    """Insert a member first, so that no comma is needed behind the last one."""
    opened = target.start + 1
    after = ","
    if not target.members:
        is_line_end = text[opened : opened + 1] in ("\r", "\n")
        after = "" if is_line_end else "\n" + indent * (depth - 1)
    return f"{text[:opened]}\n{indent * depth}{json.dumps(name)}: {formatted}{after}{text[opened:]}"


def _format(value: Any, indent: str, depth: int) -> str:
    return json.dumps(value, indent=indent, ensure_ascii=False).replace("\n", "\n" + indent * depth)


def _detect_indent(text: str) -> str:
    match = _INDENT.search(text)
    return match.group(1) if match else "  "


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self.position = 0

    def skip(self, at: int) -> int:
        match = _BLANK.match(self._text, at)
        assert match is not None, "the pattern matches nothing as well"
        return match.end()

    def fail(self, at: int, problem: str) -> BadJson:
        line = self._text.count("\n", 0, at) + 1
        column = at - self._text.rfind("\n", 0, at)
        return BadJson(f"{problem} at line {line}, column {column}")

    def find_object(self, at: int) -> ObjectSpan:
        """Return the members of the object that opens at a position."""
        if self._text[at : at + 1] != "{":
            raise self.fail(at, "there is no object")
        spans: dict[str, tuple[int, int]] = {}
        self._read_object(at, 0, spans)
        return ObjectSpan(at, spans)

    def read_value(self, at: int, depth: int) -> Any:
        if depth > _DEEPEST:
            raise self.fail(at, "it is nested too deeply")
        first = self._text[at : at + 1]
        if first == "{":
            return self._read_object(at, depth, {})
        if first == "[":
            return self._read_array(at, depth)
        match = _STRING.match(self._text, at) or _SCALAR.match(self._text, at)
        if match is None:
            raise self.fail(at, "there is no value")
        self.position = match.end()
        try:
            return json.loads(match.group())
        except json.JSONDecodeError:
            raise self.fail(at, "there is no value") from None

    def _read_object(self, at: int, depth: int, spans: dict[str, tuple[int, int]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        at = self.skip(at + 1)
        while self._text[at : at + 1] != "}":
            match = _STRING.match(self._text, at)
            if match is None:
                raise self.fail(at, "a name in quotes is missing")
            name = str(json.loads(match.group()))
            if name in found:
                raise self.fail(at, f"{name!r} is there twice")
            colon = self.skip(match.end())
            if self._text[colon : colon + 1] != ":":
                raise self.fail(colon, "a colon is missing")
            begin = self.skip(colon + 1)
            found[name] = self.read_value(begin, depth + 1)
            spans[name] = (begin, self.position)
            at = self._skip_comma("}")
        self.position = at + 1
        return found

    def _read_array(self, at: int, depth: int) -> list[Any]:
        found: list[Any] = []
        at = self.skip(at + 1)
        while self._text[at : at + 1] != "]":
            found.append(self.read_value(at, depth + 1))
            at = self._skip_comma("]")
        self.position = at + 1
        return found

    def _skip_comma(self, closing: str) -> int:
        """Return the position of the next item or of the closing bracket. A comma before the bracket is allowed."""
        at = self.skip(self.position)
        if self._text[at : at + 1] == ",":
            return self.skip(at + 1)
        if self._text[at : at + 1] != closing:
            raise self.fail(at, f"a comma or {closing} is missing")
        return at
