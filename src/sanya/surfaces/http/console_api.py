"""What the console asks beside the tools: who is here, what is loaded, how a client is connected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from sanya import __version__
from sanya.kernel.faults import Forbidden
from sanya.surfaces.clients import CLIENTS, MCP_PATH, Address, Client, Launch, launch
from sanya.surfaces.http.admission import is_loopback
from sanya.surfaces.http.authentication import ANONYMOUS
from sanya.surfaces.http.door import origin_of
from sanya.surfaces.http.wire import Request, Response

if TYPE_CHECKING:
    from sanya.app import App

_YOUR_KEY = "YOUR-KEY"
_INGEST_SCOPE = "herbs:write"


class ConsoleApi:
    def __init__(self, app: App) -> None:
        self._app = app

    async def session(self, request: Request) -> Response:
        caller = request.caller
        suites = [{"name": one.name, "title": one.title} for one in self._app.kernel.catalogue.suites]
        return answer(
            {
                "caller": caller.id,
                "scopes": sorted(caller.scopes),
                "open": caller.id == ANONYMOUS,
                "version": __version__,
                "suites": suites,
            }
        )

    async def holdings(self, request: Request) -> Response:
        """Of the suites that the caller may read."""
        from sanya.overview import holdings  # here: it knows the engines, and most servers are never looked at

        suites = [one.name for one in self._app.kernel.catalogue.suites]
        seen = frozenset(name for name in suites if request.caller.may(f"{name}:read"))
        found = await holdings(self._app, seen, request.caller)
        return answer({"suites": [one.as_json() for one in found]})

    async def inbox(self, request: Request) -> Response:
        """The folders that documents may be ingested from, for who may do that."""
        if not request.caller.may(_INGEST_SCOPE):
            raise Forbidden(f"to ingest needs the scope {_INGEST_SCOPE}", details={"scope": _INGEST_SCOPE})
        from sanya.overview import ingest_folders

        return answer({"folders": [folder.as_uri() for folder in ingest_folders(self._app.settings)]})

    async def clients(self, request: Request) -> Response:
        """The same words as `sanya connect`, at the address that the page itself was reached by."""
        settings = self._app.settings
        key = None if request.caller.id == ANONYMOUS else _YOUR_KEY
        address = Address(f"{origin_of(request.scope, request.headers)}{MCP_PATH}", key)
        # A client on another machine cannot start a program on this one, and need not know where it lies.
        start = launch(settings) if is_loopback(settings.host) else None
        return answer(
            {
                "address": address.url,
                "needs_key": key is not None,
                "clients": [_client(one, start, address) for one in CLIENTS.values()],
            }
        )


def _client(client: Client, start: Launch | None, address: Address) -> dict[str, Any]:
    with_file = client.file is not None
    return {
        "name": client.name,
        "title": client.title,
        "steps": client.steps,
        "command": f"sanya connect {client.name} --write" if with_file else None,
        "stdio": client.configuration(start) if start and with_file else None,
        "http": client.configuration(address) if client.takes_address and with_file else None,
    }


def answer(content: object) -> Response:
    return Response(200, orjson.dumps(content))
