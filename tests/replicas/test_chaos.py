"""Two servers that are killed in turn, while PostgreSQL and Redis are cut off in turn, under writes on the gateway and
in MCP streams and reads on gRPC, all with a key: nothing acknowledged is lost, nothing is made twice, and whatever is
refused is refused in the words of its suite.

`SANYA_LONG=1` lets it run for ten minutes, CHAOS_SECONDS as long as it says.
"""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import count, cycle
from pathlib import Path
from typing import Any

import httpx
import pytest

from sanya.app import App
from sanya.kernel.ledger.verification import verify_ledger
from sanya.surfaces.grpc.field_numbers import FieldNumbers
from sanya.surfaces.grpc.proto import build_proto
from tests.long_form import often
from tests.outages.gate import Gate, connect_unix
from tests.replicas.pair import ReplicaPair, running_pair
from tests.surfaces.mcp.asgi_requests import MODERN, tool_call

grpc = pytest.importorskip("grpc", reason="the extra `grpc` is not installed")

SECONDS = float(os.environ.get("CHAOS_SECONDS") or often(10, 600))
AWAY_S, BETWEEN_S = 1.5, float(often(1, 3))
REFUSALS = {"storage_unavailable", "timeout", "rate_limited"}
TOOL = "send_memory"


@dataclass
class Chaos:
    """What the clients saw. `acknowledged` has the memory id of each text that was stored."""

    pair: ReplicaPair
    key: str
    until: float
    numbers: Iterator[int] = field(default_factory=count)
    acknowledged: dict[str, str] = field(default_factory=dict)
    seen: Counter[str] = field(default_factory=Counter)
    untyped: list[str] = field(default_factory=list)

    def write_until_the_end(self, send: Callable[[str, str], httpx.Response], read: Callable[[str], Any]) -> None:
        """Store one memory after the other; repeat each under its request id until it is acknowledged."""
        while time.monotonic() < self.until:
            text = f"The chaotic lantern lantern{next(self.numbers)}x hangs in the hall."
            while text not in self.acknowledged:
                try:
                    self._note(text, send(text, f"chaos {text}"), read)
                except httpx.TransportError:
                    self.seen["connection lost"] += 1

    def read_until_the_end(self, ports: list[int], path: str) -> None:
        """Read tasks over gRPC, from one server after the other."""
        channels = [grpc.insecure_channel(f"127.0.0.1:{port}") for port in ports]
        for channel in cycle(channels):
            if time.monotonic() > self.until:
                break
            try:
                metadata = (("authorization", f"Bearer {self.key}"),)
                channel.unary_unary(path)(b"", metadata=metadata, timeout=20, wait_for_ready=False)
                self.seen["gRPC answered"] += 1
            except grpc.RpcError as error:
                self.seen[f"gRPC {error.code().name}"] += 1
                if error.code() not in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED):
                    self.untyped.append(f"gRPC: {error.code()} {error.details()}")
                time.sleep(0.05)  # a server that is away is asked again, but not in a tight loop
        for channel in channels:
            channel.close()

    def _note(self, text: str, answer: httpx.Response, read: Callable[[str], Any]) -> None:
        if answer.status_code == httpx.codes.BAD_GATEWAY and not answer.content:
            self.seen["502 of the proxy"] += 1
            return
        try:
            body = read(answer.text)
        except (ValueError, KeyError, IndexError, TypeError) as error:
            self.untyped.append(f"{answer.status_code} {answer.text[:300]} ({error!r})")
            return
        if body.get("memory_id"):
            self.acknowledged[text] = body["memory_id"]
            self.seen["acknowledged"] += 1
            return
        self.seen[f"refused: {body.get('error_code')}"] += 1
        if body.get("error_code") not in REFUSALS:
            self.untyped.append(str(body))


def read_envelope(text: str) -> Any:
    content = json.loads(text)
    return content["data"] if content["ok"] else content["error"]


