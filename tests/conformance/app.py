"""The house as it is served, with the fixtures of the official suite on its MCP endpoint: a test-only app.

`python -m tests.conformance.app [--stateful] [--port N]` serves it by itself.
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
from tests.conformance.content import content_prompts, content_resources, content_tools, shows, text
from tests.conformance.mounting import Answer, Context, Extra, Extras, mount, tool
from tests.conformance.questions import asking_prompts, asking_tools
from tests.conformance.spoken import spoken_suite


@asynccontextmanager
async def served(*, stateful: bool, port: int = 0) -> AsyncIterator[str]:
    """Serves a house of its own on loopback and gives its address. Only the older era's suite wants `stateful`."""
    address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    stop = asyncio.Event()
    with tempfile.TemporaryDirectory() as home:
        async with sanya.open(home, extra_suites=[spoken_suite()], port=port, log_level="error") as app:
            endpoints = {"/mcp": _endpoint(app, stateful=stateful)}
            serving = asyncio.create_task(serve(app, on_ready=address.set_result, stop=stop, endpoints=endpoints))
            try:
                yield await address
            finally:
                stop.set()
                await serving


def _endpoint(app: sanya.App, *, stateful: bool) -> McpEndpoint:
    settings = app.settings
    endpoint = McpEndpoint(
        app.kernel,
        portable=False,
        max_body_bytes=settings.max_body_bytes,
        max_result_tokens=settings.max_result_tokens,
        stateless=not stateful,
    )
    extras = Extras(
        [*content_tools(), *asking_tools(), *_changing_tools(endpoint)],
        [*content_prompts(), *asking_prompts()],
        content_resources(),
    )
    mount(endpoint.server, extras)
    endpoint.server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, _do_nothing)
    endpoint.server.add_request_handler("resources/subscribe", types.SubscribeRequestParams, _do_nothing)
    endpoint.server.add_request_handler("resources/unsubscribe", types.UnsubscribeRequestParams, _do_nothing)
    return endpoint


def _changing_tools(endpoint: McpEndpoint) -> list[Extra]:
    def publishes(event: ServerEvent) -> Answer:
        async def answer(ctx: Context) -> HandlerResult:
            await endpoint.bus.publish(event)
            return await shows(text("It was told."))(ctx)

        return answer

    return [
        tool("test_trigger_tool_change", publishes(ToolsListChanged())),
        tool("test_trigger_prompt_change", publishes(PromptsListChanged())),
    ]


async def _do_nothing(ctx: Context, params: types.RequestParams) -> HandlerResult:
    return types.EmptyResult()


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stateful", action="store_true")
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    async with served(stateful=options.stateful, port=options.port) as address:
        print(address, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
