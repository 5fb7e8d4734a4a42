"""The route table: which handler serves which path and method."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import orjson

from sanya import __version__
from sanya.kernel.faults import Forbidden, InvalidArgument, NotFound, Unavailable
from sanya.kernel.lru import LruCache
from sanya.surfaces.http import metrics
from sanya.surfaces.http.asgi import Headers, HttpRefusal, HttpRequest, HttpResponse, Scope
from sanya.surfaces.http.auth.access_control import read_server_origin
from sanya.surfaces.http.auth.authentication import ANONYMOUS
from sanya.surfaces.http.auth.protected_resource import WELL_KNOWN, ProtectedResource
from sanya.surfaces.http.catalogue import describe_tool, list_tools, read_language
from sanya.surfaces.http.console import graphiql, pages
from sanya.surfaces.http.console.api import ConsoleApi
from sanya.surfaces.http.console.backups import ConsoleBackups
from sanya.surfaces.http.console.evaluations import PATH as EVALUATIONS
from sanya.surfaces.http.console.evaluations import Evaluations
from sanya.surfaces.http.console.herb_review import HerbReviewPages
from sanya.surfaces.http.console.imports.endpoints import ConsoleImports
from sanya.surfaces.http.console.jobs import PATH as JOBS
from sanya.surfaces.http.console.jobs import JobPages
from sanya.surfaces.http.console.keys import ConsoleKeys
from sanya.surfaces.http.console.ledger import ConsoleLedger
from sanya.surfaces.http.console.operations import ConsoleOperations
from sanya.surfaces.http.console.papers import ConsolePapers
from sanya.surfaces.http.console.resources import WIDGET_PATH, ConsoleResources, show_widget
from sanya.surfaces.http.console.settings import ConsoleSettings
from sanya.surfaces.http.console.suites import ConsoleSuites
from sanya.surfaces.http.gateway import Gateway
from sanya.surfaces.http.health import Health
from sanya.surfaces.http.metrics import METRICS_SCOPE, Metrics
from sanya.surfaces.http.openapi import build_openapi
from sanya.surfaces.http.static_documents import StaticDocument
from sanya.surfaces.http.worker_metrics import WorkerMetrics

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.surfaces.graphql.endpoint import GraphQLEndpoint

RouteHandler = Callable[[HttpRequest], Awaitable[HttpResponse]]

ROUTE_TIMEOUT_S = 60.0
UPLOAD_TIMEOUT_S = 900.0
REPLAY_TIMEOUT_S = 900.0
"""A replay takes as long as the call took, and waits for the replay before it."""
_CALLS = frozenset({"POST"})

_HINT = "The console is at /. Programs use /mcp, /tools, /graphql, /openapi.json or /health."


@dataclass(frozen=True)
class Route:
    """Handlers by HTTP method. A public route needs no credentials.

    The kernel limits the rate and the time of `calls`, the methods that do nothing but call a tool. Every other method
    counts as a request of its caller and must finish within `timeout_s`.
    """

    handlers: Mapping[str, RouteHandler]
    public: bool = False
    calls: frozenset[str] = frozenset()
    timeout_s: float = ROUTE_TIMEOUT_S

    @cached_property
    def methods(self) -> tuple[str, ...]:
        return ("HEAD", *self.handlers) if "GET" in self.handlers else tuple(self.handlers)

    def find_handler(self, method: str) -> RouteHandler:
        return self.handlers["GET" if method == "HEAD" else method]


_ADDRESS = Route({"GET": pages.show_address}, public=True)


def check_method(method: str, methods: tuple[str, ...]) -> None:
    if method not in methods:
        *others, last = sorted(methods)
        allowed = f"{', '.join(others)} or {last}" if others else last
        fault = InvalidArgument(f"Method {method[:20]} not allowed. Use {allowed}.")
        raise HttpRefusal(fault, status=405, headers=(build_allow_header(methods),))


def build_allow_header(methods: tuple[str, ...]) -> tuple[bytes, bytes]:
    return b"allow", ", ".join(sorted((*methods, "OPTIONS"))).encode("ascii")


class Routes:
    def __init__(
        self, app: App, counters: Metrics, in_flight: Callable[[], int], resource: ProtectedResource | None
    ) -> None:
        self._app = app
        self._catalogue = app.kernel.catalogue
        self._metrics = counters
        counters.process.readers |= {
            "sanya_ledger_pending": lambda: app.ledger.pending,
            "sanya_http_in_flight": in_flight,
            "sanya_tasks": lambda: len(asyncio.all_tasks()),
            "sanya_database_connections": lambda: app.database.read_pool().open,
            "sanya_database_connections_max": lambda: app.database.read_pool().limit,
            "sanya_database_waiting": lambda: app.database.read_pool().waiting,
            "sanya_home_free_bytes": app.measure_free_bytes,
            "sanya_embedded_texts_total": lambda: app.library.embedding_counts.embedded,
            "sanya_embedding_seconds_total": lambda: app.library.embedding_counts.seconds,
            "sanya_embedding_reused_total": lambda: app.library.embedding_counts.reused,
            "sanya_cache_hits_total": lambda: LruCache.hits,
            "sanya_cache_misses_total": lambda: LruCache.misses,
        }
        self._worker_metrics = WorkerMetrics(counters, app.peers)
        self._in_flight = in_flight
        self._resource = resource
        self._gateway = Gateway(
            app.kernel, max_body_bytes=app.settings.max_body_bytes, body_timeout_s=app.settings.body_timeout_s
        )
        self._health = Health(app.database, app.ledger, app.breakers, app.describe_disk)
        self.operations = ConsoleOperations(app, counters, self._worker_metrics, in_flight)
        self._listings: dict[str, StaticDocument] = {}
        self._openapi: dict[bool, StaticDocument] = {}
        self._graphql: GraphQLEndpoint | None = None
        self._graphql_lock = asyncio.Lock()
        evaluations, jobs = Evaluations(app.kernel), JobPages(app)
        self._fixed = {
            **_build_console_routes(app, self.operations),
            EVALUATIONS: Route({"GET": evaluations.list}),
            JOBS: Route({"GET": jobs.list}),
            "": Route({"GET": pages.show_page}, public=True),
            graphiql.PAGE: Route({"GET": graphiql.show_page}, public=True),
            "/tools": Route({"GET": self._list_tools, "POST": self._call}, calls=_CALLS),
            "/graphql": Route({"GET": self._get_graphql, "POST": self._post_graphql}, timeout_s=_find_longest(app)),
            "/openapi.json": Route({"GET": self._show_openapi}),
            "/metrics": Route({"GET": self._show_metrics}),
            "/health": Route({"GET": self._report_health}, public=True),
            "/health/live": Route({"GET": self._report_live}, public=True),
        }
        # Tried in this order for a path that is not among those above.
        self._patterns = tuple(
            (re.compile(pattern), pattern, route)
            for pattern, route in (
                (r"/tools/[^/]*", Route({"GET": self._show_tool, "POST": self._call}, calls=_CALLS)),
                (rf"{EVALUATIONS}/[^/]*", Route({"GET": evaluations.show})),
                (rf"{JOBS}/.*", Route({"GET": jobs.show})),
                (rf"{re.escape(WELL_KNOWN)}.*", Route({"GET": self._show_resource}, public=True)),
                (rf"{WIDGET_PATH}.*", Route({"GET": show_widget}, public=True)),
                (rf"{graphiql.FILES}.*", Route({"GET": graphiql.show_file}, public=True)),
                (rf"(?!{pages.API}){pages.FILES}.*", Route({"GET": pages.show_file}, public=True)),
            )
        )

    def find(self, path: str) -> Route | None:
        """Return the route of a path without a trailing slash."""
        route = self._fixed.get(path)
        if route is not None:
            return route
        return next((route for pattern, _, route in self._patterns if pattern.fullmatch(path)), None)

    def find_for(self, scope: Scope, headers: Headers) -> Route | None:
        """Return the route of a request. A person who opens an address that is no document gets the console."""
        path: str = scope["path"].rstrip("/")
        is_address = pages.is_visit(scope, headers)
        route = None if is_address and pages.is_shared_path(path) else self.find(path)
        if route is None and is_address and not path.startswith(f"{pages.API}/"):
            return _ADDRESS
        return route

    def list_all(self) -> dict[str, Route]:
        """Return every route by its path, or by the regular expression of its paths."""
        return {**{path or "/": route for path, route in self._fixed.items()}} | {
            pattern: route for _, pattern, route in self._patterns
        }

    @staticmethod
    def build_not_found(path: str) -> NotFound:
        return NotFound(f"Nothing at {path[:100] or '/'!r}. {_HINT}")

    async def _call(self, request: HttpRequest) -> HttpResponse:
        return await self._gateway.call(request, _read_tool_name(request))

    async def _post_graphql(self, request: HttpRequest) -> HttpResponse:
        return await (await self._open_graphql()).post(request)

    async def _get_graphql(self, request: HttpRequest) -> HttpResponse:
        return await (await self._open_graphql()).get(request)

    async def _open_graphql(self) -> GraphQLEndpoint:
        """Return the GraphQL endpoint, built in a thread on first use: it is slow to build and seldom used."""
        if self._graphql is not None:
            return self._graphql
        async with self._graphql_lock:
            if self._graphql is None:
                self._graphql = await asyncio.to_thread(_build_graphql, self._app)
            return self._graphql

    async def _list_tools(self, request: HttpRequest) -> HttpResponse:
        language = read_language(request)
        if language not in self._listings:
            self._listings[language] = StaticDocument(list_tools(self._catalogue, language))
        return self._listings[language].respond(request.headers)

    async def _show_tool(self, request: HttpRequest) -> HttpResponse:
        name = _read_tool_name(request) or ""
        tool = self._catalogue.find_tool(name)
        if tool is None:
            raise NotFound(self._catalogue.suggest(name))
        return StaticDocument(describe_tool(tool, read_language(request))).respond(request.headers)

    async def _show_openapi(self, request: HttpRequest) -> HttpResponse:
        needed = request.caller.id != ANONYMOUS
        if needed not in self._openapi:
            issuer = self._app.settings.oauth_issuer
            self._openapi[needed] = StaticDocument(
                build_openapi(self._catalogue, needs_credentials=needed, issuer=issuer)
            )
        return self._openapi[needed].respond(request.headers)

    async def _show_metrics(self, request: HttpRequest) -> HttpResponse:
        if not request.caller.may(METRICS_SCOPE):
            raise Forbidden(f"Metrics need the scope {METRICS_SCOPE}.", details={"scope": METRICS_SCOPE})
        gauges: dict[str, tuple[str, float]] = {}
        # While the database is away, the other figures tell so; the count of documents would only be guessed.
        with contextlib.suppress(Unavailable):
            gauges |= await self._measure_embedding()
            gauges |= await self._count_jobs()
        workers = await self._worker_metrics.read_by_worker()
        page = self._metrics.render(gauges, self._app.breakers.list_all(), workers=workers)
        return HttpResponse(200, page, metrics.CONTENT_TYPE)

    async def _count_jobs(self) -> dict[str, tuple[str, float]]:
        counts = await self._app.jobs.count_open()
        return {
            "sanya_jobs_queued": ("Jobs that no process has begun.", counts.get("queued", 0)),
            "sanya_jobs_running": ("Jobs that a process works on.", counts.get("running", 0)),
        }

    async def _measure_embedding(self) -> dict[str, tuple[str, float]]:
        statuses = (await self._app.library.read_embedding_statuses()).values()
        return {
            "sanya_awaiting_vectors": (
                "Documents that are found by words only, until they are embedded.",
                sum(status.awaiting for status in statuses),
            ),
            "sanya_embedding_per_second": (
                "Documents embedded in a second at present.",
                sum(status.per_second for status in statuses),
            ),
        }

    async def _report_health(self, request: HttpRequest) -> HttpResponse:  # noqa: ARG002 - a handler's signature
        counts = {"suites": len(self._catalogue.suites), "tools": len(self._catalogue.tools)}
        checks = await self._health.run_checks()
        degraded = await self._health.list_degraded()
        state = {"status": "degraded" if degraded else "ok", "degraded": degraded}
        ready = {**state, "live": True, "ready": True, "version": __version__, "checks": checks}
        statuses = await self._app.library.read_embedding_statuses()
        awaiting = {
            name: {"awaiting_vectors": status.awaiting, "seconds_left": status.seconds_left}
            for name, status in statuses.items()
        }
        return _respond_json({**ready, "engines": self._health.list_engines(), "search": awaiting, **counts})

    async def _report_live(self, request: HttpRequest) -> HttpResponse:  # noqa: ARG002 - a handler's signature
        return _respond_json({"status": "ok", "live": True, "version": __version__})

    async def _show_resource(self, request: HttpRequest) -> HttpResponse:
        path = request.scope["path"].rstrip("/")
        metadata = None
        if self._resource is not None:
            origin = read_server_origin(request.scope, request.headers)
            metadata = self._resource.build_metadata(path.removeprefix(WELL_KNOWN), origin)
        if metadata is None:
            raise self.build_not_found(path)
        return _respond_json(metadata)


def _build_console_routes(app: App, operations: ConsoleOperations) -> dict[str, Route]:
    """Return the routes that only the console's pages ask, by path."""
    console_api, console_ledger, console_resources = ConsoleApi(app), ConsoleLedger(app), ConsoleResources(app)
    herb_review, imports = HerbReviewPages(app), ConsoleImports(app)
    settings, keys, papers, backups = (
        ConsoleSettings(app),
        ConsoleKeys(app),
        ConsolePapers(app),
        ConsoleBackups(app),
    )
    return {
        f"{pages.API}/session": Route({"GET": console_api.show_session}),
        f"{pages.API}/holdings": Route({"GET": console_api.list_holdings}),
        f"{pages.API}/clients": Route({"GET": console_api.list_clients}),
        f"{pages.API}/inbox": Route({"GET": console_api.list_ingest_folders}),
        f"{pages.API}/ledger": Route({"GET": console_ledger.list_calls}),
        f"{pages.API}/call": Route({"GET": console_ledger.show}),
        f"{pages.API}/replay": Route({"POST": console_ledger.replay}, timeout_s=REPLAY_TIMEOUT_S),
        f"{pages.API}/verification": Route({"GET": console_ledger.show_verification, "POST": console_ledger.verify}),
        f"{pages.API}/herbs/review": Route({"GET": herb_review.list_statements}),
        f"{pages.API}/herbs/statement": Route({"GET": herb_review.show_statement, "POST": herb_review.decide}),
        f"{pages.API}/herbs/undo": Route({"POST": herb_review.undo}),
        f"{pages.API}/herbs/labels": Route({"GET": herb_review.list_labels}),
        f"{pages.API}/herbs/coverage": Route({"GET": herb_review.show_coverage}),
        f"{pages.API}/settings": Route({"GET": settings.list_settings, "POST": settings.change}),
        f"{pages.API}/keys": Route({"GET": keys.list_keys, "POST": keys.create}),
        f"{pages.API}/keys/revoke": Route({"POST": keys.revoke}),
        f"{pages.API}/watches": Route({"GET": papers.list_watches, "POST": papers.change}),
        f"{pages.API}/papers": Route({"GET": papers.show_corpus}),
        f"{pages.API}/paper": Route({"GET": papers.show_holding}),
        f"{pages.API}/backups": Route({"GET": backups.show, "POST": backups.start}),
        f"{pages.API}/imports": Route({"GET": imports.show, "POST": imports.advance}),
        f"{pages.API}/upload": Route({"POST": imports.upload}, timeout_s=UPLOAD_TIMEOUT_S),
        f"{pages.API}/operations": Route({"GET": operations.show}),
        f"{pages.API}/suite": Route({"GET": ConsoleSuites(app).show}),
        f"{pages.API}/resource": Route({"GET": console_resources.read_resource}),
        f"{pages.API}/complete": Route({"GET": console_resources.complete}),
    }


def _find_longest(app: App) -> float:
    """Return a time in which any tool finishes, in seconds: a query may call each."""
    return ROUTE_TIMEOUT_S + max((tool.timeout_ms for tool in app.kernel.catalogue.tools), default=0) / 1000


def _build_graphql(app: App) -> GraphQLEndpoint:
    from sanya.surfaces.graphql.endpoint import GraphQLEndpoint

    settings = app.settings
    return GraphQLEndpoint(app.kernel, max_body_bytes=settings.max_body_bytes, body_timeout_s=settings.body_timeout_s)


def _read_tool_name(request: HttpRequest) -> str | None:
    """Return the tool named in the path; None for `/tools` itself."""
    name: str = request.scope["path"].rstrip("/").removeprefix("/tools").removeprefix("/")
    return name or None


def _respond_json(content: object) -> HttpResponse:
    return HttpResponse(200, orjson.dumps(content))
