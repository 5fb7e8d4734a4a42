"""Mixed load of `soak`: reads of all five suites over four protocols, and one write in twenty calls.

Runs in its own process. `python -m benchmarks.soak_load PORT GRPC_PORT calls N` makes N calls at full speed; `… RATE
SECONDS` sends RATE calls per second, even if answers are late. It prints a line of JSON every few seconds. It writes
raw HTTP/1.1, because any client library needs more time than the server.
"""

from __future__ import annotations

import asyncio
import random
import sys
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from time import perf_counter, time_ns
from typing import Any

import orjson
import uvloop

from benchmarks.load import read_content_length
from benchmarks.wire import build_tool_request

FULL_SPEED = "calls"
SEED = 20261116
CONNECTIONS = 12
EVERY_S = 5.0
_MOST_WAITING = 2000
_PATIENCE_S = 60.0
_TIMEOUT_GRPC_S = 60.0
_ENGLISH = "turmeric ginger fever nausea warfarin trial placebo weight plant report budget review minutes pilot"
_THAI = "ขมิ้นชัน ขิง ไข้ ท้องอืด ประชุม รายงาน ยา สมุนไพร"
_WORDS = f"{_ENGLISH} {_THAI}".split()
_FUNDS = ("ABAPAC-RMF", "B-ASIARMF", "ES-GOLDRMF-UH")


class Failed(Exception):
    """Raised if a call fails or the server falls behind."""


