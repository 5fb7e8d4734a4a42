"""Changes one entry of a YAML file, and leaves every other line as it is.

Only the plain layout that clients write is changed: the section is a key at the left margin, and its entries are
indented below it. JSON is YAML, so the entry itself is written as JSON values.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

_INDENT = "  "


def set_entry(text: str, section: str, name: str, entry: Mapping[str, Any]) -> str | None:
    """Return the text with `section: {name: entry}`; None if the section is written in another way."""
    lines = text.splitlines()
    at = [row for row, line in enumerate(lines) if re.match(rf"{re.escape(section)}\s*:", line)]
    if any("\t" in line[: len(line) - len(line.lstrip())] for line in lines) or len(at) > 1:
        return None
    if not at:
        return "\n".join([*lines, f"{section}:", *_format_entry(name, entry, _INDENT)]) + "\n"
    value = lines[at[0]].partition(":")[2].split("#")[0].strip()
    if value not in ("", "{}"):
        return None
    first, behind = at[0] + 1, _find_end(lines, at[0] + 1)
    entries = [line for line in lines[first:behind] if line.strip() and not line.lstrip().startswith("#")]
    indent = entries[0][: len(entries[0]) - len(entries[0].lstrip())] if entries else _INDENT
    kept = _drop_entry(lines[first:behind], name, indent)
    head = f"{section}:" if value else lines[at[0]]
    return "\n".join([*lines[: at[0]], head, *_format_entry(name, entry, indent), *kept, *lines[behind:]]) + "\n"


def format_entry(section: str, name: str, entry: Mapping[str, Any]) -> str:
    return "\n".join([f"{section}:", *_format_entry(name, entry, _INDENT)]) + "\n"


def _find_end(lines: Sequence[str], first: int) -> int:
    """Return the first line behind the section: the next one at the left margin that is no comment."""
    for row in range(first, len(lines)):
        if lines[row][:1] not in ("", " ", "#"):
            return row
    return len(lines)


def _drop_entry(lines: Sequence[str], name: str, indent: str) -> list[str]:
    own = re.compile(rf"{indent}[\"']?{re.escape(name)}[\"']?\s*:")
    kept: list[str] = []
    is_own = False
    for line in lines:
        depth = len(line) - len(line.lstrip())
        if line.strip() and depth <= len(indent):
            is_own = own.match(line) is not None
        if not is_own:
            kept.append(line)
    return kept


def _format_entry(name: str, entry: Mapping[str, Any], indent: str) -> list[str]:
    rows = [f"{indent * 2}{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in entry.items()]
    return [f"{indent}{name}:", *rows]
