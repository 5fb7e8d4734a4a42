"""A server whose PostgreSQL and Redis are stopped, cut off and started again while it is called over HTTP and MCP."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx
import pytest
import pytest_asyncio

import sanya
from sanya.app import App
from sanya.kernel.ledger.verification import verify_ledger
from sanya.sources.running_server import fetch_engine_states
from sanya.surfaces.http.server import serve
from tests.outages.errands import Errands
from tests.outages.gate import WAIT_S, Gate, connect_unix
from tests.outages.servers import PostgresqlServer, RedisServer, own_postgresql, own_redis
from tests.surfaces.mcp.asgi_requests import MODERN, tool_call

pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")
pytestmark = pytest.mark.asyncio(loop_scope="module")

REFUSED = {503, 504}


@dataclass(frozen=True)
class House:
    app: App
    client: httpx.AsyncClient
    postgresql: PostgresqlServer
    to_postgresql: Gate
    redis: RedisServer
    to_redis: Gate

    async def call(self, tool: str, request_id: str | None = None, **arguments: Any) -> httpx.Response:
        content = {"args": arguments, **({"request_id": request_id} if request_id else {})}
        return await self.client.post(f"/tools/{tool}", json=content)

    async def call_mcp(self, tool: str, **arguments: Any) -> Any:
        headers = {
            "accept": "application/json, text/event-stream",
            "mcp-protocol-version": MODERN,
            "mcp-method": "tools/call",
            "mcp-name": tool,
        }
        return (await self.client.post("/mcp", json=tool_call(tool, arguments), headers=headers)).json()["result"]

    async def read_health(self) -> tuple[int, dict[str, str]]:
        answer = await self.client.get("/health")
        said = answer.json()
        return answer.status_code, said["engines"] if answer.is_success else said["error"]["details"]["engines"]

    async def wait_until_recovered(self) -> None:
        """Retry like a good client: not before the time in the refusal."""
        await wait_until(lambda: self._has_recovered())

    async def _has_recovered(self) -> bool:
        answer = await self.call("errand.read", name="well")
        if answer.status_code == 200:
            return True
        assert answer.status_code in REFUSED
        await asyncio.sleep((answer.json()["error"]["retry_after_ms"] or 0) / 1000)
        return False


async def wait_until(holds: Callable[[], Awaitable[bool]]) -> None:
    end = time.monotonic() + WAIT_S
    while not await holds():
        assert time.monotonic() < end
        await asyncio.sleep(0.05)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    folder = tmp_path_factory.mktemp("outages")
    async with AsyncExitStack() as stack:
        postgresql = stack.enter_context(own_postgresql())
        redis = stack.enter_context(own_redis(folder))
        to_postgresql = stack.enter_context(Gate(connect_unix(postgresql.socket)))
        to_redis = stack.enter_context(Gate(connect_unix(redis.socket)))
        errands = Errands()
        app = await stack.enter_async_context(
            sanya.open(
                folder / "home",
                extra_suites=[errands.suite()],
                database_url=f"postgresql://postgres@127.0.0.1:{to_postgresql.port}/postgres?sslmode=disable",
                redis_url=f"redis://127.0.0.1:{to_redis.port}/0",
                engine_failures=3,
                engine_pause_s=1,
                index="embedded",
                port=0,
                grpc="off",
            )
        )
        errands.database = app.database
        url = await _serve(app, stack)
        client = await stack.enter_async_context(httpx.AsyncClient(base_url=url, timeout=WAIT_S, trust_env=False))
        yield House(app, client, postgresql, to_postgresql, redis, to_redis)
        to_postgresql.heal()
        to_redis.heal()


async def _serve(app: App, stack: AsyncExitStack) -> str:
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    stop = asyncio.Event()
    serving = asyncio.create_task(serve(app, on_ready=ready.set_result, stop=stop, grace_s=1.0))

    async def end() -> None:
        stop.set()
        await asyncio.wait_for(serving, WAIT_S)

    stack.push_async_callback(end)
    return await asyncio.wait_for(ready, WAIT_S)


async def count_of(house: House, name: str) -> int:
    rows = await house.app.database.fetch("SELECT revision FROM revisions WHERE suite = ?", (f"errand {name}",))
    return int(str(rows[0][0])) if rows else 0


async def test_calls_end_in_their_time_while_postgresql_is_swallowed_and_others_go_on(house: House) -> None:
    await house.wait_until_recovered()
    house.to_postgresql.mode = "hole"
    for _ in range(3):
        async with asyncio.timeout(WAIT_S):
            *needy, idle, over_mcp = await asyncio.gather(
                *(house.call("errand.read", name="hole") for _ in range(6)),
                *(house.call("errand.write", name="hole") for _ in range(3)),
                house.call("errand.idle", name="hole"),
                house.call_mcp("errand.read", name="hole"),
            )
        assert {response.status_code for response in needy} <= REFUSED
        assert {response.json()["error"]["code"] for response in needy} <= {
            "UNAVAILABLE",
            "TIMEOUT",
            "DEADLINE_EXCEEDED",
        }
        assert idle.status_code == 200
        assert over_mcp["isError"]
    refused = await house.call("errand.read", name="hole")
    assert refused.status_code == 503
    assert 0 < refused.json()["error"]["retry_after_ms"] <= 1000
    assert refused.headers["retry-after"] == "1"
    house.to_postgresql.heal()
    await house.wait_until_recovered()
    assert (await house.call_mcp("errand.read", name="hole"))["structuredContent"] == {"count": 0}
    assert await count_of(house, "hole") == 0


async def test_an_outage_is_seen_from_outside_and_so_is_its_end(house: House) -> None:
    await house.wait_until_recovered()
    house.to_postgresql.mode = "closed"
    house.to_postgresql.cut()

    async def is_out() -> bool:
        await house.call("errand.read", name="seen")
        return (await house.read_health())[1]["PostgreSQL"] != "closed"

    await wait_until(is_out)
    assert (await house.read_health())[0] == 503
    engines = await fetch_engine_states(str(house.client.base_url).rstrip("/"))
    assert engines is not None and engines["PostgreSQL"] != "closed"
    assert 'sanya_engine_up{engine="PostgreSQL"} 0' in (await house.client.get("/metrics")).text
    house.to_postgresql.heal()

    async def is_well() -> bool:
        """Without any call, health probes close the circuit."""
        status, seen = await house.read_health()
        return status == 200 and seen["PostgreSQL"] == "closed"

    await wait_until(is_well)
    assert 'sanya_engine_up{engine="PostgreSQL"} 1' in (await house.client.get("/metrics")).text


async def test_a_write_that_is_asked_for_again_after_the_outage_is_made_once(house: House) -> None:
    await house.wait_until_recovered()
    house.to_postgresql.cut_at(b"INSERT INTO ledger", passed_on=False)
    request_id = uuid4().hex
    first = await house.call("errand.write", request_id, name="once")
    if first.status_code != 200:
        assert first.json()["error"]["details"] == {"outcome": "made"}
        assert "not recorded yet" in first.json()["error"]["message"]

    async def is_acknowledged() -> bool:
        return (await house.call("errand.write", request_id, name="once")).status_code == 200

    await wait_until(is_acknowledged)
    assert await count_of(house, "once") == 1


async def test_postgresql_is_stopped_and_started_while_memories_come(house: House) -> None:
    await house.wait_until_recovered()
    names = [f"The {number}th bell of the temple rang." for number in range(40)]
    acknowledged: list[str] = []
    stopped = asyncio.Event()

    async def send(number: int) -> None:
        """Repeat the call under one request id until it succeeds."""

        async def is_taken() -> bool:
            if number == 10:
                stopped.set()
            answer = await house.call("send_memory", f"bell {number}", content=names[number])
            if answer.status_code == 200 and answer.json()["data"]["status"] == "accepted":
                acknowledged.append(answer.json()["data"]["memory_id"])
                return True
            return False

        await wait_until(is_taken)

    sending = asyncio.gather(*(send(number) for number in range(len(names))))
    await asyncio.wait_for(stopped.wait(), WAIT_S)
    await asyncio.to_thread(house.postgresql.stop)
    refused = await house.call("get_tasks", limit=1)
    assert refused.status_code in REFUSED
    await asyncio.to_thread(house.postgresql.start)
    await asyncio.wait_for(sending, WAIT_S)
    await house.wait_until_recovered()
    rows = await house.app.database.fetch("SELECT id FROM memories")
    assert sorted(str(id) for (id,) in rows) == sorted(acknowledged)
    await house.app.ledger.flush()
    assert (await verify_ledger(house.app.ledger_store)).problem is None


@pytest.mark.parametrize("way", ["hole", "stopped"])
async def test_without_redis_calls_go_on_and_with_it_again_too(house: House, way: str) -> None:
    await house.wait_until_recovered()
    if way == "hole":
        house.to_redis.mode = "hole"
    else:
        await asyncio.to_thread(house.redis.stop)

    async def is_left_alone() -> bool:
        answer = await house.call("errand.read", uuid4().hex, name="redis")
        assert answer.status_code == 200
        return (await house.read_health())[1]["Redis"] == "open"

    await wait_until(is_left_alone)
    status, _ = await house.read_health()
    assert status == 200
    if way == "hole":
        house.to_redis.heal()
    else:
        await asyncio.to_thread(house.redis.start)

    async def is_back() -> bool:
        await house.call("errand.read", uuid4().hex, name="redis")
        return (await house.read_health())[1]["Redis"] == "closed"

    await wait_until(is_back)


async def test_after_all_of_it_nothing_is_left_open(house: House) -> None:
    await house.wait_until_recovered()

    async def is_calm() -> bool:
        connections = house.to_postgresql.open_connections, house.to_redis.open_connections
        waiting = [task for task in asyncio.all_tasks() if task.get_name() in ("commit", "old connections")]
        return max(connections) <= 10 and not waiting

    await wait_until(is_calm)
    assert (await verify_ledger(house.app.ledger_store)).problem is None
