"""Runs the HTTP surface: binds, serves with granian inside this process, and shuts down without losing a call.

granian usually starts worker processes. One was no faster here (80 µs a request either way) and would have to open the
home a second time, so the server runs embedded. docs/call-costs.md compares it with servers in the event loop.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, cast

from granian._granian import SocketHolder
from granian.constants import HTTPModes, Interfaces
from granian.log import LogLevels
from granian.server.embed import Server

from sanya import __version__
from sanya.surfaces.connection_limits import (
    RESERVED_CONNECTIONS,
    ConnectionLimits,
    fit_to_descriptors,
    raise_descriptor_limit,
    read_limits,
)
from sanya.surfaces.grpc.runner import GrpcRunner
from sanya.surfaces.http.application import Application, build_application
from sanya.surfaces.http.auth.hosts_and_origins import format_host, is_loopback
from sanya.surfaces.http.connection_guard import ConnectionGuard, RequestActivity
from sanya.surfaces.http.listener import BACKLOG, CannotServe, Listener
from sanya.surfaces.http.listeners import Listeners, bind_listeners
from sanya.surfaces.http.signals import GRACE_S, handle_signals
from sanya.surfaces.mcp.endpoint import McpEndpoint

if TYPE_CHECKING:
    from sanya.app import App

log = logging.getLogger(__name__)

_CANCEL_GRACE_S = 2.0
# granian configures logging unless it is given a configuration. This one changes nothing.
_NO_LOGGING: dict[str, Any] = {"version": 1, "incremental": True, "formatters": {}, "handlers": {}, "loggers": {}}


async def serve(
    app: App,
    *,
    on_ready: Callable[[str], None] | None = None,
    stop: asyncio.Event | None = None,
    grace_s: float = GRACE_S,
    endpoints: Mapping[str, McpEndpoint] | None = None,
    listeners: Listeners | None = None,
    announced: bool = True,
) -> None:
    """Serve until SIGTERM, SIGINT or `stop`, then shut down.

    Shutdown takes no more connections, gives running calls `grace_s` to finish, and writes the ledger rows. A second
    signal cancels the calls at once. `on_ready` receives the URL; `endpoints` replace the default MCP endpoints.
    `listeners` are bound already: a worker has those of its supervisor. With `announced` the addresses are told.
    """
    await require_authentication(app)
    stopping = stop or asyncio.Event()
    with ExitStack() as stack:
        listeners = listeners or stack.enter_context(bind_listeners(app.settings))
        listener = listeners.http
        hurry = stack.enter_context(handle_signals(stopping))
        port: int = listener.getsockname()[1]
        grpc = GrpcRunner(app, listeners.grpc)
        ports = 1 if grpc.address is None else 2
        grpc.limits = limits = fit_to_descriptors(read_limits(app.settings), raise_descriptor_limit(), ports)
        activity = RequestActivity()
        stack.enter_context(ConnectionGuard(port, limits, activity).running())
        application = build_application(app, port=port, endpoints=endpoints, activity=activity)
        server = _Server(application, listener, limits)
        serving = asyncio.create_task(server.serve(), name="http")
        if await _wait_for(application.started, serving):
            grpc.start()
            _tune_garbage_collector()
            url = f"http://{format_host(app.settings.host)}:{port}"
            if announced:
                announce(app, url, grpc.address)
            if on_ready is not None:
                on_ready(url)
        await _wait_for(stopping, serving)
        if not stopping.is_set():
            raise CannotServe("The HTTP server stopped unexpectedly. Its log says why.")
        await asyncio.gather(_stop(server, application, serving, hurry, grace_s), grpc.stop(grace_s, hurry))
    await app.ledger.flush()
    log.info("stopped")


def _tune_garbage_collector() -> None:
    """Exclude start-up objects from garbage collection and collect less often.

    Start-up objects live as long as the process, so walking them again is wasted; calls leave few reference cycles.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


async def require_authentication(app: App) -> None:
    settings = app.settings
    if is_loopback(settings.host) or settings.oauth_issuer or await app.keys.has_active():
        return
    raise CannotServe(
        f"Other machines can reach {settings.host}, and no authentication is set up. "
        "Create a key first (`sanya keys create NAME`), set oauth_issuer, or serve on 127.0.0.1."
    )


class _Server(Server):
    """granian on a socket that is already bound."""

    def __init__(self, application: Application, listener: Listener, limits: ConnectionLimits) -> None:
        super().__init__(
            application,
            interface=Interfaces.ASGI,
            http=HTTPModes.http1,
            websockets=False,
            backlog=BACKLOG,
            # granian accepts no more than this. The guard closes connections before that.
            backpressure=limits.total + RESERVED_CONNECTIONS,
            log_level=LogLevels.error,
            log_dictconfig=_NO_LOGGING,
        )
        self._listener = listener

    def _init_shared_socket(self) -> None:
        self._listener.listen(BACKLOG)  # again, unless this is a worker
        # The type stubs omit the constructor's parameters: a descriptor, whether it is a Unix socket, the backlog.
        # SocketHolder closes the descriptor, so detach it from our socket object.
        self._shd = cast(Any, SocketHolder)(self._listener.detach(), False, BACKLOG)

    def refuse_connections(self) -> None:
        """Stop accepting connections. `serve` returns once the open ones have their responses."""
        cast(Any, self).stop()


async def _wait_for(event: asyncio.Event, serving: asyncio.Task[None]) -> bool:
    """Wait for the event. Returns False if the server ended first."""
    waiting = asyncio.create_task(event.wait())
    await asyncio.wait({waiting, serving}, return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    return event.is_set()


async def _stop(
    server: _Server, application: Application, serving: asyncio.Task[None], hurry: asyncio.Event, grace_s: float
) -> None:
    server.refuse_connections()
    application.stop_listening()
    hurried = asyncio.create_task(hurry.wait())
    await asyncio.wait({serving, hurried}, timeout=grace_s, return_when=asyncio.FIRST_COMPLETED)
    hurried.cancel()
    if not serving.done():
        log.warning("grace period over; cancelling running calls")
        application.stop_calls()
        await asyncio.wait({serving}, timeout=_CANCEL_GRACE_S)
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)


def announce(app: App, url: str, grpc_address: str | None = None) -> None:
    """Print the addresses for a person, or log them as one record, whatever the log level, for a machine."""
    settings, catalogue = app.settings, app.kernel.catalogue
    if settings.log_format == "json" or (settings.log_format == "auto" and not sys.stderr.isatty()):
        ready = log.getChild("ready")
        ready.setLevel(logging.INFO)
        ready.info("Sanya %s is ready at %s", __version__, url, extra={"url": url, "grpc": grpc_address})
        return
    suites = ", ".join(f"{suite.name} ({len(suite.tools)} tools)" for suite in catalogue.suites)
    grpc_line = f"  gRPC     {grpc_address}   (with reflection)\n" if grpc_address else ""
    workers = f"  workers  {app.peers.count}\n" if app.peers is not None else ""
    sys.stderr.write(
        f"\n  Sanya {__version__} is ready at {url}\n\n"
        f"  suites   {suites}\n{workers}"
        f"  console  {url}/   (open it in a browser)\n"
        f"  MCP      {url}/mcp   (`sanya connect` configures a client)\n"
        f"  HTTP     {url}/tools   (described in {url}/openapi.json)\n"
        f"  GraphQL  {url}/graphql\n{grpc_line}\n"
        "  Press Ctrl-C to stop.\n\n"
    )
    sys.stderr.flush()
