"""Reads the toolset of a server from its settings."""

from __future__ import annotations

from sanya.app import App
from sanya.settings import BadSetting
from sanya.surfaces.mcp.listing.toolsets import Toolset, parse_suites


def read_toolset(app: App) -> Toolset:
    """Return the toolset. Raises BadSetting if `suites` names one that this server does not have."""
    try:
        suites = parse_suites(app.settings.suites, [suite.name for suite in app.kernel.catalogue.suites])
    except ValueError as problem:
        raise BadSetting(f"suites: {problem}") from None
    return Toolset(app.settings.tools, suites, app.settings.listing_language)
