"""What is at which path, and by which methods."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import orjson

from sanya import __version__
from sanya.kernel.faults import Forbidden, InvalidArgument, NotFound
from sanya.surfaces.http import console, graphiql, metrics
from sanya.surfaces.http.authentication import ANONYMOUS
from sanya.surfaces.http.catalogue import entry, listing
from sanya.surfaces.http.console_api import ConsoleApi
from sanya.surfaces.http.console_ledger import ConsoleLedger
from sanya.surfaces.http.console_reading import WIDGET_PATH, ConsoleReading, show_widget
from sanya.surfaces.http.documents import Document
from sanya.surfaces.http.door import origin_of
from sanya.surfaces.http.evaluations import PATH as EVALUATIONS
from sanya.surfaces.http.evaluations import Evaluations
from sanya.surfaces.http.gateway import Gateway
from sanya.surfaces.http.health import Health
from sanya.surfaces.http.jobs import PATH as JOBS
from sanya.surfaces.http.jobs import JobPages
from sanya.surfaces.http.metrics import METRICS_SCOPE, Metrics
from sanya.surfaces.http.openapi import build_openapi
from sanya.surfaces.http.protected_resource import WELL_KNOWN, ProtectedResource
from sanya.surfaces.http.wire import Refusal, Request, Response

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.surfaces.graphql.endpoint import GraphQLEndpoint

Handler = Callable[[Request], Awaitable[Response]]

_HINT = "the console is at /, and programs ask /mcp, /tools, /graphql, /openapi.json or /health"


@dataclass(frozen=True)
class Route:
    """Handlers by method. A public route asks nobody for credentials."""

    handlers: Mapping[str, Handler]
    public: bool = False

    @cached_property
    def methods(self) -> tuple[str, ...]:
        return ("HEAD", *self.handlers) if "GET" in self.handlers else tuple(self.handlers)

    def handler(self, method: str) -> Handler:
        return self.handlers["GET" if method == "HEAD" else method]


def check_method(method: str, methods: tuple[str, ...]) -> None:
    if method not in methods:
        fault = InvalidArgument(f"{method[:20]} is not possible here; {', '.join(methods)} are")
        raise Refusal(fault, status=405, headers=(allow(methods),))


def allow(methods: tuple[str, ...]) -> tuple[bytes, bytes]:
    return b"allow", ", ".join(sorted((*methods, "OPTIONS"))).encode("ascii")


class Routes:
    def __init__(
        self, app: App, counts: Metrics, in_flight: Callable[[], int], resource: ProtectedResource | None
    ) -> None:
        self._app = app
        self._catalogue = app.kernel.catalogue
        self._counts = counts
        self._in_flight = in_flight
        self._resource = resource
        self._gateway = Gateway(
            app.kernel, max_body_bytes=app.settings.max_body_bytes, body_timeout_s=app.settings.body_timeout_s
        )
        self._health = Health(app.database, app.ledger, app.breakers)
        console_api, console_ledger, reading = ConsoleApi(app), ConsoleLedger(app), ConsoleReading(app)
        self._listing: Document | None = None
        self._openapi: dict[bool, Document] = {}
        self._graphql: GraphQLEndpoint | None = None
        self._making_graphql = asyncio.Lock()
        evaluations = Evaluations(app.kernel)
        self._evaluation = Route({"GET": evaluations.show})
        jobs = JobPages(app)
        self._job = Route({"GET": jobs.show})
        self._fixed = {
            EVALUATIONS: Route({"GET": evaluations.list}),
            JOBS: Route({"GET": jobs.list}),
            "": Route({"GET": console.show_page}, public=True),
            graphiql.PAGE: Route({"GET": graphiql.show_page}, public=True),
            f"{console.API}/session": Route({"GET": console_api.session}),
            f"{console.API}/holdings": Route({"GET": console_api.holdings}),
            f"{console.API}/clients": Route({"GET": console_api.clients}),
            f"{console.API}/inbox": Route({"GET": console_api.inbox}),
            f"{console.API}/ledger": Route({"GET": console_ledger.page}),
            f"{console.API}/call": Route({"GET": console_ledger.show}),
            f"{console.API}/replay": Route({"POST": console_ledger.replay}),
            f"{console.API}/verification": Route({"GET": console_ledger.verification, "POST": console_ledger.verify}),
            f"{console.API}/resource": Route({"GET": reading.resource}),
            f"{console.API}/complete": Route({"GET": reading.complete}),
            "/tools": Route({"GET": self._list_tools, "POST": self._call}),
            "/graphql": Route({"GET": self._query_by_address, "POST": self._query}),
            "/openapi.json": Route({"GET": self._describe}),
            "/metrics": Route({"GET": self._measure}),
            "/health": Route({"GET": self._check}, public=True),
            "/health/live": Route({"GET": self._live}, public=True),
        }
        self._tool = Route({"GET": self._show_tool, "POST": self._call})
        self._metadata = Route({"GET": self._show_resource}, public=True)
        self._graphiql_file = Route({"GET": graphiql.show_file}, public=True)
        self._console_file = Route({"GET": console.show_file}, public=True)
        self._widget = Route({"GET": show_widget}, public=True)

    def find(self, path: str) -> Route | None:
        """The route of a path, which has no slash at its end."""
        if path.startswith("/tools/") and "/" not in path[7:]:
            return self._tool
        if path.startswith(f"{EVALUATIONS}/") and path.count("/") == 2:
            return self._evaluation
        if path.startswith(f"{JOBS}/"):
            return self._job
        if path.startswith(WELL_KNOWN):
            return self._metadata
        if path.startswith(WIDGET_PATH):
            return self._widget
        if path.startswith(graphiql.FILES):
            return self._graphiql_file
        if path.startswith(console.FILES) and not path.startswith(console.API):
            return self._console_file
        return self._fixed.get(path)

    @staticmethod
    def nothing_at(path: str) -> NotFound:
        return NotFound(f"there is nothing at {path[:100] or '/'!r}; {_HINT}")

    async def _call(self, request: Request) -> Response:
        return await self._gateway.call(request, _tool_name(request))

    async def _query(self, request: Request) -> Response:
        return await (await self._graphql_endpoint()).post(request)

    async def _query_by_address(self, request: Request) -> Response:
        return await (await self._graphql_endpoint()).get(request)

    async def _graphql_endpoint(self) -> GraphQLEndpoint:
        """Made when first asked for, in a thread: it takes a while, and most homes are never asked in GraphQL."""
        if self._graphql is not None:
            return self._graphql
        async with self._making_graphql:
            if self._graphql is None:
                self._graphql = await asyncio.to_thread(_make_graphql, self._app)
            return self._graphql

    async def _list_tools(self, request: Request) -> Response:
        if self._listing is None:
            self._listing = Document(listing(self._catalogue))
        return self._listing.respond(request.headers)

    async def _show_tool(self, request: Request) -> Response:
        name = _tool_name(request) or ""
        tool = self._catalogue.tool(name)
        if tool is None:
            raise NotFound(self._catalogue.suggest(name))
        return Document(entry(tool)).respond(request.headers)

    async def _describe(self, request: Request) -> Response:
        needed = request.caller.id != ANONYMOUS
        if needed not in self._openapi:
            issuer = self._app.settings.oauth_issuer
            self._openapi[needed] = Document(build_openapi(self._catalogue, needs_credentials=needed, issuer=issuer))
        return self._openapi[needed].respond(request.headers)

    async def _measure(self, request: Request) -> Response:
        if not request.caller.may(METRICS_SCOPE):
            raise Forbidden(f"metrics need the scope {METRICS_SCOPE}", details={"scope": METRICS_SCOPE})
        gauges = {
            "sanya_ledger_pending": ("Audit rows that wait to be written.", self._app.ledger.pending),
            "sanya_http_in_flight": ("Requests being served now, this one included.", self._in_flight()),
            "sanya_tasks": ("Pieces of work in the server's event loop; it should not rise.", len(asyncio.all_tasks())),
        }
        return Response(200, self._counts.text(gauges, self._app.breakers.all()), metrics.CONTENT_TYPE)

    async def _check(self, request: Request) -> Response:  # noqa: ARG002 - a handler's signature
        counts = {"suites": len(self._catalogue.suites), "tools": len(self._catalogue.tools)}
        checks = await self._health.checks()
        ready = {"status": "ok", "live": True, "ready": True, "version": __version__, "checks": checks}
        return _json({**ready, "engines": self._health.engines(), **counts})

    async def _live(self, request: Request) -> Response:  # noqa: ARG002 - a handler's signature
        return _json({"status": "ok", "live": True, "version": __version__})

    async def _show_resource(self, request: Request) -> Response:
        path = request.scope["path"].rstrip("/")
        found = None
        if self._resource is not None:
            origin = origin_of(request.scope, request.headers)
            found = self._resource.metadata(path.removeprefix(WELL_KNOWN), origin)
        if found is None:
            raise self.nothing_at(path)
        return _json(found)


def _make_graphql(app: App) -> GraphQLEndpoint:
    from sanya.surfaces.graphql.endpoint import GraphQLEndpoint

    settings = app.settings
    return GraphQLEndpoint(app.kernel, max_body_bytes=settings.max_body_bytes, body_timeout_s=settings.body_timeout_s)


def _tool_name(request: Request) -> str | None:
    """The tool that the path names; None for `/tools` itself."""
    name: str = request.scope["path"].rstrip("/").removeprefix("/tools").removeprefix("/")
    return name or None


def _json(content: object) -> Response:
    return Response(200, orjson.dumps(content))
