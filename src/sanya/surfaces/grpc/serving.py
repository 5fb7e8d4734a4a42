"""Whether gRPC is served beside HTTP, and where: it is an extra, and nothing else waits for it."""

from __future__ import annotations

import asyncio
import logging
from importlib.util import find_spec
from typing import TYPE_CHECKING

from sanya.surfaces.http.admission import bracketed
from sanya.surfaces.http.listener import CannotServe, Listener, bind

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.surfaces.grpc.server import GrpcServer

log = logging.getLogger(__name__)

_NEEDED = ("httpunk", "google.protobuf", "google.rpc", "grpc_reflection", "grpc_health")


class GrpcDoor:
    """The port is taken at once, so that it is known; what answers there is made in a thread while HTTP serves."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._listener = _bound(app)
        self._starting: asyncio.Task[GrpcServer] | None = None
        self.address: str | None = None
        if self._listener is not None:
            self.address = f"{bracketed(app.settings.host)}:{self._listener.getsockname()[1]}"

    def start(self) -> None:
        if self._listener is not None:
            self._starting = asyncio.create_task(_started(self._app, self._listener), name="grpc")
            self._starting.add_done_callback(_report)

    async def ready(self) -> None:
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


def _bound(app: App) -> Listener | None:
    """The socket; None where gRPC is not served, which is said unless the owner wants it so."""
    mode = app.settings.grpc
    if mode == "off":
        return None
    try:
        _refuse_missing()
        return bind(app.settings.host, app.settings.grpc_port, setting="grpc_port")
    except CannotServe as problem:
        if mode == "on":
            raise
        log.warning("gRPC is not served: %s", problem)
        return None


def _refuse_missing() -> None:
    for name in _NEEDED:
        try:
            found = find_spec(name)
        except ModuleNotFoundError:
            found = None
        if found is None:
            raise CannotServe(f"{name} is not installed; `pip install sanya[grpc]` brings it (or set grpc = off)")


async def _started(app: App, listener: Listener) -> GrpcServer:
    try:
        server = await asyncio.to_thread(_made, app)
    except BaseException:
        listener.close()  # or its clients would wait for an answer
        raise
    await server.start(listener)
    return server


def _made(app: App) -> GrpcServer:
    from sanya.surfaces.grpc.server import GrpcServer  # here: it is an extra, and takes long to load

    return GrpcServer(app)


def _report(starting: asyncio.Task[GrpcServer]) -> None:
    if not starting.cancelled() and (error := starting.exception()) is not None:
        log.error("gRPC is not served", exc_info=error)
