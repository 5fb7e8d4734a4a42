"""Thousands of connections and streams of one peer keep nobody else out: neither calls nor health probes.

The server, the flood and the client that is measured are three processes, at two loopback addresses. The times are
compared with those before the flood, in the same run. The floor keeps a busy machine from deciding: a server that is
locked out answers after seconds or never.
"""

from __future__ import annotations

import asyncio
import base64
import json
import resource
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

import pytest
from httpunk.asyncio import H2ClientProtocol

import sanya
from sanya.settings import Settings
from tests.attacks.case_counts import count_case
from tests.attacks.raw_http import WAIT_S
from tests.replicas.pair import Replica

OTHER_PEER = "127.0.0.2"
PROBES = 40
USUAL_TIMES = 3
FLOOR_S = 0.1
HALF_HEAD = b"POST /tools/get_tasks HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Ty"
HALF_PREFACE = b"PRI * HTTP/2.0\r\n"
DESCRIPTORS = 12_000
OTHER_DESCRIPTORS = 400
DEFAULTS = Settings()
ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(
    resource.getrlimit(resource.RLIMIT_NOFILE)[1] < DESCRIPTORS,
    reason=f"a flood needs {DESCRIPTORS} open files (ulimit -Hn)",
)


@dataclass(frozen=True)
class FloodedServer:
    port: int
    grpc_port: int
    attacker: str
    other: str
    replica: Replica

    async def probe_health(self) -> int:
        return await self._request("GET /health/live HTTP/1.1\r\n")

    async def call_tool(self) -> int:
        body = '{"args": {"limit": 1}}'
        head = f"POST /tools/get_tasks HTTP/1.1\r\nAuthorization: Bearer {self.other}\r\n"
        return await self._request(f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n", body)

    async def call_grpc(self) -> int:
        """Call the health service over a new connection."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(WAIT_S):
            _, protocol = await loop.create_connection(
                lambda: H2ClientProtocol(authority=f"127.0.0.1:{self.grpc_port}"),
                "127.0.0.1",
                self.grpc_port,
                local_addr=(OTHER_PEER, 0),
            )
            try:
                client = await protocol.ready()
                answer = await client.request(
                    "POST",
                    "/grpc.health.v1.Health/Check",
                    headers={"content-type": "application/grpc", "te": "trailers"},
                    body=b"\0\0\0\0\0",
                )
                await answer.read()
                return int(answer.status)
            finally:
                await protocol.aclose()

    async def _request(self, head: str, body: str = "") -> int:
        """Send one request over a new connection of the other peer and return its status."""
        async with asyncio.timeout(WAIT_S):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(OTHER_PEER, 0))
            try:
                writer.write(f"{head}Host: 127.0.0.1:{self.port}\r\nConnection: close\r\n\r\n{body}".encode())
                return int((await reader.readline()).split()[1])
            finally:
                writer.close()
                await asyncio.gather(writer.wait_closed(), return_exceptions=True)

    @property
    def stream(self) -> bytes:
        """A request for the stream on which older clients wait for notifications."""
        head = f"GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nAuthorization: Bearer {self.attacker}\r\n"
        return f"{head}Accept: text/event-stream\r\nMCP-Protocol-Version: 2025-11-25\r\n\r\n".encode()

    def count_descriptors(self) -> int:
        assert self.replica.process is not None
        return len(list(Path(f"/proc/{self.replica.process.pid}/fd").iterdir()))


@pytest.fixture
async def server(begun_home: Path) -> AsyncIterator[FloodedServer]:
    async with sanya.open(begun_home) as app:
        attacker, other = [await app.keys.create(name, ["tasks:read"]) for name in ("attacker", "other")]
    with socket.create_server(("127.0.0.1", 0)) as unused:
        grpc_port = unused.getsockname()[1]
    environ = {"SANYA_PORT": "0", "SANYA_GRPC": "on", "SANYA_GRPC_PORT": str(grpc_port), "SANYA_LOG_FORMAT": "json"}
    replica = Replica("flooded", begun_home, environ)
    replica.start()
    try:
        yield FloodedServer(replica.wait_for_port(), grpc_port, attacker, other, replica)
    finally:
        replica.stop()


@contextmanager
def _flood(*floods: tuple[int, int, bytes]) -> Iterator[None]:
    """Flood ports: (port, number of connections, what each sends) until the block ends."""
    described = json.dumps([(port, count, base64.b64encode(payload).decode()) for port, count, payload in floods])
    command = [sys.executable, "-m", "tests.attacks.flood", described]
    count_case(sum(count for _, count, _ in floods))
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None and process.stdout.readline() == b"all tried\n"
            yield
        finally:
            process.kill()


async def _measure(probe: Callable[[], Awaitable[int]]) -> float:
    """Return the median time of an answer. Every probe must be answered."""
    times = []
    for _ in range(PROBES):
        started = perf_counter()
        assert await probe() == 200
        times.append(perf_counter() - started)
    return median(times)


async def _wait_for_limits(server: FloodedServer) -> None:
    """Wait until the flood holds no more connections than one peer may have on both ports."""
    async with asyncio.timeout(WAIT_S):
        while server.count_descriptors() > 2 * DEFAULTS.max_connections_per_peer + OTHER_DESCRIPTORS:
            await server.probe_health()


async def test_a_flood_of_one_peer_keeps_nobody_else_out(server: FloodedServer) -> None:
    """5,000 half-open and silent connections on both ports, and 2,000 streams with one key, all at once."""
    probes = (server.probe_health, server.call_tool, server.call_grpc)
    for probe in probes:
        await _measure(probe)
    usual = [await _measure(probe) for probe in probes]
    flood = _flood(
        (server.port, 2_000, HALF_HEAD),
        (server.port, 1_500, b""),
        (server.grpc_port, 1_000, b""),
        (server.grpc_port, 500, HALF_PREFACE),
        (server.port, 2_000, server.stream),
    )
    with flood:
        arriving = [await _measure(probe) for probe in probes]
        await _wait_for_limits(server)
        held = [await _measure(probe) for probe in probes]
    for flooded in (arriving, held):
        for probe, before, after in zip(probes, usual, flooded, strict=True):
            assert after < max(USUAL_TIMES * before, FLOOR_S), (probe.__name__, before, after)
