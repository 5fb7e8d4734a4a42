"""The demo suites behind a gRPC port, and grpcio's client."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc.aio
import pytest

import sanya
from sanya.app import App
from sanya.surfaces.grpc.descriptors import Descriptors
from sanya.surfaces.grpc.field_numbers import FieldNumbers
from sanya.surfaces.grpc.proto import build_proto
from sanya.surfaces.grpc.server import GrpcServer
from sanya.surfaces.http.listener import bind
from tests.surfaces.http.conftest import WAIT_S, DemoControl, demo_suites


@dataclass(frozen=True)
class GrpcDemoServer:
    """An open home on a gRPC port. `call` invokes a method of the demo suites or of our own services."""

    app: App
    control: DemoControl
    port: int
    channel: grpc.aio.Channel
    messages: Descriptors
    grpc: GrpcServer

    def call(self, method: str, service: str = "DemoService", **arguments: Any) -> Any:
        return self.send(method, self.messages.get_message_class(f"{method}Request")(**arguments), service)

    def send(self, method: str, request: Any, service: str = "DemoService", **more: Any) -> Any:
        response = self.messages.get_message_class(f"{method}Response")
        made = self.channel.unary_unary(
            f"/sanya.v1.{service}/{method}",
            request_serializer=bytes if isinstance(request, bytes) else type(request).SerializeToString,
            response_deserializer=response.FromString,
        )
        return made(request, **{"timeout": WAIT_S, **more})


OpenGrpc = Callable[..., Awaitable[GrpcDemoServer]]


@pytest.fixture
async def open_grpc(home: Path, filled_home: Path) -> AsyncIterator[OpenGrpc]:
    async with AsyncExitStack() as stack:
        shutil.copytree(filled_home, home)

        async def opened(**settings: Any) -> GrpcDemoServer:
            control = DemoControl()
            app = await stack.enter_async_context(sanya.open(home, extra_suites=demo_suites(control), **settings))
            server = GrpcServer(app)
            listener = bind("127.0.0.1", 0)
            port = listener.getsockname()[1]
            await server.start(listener)
            stack.push_async_callback(server.stop, 0.0, asyncio.Event())
            channel = grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=[("grpc.use_local_subchannel_pool", 1)])
            stack.push_async_callback(channel.close)
            messages = Descriptors(build_proto(app.kernel.catalogue, FieldNumbers()))
            return GrpcDemoServer(app, control, port, channel, messages, server)

        yield opened


@pytest.fixture
async def server(open_grpc: OpenGrpc) -> GrpcDemoServer:
    return await open_grpc()
