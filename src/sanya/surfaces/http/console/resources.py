"""Resources, completions and widgets for the console's pages, as MCP serves them."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

import orjson

from sanya.console.widgets import WIDGETS, load_widget
from sanya.kernel.calls.call import Answered, Call
from sanya.kernel.contracts.completions import COMPLETION
from sanya.kernel.contracts.shapes import is_text
from sanya.kernel.faults import Forbidden, InvalidArgument, NotFound
from sanya.surfaces.http import envelope
from sanya.surfaces.http.asgi import HeaderLines, HttpRequest, HttpResponse
from sanya.surfaces.http.console_client import name_surface

if TYPE_CHECKING:
    from sanya.app import App

WIDGET_PATH = "/console/widgets/"
_MAX_COMPLETIONS = 20
# A widget's page carries its own content policy. The sandbox keeps it apart from the console's origin.
_SANDBOX: HeaderLines = (
    (b"content-security-policy", b"sandbox allow-scripts allow-downloads; frame-ancestors 'self'"),
    (b"cache-control", b"no-cache"),
)


class ConsoleResources:
    def __init__(self, app: App) -> None:
        self._kernel = app.kernel

    async def read_resource(self, request: HttpRequest) -> HttpResponse:
        """Read the resource at `?uri=` through the kernel, as every other surface does."""
        uri = _parse_query(request).get("uri", "")
        if not uri:
            raise InvalidArgument("uri is required, e.g. kg://herb/curcuma-longa")
        outcome = await self._kernel.read(Call(uri, {}, request.caller, name_surface(request.headers)))
        if not isinstance(outcome, Answered):
            return envelope.refuse(outcome.fault)
        return HttpResponse(200, orjson.dumps({"uri": uri, "data": outcome.body}))

    async def complete(self, request: HttpRequest) -> HttpResponse:
        """Complete an argument (`?prompt=&argument=&value=`). A caller who may not read the suite gets no values."""
        parameters = _parse_query(request)
        prompt, argument = parameters.get("prompt", ""), parameters.get("argument", "")
        if self._kernel.catalogue.find_completion_tool(prompt, argument) is None:
            raise NotFound("No such prompt, or its argument has no completions.")
        typed = parameters.get("value", "")
        if not is_text(typed):
            return HttpResponse(200, orjson.dumps({"values": []}))
        arguments = {"ref": prompt, "argument": argument, "value": typed}
        outcome = await self._kernel.complete(
            Call(COMPLETION, arguments, request.caller, name_surface(request.headers))
        )
        if isinstance(outcome, Answered):
            return HttpResponse(200, orjson.dumps({"values": outcome.body["values"][:_MAX_COMPLETIONS]}))
        if isinstance(outcome.fault, Forbidden):
            return HttpResponse(200, orjson.dumps({"values": []}))
        return envelope.refuse(outcome.fault)


async def show_widget(request: HttpRequest) -> HttpResponse:
    name = str(request.scope["path"]).removeprefix(WIDGET_PATH)
    if name not in WIDGETS:
        raise NotFound(f"No such widget. Use one of {', '.join(WIDGETS)}.")
    return HttpResponse(200, load_widget(name).html.encode("utf-8"), b"text/html; charset=utf-8", _SANDBOX)


def _parse_query(request: HttpRequest) -> dict[str, str]:
    try:
        query = request.scope.get("query_string", b"").decode("ascii")
        return dict(parse_qsl(query, keep_blank_values=True, errors="strict", max_num_fields=10))
    except ValueError:
        raise InvalidArgument("The query string is not valid. Percent-encode its values as UTF-8.") from None