def read_stream(text: str) -> Any:
    lines = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: {")]
    return json.loads(lines[-1] if lines else text)["result"]["structuredContent"]


def send_on_gateway(pair: ReplicaPair, key: str, text: str, request_id: str) -> httpx.Response:
    return pair.post(f"/tools/{TOOL}", {"args": {"content": text}, "request_id": request_id}, key)


def send_in_stream(pair: ReplicaPair, key: str, text: str, request_id: str) -> httpx.Response:
    meta = {"progressToken": "p", "sanya/request_id": request_id}
    headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": MODERN}
    headers |= {"mcp-method": "tools/call", "mcp-name": TOOL}
    return pair.post("/mcp", tool_call(TOOL, {"content": text}, **meta), key, **headers)


def disturb(pair: ReplicaPair, gates: tuple[Gate, Gate], until: float) -> None:
    """Kill a server, cut PostgreSQL off, kill the other server, cut Redis off, and so on, each time for a moment."""
    pause = threading.Event()
    for turn in cycle(range(4)):
        if time.monotonic() > until:
            return
        if turn % 2 == 0:
            pair.replicas[turn // 2].stop(signal.SIGKILL)
            pause.wait(AWAY_S)
            pair.start()
        else:
            gate = gates[turn // 2]
            gate.mode = "closed"
            gate.cut()
            pause.wait(AWAY_S)
            gate.heal()
        pause.wait(BETWEEN_S)


async def find_grpc_path(app: App) -> str:
    services = build_proto(app.kernel.catalogue, FieldNumbers()).services
    methods = [(service.name, method) for service in services for method in service.methods]
    return next(f"/sanya.v1.{name}/{method.name}" for name, method in methods if method.tool == "get_tasks")


async def count_stored(app: App) -> Counter[str]:
    rows = await app.database.fetch("SELECT content FROM memories WHERE content LIKE 'The chaotic lantern %'")
    assert (await verify_ledger(app.ledger_store)).problem is None
    return Counter(str(content) for (content,) in rows)


def test_nothing_acknowledged_is_lost_or_made_twice_while_servers_and_engines_come_and_go(
    postgresql_server: str, redis_url: str, tmp_path: Path
) -> None:
    import psycopg

    schema = f"chaos_{os.getpid()}"
    with psycopg.connect(postgresql_server, autocommit=True) as connection:
        connection.execute(f'CREATE SCHEMA "{schema}"')
    folder = postgresql_server.split("host=")[1].split("&")[0]
    redis = redis_url.split("unix://")[1].split("?")[0]
    with Gate(connect_unix(f"{folder}/.s.PGSQL.5432")) as to_postgresql, Gate(connect_unix(redis)) as to_redis:
        place = f"127.0.0.1:{to_postgresql.port}/postgres?sslmode=disable&gssencmode=disable"
        url = f"postgresql://postgres@{place}&options=-csearch_path%3D{schema}"
        with running_pair(url, f"redis://127.0.0.1:{to_redis.port}/0", tmp_path, with_grpc=True) as pair:
            run_chaos(pair, (to_postgresql, to_redis))
    with psycopg.connect(postgresql_server, autocommit=True) as connection:
        connection.execute(f'DROP SCHEMA "{schema}" CASCADE')


def run_chaos(pair: ReplicaPair, gates: tuple[Gate, Gate]) -> None:
    key = pair.run_in_home(lambda app: app.keys.create("chaos", ["*"], calls_per_minute=1_000_000))
    path = pair.run_in_home(find_grpc_path)
    chaos = Chaos(pair, key, time.monotonic() + SECONDS)
    ways = ((send_on_gateway, read_envelope), (send_in_stream, read_stream))
    with ThreadPoolExecutor(8) as pool:
        work = [pool.submit(chaos.write_until_the_end, partial(send, pair, key), read) for send, read in ways * 2]
        work.append(pool.submit(chaos.read_until_the_end, [replica.grpc_port for replica in pair.replicas], path))
        disturb(pair, gates, chaos.until)
        for task in work:
            task.result()
    stored = pair.run_in_home(count_stored)
    lost = [text for text in chaos.acknowledged if text not in stored]
    twice = [text for text, times in stored.items() if times > 1]
    print(f"{SECONDS:g} s: {dict(chaos.seen)}; lost {len(lost)}, twice {len(twice)}, untyped {len(chaos.untyped)}")
    assert (lost, twice, chaos.untyped) == ([], [], [])
    assert chaos.seen["acknowledged"] and chaos.seen["gRPC answered"]
    assert stored.keys() == chaos.acknowledged.keys(), "every write was repeated until it was acknowledged"
