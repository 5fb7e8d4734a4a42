"""The widgets as resources, twice each: by the contract's `component://` name, and as an MCP App.

The App's address has a part of the page's digest, because hosts keep what they have read under an address.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sanya.kernel.call import Context
from sanya.kernel.suite import Content, Resource

LIST, CARD = "rmf-fund-list", "rmf-fund-card"
CHART, COMPARISON = "rmf-performance-chart", "rmf-fund-comparison"
_TITLES = {
    LIST: "A list of funds",
    CARD: "One fund",
    CHART: "NAV over time",
    COMPARISON: "Funds side by side",
}
_APP, _COMPONENT = "text/html;profile=mcp-app", "text/html+skybridge"
# All script and style is inline, and nothing is fetched: no host is named, so none is allowed.
_APP_META = {"ui": {"csp": {"connectDomains": [], "resourceDomains": []}, "prefersBorder": True}}
_COMPONENT_META = {
    "openai/widgetCSP": {"connect_domains": [], "resource_domains": []},
    "openai/widgetPrefersBorder": True,
}


@dataclass(frozen=True, slots=True)
class Page:
    name: str
    html: str
    digest: str

    @property
    def component_uri(self) -> str:
        return f"component://{self.name}"

    @property
    def app_uri(self) -> str:
        return f"ui://sanya/{self.name}-{self.digest[:8]}"

    def named_by_a_tool(self) -> dict[str, Any]:
        """What a tool's descriptor says of the page that shows its answers, in the words of both kinds of host."""
        return {
            "ui": {"resourceUri": self.app_uri},
            "ui/resourceUri": self.app_uri,
            "openai/outputTemplate": self.app_uri,
            "openai/widgetAccessible": True,
        }


def page_resources(page: Page, suite: str) -> tuple[Resource, Resource]:
    return (
        _resource(page, suite, page.component_uri, _COMPONENT, _COMPONENT_META),
        _resource(page, suite, page.app_uri, _APP, _APP_META),
    )


def _resource(page: Page, suite: str, uri: str, mime_type: str, meta: Mapping[str, Any]) -> Resource:
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
