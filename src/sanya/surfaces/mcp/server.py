"""Builds the SDK's low-level server with handlers that call the kernel. It serves both protocol eras."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mcp import MCPError, types
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.context import HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.types.version import MODERN_PROTOCOL_VERSIONS

from sanya import __version__
from sanya.kernel.calls.call import OWNER, Caller, Outcome, Refused
from sanya.kernel.calls.dispatch import Kernel
from sanya.kernel.contracts.catalogue import Catalogue
from sanya.surfaces.mcp.arguments.name_choices import (
    apply_choices,
    ask_in_call,
    can_ask,
    find_choices,
    read_responses,
    require_input,
)
from sanya.surfaces.mcp.calls import MAX_REQUEST_ID_CHARS, CallReader, has_valid_request_id
from sanya.surfaces.mcp.listing import lists as listing
from sanya.surfaces.mcp.listing.instructions import write_instructions
from sanya.surfaces.mcp.listing.server_tools import ServerTools, map_server_schemas
from sanya.surfaces.mcp.listing.tool_names import ToolNames
from sanya.surfaces.mcp.listing.toolsets import AGENT_TOOLS, Toolset, read_language_headers, read_toolset_headers
from sanya.surfaces.mcp.middleware import ErrorMaskingMiddleware, ExtensionsMiddleware, LimitMiddleware
from sanya.surfaces.mcp.progress import HEARTBEAT_S, ProgressRelay
from sanya.surfaces.mcp.prompts import complete, get_prompt
from sanya.surfaces.mcp.resources import read_resource
from sanya.surfaces.mcp.results import LINKS_SINCE, REQUEST_ID_KEY, build_tool_result
from sanya.surfaces.tool_texts import LISTING_LANGUAGES, ListingLanguage

CALLER_KEY = "sanya.caller"
"""Key of the ASGI scope where the HTTP surface puts the caller. Without it the caller is the owner, as on stdio."""

_APPS = "io.modelcontextprotocol/ui"
_APP_MIME_TYPE = "text/html;profile=mcp-app"
# Lists are the same for every caller and change only with the server's version.
_LIST_CACHE_HINT = CacheHint(ttl_ms=60_000, scope="public")
# A header may choose the toolset, so a shared cache must not serve one client's list to another.
_TOOLS_CACHE_HINT = CacheHint(ttl_ms=60_000, scope="private")
_LIST_METHODS: tuple[CacheableMethod, ...] = (
    "prompts/list",
    "resources/list",
    "resources/templates/list",
)

McpContext = ServerRequestContext[Any, Any]


def build_server(
    kernel: Kernel,
    reader: CallReader,
    *,
    portable: bool,
    toolset: Toolset = AGENT_TOOLS,
    heartbeat_s: float = HEARTBEAT_S,
    listen: ListenHandler | None = None,
) -> Server[Any]:
    """Build the server. `portable` lists tool names that every host accepts; calls work under both names."""
    catalogue = kernel.catalogue
    names = ToolNames(catalogue.tools, portable=portable)
    unlisted = listing.find_unlisted(catalogue, toolset)
    handlers = _Handlers(kernel, reader, heartbeat_s, names, ToolListings(catalogue, toolset, portable=portable))
    server: Server[Any] = Server(
        "sanya",
        version=__version__,
        title="Sanya",
        instructions=write_instructions(catalogue, names, unlisted),
        cache_hints={**dict.fromkeys(_LIST_METHODS, _LIST_CACHE_HINT), "tools/list": _TOOLS_CACHE_HINT},
        get_tool_input_schema={**_map_schemas(catalogue), **map_server_schemas(catalogue)}.get,
        on_list_tools=handlers.list_tools,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
        on_list_prompts=handlers.list_prompts,
        on_get_prompt=handlers.get_prompt,
        on_completion=handlers.complete,
        on_subscriptions_listen=listen or ListenHandler(InMemorySubscriptionBus()),
    )
    server.add_request_handler("tools/call", types.CallToolRequestParams, handlers.call_tool)
    server.extensions = _declare_extensions(catalogue)
    server.middleware += [
        ErrorMaskingMiddleware(),
        LimitMiddleware(kernel, read_caller),
        ExtensionsMiddleware(server.extensions),
    ]
    return server


def read_caller(ctx: McpContext) -> Caller:
    if ctx.request is None:
        return OWNER
    caller: Caller = ctx.request.scope.get(CALLER_KEY, OWNER)
    return caller


class ToolListings:
    """The tool list of each toolset that was asked for, built once."""

    def __init__(self, catalogue: Catalogue, default: Toolset, *, portable: bool) -> None:
        self._catalogue = catalogue
        self._default = default
        self._portable = portable
        self._suites = [suite.name for suite in catalogue.suites]
        self._lists = {default: listing.list_tools(catalogue, portable=portable, toolset=default)}

    @property
    def language(self) -> ListingLanguage:
        """The language where no header asks for another."""
        return self._default.language

    def find_language(self, headers: Mapping[str, str]) -> ListingLanguage:
        return read_language_headers(headers, self.language)

    def find(self, headers: Mapping[str, str]) -> types.ListToolsResult:
        toolset = read_toolset_headers(headers, self._default, self._suites)
        # Suites have an order and repeat in no list, so the number of lists is bounded by their combinations.
        toolset = replace(toolset, suites=tuple(name for name in self._suites if name in toolset.suites))
        if toolset not in self._lists:
            self._lists[toolset] = listing.list_tools(self._catalogue, portable=self._portable, toolset=toolset)
        return self._lists[toolset]


class _Handlers:
    def __init__(
        self, kernel: Kernel, reader: CallReader, heartbeat_s: float, names: ToolNames, tools: ToolListings
    ) -> None:
        self._kernel = kernel
        self._catalogue = kernel.catalogue
        self._names = names
        self._server_tools = {
            language: ServerTools(kernel.catalogue, names, language) for language in LISTING_LANGUAGES
        }
        self._reader = reader
        self._heartbeat_s = heartbeat_s
        self._tools = tools
        self._resources = listing.list_resources(self._catalogue.resources, tools.language)
        self._templates = listing.list_templates(self._catalogue.resources, tools.language)
        self._prompts = listing.list_prompts(self._catalogue.prompts.values(), names)

    async def call_tool(self, ctx: McpContext, params: types.CallToolRequestParams) -> HandlerResult:
        meta: dict[str, Any] = dict(params.meta or {})
        if not has_valid_request_id(meta):
            rule = f"_meta[{REQUEST_ID_KEY!r}] must be a string of 1 to {MAX_REQUEST_ID_CHARS} characters"
            raise MCPError(types.INVALID_PARAMS, rule)
        arguments = params.arguments or {}
        server_tools = self._server_tools[self._tools.find_language(_read_headers(ctx))]
        if not server_tools.has(params.name):
            return await self._call_or_ask(ctx, meta, params, arguments)
        return await server_tools.call(
            params.name,
            arguments,
            lambda name, given: self._call_tool(ctx, meta, name, given),
            lambda uri: read_resource(self._kernel, uri, read_caller(ctx), meta),
        )

    async def _call_or_ask(
        self, ctx: McpContext, meta: dict[str, Any], params: types.CallToolRequestParams, arguments: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Call the tool. If a name has several meanings and the client can ask, ask which one is meant."""
        was_asked = params.input_responses is not None
        if was_asked:
            arguments = apply_choices(arguments, read_responses(params.input_responses))
        outcome = await self._run(ctx, meta, params.name, arguments)
        choices = [] if was_asked or not can_ask(ctx.session.client_capabilities) else find_choices(outcome, arguments)
        if choices and ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return require_input(choices)
        if choices and ctx.request is None:
            chosen = await ask_in_call(ctx.session, choices, ctx.request_id)
            if chosen:
                outcome = await self._run(ctx, meta, params.name, apply_choices(arguments, chosen))
        return self._build_result(ctx, outcome, params.name)

    async def _call_tool(
        self, ctx: McpContext, meta: dict[str, Any], name: str, arguments: Mapping[str, Any]
    ) -> dict[str, Any]:
        return self._build_result(ctx, await self._run(ctx, meta, name, arguments), name)

    async def _run(self, ctx: McpContext, meta: dict[str, Any], name: str, arguments: Mapping[str, Any]) -> Outcome:
        relay = ProgressRelay(ctx.session.report_progress, self._heartbeat_s)
        async with relay.relaying() as progress:
            call = self._reader.read_call(name, arguments, meta, read_caller(ctx), progress)
            outcome = await self._kernel.call(call)
        if isinstance(outcome, Refused) and outcome.tool is None:
            raise MCPError(types.INVALID_PARAMS, self._names.write(outcome.message))
        return outcome

    def _build_result(self, ctx: McpContext, outcome: Outcome, name: str) -> dict[str, Any]:
        return build_tool_result(outcome, self._names, name, with_links=ctx.protocol_version >= LINKS_SINCE)

    async def read_resource(self, ctx: McpContext, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        return await read_resource(self._kernel, params.uri, read_caller(ctx), dict(params.meta or {}))

    async def get_prompt(self, ctx: McpContext, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        await self._catalogue.open_prompt(params.name)
        caller = read_caller(ctx)
        return await get_prompt(self._catalogue, params.name, params.arguments or {}, caller, self._names)

    async def complete(self, ctx: McpContext, params: types.CompleteRequestParams) -> types.CompleteResult:
        return await complete(self._kernel, params, read_caller(ctx))

    async def list_tools(self, ctx: McpContext, page: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        _refuse_cursor(page)
        return self._tools.find(_read_headers(ctx))

    async def list_resources(
        self, _: McpContext, page: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        _refuse_cursor(page)
        return self._resources

    async def list_templates(
        self, _: McpContext, page: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        _refuse_cursor(page)
        return self._templates

    async def list_prompts(self, _: McpContext, page: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        _refuse_cursor(page)
        return self._prompts


def _read_headers(ctx: McpContext) -> Mapping[str, str]:
    return {} if ctx.request is None else ctx.request.headers


def _refuse_cursor(page: types.PaginatedRequestParams | None) -> None:
    if page is not None and page.cursor is not None:
        raise MCPError(types.INVALID_PARAMS, "Invalid cursor: this list has one page. Send no cursor.")


def _map_schemas(catalogue: Catalogue) -> dict[str, dict[str, Any]]:
    return {name: tool.input_schema for tool in catalogue.tools for name in (tool.name, tool.portable_name)}


def _declare_extensions(catalogue: Catalogue) -> dict[str, dict[str, Any]]:
    has_apps = any(resource.uri.startswith("ui://") for resource in catalogue.resources)
    return {_APPS: {"mimeTypes": [_APP_MIME_TYPE]}} if has_apps else {}
