"""The gRPC server: httpunk speaks HTTP/2, and this module dispatches each stream to its method.

Why not grpcio: its server runs on its own threads and passes every call to the event loop and back, which costs four
times the CPU of this server (260 µs a call against 65). httpunk wraps hyper's HTTP/2 state machine as an asyncio
protocol, so calls run in the same event loop as the HTTP surface. gRPC adds little on top of HTTP/2: a five-byte prefix
before each message, a status in the trailers and a timeout header, all in `exchange.py`. The tests call this server
with grpcio's client, which is the reference.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from typing import TYPE_CHECKING, Any

from httpunk.exceptions import HTTPunkError
from httpunk.h2.server import ServerRequest

from sanya.kernel.calls.call import Caller
from sanya.kernel.contracts.catalogue import Catalogue
from sanya.kernel.faults import DeadlineExceeded, Fault, Forbidden, Internal, Unavailable
from sanya.published_contracts import find_published_folder
from sanya.surfaces.connection_limits import ConnectionLimits, read_limits
from sanya.surfaces.grpc import reflection
from sanya.surfaces.grpc.connections import Connections
from sanya.surfaces.grpc.descriptors import Descriptors
from sanya.surfaces.grpc.exchange import Exchange, RpcFailure
from sanya.surfaces.grpc.health import CHECK, WATCH, HealthService
from sanya.surfaces.grpc.methods import ServiceMethods
from sanya.surfaces.grpc.proto import PACKAGE, ProtoFile, build_proto
from sanya.surfaces.grpc.status import UNIMPLEMENTED
from sanya.surfaces.guest_names import build_with_guests
from sanya.surfaces.http.application import build_authenticator, build_protected_resource
from sanya.surfaces.http.body import ClientGone
from sanya.surfaces.http.health import Health
from sanya.surfaces.http.listener import BACKLOG, Listener
from sanya.surfaces.open_streams import OpenStreams
from sanya.surfaces.schema_files import read_numbers

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from sanya.app import App

log = logging.getLogger(__name__)

_CANCEL_GRACE_S = 2.0
_ACCEPTED_AT_ONCE = 16


def _list_guest_folders(app: App) -> list[Traversable]:
    """Return the folders of contracts that guests ship: their field numbers are their own and never change."""
    definitions = [guest.definition for guest in app.guests if guest.definition is not None]
    return [definition.contracts for definition in definitions if definition.contracts is not None]


class GrpcServer:
    def __init__(self, app: App, limits: ConnectionLimits | None = None) -> None:
        def build(catalogue: Catalogue) -> tuple[ProtoFile, Descriptors]:
            file = build_proto(catalogue, read_numbers(find_published_folder(), _list_guest_folders(app)))
            return file, Descriptors(file)

        file, descriptors = build_with_guests(app.kernel.catalogue, build, "gRPC")
        self._authenticator = build_authenticator(app, build_protected_resource(app))
        self._methods = ServiceMethods(app.kernel, file, descriptors)
        self._reflection = reflection.Reflection(descriptors)
        self._health = HealthService(
            Health(app.database, app.ledger), (f"{PACKAGE}.{service.name}" for service in file.services)
        )
        self._admit = app.kernel.admit_request
        self._max_bytes = app.settings.max_body_bytes
        self._body_timeout_s = app.settings.body_timeout_s
        self._connections = Connections(self.serve, limits or read_limits(app.settings))
        self._streams = OpenStreams(app.settings.max_streams_per_caller)
        self._stream_idle_s = app.settings.stream_idle_s
        self._running: dict[asyncio.Task[Any], bool] = {}
        self._stopping = False
        self._server: asyncio.Server | None = None

    async def start(self, listener: Listener) -> None:
        self._connections.start()
        loop = asyncio.get_running_loop()
        # asyncio accepts as many connections at once as its backlog. A refused one takes 0.1 ms, so a flood of them
        # would hold the event loop for a while; the kernel's queue stays as long as it was.
        self._server = await loop.create_server(
            self._connections.create_protocol, sock=listener, backlog=_ACCEPTED_AT_ONCE
        )
        listener.listen(BACKLOG)

    async def stop(self, grace_s: float, hurry: asyncio.Event) -> None:
        """Accept no more connections, end watching streams at once, and give calls `grace_s` to finish."""
        assert self._server is not None
        self._server.close()
        self._stopping = True
        for task, listens in list(self._running.items()):
            if listens:
                task.cancel()
        calls = [task for task, listens in self._running.items() if not listens]
        if calls:
            hurried = asyncio.create_task(hurry.wait())
            ends: set[asyncio.Future[Any]] = {hurried, asyncio.ensure_future(asyncio.wait(calls))}
            await asyncio.wait(ends, timeout=grace_s, return_when=asyncio.FIRST_COMPLETED)
            hurried.cancel()
        for task in list(self._running):
            task.cancel()
        await self._connections.stop(_CANCEL_GRACE_S)

    def list_paths(self) -> frozenset[str]:
        """Return the paths of all methods that this server answers."""
        return frozenset((*self._methods.methods, CHECK, WATCH, *reflection.PATHS))

    async def serve(self, request: ServerRequest, peer: str) -> None:
        task = asyncio.current_task()
        assert task is not None
        exchange = Exchange(request, self._max_bytes, self._body_timeout_s, peer)
        path = request.path or ""
        self._running[task] = path == WATCH or path in reflection.PATHS
        try:
            await self._answer(exchange, request, path)
        except (ClientGone, HTTPunkError):
            return  # the client is gone
        finally:
            del self._running[task]

    async def _answer(self, exchange: Exchange, request: ServerRequest, path: str) -> None:
        if request.method != "POST" or not _is_grpc(request.headers.get("content-type")):
            await exchange.refuse(405 if request.method != "POST" else 415)
            return
        try:
            await self._dispatch(exchange, path)
        except RpcFailure as failure:
            await exchange.fail(failure)
        except Fault as fault:
            await exchange.fail(self._methods.to_failure(fault))
        except asyncio.CancelledError:
            if not self._stopping:
                raise
            stopping = Unavailable("The server is stopping. Try again.", retry_after_ms=1000)
            await exchange.fail(self._methods.to_failure(stopping))
        except (ClientGone, HTTPunkError):
            raise
        except Exception as error:  # last resort: the client gets a status and never a stack trace
            await exchange.fail(self._methods.to_failure(_report(error)))

    async def _dispatch(self, exchange: Exchange, path: str) -> None:
        if path == CHECK:
            await self._health.check(exchange)
            return
        try:
            caller = await self._identify_caller(exchange)
        except (Unavailable, DeadlineExceeded) as fault:
            raise self._methods.refuse_early(fault, path) from None
        if (method := self._methods.methods.get(path)) is not None:
            await method(exchange, caller)
            return
        await self._admit(caller)
        if path == WATCH:
            with self._streams.hold(caller, exchange.peer):
                await self._health.watch(exchange, self._stream_idle_s)
        elif path in reflection.PATHS:
            with self._streams.hold(caller, exchange.peer):
                await self._reflection.serve(exchange, self._stream_idle_s)
        else:
            raise RpcFailure(UNIMPLEMENTED, f"Unknown method {path[:200]}. Reflection lists the methods.")

    async def _identify_caller(self, exchange: Exchange) -> Caller:
        if exchange.get_metadata("origin") is not None:
            raise Forbidden("Browser pages may not call the gRPC port. Use the HTTP port.")
        authorization = exchange.get_metadata("authorization")
        return await self._authenticator.identify_caller(
            {} if authorization is None else {b"authorization": authorization}
        )


def _is_grpc(content_type: bytes | None) -> bool:
    return content_type is not None and (
        content_type == b"application/grpc"
        or content_type.startswith((b"application/grpc+proto", b"application/grpc;"))
    )


def _report(error: Exception) -> Internal:
    error_id = "err_" + secrets.token_hex(8)
    log.error("gRPC call failed", exc_info=error, extra={"error_id": error_id})
    return Internal(error_id=error_id)
