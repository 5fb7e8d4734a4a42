"""Checks the names under which tools are listed.

Claude drops a whole server over one invalid tool name, so an invalid name stops the server at start-up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from sanya.kernel.tool import Tool

_CONTRACT = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_PORTABLE = re.compile(r"[A-Za-z0-9_-]{1,64}")


def choose_listed_name(tool: Tool, *, portable: bool) -> str:
    name = tool.portable_name if portable else tool.name
    if not (_PORTABLE if portable else _CONTRACT).fullmatch(name):
        raise ValueError(f"Tool {tool.name} cannot be listed: MCP hosts reject the name {name!r}. Rename the tool.")
    return name


def write_portable_names(text: str, tools: Iterable[Tool]) -> str:
    """Return the text with every contract name replaced by the portable one, which is what such a caller sees."""
    names = {tool.name: tool.portable_name for tool in tools if tool.name != tool.portable_name}
    if not names:
        return text
    longest_first = sorted(names, key=len, reverse=True)
    pattern = rf"(?<![\w.])({'|'.join(map(re.escape, longest_first))})(?![\w])"
    return re.sub(pattern, lambda match: names[match[1]], text)
