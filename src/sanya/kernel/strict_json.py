"""Parses JSON and refuses an object that has a name twice.

Parsers disagree on which of the two values counts, so that a proxy may check one while the server uses the other.
orjson keeps the last and cannot report the others. But every name stands before a colon, so we count: the colons of the
text, those inside strings included, must be as many as those of the value written out again. That costs a microsecond
for a usual request, where a parser with a hook for each object takes ten times as long as orjson.
"""

from __future__ import annotations

import re
from typing import Any

import orjson

# A colon inside a string may be written as an escape, which is written out again as a plain colon.
_ESCAPED_COLON = re.compile(rb"(?<!\\)(?:\\\\)*\\u003[aA]")
_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"(\s*:)?|[{}]', re.DOTALL)
_MAX_SEARCHED_BYTES = 64 * 1024
"""A longer text is refused without naming the duplicate: to find it takes a hundred times as long as to parse."""


class DuplicateName(ValueError):
    """An object of the JSON text has a name twice; `name` is empty if the text is too long to look for it."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the name {name[:100]!r} stands twice in one object" if name else "a name stands twice")
        self.name = name


def parse_json(content: bytes | str) -> Any:
    """Return the value. Raises orjson.JSONDecodeError for what is not JSON, and DuplicateName."""
    value = orjson.loads(content)
    raw = content.encode() if isinstance(content, str) else content
    if _count_names(raw) != _count_written(value):
        raise DuplicateName(_find_duplicate(raw))
    return value


def has_duplicate_name(content: bytes | str) -> bool:
    """Return True for JSON with a duplicate name, False for JSON without one and for anything else."""
    try:
        parse_json(content)
    except DuplicateName:
        return True
    except orjson.JSONDecodeError:
        return False
    return False


def _count_names(raw: bytes) -> int:
    colons = raw.count(b":")
    return colons + len(_ESCAPED_COLON.findall(raw)) if b"\\u003" in raw else colons


def _count_written(value: Any) -> int:
    try:
        return orjson.dumps(value).count(b":")
    except orjson.JSONEncodeError:  # nested more deeply than orjson writes, though it reads it
        return _count_by_walking(value)


def _count_by_walking(value: Any) -> int:
    count, waiting = 0, [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            count += len(item) + sum(name.count(":") for name in item)
            waiting.extend(item.values())
        elif isinstance(item, list):
            waiting.extend(item)
        elif isinstance(item, str):
            count += item.count(":")
    return count


def _find_duplicate(raw: bytes) -> str:
    if len(raw) > _MAX_SEARCHED_BYTES:
        return ""
    objects: list[set[str]] = []
    for token in _TOKEN.finditer(raw.decode("utf-8", "replace")):
        match token[0]:
            case "{":
                objects.append(set())
            case "}":
                objects.pop()
            case _ if token[2] is not None:
                name: str = orjson.loads(f'"{token[1]}"')
                if name in objects[-1]:
                    return name
                objects[-1].add(name)
    return ""
