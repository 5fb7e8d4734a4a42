"""Runs the HTTP surface: binds, serves with granian inside this process, and stops without losing a call.

Inside this process, because a worker process was no faster (80 µs a request either way) and would need a second home.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, cast

from granian._granian import SocketHolder
from granian.constants import HTTPModes, Interfaces
from granian.log import LogLevels
from granian.server.embed import Server

from sanya import __version__
from sanya.surfaces.grpc.runner import GrpcRunner
from sanya.surfaces.http.application import Application, build_application
from sanya.surfaces.http.auth.hosts_and_origins import format_host, is_loopback
from sanya.surfaces.http.listener import BACKLOG, CannotServe, Listener, bind
from sanya.surfaces.mcp.endpoint import McpEndpoint

if TYPE_CHECKING:
    from sanya.app import App

log = logging.getLogger(__name__)

GRACE_S = 10.0
_CANCEL_GRACE_S = 2.0
# The server would set up logging by itself; this tells it to leave ours alone.
_NO_LOGGING: dict[str, Any] = {"version": 1, "incremental": True, "formatters": {}, "handlers": {}, "loggers": {}}


async def serve(
    app: App,
    *,
    on_ready: Callable[[str], None] | None = None,
    stop: asyncio.Event | None = None,
    grace_s: float = GRACE_S,
    endpoints: Mapping[str, McpEndpoint] | None = None,
) -> None:
    """Serves until SIGTERM or SIGINT (or `stop`): then no more connections, calls have `grace_s` to finish, and the
    audit rows are written. A second signal does not wait for the calls. `on_ready` is given the address; `endpoints`
    take the place of our own MCP endpoints."""
    await require_authentication(app)
    stopping = stop or asyncio.Event()
    with bind(app.settings.host, app.settings.port) as listener, _signals(stopping) as hurry:
        port: int = listener.getsockname()[1]
        grpc = GrpcRunner(app)
        application = build_application(app, port=port, endpoints=endpoints)
        server = _Server(application, listener)
        serving = asyncio.create_task(server.serve(), name="http")
        if await _wait_for(application.started, serving):
            grpc.start()
            _tune_garbage_collector()
            url = f"http://{format_host(app.settings.host)}:{port}"
            announce(app, url, grpc.address)
            if on_ready is not None:
                on_ready(url)
        await _wait_for(stopping, serving)
        if not stopping.is_set():
            raise CannotServe("the server ended by itself; its log says why")
        await asyncio.gather(_stop(server, application, serving, hurry, grace_s), grpc.stop(grace_s, hurry))
    await app.ledger.flush()
    log.info("stopped")


def _tune_garbage_collector() -> None:
    """What was made while starting stays for good, so the collector need not walk through it again; and calls leave few
    cycles behind, so it need not look so often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


async def require_authentication(app: App) -> None:
    settings = app.settings
    if is_loopback(settings.host) or settings.oauth_issuer or await app.keys.has_active():
        return
    raise CannotServe(
        f"{settings.host} can be reached from other machines, and no authentication is set up. "
        "Make a key first (`sanya keys create NAME`), or set oauth_issuer, or serve on 127.0.0.1."
    )


class _Server(Server):
    """granian on a socket that is bound already, so that the port is known and a taken one is our own message."""

    def __init__(self, application: Application, listener: Listener) -> None:
        super().__init__(
            application,
            interface=Interfaces.ASGI,
            http=HTTPModes.http1,
            websockets=False,
            backlog=BACKLOG,
            log_level=LogLevels.error,
            log_dictconfig=_NO_LOGGING,
        )
        self._listener = listener

    def _init_shared_socket(self) -> None:
        # The published types leave out what the class takes: a descriptor, whether it is a Unix socket, the backlog.
        # It closes the descriptor as well, so it is given away.
        self._shd = cast(Any, SocketHolder)(self._listener.detach(), False, BACKLOG)

    def refuse_connections(self) -> None:
        """Takes no more of them, and ends when the open ones have their answers."""
        cast(Any, self).stop()


@contextmanager
def _signals(stopping: asyncio.Event) -> Iterator[asyncio.Event]:
    """The first signal stops, the second one hurries. Where the loop takes no signals, Ctrl-C ends it as ever."""
    loop, hurry = asyncio.get_running_loop(), asyncio.Event()

    def on_signal() -> None:
        (hurry if stopping.is_set() else stopping).set()

    taken = []
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError, ValueError, RuntimeError):
            loop.add_signal_handler(number, on_signal)
            taken.append(number)
    try:
        yield hurry
    finally:
        for number in taken:
            loop.remove_signal_handler(number)


async def _wait_for(event: asyncio.Event, serving: asyncio.Task[None]) -> bool:
    """Waits for the event; false where the server ended before it."""
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
        log.warning("calls still run; they are cancelled now")
        application.stop_calls()
        await asyncio.wait({serving}, timeout=_CANCEL_GRACE_S)
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)


def announce(app: App, url: str, grpc_address: str | None = None) -> None:
    """Tells a person where to go; a machine gets the same as one record, whatever the log level."""
    settings, catalogue = app.settings, app.kernel.catalogue
    if settings.log_format == "json" or (settings.log_format == "auto" and not sys.stderr.isatty()):
        ready = log.getChild("ready")
        ready.setLevel(logging.INFO)
        ready.info("Sanya %s is ready at %s", __version__, url, extra={"url": url, "grpc": grpc_address})
        return
    suites = ", ".join(f"{one.name} ({len(one.tools)} tools)" for one in catalogue.suites)
    sys.stderr.write(
        f"\n  Sanya {__version__} is ready at {url}\n\n"
        f"  suites   {suites}\n"
        f"  console  {url}/   (open it in a browser)\n"
        f"  MCP      {url}/mcp   (`sanya connect` tells a client about it)\n"
        f"  HTTP     {url}/tools   described in {url}/openapi.json\n"
        f"  GraphQL  {url}/graphql\n" + (f"  gRPC     {grpc_address}   (it reflects)\n" if grpc_address else "") + "\n"
        "  Ctrl-C stops it.\n\n"
    )
    sys.stderr.flush()
