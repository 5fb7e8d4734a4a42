"""A proxy suite: the tools, resources and prompts of another MCP server, served through our kernel.

What it serves is a listing that was saved when the suite was made, not what the server says today: it starts without
the server, its contracts stand under the lock, and no changed description reaches a model unseen. With each new
connection the server's listing is compared with the saved one. A tool that broke its contract is refused by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import Annotated, Any

import orjson
from pydantic import Field

from sanya.kernel.calls.call import Context
from sanya.kernel.contracts.diff import diff_catalogues
from sanya.kernel.contracts.shapes import Shape, Text
from sanya.kernel.contracts.suite import Suite
from sanya.kernel.contracts.tool import Example, Handler, Tool
from sanya.kernel.faults import InvalidArgument, UpstreamFailed
from sanya.suite.definition import SuiteDefinition, SuiteHome
from sanya.suite.plain_dialect import PLAIN_DIALECT
from sanya.suite.proxy_content import CONTENT_DIALECT, CONTENT_SCHEMA, build_body
from sanya.suite.proxy_parts import build_prompts, build_resources
from sanya.suite.schema_shapes import SchemaShape, build_schema_shape
from sanya.suite.schema_tidying import tidy_input, tidy_output, write_in_words
from sanya.suite.servers import McpServer, McpServerAddress, ServerListing

_TIMEOUT_MS = 60_000


class ProxySettings(Shape):
    """Settings of a proxy suite, under its name in `sanya.toml`. They override what the package says."""

    url: Annotated[Text, Field(max_length=2000)] = ""
    """Address of the server"""
    command: Annotated[list[str], Field(max_length=100)] = Field(default_factory=list)
    """Command that starts the server"""
    token: Annotated[Text, Field(max_length=10_000)] = ""
    """Bearer token for the server"""


class ProxySuite:
    """A suite made of another server's listing. Its tools are called `NAME.TOOL`.

    A tool is a read if the server says so in its annotations or `read_only` names it; every other is a write, which
    needs the scope `NAME:write` and is not replayed. `examples` are arguments by tool, for the docs and `sanya parity`.
    """

    def __init__(
        self,
        name: str,
        *,
        listing: Traversable,
        title: str = "",
        url: str = "",
        command: Sequence[str] = (),
        read_only: Sequence[str] = (),
        examples: Mapping[str, Mapping[str, Any]] | None = None,
        contracts: Traversable | None = None,
    ) -> None:
        self.name = name
        self.title = title or name.capitalize()
        self._address = (url, tuple(command))
        self.listing = listing
        self._read_only = frozenset(read_only)
        self._examples = dict(examples or {})
        self.definition = SuiteDefinition(
            name=name, open=self._open, settings=ProxySettings, contracts=contracts, proxy=self
        )

    def get_address(self, settings: ProxySettings) -> McpServerAddress:
        url, command = self._address
        if settings.url or settings.command:
            url, command = settings.url, tuple(settings.command)
        headers = {"Authorization": f"Bearer {settings.token}"} if settings.token else {}
        return McpServerAddress(url=url, command=command, headers=headers)

    def build_tools(self, listing: ServerListing, server: McpServer | None = None) -> tuple[Tool, ...]:
        """Return the tools of a listing. Without a server they have contracts and cannot be called."""
        guard = None if server is None else _DriftGuard(self, listing, server)
        return tuple(self._build_tool(listed, guard) for listed in listing.tools)

    async def _open(self, home: SuiteHome) -> Suite:
        listing = read_listing(self.listing)
        server = home.connect(self.get_address(home.settings))
        return Suite(
            name=self.name,
            title=self.title,
            dialect=PLAIN_DIALECT,
            tools=self.build_tools(listing, server),
            resources=build_resources(self.name, listing, server),
            prompts=build_prompts(self.name, listing, server),
        )

    def _build_tool(self, listed: Mapping[str, Any], guard: _DriftGuard | None) -> Tool:
        name = str(listed["name"])
        hints = listed.get("annotations") or {}
        is_read = bool(hints.get("readOnlyHint")) or name in self._read_only
        promised = listed.get("outputSchema")
        output = CONTENT_SCHEMA if promised is None else tidy_output(promised)
        class_name = write_in_words(name).title().replace(" ", "")
        return Tool(
            name=f"{self.name}.{name}",
            suite=self.name,
            title=str(listed.get("title") or hints.get("title") or write_in_words(name)),
            description=str(listed.get("description") or write_in_words(name)),
            input=build_schema_shape(f"{class_name}Input", tidy_input(listed.get("inputSchema") or {})),
            output=build_schema_shape(f"{class_name}Answer", output),
            handler=_refuse_call if guard is None else guard.build_handler(name, has_schema=promised is not None),
            dialect=CONTENT_DIALECT if promised is None else PLAIN_DIALECT,
            effect="read" if is_read else "write",
            timeout_ms=_TIMEOUT_MS,
            examples=(Example("An example", self._examples[name]),) if name in self._examples else (),
            idempotent=bool(hints.get("idempotentHint")),
            destructive=not is_read and bool(hints.get("destructiveHint", True)),
            open_world=bool(hints.get("openWorldHint", True)),
        )


async def _refuse_call(_: Any, __: Context) -> Shape:
    raise UpstreamFailed("this tool has no server", source="proxy")


@dataclass
class _DriftGuard:
    """Compares the server's listing with the saved one, once for each connection and after each change of it."""

    proxy: ProxySuite
    saved: ServerListing
    server: McpServer
    _checked: int = -1
    _broken: Mapping[str, str] | None = None

    def build_handler(self, name: str, *, has_schema: bool) -> Handler:
        async def handle(request: SchemaShape, context: Context) -> Shape:
            await self.refuse_changed(f"{self.proxy.name}.{name}")
            result = await self.server.call_tool(name, request.get_values(), context.progress)
            return _hold(build_body(f"{self.proxy.name}.{name}", result, has_schema=has_schema))

        return handle

    async def refuse_changed(self, tool: str) -> None:
        """Raise UpstreamFailed for a tool that does not keep the contract it was saved with."""
        generation = await self.server.connect()
        if generation != self._checked:
            self._broken = find_drift(self.proxy, self.saved, await self.server.list_all())
            self._checked = generation
        if self._broken and tool in self._broken:
            raise UpstreamFailed(
                f"the server changed {tool}: {self._broken[tool]}. Look at the change with "
                f"`sanya suite check {self.proxy.name}` and take it with `sanya suite refresh {self.proxy.name}`",
                source=self.proxy.name,
            )


