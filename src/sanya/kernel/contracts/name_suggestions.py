"""Names the tools and resources that an unknown name may have meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from sanya.kernel.contracts.tool import Tool

_MAX_NAMES = 3
_MAX_ADDRESSES = 8
_SHOWN_CHARS = 128
_WORD = re.compile(r"[^\W_]+")


def suggest_name(name: str, tools: Sequence[Tool], addresses: Iterable[str]) -> str:
    """Return a sentence that says what is unknown and what is nearest."""
    shown = name[:_SHOWN_CHARS]
    if "/" in shown:
        return f"no resource has the address {shown!r}; addresses look like {_find_near_addresses(shown, addresses)}"
    near = _find_near_tools(shown, tools) or _find_tools_with_words(shown, tools)
    hint = f"did you mean {', '.join(near)}?" if near else "list the tools (tools/list, `sanya tools`)"
    return f"no tool or resource is called {shown!r}; {hint}"


def _find_near_addresses(name: str, addresses: Iterable[str]) -> str:
    known = list(addresses)
    return ", ".join(get_close_matches(name, known, n=_MAX_NAMES) or known[:_MAX_ADDRESSES])


def _find_near_tools(name: str, tools: Sequence[Tool]) -> list[str]:
    """Return contract names, each once: a tool is near by either of its names."""
    by_name = {known: tool.name for tool in tools for known in (tool.name, tool.portable_name)}
    close = get_close_matches(name, by_name, n=2 * _MAX_NAMES)
    return list(dict.fromkeys(by_name[known] for known in close))[:_MAX_NAMES]


def _find_tools_with_words(name: str, tools: Sequence[Tool]) -> list[str]:
    """Return the tools that have most words of the name in their own names and titles, such as `task_list`."""
    wanted = _read_words(name)
    shared = {tool.name: len(wanted & _read_words(f"{tool.name} {tool.title}")) for tool in tools}
    most = max(shared.values(), default=0)
    return [known for known, words in shared.items() if words == most][:_MAX_NAMES] if most else []


def _read_words(text: str) -> set[str]:
    return {word.casefold().removesuffix("s") for word in _WORD.findall(text)}
