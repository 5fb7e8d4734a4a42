"""Starts and stops the optional gRPC server beside the HTTP server."""

from __future__ import annotations

import asyncio
import logging
from importlib.util import find_spec
from typing import TYPE_CHECKING

from sanya.settings import Settings
from sanya.surfaces.connection_limits import ConnectionLimits, read_limits
from sanya.surfaces.http.auth.hosts_and_origins import format_host
from sanya.surfaces.http.listener import Bind, CannotServe, Listener, bind

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.surfaces.grpc.server import GrpcServer

log = logging.getLogger(__name__)

_REQUIRED_PACKAGES = ("httpunk", "google.protobuf", "google.rpc", "grpc_reflection", "grpc_health")


class GrpcRunner:
    """Builds the server in a thread while HTTP already serves. `listener` is None where gRPC is not served."""

    def __init__(self, app: App, listener: Listener | None) -> None:
        self._app = app
        self._listener = listener
        self._starting: asyncio.Task[GrpcServer] | None = None
        self.limits = read_limits(app.settings)
        self.address: str | None = None
        if self._listener is not None:
            self.address = f"{format_host(app.settings.host)}:{self._listener.getsockname()[1]}"

    def start(self) -> None:
        if self._listener is not None:
            starting = _start_server(self._app, self._listener, self.limits)
            self._starting = asyncio.create_task(starting, name="grpc")
            self._starting.add_done_callback(_report)

    async def wait_until_ready(self) -> None:
        if self._starting is not None:
            await asyncio.shield(self._starting)

    async def stop(self, grace_s: float, hurry: asyncio.Event) -> None:
        if self._starting is None:
            if self._listener is not None:
                self._listener.close()
            return
        (server,) = await asyncio.gather(self._starting, return_exceptions=True)
        if not isinstance(server, BaseException):
            await server.stop(grace_s, hurry)


def bind_grpc(settings: Settings, bind: Bind = bind) -> Listener | None:
    """Bind the socket. Returns None where gRPC is not served, with a warning unless the owner turned it off."""
    mode = settings.grpc
    if mode == "off":
        return None
    try:
        _require_packages()
        return bind(settings.host, settings.grpc_port, setting="grpc_port")
    except CannotServe as problem:
        if mode == "on":
            raise
        log.warning("gRPC is disabled: %s", problem)
        return None


def _require_packages() -> None:
    for name in _REQUIRED_PACKAGES:
        try:
            spec = find_spec(name)
        except ModuleNotFoundError:
            spec = None
        if spec is None:
            raise CannotServe(f"{name} is not installed. Run `pip install sanya[grpc]`, or set grpc = off.")


async def _start_server(app: App, listener: Listener, limits: ConnectionLimits) -> GrpcServer:
    try:
        server = await asyncio.to_thread(_build_server, app, limits)
    except BaseException:
        listener.close()  # otherwise clients would connect and wait forever
        raise
    await server.start(listener)
    return server


def _build_server(app: App, limits: ConnectionLimits) -> GrpcServer:
    from sanya.surfaces.grpc.server import GrpcServer  # here: its packages are optional and slow to load

    return GrpcServer(app, limits)


def _report(starting: asyncio.Task[GrpcServer]) -> None:
    if not starting.cancelled() and (error := starting.exception()) is not None:
        log.error("gRPC failed to start", exc_info=error)
