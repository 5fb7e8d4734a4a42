"""Changes one table of a TOML file, and leaves every other line as it is."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

_HEADER = re.compile(r"^\s*\[\[?\s*(.+?)\s*\]?\]\s*(?:#.*)?$")


def set_table(text: str, section: str, name: str, entry: Mapping[str, Any]) -> str | None:
    """Return the text with the table `[section.name]` replaced or added at the end; None if it stands there in a way
    that lines cannot be replaced in: the result is read back and compared."""
    before = tomllib.loads(text)
    if not isinstance(before.get(section, {}), dict):
        return None
    lines = text.splitlines(keepends=True)
    own = re.compile(rf'^"?{re.escape(section)}"?\s*\.\s*"?{re.escape(name)}"?(?:\s*\.|$)')
    kept: list[str] = []
    is_own = False
    for line in lines:
        header = _HEADER.match(line)
        if header:
            is_own = own.match(header.group(1)) is not None
        if not is_own:
            kept.append(line)
    body = "".join(kept).rstrip("\n")
    new = (body + "\n\n" if body else "") + format_table(section, name, entry)
    wanted = {**before, section: {**before.get(section, {}), name: dict(entry)}}
    try:
        return new if tomllib.loads(new) == wanted else None
    except tomllib.TOMLDecodeError:
        return None


def format_table(section: str, name: str, entry: Mapping[str, Any]) -> str:
    rows = [f"{key} = {_format(value)}" for key, value in entry.items()]
    return f"[{section}.{name}]\n" + "\n".join(rows) + "\n"


def _format(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_format(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_format, value)) + "]"
    return json.dumps(value, ensure_ascii=False)  # a JSON string, number or boolean is one of TOML
