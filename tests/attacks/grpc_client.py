"""grpcio's client for the gRPC port of a served home."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import grpc
import grpc.aio

from sanya.app import App
from sanya.kernel.contracts.schema_types import to_type_name
from sanya.published_contracts import find_published_folder
from sanya.surfaces.grpc.descriptors import Descriptors
from sanya.surfaces.grpc.proto import build_proto
from sanya.surfaces.schema_files import read_numbers
from tests.attacks.case_counts import count_case
from tests.attacks.raw_http import WAIT_S

Metadata = tuple[tuple[str, str | bytes], ...]


@dataclass(frozen=True)
class GrpcClient:
    channel: grpc.aio.Channel
    messages: Descriptors
    paths: dict[str, str]
    """Method name to path."""

    async def send(self, method: str, payload: bytes, metadata: Metadata = ()) -> tuple[str, Any]:
        """Return the name of the status, and the response message or the status message."""
        count_case()
        response = self.messages.get_message_class(f"{method}Response")
        made: Any = self.channel.unary_unary(self.paths[method], response_deserializer=response.FromString)
        try:
            return "OK", await made(payload, timeout=WAIT_S, metadata=metadata)
        except grpc.aio.AioRpcError as error:
            return error.code().name, str(error.details())

    async def call(self, tool: str, key: str = "", metadata: Metadata = (), **arguments: Any) -> tuple[str, Any]:
        method = to_type_name(tool)
        request = self.messages.get_message_class(f"{method}Request")(**arguments)
        return await self.send(method, request.SerializeToString(), (*credentials(key), *metadata))

    async def read(self, uri: str, key: str = "") -> tuple[str, Any]:
        request = self.messages.get_message_class("ReadResourceRequest")(uri=uri)
        return await self.send("ReadResource", request.SerializeToString(), credentials(key))


def credentials(key: str) -> Metadata:
    return (("authorization", f"Bearer {key}"),) if key else ()


@asynccontextmanager
async def grpc_client(app: App, port: int) -> AsyncIterator[GrpcClient]:
    file = build_proto(app.kernel.catalogue, read_numbers(find_published_folder()))
    paths = {
        method.name: f"/sanya.v1.{service.name}/{method.name}"
        for service in file.services
        for method in service.methods
    }
    options = [("grpc.use_local_subchannel_pool", 1)]
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=options) as channel:
        yield GrpcClient(channel, Descriptors(file), paths)