class ConnectionPool:
    """Pool of keep-alive connections, one per concurrent request up to a limit."""

    def __init__(self, port: int) -> None:
        self._port = port
        # Reuse the longest idle connection first, because the server closes idle connections.
        self._free: deque[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = deque()
        self._turns = asyncio.Semaphore(CONNECTIONS)

    async def ask(self, path: str, content: dict[str, Any]) -> Any:
        body = orjson.dumps(content)
        return await self.send(_post(self._port, path, body))

    async def send(self, request: bytes) -> Any:
        async with self._turns:
            reader, writer = await self._acquire_connection()
            try:
                writer.write(request)
                head = await reader.readuntil(b"\r\n\r\n")
                body = await _read_body(reader, head.lower())
            except BaseException:
                writer.close()
                raise
            self._free.append((reader, writer))
        if not head.startswith(b"HTTP/1.1 200"):
            raise Failed(f"{head[:40]!r} {body[:300]!r}")
        return orjson.loads(body)

    async def _acquire_connection(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return self._free.popleft() if self._free else await asyncio.open_connection("127.0.0.1", self._port)


async def _read_body(reader: asyncio.StreamReader, head: bytes) -> bytes:
    """Read a body. A slow answer is an event stream whose last event is the answer."""
    if b"transfer-encoding: chunked" not in head:
        return await reader.readexactly(read_content_length(head))
    body = b""
    while size := int(await reader.readline(), 16):
        body += (await reader.readexactly(size + 2))[:-2]
    await reader.readline()
    if b"text/event-stream" not in head:
        return body
    return [line for line in body.splitlines() if line.startswith(b"data:")][-1].removeprefix(b"data:")


def _post(port: int, path: str, body: bytes) -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode("ascii") + body


@dataclass
class Mix:
    """Random mix of calls."""

    port: int
    pool: ConnectionPool
    grpc: Callable[[str, bytes], Awaitable[bytes]]
    chance: random.Random = field(default_factory=lambda: random.Random(SEED))
    _memories: list[str] = field(default_factory=list)
    _number: int = 0
    _run: str = field(default_factory=lambda: f"soak-{time_ns():x}")
    """Prefix of request ids, so that the next load on the same server does not repeat them."""

    def __post_init__(self) -> None:
        self._kinds = (
            (70, self._read_gateway),
            (18, self._read_mcp),
            (8, self._read_graphql),
            (8, self._read_grpc),
            (3, self._send_memory),
            (2, self._correct_memory),
            (0.2, self._create_checkpoint),
        )

    async def ask(self) -> None:
        weights, kinds = zip(*self._kinds, strict=True)
        self._number += 1
        await self.chance.choices(kinds, weights)[0]()

    def _make_text(self) -> str:
        """Make a text that rarely repeats, so that an unbounded cache of queries would grow."""
        return " ".join([*self.chance.sample(_WORDS, 3), str(self.chance.randrange(100_000))])

    async def _call_gateway(self, tool: str, arguments: dict[str, Any], *, repeatable: bool = False) -> Any:
        content: dict[str, Any] = {"args": arguments}
        if repeatable:
            content["request_id"] = f"{self._run}-{self._number}"
        answer = await self.pool.ask(f"/tools/{tool}", content)
        if not answer["ok"]:
            raise Failed(f"{tool}: {answer['error']}")
        return answer["data"]

    async def _read_gateway(self) -> None:
        fund = self.chance.choice(_FUNDS)
        tool, arguments = self.chance.choice(
            (
                ("get_tasks", {"limit": self.chance.randint(1, 20)}),
                ("search_tasks", {"query": self.chance.choice(_WORDS)}),
                ("get_weekly_review", {}),
                ("get_projects", {}),
                ("get_rmf_funds", {"pageSize": 5, "page": self.chance.randint(1, 3)}),
                ("get_rmf_fund_detail", {"fundCode": fund}),
                ("get_rmf_fund_nav_history", {"fundCode": fund, "days": self.chance.randint(1, 365)}),
                ("compare_rmf_funds", {"fundCodes": list(_FUNDS)}),
                ("rag.get", {"doc_id": "pmid:9900000001"}),
                ("tool.query_kg", {"start": {"type": "herb", "id": "curcuma-longa"}, "limit": 5}),
                ("tool.find_contraindications", {"herb_ids": ["curcuma-longa"], "drugs": ["warfarin"]}),
            )
        )
        await self._call_gateway(tool, arguments, repeatable=self.chance.random() < 0.2)

    async def _read_mcp(self) -> None:
        tool, arguments = self.chance.choice(
            (
                ("get_tasks", {"limit": 5}),
                ("search_rmf_funds", {"maxRiskLevel": self.chance.randint(1, 8)}),
                ("get_memory", {"query": self._make_text(), "limit": 5}),
                ("rag.search", {"query": self._make_text(), "top_k": 3}),
                ("tool.hybrid_search", {"query": self._make_text(), "top_k": 5}),
            )
        )
        answer = await self.pool.send(build_tool_request(self.port, tool, arguments))
        if "error" in answer or answer["result"].get("isError"):
            raise Failed(f"{tool}: {str(answer)[:300]}")

    async def _read_graphql(self) -> None:
        # Every second query is new to the server, to exercise its cache of parsed queries.
        name = f"Q{self._number}" if self._number % 2 else "Q"
        query = f"query {name}($n: Int) {{ get_tasks(limit: $n) {{ items {{ id title status due_at }} next_cursor }} }}"
        answer = await self.pool.ask("/graphql", {"query": query, "variables": {"n": self.chance.randint(1, 10)}})
        if answer.get("errors"):
            raise Failed(f"GraphQL: {answer['errors'][:1]}")

    async def _read_grpc(self) -> None:
        if self.chance.random() < 0.5:
            await self.grpc("/sanya.v1.TasksService/GetTasks", bytes((0x08, self.chance.randint(1, 20))))
        else:
            word = self.chance.choice(_WORDS).encode()
            await self.grpc("/sanya.v1.TasksService/SearchTasks", bytes((0x0A, len(word))) + word)

    async def _send_memory(self) -> None:
        content = f"Note {self._number}: {self._make_text()} was seen by Mara on the {self._number % 28 + 1}th."
        sent = await self._call_gateway("send_memory", {"content": content}, repeatable=True)
        self._memories = [*self._memories[-99:], sent["memory_id"]]

    async def _correct_memory(self) -> None:
        if not self._memories:
            return await self._send_memory()
        target, action = self._memories.pop(), self.chance.choice(("annotate", "contest", "reclassify"))
        payload = {
            "annotate": {"note": self._make_text()},
            "contest": {"reason": self._make_text()},
            "reclassify": {"new_type": "event"},
        }[action]
        answer = await self._call_gateway("correct_memory", {"target_id": target, "action": action, "payload": payload})
        if answer["status"] != "applied":
            raise Failed(f"correct_memory: {answer}")
        return None

    async def _create_checkpoint(self) -> None:
        await self._call_gateway("corpus.checkpoint.create", {"name": f"Soak {self._number}"})


@dataclass
class Tally:
    """Call times and errors since the last report."""

    times: list[float] = field(default_factory=list)
    errors: int = 0
    first_error: str | None = None

    def summarise(self, at: float) -> dict[str, Any]:
        ordered = sorted(self.times) or [0.0]
        shares = {
            f"p{share}_ms": 1000 * ordered[min(len(ordered) - 1, len(ordered) * share // 100)] for share in (50, 99)
        }
        counts = {"at_s": at, "answered": len(self.times), "errors": self.errors, "first_error": self.first_error}
        return {**counts, **shares}


class Load:
    def __init__(self, mix: Mix) -> None:
        self._mix = mix
        self._tally = Tally()
        self._begun = perf_counter()

    async def run(self, asking: Awaitable[None]) -> None:
        reporting = asyncio.create_task(self._report_regularly())
        try:
            await asking
        finally:
            reporting.cancel()
        self._report()

    async def _take(self, asking: Awaitable[None], since: float) -> None:
        try:
            await asyncio.wait_for(asking, _PATIENCE_S)
        except Exception as error:  # the soak counts every kind of error
            self._tally.errors += 1
            self._tally.first_error = self._tally.first_error or f"{type(error).__name__}: {error}"[:500]
        else:
            self._tally.times.append(perf_counter() - since)

    async def run_at_full_speed(self, calls: int) -> None:
        left = iter(range(calls))

        async def ask_again() -> None:
            for _ in left:
                await self._take(self._mix.ask(), perf_counter())

        await asyncio.gather(*(ask_again() for _ in range(CONNECTIONS)))

    async def run_steadily(self, rate: float, seconds: float) -> None:
        """Send calls at random intervals. Times include the wait of late calls."""
        begun = due = perf_counter()
        tasks: set[asyncio.Task[None]] = set()
        while due < begun + seconds:
            due += self._mix.chance.expovariate(rate)
            await asyncio.sleep(max(0.0, due - perf_counter()))
            if len(tasks) >= _MOST_WAITING:
                raise Failed(f"{len(tasks)} requests are waiting: server does not keep up with {rate:g} per second")
            task = asyncio.create_task(self._take(self._mix.ask(), due))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
        await asyncio.gather(*tasks)

    async def _report_regularly(self) -> None:
        while True:
            await asyncio.sleep(EVERY_S)
            self._report()

    def _report(self) -> None:
        tally, self._tally = self._tally, Tally()
        sys.stdout.buffer.write(orjson.dumps(tally.summarise(perf_counter() - self._begun)) + b"\n")
        sys.stdout.buffer.flush()


async def main(port: int, grpc_port: int, rate: str, amount: str) -> None:
    import grpc.aio

    async with grpc.aio.insecure_channel(f"127.0.0.1:{grpc_port}") as channel:

        async def call(path: str, message: bytes) -> bytes:
            asked = channel.unary_unary(path, request_serializer=None, response_deserializer=None)
            answer: bytes = await asked(message, timeout=_TIMEOUT_GRPC_S)
            return answer

        load = Load(Mix(port, ConnectionPool(port), call))
        fast = rate == FULL_SPEED
        await load.run(load.run_at_full_speed(int(amount)) if fast else load.run_steadily(float(rate), float(amount)))


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]))
