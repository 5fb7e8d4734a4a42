"""Resources, completions and widgets for the console's pages, as MCP serves them."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

import orjson

from sanya.console.widgets import WIDGETS, load_widget
from sanya.kernel.call import Answered, Call
from sanya.kernel.faults import InvalidArgument, NotFound
from sanya.kernel.shapes import is_text
from sanya.surfaces.http import envelope
from sanya.surfaces.http.asgi import HeaderLines, HttpRequest, HttpResponse

if TYPE_CHECKING:
    from sanya.app import App

WIDGET_PATH = "/console/widgets/"
_MAX_COMPLETIONS = 20
_MAX_TYPED_CHARS = 200
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
        outcome = await self._kernel.read(Call(uri, {}, request.caller, "http"))
        if not isinstance(outcome, Answered):
            return envelope.refuse(outcome.fault)
        return HttpResponse(200, orjson.dumps({"uri": uri, "data": outcome.body}))

    async def complete(self, request: HttpRequest) -> HttpResponse:
        """Complete an argument (`?prompt=&argument=&value=`). A caller who may not read the suite gets no values."""
        parameters = _parse_query(request)
        prompt = self._kernel.catalogue.prompts.get(parameters.get("prompt", ""))
        completers = {argument.name: argument.complete for argument in prompt.arguments} if prompt else {}
        completer = completers.get(parameters.get("argument", ""))
        if prompt is None or completer is None:
            raise NotFound("No such prompt, or its argument has no completions.")
        typed = parameters.get("value", "")
        values: list[str] = []
        if request.caller.may(f"{prompt.suite}:read") and is_text(typed) and len(typed) <= _MAX_TYPED_CHARS:
            values = await completer(typed, {}, request.caller)
        return HttpResponse(200, orjson.dumps({"values": values[:_MAX_COMPLETIONS]}))


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
