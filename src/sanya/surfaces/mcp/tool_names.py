"""Checks the names under which tools are listed.

Claude drops a whole server over one invalid tool name, so an invalid name stops the server at start-up.
"""

from __future__ import annotations

import re

from sanya.kernel.tool import Tool

_CONTRACT = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_PORTABLE = re.compile(r"[A-Za-z0-9_-]{1,64}")


def choose_listed_name(tool: Tool, *, portable: bool) -> str:
    name = tool.portable_name if portable else tool.name
    if not (_PORTABLE if portable else _CONTRACT).fullmatch(name):
        raise ValueError(f"Tool {tool.name} cannot be listed: MCP hosts reject the name {name!r}. Rename the tool.")
    return name
