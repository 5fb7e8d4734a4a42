"""The console's keys page: list the keys, create one with the scopes it needs, revoke one."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from sanya.kernel.faults import InvalidArgument
from sanya.kernel.ledger.owner_actions import record_owner_action
from sanya.surfaces.http.asgi import HttpRequest, HttpResponse
from sanya.surfaces.http.console.api import respond_json
from sanya.surfaces.http.console.owner import read_owner_document, read_text, require_owner
from sanya.surfaces.http.console_client import name_surface
from sanya.surfaces.key_scopes import UnknownScope, check_scopes, explain_key_name, list_read_scopes, list_scopes

if TYPE_CHECKING:
    from sanya.app import App

_MOST_CALLS = 1_000_000


class ConsoleKeys:
    def __init__(self, app: App) -> None:
        self._app = app

    async def list_keys(self, request: HttpRequest) -> HttpResponse:
        require_owner(request)
        keys = [{**asdict(key), "scopes": sorted(key.scopes)} for key in await self._app.keys.list()]
        catalogue = self._app.kernel.catalogue
        return respond_json(
            {
                "keys": keys,
                "scopes": list_scopes(catalogue),
                "read_scopes": list_read_scopes(catalogue),
                "needed": await self._app.keys.has_any(),
            }
        )

    async def create(self, request: HttpRequest) -> HttpResponse:
        """Create a key and show it, this once."""
        document = await read_owner_document(request, self._app.settings, {"name", "scopes", "calls_per_minute"})
        name = read_text(document, "name").strip()
        if problem := explain_key_name(name):
            raise InvalidArgument(problem, field="name")
        scopes = self._read_scopes(document.get("scopes"))
        limit = self._read_limit(document.get("calls_per_minute"))
        content = {"name": name, "scopes": sorted(set(scopes)), "calls_per_minute": limit}
        async with record_owner_action(
            self._app.ledger, "keys.create", "keys", content, by=_name_actor(request)
        ) as action:
            key = await self._app.keys.create(name, scopes, limit)
            id = key.split("_")[1]
            action.add(id=id)
        return respond_json({"id": id, "key": key})

    async def revoke(self, request: HttpRequest) -> HttpResponse:
        document = await read_owner_document(request, self._app.settings, {"id"})
        id = read_text(document, "id", 100)
        async with record_owner_action(self._app.ledger, "keys.revoke", "keys", {"id": id}, by=_name_actor(request)):
            await self._app.keys.revoke(id)
        return respond_json({"id": id, "active": await self._app.keys.has_active()})

    def _read_scopes(self, given: Any) -> list[str]:
        if not isinstance(given, list) or not given or not all(isinstance(scope, str) for scope in given):
            raise InvalidArgument("scopes must be a list with at least one scope", field="scopes")
        try:
            return check_scopes(given, self._app.kernel.catalogue)
        except UnknownScope as problem:
            raise InvalidArgument(str(problem), field="scopes") from None

    def _read_limit(self, given: Any) -> int:
        if given is None:
            return self._app.settings.rate_limit_per_minute
        if not isinstance(given, int) or isinstance(given, bool) or not 0 <= given <= _MOST_CALLS:
            raise InvalidArgument(
                f"calls_per_minute must be a number from 0 to {_MOST_CALLS}", field="calls_per_minute"
            )
        return given


def _name_actor(request: HttpRequest) -> tuple[str, str]:
    return name_surface(request.headers), request.caller.id
