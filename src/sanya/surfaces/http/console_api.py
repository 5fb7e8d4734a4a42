"""What the console asks beside the tools: who is here, what is loaded, the ledger. JSON under `/console/api/`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from sanya import __version__
from sanya.surfaces.http.authentication import ANONYMOUS
from sanya.surfaces.http.wire import Request, Response

if TYPE_CHECKING:
    from sanya.app import App

PATH = "/console/api"


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


def answer(content: object) -> Response:
    return Response(200, orjson.dumps(content))
