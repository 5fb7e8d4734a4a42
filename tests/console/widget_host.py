"""Two hosts that show our widgets in a browser: one implements MCP Apps, the other `window.openai`.

Both forward a widget's tool calls to a real kernel in this process and record its messages. Network requests of a
widget are recorded and refused.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import Browser, Frame, Page, Route

from sanya.kernel.calls.call import Answered, Call
from sanya.kernel.calls.dispatch import Kernel
from sanya.kernel.contracts.tool import Tool

MESSAGE_S = 30
APPS_HOST = """
<!doctype html><meta charset="utf-8"><body style="margin:0"><iframe id="view" sandbox="allow-scripts"
 style="border:0;width:100%;height:2400px"></iframe><script>
window.show = (html, context, input, result) => {
  const view = document.getElementById("view");
  const send = (message) => view.contentWindow.postMessage({jsonrpc: "2.0", ...message}, "*");
  window.send = send;
  window.addEventListener("message", async ({source, data}) => {
    if (source !== view.contentWindow) return;
    window.noted(data.method || "answer", JSON.stringify(data.params || {}));
    if (data.method === "ui/initialize") {
      const host = {protocolVersion: data.params.protocolVersion, hostInfo: {name: "host", version: "1"},
                    hostCapabilities: {serverTools: {}, openLinks: {}}, hostContext: context};
      send({id: data.id, result: host});
    } else if (data.method === "ui/notifications/initialized") {
      send({method: "ui/notifications/tool-input", params: {arguments: input}});
      if (result) send({method: "ui/notifications/tool-result", params: result});
    } else if (data.method === "tools/call") {
      const found = JSON.parse(await window.callTool(data.params.name, JSON.stringify(data.params.arguments)));
      send(found.refused ? {id: data.id, error: {code: -32000, message: found.refused}} : {id: data.id, result: found});
    } else if (data.id !== undefined) send({id: data.id, result: {}});
  });
  view.srcdoc = html;
};
</script>"""

OPENAI = """
window.openai = {
  ...%s,
  callTool: async (name, input) => JSON.parse(await window.callTool(name, JSON.stringify(input))),
  openExternal: ({href}) => window.noted("openExternal", JSON.stringify({href})),
  notifyIntrinsicHeight: (height) => window.noted("height", JSON.stringify({height})),
};"""


@dataclass
class WidgetHost:
    kernel: Kernel
    page: Page
    messages: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    """Messages from the widget to its host."""
    external_requests: list[str] = field(default_factory=list)
    """URLs that the widget tried to reach."""
    errors: list[str] = field(default_factory=list)
    is_offline: bool = False
    """True if the host cannot reach the server."""
    _arrived: asyncio.Event = field(default_factory=asyncio.Event)

    def record(self, name: str, parameters: dict[str, Any]) -> None:
        self.messages.append((name, parameters))
        self._arrived.set()

    async def wait_for_message(self, name: str, parameters: dict[str, Any]) -> None:
        """Wait until the widget has sent this message, which takes its time from one frame to the other."""
        async with asyncio.timeout(MESSAGE_S):
            while (name, parameters) not in self.messages:
                self._arrived.clear()
                await self._arrived.wait()

    async def call_tool(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and return the result as an MCP host receives it."""
        if self.is_offline:
            return {"refused": "the server cannot be reached"}
        outcome = await self.kernel.call(Call(tool, arguments))
        found = self.kernel.catalogue.find_tool(tool)
        assert isinstance(found, Tool)
        if isinstance(outcome, Answered):
            body = outcome.body
            return {"content": body["content"], "structuredContent": body["structuredContent"], "_meta": body["_meta"]}
        return {
            "content": [{"type": "text", "text": outcome.message}],
            "structuredContent": outcome.body,
            "isError": True,
        }

    async def as_app(
        self, html: str, arguments: dict[str, Any], result: dict[str, Any] | None, **context: Any
    ) -> Frame:
        """Show the widget in an MCP Apps host; with `result` None it keeps waiting."""
        await self.page.goto("about:blank")
        await self.page.set_content(APPS_HOST)
        given = [html, {"theme": "light", "locale": "en-GB", **context}, arguments, result]
        await self.page.evaluate("given => window.show(...given)", given)
        await self.page.frame_locator("#view").locator("main").wait_for()
        (frame,) = [child for child in self.page.frames if child.parent_frame is not None]
        return frame

    async def as_component(self, html: str, arguments: dict[str, Any], result: dict[str, Any], **context: Any) -> Page:
        """Show the widget with `window.openai`, like ChatGPT."""
        offered = {
            "toolInput": arguments,
            "toolOutput": result["structuredContent"],
            "toolResponseMetadata": result.get("_meta", {}),
            **context,
        }
        await self.page.add_init_script(OPENAI % json.dumps(offered))
        await self.page.route("**/*", lambda route: _refuse(route, self, html))
        await self.page.goto("http://127.0.0.1:9/page")
        await self.page.locator("main").wait_for()
        return self.page


async def _refuse(route: Route, host: WidgetHost, html: str) -> None:
    """Serve the page itself; record and refuse every other request."""
    if route.request.url == "http://127.0.0.1:9/page":
        await route.fulfill(body=html, content_type="text/html; charset=utf-8")
        return
    host.external_requests.append(route.request.url)
    await route.abort()


@asynccontextmanager
async def open_widget_host(browser: Browser, kernel: Kernel, **options: Any) -> AsyncIterator[WidgetHost]:
    context = await browser.new_context(**options)
    page = await context.new_page()
    host = WidgetHost(kernel, page)
    page.on("pageerror", lambda error: host.errors.append(str(error)))
    await page.expose_function("noted", lambda method, params: host.record(method, json.loads(params)))

    async def call_tool(name: str, arguments: str) -> str:
        host.record(f"tool:{name}", json.loads(arguments))
        return json.dumps(await host.call_tool(name, **json.loads(arguments)))

    await page.expose_function("callTool", call_tool)
    try:
        yield host
    finally:
        await context.close()
