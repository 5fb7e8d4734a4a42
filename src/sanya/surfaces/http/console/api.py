"""JSON endpoints of the console beside the tools: the session, what the home holds, how to connect a client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from sanya import __version__
from sanya.kernel.calls.call import ALL_SCOPES
from sanya.kernel.faults import Forbidden
from sanya.settings import Settings
from sanya.suites.registry import BUILT_IN
from sanya.surfaces.clients import (
    CLIENTS,
    MCP_PATH,
    Client,
    ServerAddress,
    ServerCommand,
    ServerTarget,
    build_connect_command,
    build_server_command,
    load_thai_steps,
)
from sanya.surfaces.http.asgi import HttpRequest, HttpResponse
from sanya.surfaces.http.auth.access_control import read_server_origin
from sanya.surfaces.http.auth.authentication import ANONYMOUS
from sanya.surfaces.http.auth.hosts_and_origins import is_loopback

if TYPE_CHECKING:
    from sanya.app import App

_YOUR_KEY = "YOUR-KEY"
_INGEST_SCOPE = "herbs:write"


class ConsoleApi:
    def __init__(self, app: App) -> None:
        self._app = app

    async def show_session(self, request: HttpRequest) -> HttpResponse:
        caller = request.caller
        suites = [
            {"name": suite.name, "title": suite.title, "has_own_page": suite.name in BUILT_IN}
            for suite in self._app.kernel.catalogue.suites
        ]
        return respond_json(
            {
                "caller": caller.id,
                "scopes": sorted(caller.scopes),
                "open": caller.id == ANONYMOUS,
                "version": __version__,
                "suites": suites,
            }
        )

    async def list_holdings(self, request: HttpRequest) -> HttpResponse:
        """List what each suite holds, for the suites that the caller may read."""
        from sanya.overview import list_holdings  # here: it loads the engines, and most servers never show the console

        suites = [suite.name for suite in self._app.kernel.catalogue.suites]
        readable = frozenset(name for name in suites if request.caller.may(f"{name}:read"))
        held = await list_holdings(self._app, readable, request.caller)
        return respond_json({"suites": [holding.as_json() for holding in held]})

    async def list_ingest_folders(self, request: HttpRequest) -> HttpResponse:
        """List the folders that documents can be ingested from. Needs the scope to ingest."""
        if not request.caller.may(_INGEST_SCOPE):
            raise Forbidden(f"Ingesting needs the scope {_INGEST_SCOPE}.", details={"scope": _INGEST_SCOPE})
        from sanya.overview import list_ingest_folders

        return respond_json({"folders": [folder.as_uri() for folder in list_ingest_folders(self._app.settings)]})

    async def list_clients(self, request: HttpRequest) -> HttpResponse:
        """List the clients with the configuration that `sanya connect` writes, for the URL that the page came from."""
        settings = self._app.settings
        key = None if request.caller.id == ANONYMOUS else _YOUR_KEY
        address = ServerAddress(f"{read_server_origin(request.scope, request.headers)}{MCP_PATH}", key)
        # A client on another machine cannot start a program on this one, and must not learn local paths. Neither must a
        # key with fewer scopes than the owner: the program that it would start has them all.
        may_start = is_loopback(settings.host) and ALL_SCOPES in request.caller.scopes
        start = build_server_command(settings) if may_start else None
        return respond_json(
            {
                "address": address.url,
                "needs_key": key is not None,
                "clients": [_describe_client(client, start, address, settings) for client in CLIENTS.values()],
            }
        )


def _describe_client(
    client: Client, start: ServerCommand | None, address: ServerAddress, settings: Settings
) -> dict[str, Any]:
    command = f"sanya connect {client.name} --write"
    if start:  # then the caller may see paths of this machine, and the command works from any folder
        command = build_connect_command(client.name, settings)
    with_file = client.file is not None
    return {
        "name": client.name,
        "title": client.title,
        "steps": client.steps,
        "steps_th": load_thai_steps()[client.name],
        "command": command if with_file else None,
        "stdio": _format_file(client, start) if start and with_file else None,
        "http": _format_file(client, address) if client.accepts_address and with_file else None,
    }


def _format_file(client: Client, server: ServerTarget) -> Any:
    """Return the content of the client's file: data for JSON, else the text."""
    if client.file_format == "json":
        return client.build_configuration(server)
    from sanya.surfaces.client_files.merging import format_configuration

    return format_configuration(client.file_format, client.section, client.build_entry(server))


def respond_json(content: object) -> HttpResponse:
    return HttpResponse(200, orjson.dumps(content))