def find_drift(proxy: ProxySuite, saved: ServerListing, live: ServerListing) -> dict[str, str]:
    """Return the first breaking difference of each tool that breaks its saved contract."""
    kept = {tool.name: tool.contract for tool in proxy.build_tools(saved)}
    now: dict[str, Mapping[str, Any]] = {}
    broken: dict[str, str] = {}
    for listed in live.tools:
        name = f"{proxy.name}.{listed['name']}"
        if name in kept:
            try:
                now |= {tool.name: tool.contract for tool in proxy.build_tools(ServerListing({}, [listed]))}
            except ValueError as problem:
                broken[name] = str(problem)
    published = {name: contract for name, contract in kept.items() if name not in broken}
    for difference in diff_catalogues(published, now):
        if difference.breaking:
            broken.setdefault(difference.tool, str(difference))
    return broken


def list_new_tools(proxy: ProxySuite, saved: ServerListing, live: ServerListing) -> list[str]:
    """Return a note on each tool that the server has and the saved listing has not."""
    known = {listed["name"] for listed in saved.tools}
    names = [f"{proxy.name}.{listed['name']}" for listed in live.tools if listed["name"] not in known]
    command = f"sanya suite refresh {proxy.name}"
    return [f"{name} is new on the server; `{command}` takes it" for name in names]


def read_listing(file: Traversable) -> ServerListing:
    try:
        return ServerListing(**orjson.loads(file.read_bytes()))
    except (OSError, TypeError, orjson.JSONDecodeError) as problem:
        raise InvalidArgument(f"{file} is not a saved listing: {problem}") from None


def write_listing(listing: ServerListing) -> bytes:
    fields = {
        "server": listing.server,
        "tools": listing.tools,
        "resources": listing.resources,
        "templates": listing.templates,
        "prompts": listing.prompts,
    }
    return orjson.dumps(fields, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _hold(body: dict[str, Any]) -> Shape:
    """Return the body as a shape. The kernel validates every body against the published schema of its tool."""
    held = SchemaShape.model_construct()
    object.__setattr__(held, "__pydantic_extra__", body)
    return held
