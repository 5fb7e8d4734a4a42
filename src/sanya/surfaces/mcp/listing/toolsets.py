"""Chooses which tools a listing shows, by suite and by whom they are for, and in which language it describes them.

Hosts put every listed tool into the model's context, so a list holds what its reader needs. A tool that is not listed
can still be called by a caller who has the scope. The choice is made by settings; on HTTP a client may send it in two
headers, the same with every request, so that its list never changes; a third header chooses the language.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from mcp import MCPError, types

from sanya.kernel.contracts.catalogue import Catalogue
from sanya.kernel.contracts.tool import Tool
from sanya.surfaces.tool_texts import LISTING_LANGUAGES, ListingLanguage

ToolAudience = Literal["agent", "read", "all", "operator"]
"""agent: all but operator tools; read: those of them that change nothing; operator: ingest, evaluation and sync."""

TOOLS_HEADER = "sanya-tools"
SUITES_HEADER = "sanya-suites"
LANGUAGE_HEADER = "sanya-language"
_STANDARD_LANGUAGE_HEADER = "accept-language"
_AUDIENCES: tuple[ToolAudience, ...] = get_args(ToolAudience)


@dataclass(frozen=True, slots=True)
class Toolset:
    """`suites` names the suites to list; none means all."""

    audience: ToolAudience = "agent"
    suites: tuple[str, ...] = ()
    language: ListingLanguage = "en"

    def choose_tools(self, catalogue: Catalogue) -> list[Tool]:
        return [tool for tool in catalogue.tools if self._is_in_suites(tool) and self._is_for_audience(tool)]

    def _is_in_suites(self, tool: Tool) -> bool:
        return not self.suites or tool.suite in self.suites

    def _is_for_audience(self, tool: Tool) -> bool:
        match self.audience:
            case "all":
                return True
            case "operator":
                return tool.operator
            case "read":
                return not tool.operator and tool.effect == "read"
            case "agent":
                return not tool.operator


AGENT_TOOLS = Toolset()
EVERY_TOOL = Toolset("all")


def parse_suites(text: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return the suites of a comma-separated list. Raises ValueError for an unknown one."""
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    accepted = list(known)
    for name in names:
        if name not in accepted:
            raise ValueError(f"Unknown suite {name[:64]!r}. Suites: {', '.join(accepted)}.")
    return names


def read_toolset_headers(headers: Mapping[str, str], default: Toolset, known: Iterable[str]) -> Toolset:
    """Return the toolset that the headers ask for. Raises MCPError for a value that is unknown."""
    audience = headers.get(TOOLS_HEADER, default.audience)
    chosen = next((name for name in _AUDIENCES if name == audience), None)
    if chosen is None:
        accepted = ", ".join(_AUDIENCES)
        raise MCPError(types.INVALID_PARAMS, f"Unknown value {audience[:64]!r} of {TOOLS_HEADER}. Use: {accepted}.")
    suites = headers.get(SUITES_HEADER)
    language = read_language_headers(headers, default.language)
    try:
        return Toolset(chosen, default.suites if suites is None else parse_suites(suites, known), language)
    except ValueError as problem:
        raise MCPError(types.INVALID_PARAMS, f"{SUITES_HEADER}: {problem}") from None


def read_language_headers(headers: Mapping[str, str], default: ListingLanguage) -> ListingLanguage:
    """Return the language that the headers ask for: by our own, or by the standard one if Thai stands first in it.

    No other value of the standard header counts: HTTP libraries and browsers send it without being told.
    """
    if LANGUAGE_HEADER not in headers:
        first = headers.get(_STANDARD_LANGUAGE_HEADER, "").split(",")[0].split(";")[0].strip().lower()
        return "th" if first in ("th", "th-th") else default
    asked = headers[LANGUAGE_HEADER]
    chosen = next((language for language in LISTING_LANGUAGES if language == asked), None)
    if chosen is None:
        accepted = ", ".join(LISTING_LANGUAGES)
        raise MCPError(types.INVALID_PARAMS, f"Unknown value {asked[:64]!r} of {LANGUAGE_HEADER}. Use: {accepted}.")
    return chosen
