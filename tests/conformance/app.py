"""A test-only server: a normal home with the fixtures of the official suite on its MCP endpoint.

`python -m tests.conformance.app [--stateful] [--port N]` runs it.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp import types
from mcp.server.context import HandlerResult
from mcp.server.subscriptions import PromptsListChanged, ServerEvent, ToolsListChanged

import sanya
from sanya.surfaces.http.server import serve
from sanya.surfaces.mcp.endpoint import McpEndpoint
from tests.conformance.content import answer_with, content_prompts, content_resources, content_tools, text
from tests.conformance.elicitation import asking_prompts, asking_tools
from tests.conformance.extra_handlers import (
    AnswerRequest,
    Context,
    ExtraHandler,
    ExtraHandlers,
    add_handlers,
    build_tool,
)
from tests.conformance.fixture_suite import build_fixture_suite


@asynccontextmanager
async def serve_app(*, stateful: bool, port: int = 0) -> AsyncIterator[str]:
    """Serve a temporary home on loopback and yield its URL. Only the older era's suite needs `stateful`."""
    address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    stop = asyncio.Event()
    with tempfile.TemporaryDirectory() as home:
        async with sanya.open(home, extra_suites=[build_fixture_suite()], port=port, log_level="error") as app:
            endpoints = {"/mcp": _build_endpoint(app, stateful=stateful)}
            serving = asyncio.create_task(serve(app, on_ready=address.set_result, stop=stop, endpoints=endpoints))
            try:
                yield await address
            finally:
                stop.set()
                await serving


def _build_endpoint(app: sanya.App, *, stateful: bool) -> McpEndpoint:
    settings = app.settings
    endpoint = McpEndpoint(
        app.kernel,
        portable=False,
        max_body_bytes=settings.max_body_bytes,
        max_result_tokens=settings.max_result_tokens,
        stateless=not stateful,
    )
    extras = ExtraHandlers(
        [*content_tools(), *asking_tools(), *_changing_tools(endpoint)],
        [*content_prompts(), *asking_prompts()],
        content_resources(),
    )
    add_handlers(endpoint.server, extras)
    endpoint.server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, _do_nothing)
    endpoint.server.add_request_handler("resources/subscribe", types.SubscribeRequestParams, _do_nothing)
    endpoint.server.add_request_handler("resources/unsubscribe", types.UnsubscribeRequestParams, _do_nothing)
    return endpoint


def _changing_tools(endpoint: McpEndpoint) -> list[ExtraHandler]:
    def publishes(event: ServerEvent) -> AnswerRequest:
        async def answer(ctx: Context) -> HandlerResult:
            await endpoint.bus.publish(event)
            return await answer_with(text("Published."))(ctx)

        return answer

    return [
        build_tool("test_trigger_tool_change", publishes(ToolsListChanged())),
        build_tool("test_trigger_prompt_change", publishes(PromptsListChanged())),
    ]


async def _do_nothing(ctx: Context, params: types.RequestParams) -> HandlerResult:
    return types.EmptyResult()


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stateful", action="store_true")
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    async with serve_app(stateful=options.stateful, port=options.port) as address:
        print(address, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
