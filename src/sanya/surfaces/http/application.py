"""The HTTP surface as one ASGI application: access control, then an MCP endpoint or a route.

Every error becomes the gateway's envelope.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Mapping
from contextlib import AsyncExitStack
from functools import partial
from typing import TYPE_CHECKING, Any

from starlette.requests import ClientDisconnect

from sanya import logs
from sanya.kernel.calls.call import Caller
from sanya.kernel.calls.deadlines import Deadline
from sanya.kernel.faults import DeadlineExceeded, Fault, Internal, InvalidArgument, Unavailable
from sanya.surfaces.connection_limits import identify_peer
from sanya.surfaces.http import envelope
from sanya.surfaces.http.asgi import (
    COMMON_HEADERS,
    HeaderLines,
    Headers,
    HttpRefusal,
    HttpRequest,
    HttpResponse,
    Receive,
    ResponseSender,
    Scope,
    Send,
)
from sanya.surfaces.http.auth.access_control import AccessControl
from sanya.surfaces.http.auth.access_tokens import TokenReader, TokenRules
from sanya.surfaces.http.auth.authentication import Authenticator, build_anonymous
from sanya.surfaces.http.auth.hosts_and_origins import (
    HostCheck,
    OriginCheck,
    is_loopback,
    preflight_headers,
    read_headers,
)
from sanya.surfaces.http.auth.protected_resource import ProtectedResource
from sanya.surfaces.http.body import BodyGuard, BrokenBody, ClientGone
from sanya.surfaces.http.connection_guard import RequestActivity
from sanya.surfaces.http.early_refusals import OUTAGES, EarlyRefusals
from sanya.surfaces.http.idle_streams import end_when_idle
from sanya.surfaces.http.metrics import Metrics
from sanya.surfaces.http.routes import Route, Routes, build_allow_header, check_method
from sanya.surfaces.mcp.endpoint import McpEndpoint
from sanya.surfaces.mcp.listing.toolset_settings import read_toolset
from sanya.surfaces.open_streams import OpenStreams

if TYPE_CHECKING:
    from sanya.app import App

log = logging.getLogger(__name__)

_MCP_METHODS = ("DELETE", "GET", "POST")
_BROKEN_BODY_MESSAGE = "The body ended early or its chunked encoding is invalid. Send the whole body."
UNIDENTIFIED = Caller("nobody", frozenset())
"""The caller of public routes, which need no credentials."""


def build_application(
    app: App,
    *,
    port: int | None = None,
    endpoints: Mapping[str, McpEndpoint] | None = None,
    activity: RequestActivity | None = None,
) -> Application:
    """Build the application.

    `port` is the port actually bound, which differs from the setting when that is 0. `endpoints` replace the default
    MCP endpoints, by path. `activity` is told which connections serve a request.
    """
    settings, metrics = app.settings, Metrics()
    app.observers.append(metrics.record_call)
    if log_call := logs.choose_call_logger():
        app.observers.append(log_call)
    resource = build_protected_resource(app)
    access = AccessControl(
        HostCheck(settings.host, settings.port if port is None else port, settings.allowed_hosts),
        OriginCheck(settings.allowed_origins),
        build_authenticator(app, resource),
        resource,
    )
    application = Application(app, access, _build_endpoints(app) if endpoints is None else endpoints, metrics, resource)
    if activity is not None:
        application.activity = activity
    return application


def _build_endpoints(app: App) -> dict[str, McpEndpoint]:
    return {
        "/mcp": _build_endpoint(app, portable=app.settings.tool_names == "portable"),
        "/mcp/portable": _build_endpoint(app, portable=True),
    }


def _build_endpoint(app: App, *, portable: bool) -> McpEndpoint:
    settings = app.settings
    return McpEndpoint(
        app.kernel,
        portable=portable,
        max_body_bytes=settings.max_body_bytes,
        max_result_tokens=settings.max_result_tokens,
        toolset=read_toolset(app),
    )


def build_protected_resource(app: App) -> ProtectedResource | None:
    settings = app.settings
    if not settings.oauth_issuer:
        return None
    scopes = [scope for tool in app.kernel.catalogue.tools for scope in tool.required_scopes]
    return ProtectedResource(settings.oauth_issuer, settings.oauth_audience, scopes)


def build_authenticator(app: App, resource: ProtectedResource | None) -> Authenticator:
    settings = app.settings
    open_to_all = is_loopback(settings.host) and not settings.require_auth
    tokens = None
    if resource is not None and app.signing_keys is not None:
        rules = TokenRules(
            settings.oauth_issuer,
            resource.audiences,
            calls_per_minute=settings.rate_limit_per_minute,
            allows_all_scopes=settings.oauth_allow_all_scopes,
        )
        tokens = TokenReader(app.signing_keys, rules)
    return Authenticator(
        app.keys,
        anonymous=build_anonymous(settings.rate_limit_anonymous_per_minute) if open_to_all else None,
        tokens=tokens,
        calls_per_minute=settings.rate_limit_per_minute,
    )


class Application:
    def __init__(
        self,
        app: App,
        access: AccessControl,
        endpoints: Mapping[str, McpEndpoint],
        metrics: Metrics,
        resource: ProtectedResource | None,
    ) -> None:
        self._body_timeout_s = app.settings.body_timeout_s
        self._streams = OpenStreams(app.settings.max_streams_per_caller)
        self._stream_idle_s = app.settings.stream_idle_s
        self._access = access
        self.endpoints = endpoints
        self._metrics = metrics
        self._admit = app.kernel.admit_request
        self._early_refusals = EarlyRefusals(app.kernel.catalogue, app.settings.body_timeout_s)
        self.routes = Routes(app, metrics, lambda: len(self._in_flight), resource)
        self._in_flight: dict[asyncio.Task[Any], Scope] = {}
        self._stopping = False
        self.activity = RequestActivity()
        self.started = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._run_lifespan(receive, send)
            return
        if scope["type"] == "websocket":
            await send({"type": "websocket.close"})
            return
        task = asyncio.current_task()
        assert task is not None
        self._in_flight[task] = scope
        try:
            with self.activity.track(scope.get("client")):
                await self._serve(scope, receive, send)
        finally:
            del self._in_flight[task]

    def stop_listening(self) -> None:
        """End the streams on which clients wait for notifications. Calls keep running."""
        self._stopping = True
        for task, scope in list(self._in_flight.items()):
            if _is_listening(scope):
                task.cancel()

    def stop_calls(self) -> None:
        """Cancel every running request. Each client gets a 503 unless its response has started."""
        self._stopping = True
        for task in list(self._in_flight):
            task.cancel()

    async def _run_lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        async with AsyncExitStack() as stack:
            for endpoint in self.endpoints.values():
                await stack.enter_async_context(endpoint.running())
            history = self._metrics.history
            measuring = history.sample_often(self.routes.operations.measure), self._metrics.process.watch_event_loop()
            for work in measuring:
                stack.callback(asyncio.create_task(work, name="metrics").cancel)
            await send({"type": "lifespan.startup.complete"})
            self.started.set()
            await receive()
        await send({"type": "lifespan.shutdown.complete"})

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        sender = ResponseSender(send, COMMON_HEADERS)
        try:
            await self._dispatch(scope, receive, sender)
        except BrokenBody:
            await self._refuse(HttpRefusal(InvalidArgument(_BROKEN_BODY_MESSAGE), status=400), scope, sender)
        except ClientGone:
            return
        except (HttpRefusal, Fault) as refused:
            await self._refuse(refused, scope, sender)
        except asyncio.CancelledError:
            if not self._stopping:
                raise
            await self._refuse(Unavailable("The server is stopping. Try again.", retry_after_ms=1000), scope, sender)
        except Exception as error:  # last resort: the client gets the envelope and never a stack trace
            await self._refuse(_report(error), scope, sender)

    async def _dispatch(self, scope: Scope, receive: Receive, sender: ResponseSender) -> None:
        headers = read_headers(scope)
        sender.add_headers(self._access.check(headers))
        path: str = scope["path"].rstrip("/")
        endpoint = self.endpoints.get(path)
        route = None if endpoint is not None else self.routes.find_for(scope, headers)
        methods = route.methods if route is not None else _MCP_METHODS if endpoint is not None else ()
        if scope["method"] == "OPTIONS":
            await _answer_options(methods, headers).send_to(sender)
            return
        if route is not None and route.public:
            caller = UNIDENTIFIED
        else:
            try:
                caller = scope["sanya.caller"] = await self._access.identify_caller(scope, headers)
            except OUTAGES as fault:
                request = HttpRequest(scope, receive, headers, UNIDENTIFIED)
                answer = await self._early_refusals.answer(fault, request, is_mcp=endpoint is not None)
                if answer is None:
                    raise
                self._metrics.count_refusal(answer.status)
                await self._answer(answer, scope, sender)
                return
        if not methods:
            raise self.routes.build_not_found(path)
        check_method(scope["method"], methods)
        if endpoint is not None:
            guard = BodyGuard(receive, self._body_timeout_s, headers.get(b"content-length"))
            await self._serve_mcp(endpoint, scope, guard, sender)
        elif route is not None:
            response = await self._run(route, HttpRequest(scope, receive, headers, caller))
            await self._answer(response, scope, sender)

    async def _run(self, route: Route, request: HttpRequest) -> HttpResponse:
        """Run the route's handler, within the rate of its caller and the time of the route."""
        method = request.scope["method"]
        handler = route.find_handler(method)
        if method in route.calls:
            return await handler(request)
        if not route.public:
            await self._admit(request.caller)
        deadline = Deadline(route.timeout_s)
        try:
            return await handler(request)
        except asyncio.CancelledError:
            if not deadline.claim_cancellation():
                raise
            raise DeadlineExceeded(f"No answer within {route.timeout_s:g} s. Try again later.") from None
        finally:
            deadline.stop()

    async def _serve_mcp(self, endpoint: McpEndpoint, scope: Scope, guard: BodyGuard, sender: ResponseSender) -> None:
        if not _is_listening(scope):
            await _forward_to_mcp(endpoint, scope, guard, sender)
            return
        with self._streams.hold(scope["sanya.caller"], identify_peer(scope.get("client"))):
            await end_when_idle(partial(_forward_to_mcp, endpoint, scope, guard), sender, self._stream_idle_s)

    async def _refuse(self, refused: HttpRefusal | Fault, scope: Scope, sender: ResponseSender) -> None:
        if sender.started:
            return
        if isinstance(refused, HttpRefusal):
            response = envelope.refuse(refused.fault, status=refused.status, headers=refused.headers)
        else:
            response = envelope.refuse(refused)
        self._metrics.count_refusal(response.status)
        await self._answer(response, scope, sender)

    async def _answer(self, response: HttpResponse, scope: Scope, sender: ResponseSender) -> None:
        await response.send_to(sender, with_body=scope["method"] != "HEAD")


async def _forward_to_mcp(endpoint: McpEndpoint, scope: Scope, guard: BodyGuard, sender: Send) -> None:
    try:
        await endpoint(scope, guard.receive, sender)
    except asyncio.CancelledError:
        if (refusal := guard.build_refusal()) is None:
            raise
        raise refusal from None
    except ClientDisconnect:
        raise BrokenBody from None
    finally:
        guard.stop()


def _answer_options(methods: tuple[str, ...], headers: Headers) -> HttpResponse:
    lines: HeaderLines = (build_allow_header(methods),) if methods else ()
    if b"access-control-request-method" in headers:
        lines += preflight_headers(headers)
    return HttpResponse(204, headers=lines)


def _is_listening(scope: Scope) -> bool:
    """Return True for a request that waits for notifications: the older era's GET stream or a modern subscription."""
    if scope["method"] == "GET":
        return True
    return (b"mcp-method", b"subscriptions/listen") in scope["headers"]


def _report(error: Exception) -> Internal:
    error_id = "err_" + secrets.token_hex(8)
    log.error("request failed", exc_info=error, extra={"error_id": error_id})
    return Internal("Internal error. The server's log has the details under this id.", error_id=error_id)
