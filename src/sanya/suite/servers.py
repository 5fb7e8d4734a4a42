"""The port to other MCP servers: where one is, and what a suite may ask of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from sanya.kernel.calls.call import ProgressSink


@dataclass(frozen=True, kw_only=True)
class McpServerAddress:
    """A command that starts an MCP server on its standard input and output, or the URL of a running one.

    `environment` is added to the few variables that a started server gets. `headers` go with every request to a URL.
    """

    command: Sequence[str] = ()
    url: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if bool(self.command) == bool(self.url):
            raise ValueError("a server has either a command that starts it or a URL")

    @property
    def shown(self) -> str:
        """The address without what may be secret."""
        return self.url.partition("?")[0] if self.url else self.command[0]


@dataclass(frozen=True, slots=True)
class ServerListing:
    """Tools, resources and prompts of a server, as the protocol's own JSON."""

    server: Mapping[str, Any]
    tools: Sequence[Mapping[str, Any]] = ()
    resources: Sequence[Mapping[str, Any]] = ()
    templates: Sequence[Mapping[str, Any]] = ()
    prompts: Sequence[Mapping[str, Any]] = ()


class McpServer(Protocol):
    """A connection to an MCP server, made with the first use and again after it was lost.

    Every method raises a Fault: Unavailable where the server does not answer, UpstreamFailed where it refuses.
    """

    async def connect(self) -> int:
        """Connect where there is no connection, and return a number that changes when the listing may have."""
        ...

    async def list_all(self) -> ServerListing: ...

    async def call_tool(self, name: str, arguments: Mapping[str, Any], progress: ProgressSink) -> dict[str, Any]:
        """Return the result of the tool as the protocol's JSON: `content`, and maybe `structuredContent`."""
        ...

    async def read_resource(self, uri: str) -> list[dict[str, Any]]: ...

    async def get_prompt(self, name: str, arguments: Mapping[str, str]) -> list[dict[str, Any]]: ...

    async def complete(
        self, ref: Mapping[str, str], argument: str, value: str, chosen: Mapping[str, str]
    ) -> list[str]: ...
