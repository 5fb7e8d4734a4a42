"""The names under which tools are listed, and in texts that name tools.

Claude drops a whole server over one invalid tool name, so an invalid name stops the server at start-up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from sanya.kernel.contracts.tool import Tool

_CONTRACT = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_PORTABLE = re.compile(r"[A-Za-z0-9_-]{1,64}")


class ToolNames:
    """Chooses names and writes them into texts: contract names, or portable ones for hosts that refuse dots."""

    def __init__(self, tools: Iterable[Tool], *, portable: bool) -> None:
        self._portable = portable
        self._portable_names = {tool.name: tool.portable_name for tool in tools if tool.name != tool.portable_name}
        longest_first = sorted(self._portable_names, key=len, reverse=True)
        self._pattern = re.compile(rf"(?<![\w.])({'|'.join(map(re.escape, longest_first)) or '(?!)'})(?![\w])")
        self._dotless = frozenset(self._portable_names.values())

    def choose(self, tool: Tool) -> str:
        return choose_listed_name(tool, portable=self._portable)

    def write(self, text: str, called: str = "") -> str:
        """Return the text with the names that a caller uses, who is known by the name that was `called`."""
        if not self._portable and called not in self._dotless:
            return text
        return self._pattern.sub(lambda match: self._portable_names[match[1]], text)


def choose_listed_name(tool: Tool, *, portable: bool) -> str:
    name = tool.portable_name if portable else tool.name
    if not (_PORTABLE if portable else _CONTRACT).fullmatch(name):
        raise ValueError(f"Tool {tool.name} cannot be listed: MCP hosts reject the name {name!r}. Rename the tool.")
    return name
