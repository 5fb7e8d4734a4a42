"""The names under which tools are listed.

Claude drops a whole server for one name it does not take, so a name that no host would take stops us at the start.
"""

from __future__ import annotations

import re

from sanya.kernel.tool import Tool

_CONTRACT = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_PORTABLE = re.compile(r"[A-Za-z0-9_-]{1,64}")


def choose_listed_name(tool: Tool, *, portable: bool) -> str:
    name = tool.portable_name if portable else tool.name
    if not (_PORTABLE if portable else _CONTRACT).fullmatch(name):
        raise ValueError(f"{tool.name} cannot be listed: MCP hosts take no tool called {name!r}")
    return name
