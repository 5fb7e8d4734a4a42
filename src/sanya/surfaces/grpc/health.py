"""The standard gRPC health service. It runs the same checks as `GET /health`."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from google.protobuf.message import DecodeError
from grpc_health.v1 import health_pb2

from sanya.kernel.faults import InvalidArgument, Unavailable
from sanya.surfaces.grpc.exchange import Exchange, RpcFailure
from sanya.surfaces.grpc.status import NOT_FOUND
from sanya.surfaces.http.health import Health

CHECK, WATCH = "/grpc.health.v1.Health/Check", "/grpc.health.v1.Health/Watch"
_POLL_S = 5.0
_SERVING = health_pb2.HealthCheckResponse.SERVING
_NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
_UNKNOWN = health_pb2.HealthCheckResponse.SERVICE_UNKNOWN


class HealthService:
    def __init__(self, health: Health, services: Iterable[str]) -> None:
        self._health = health
        self._services = {"", *services}

    async def check(self, exchange: Exchange) -> None:
        service = _parse_service(await exchange.read_message())
        if service not in self._services:
            raise RpcFailure(NOT_FOUND, "No service of this name. Reflection lists the services.")
        await exchange.answer(
            health_pb2.HealthCheckResponse(status=await self._check_status(service)).SerializeToString()
        )

    async def watch(self, exchange: Exchange, idle_s: float) -> None:
        """Send the status and each change of it until the client cancels or nothing changed for this time."""
        service = _parse_service(await exchange.read_message())
        last_sent, sent_at = None, 0.0
        loop = asyncio.get_running_loop()
        while last_sent is None or loop.time() - sent_at < idle_s:
            status = await self._check_status(service)
            if status != last_sent:
                await exchange.send(health_pb2.HealthCheckResponse(status=status).SerializeToString())
                last_sent, sent_at = status, loop.time()
            await asyncio.sleep(min(_POLL_S, idle_s))
        raise Unavailable(f"No change for {idle_s:g} s. Watch again.", retry_after_ms=1000)

    async def _check_status(self, service: str) -> health_pb2.HealthCheckResponse.ServingStatus:
        if service not in self._services:
            return _UNKNOWN
        try:
            await self._health.run_checks()
        except Unavailable:
            return _NOT_SERVING
        return _SERVING


def _parse_service(payload: bytes) -> str:
    try:
        return str(health_pb2.HealthCheckRequest.FromString(payload).service)
    except DecodeError:
        raise InvalidArgument("The message is not a valid HealthCheckRequest.") from None
