"""The widgets as resources, two for each: one under the contract's `component://` name, one as an MCP App.

The address of the App contains part of the page's digest, because hosts cache pages by address.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sanya.suite import Content, Context, Resource

LIST, CARD = "rmf-fund-list", "rmf-fund-card"
CHART, COMPARISON = "rmf-performance-chart", "rmf-fund-comparison"
_TITLES = {
    LIST: "A list of funds",
    CARD: "One fund",
    CHART: "NAV over time",
    COMPARISON: "Funds side by side",
}
_APP, _COMPONENT = "text/html;profile=mcp-app", "text/html+skybridge"
# All scripts and styles are inline and nothing is fetched, so the content security policy allows no host.
_APP_META = {"ui": {"csp": {"connectDomains": [], "resourceDomains": []}, "prefersBorder": True}}
_COMPONENT_META = {
    "openai/widgetCSP": {"connect_domains": [], "resource_domains": []},
    "openai/widgetPrefersBorder": True,
}


@dataclass(frozen=True, slots=True)
class FundWidget:
    name: str
    html: str
    digest: str

    @property
    def component_uri(self) -> str:
        return f"component://{self.name}"

    @property
    def app_uri(self) -> str:
        return f"ui://{self.name}/{self.digest[:6]}"

    def describe_for_tool(self) -> dict[str, Any]:
        """Return the metadata by which a tool names this page. Some hosts read only the flat key, the older form."""
        return {
            "ui": {"resourceUri": self.app_uri},
            "ui/resourceUri": self.app_uri,
            "openai/widgetAccessible": True,
        }


def build_widget_resources(page: FundWidget, suite: str) -> tuple[Resource, Resource]:
    return (
        _build_resource(page, suite, page.component_uri, _COMPONENT, _COMPONENT_META),
        _build_resource(page, suite, page.app_uri, _APP, _APP_META),
    )


def _build_resource(page: FundWidget, suite: str, uri: str, mime_type: str, meta: Mapping[str, Any]) -> Resource:
    async def read(parts: Mapping[str, str], context: Context) -> Content:
        del parts, context
        return Content(text=page.html, mime_type=mime_type)

    return Resource(
        uri=uri,
        suite=suite,
        name=page.name,
        title=_TITLES[page.name],
        description="A page that a host shows with the answer.",
        read=read,
        mime_type=mime_type,
        meta=meta,
    )
