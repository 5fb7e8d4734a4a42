"""PostgreSQL is away while a key comes that the server has not seen yet: nobody can say whose it is, so no call begins.
Every surface answers in its own form and in the words of the suite that was called."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

import sanya
from sanya.app import App
from sanya.surfaces.grpc.descriptors import Descriptors
from sanya.surfaces.grpc.field_numbers import FieldNumbers
from sanya.surfaces.grpc.proto import build_proto
from sanya.surfaces.grpc.server import GrpcServer
from sanya.surfaces.http.application import build_application
from sanya.surfaces.http.listener import bind
from tests.outages.gate import WAIT_S, Gate, connect_unix
from tests.surfaces.http.conftest import ADDRESS, run_lifespan
from tests.surfaces.mcp.asgi_requests import MODERN, message, tool_call

pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")

# A tool of each suite, and the suite's word for an engine that is away.
TOOLS = {
    "get_memory": "storage_unavailable",
    "rag.search": "STORE",
    "get_tasks": "UNAVAILABLE",
    "search_rmf_funds": "UNAVAILABLE",
    "tool.query_kg": "UNAVAILABLE",
}


@dataclass(frozen=True)
class DarkHouse:
    """A server that lost its database before it met the key."""

    app: App
    client: httpx.AsyncClient
    grpc_port: int
    key: str

    async def post(self, path: str, content: Any, **headers: str) -> httpx.Response:
        return await self.client.post(path, json=content, headers={"authorization": f"Bearer {self.key}", **headers})

    async def post_mcp(self, content: dict[str, Any], name: str = "") -> httpx.Response:
        named = {"mcp-name": name} if name else {}
        accept = "application/json, text/event-stream"
        headers = {"accept": accept, "mcp-protocol-version": MODERN, "mcp-method": content["method"], **named}
        return await self.post("/mcp", content, **headers)


@pytest.fixture
async def house(postgresql_server: str, postgresql_url: str, home: Path) -> AsyncIterator[DarkHouse]:
    folder = postgresql_server.split("host=")[1].split("&")[0]
    schema = postgresql_url.split("options=")[1]
    async with AsyncExitStack() as stack:
        gate = stack.enter_context(Gate(connect_unix(f"{folder}/.s.PGSQL.5432")))
        url = (
            f"postgresql://postgres@127.0.0.1:{gate.port}/postgres?sslmode=disable&gssencmode=disable&options={schema}"
        )
        app = await stack.enter_async_context(sanya.open(home, database_url=url, index="embedded", require_auth=True))
        key = await app.keys.create("agent", ["*"])
        stack.callback(gate.heal)
        application = build_application(app)
        await stack.enter_async_context(run_lifespan(application))
        transport = httpx.ASGITransport(app=application)
        client = await stack.enter_async_context(
            httpx.AsyncClient(transport=transport, base_url=ADDRESS, timeout=WAIT_S)
        )
        grpc_server, listener = GrpcServer(app), bind("127.0.0.1", 0)
        await grpc_server.start(listener)
        stack.push_async_callback(grpc_server.stop, 0.0, asyncio.Event())
        gate.mode = "closed"
        gate.cut()
        yield DarkHouse(app, client, listener.getsockname()[1], key)


async def test_every_surface_answers_in_the_words_of_the_suite(house: DarkHouse) -> None:
    await check_gateway(house)
    await check_mcp(house)
    await check_graphql(house)
    await check_grpc(house)
    assert house.app.ledger.pending == 0


async def check_gateway(house: DarkHouse) -> None:
    for tool, code in TOOLS.items():
        for path, named in ((f"/tools/{tool}", {}), ("/tools", {"tool": tool})):
            answer = await house.post(path, {"args": {}, "request_id": "r-1", **named})
            said = answer.json()
            assert (answer.status_code, said["ok"], said["request_id"], said["tool"]) == (503, False, "r-1", tool)
            assert code in str(said["error"]), said
    unreadable = await house.client.post("/tools", content=b"{", headers={"authorization": f"Bearer {house.key}"})
    assert (unreadable.status_code, unreadable.json()["error"]["code"]) == (503, "UNAVAILABLE")


async def check_mcp(house: DarkHouse) -> None:
    for tool, code in TOOLS.items():
        call = tool_call(tool)
        answer = await house.post_mcp(call, tool)
        said = answer.json()
        assert (answer.status_code, said["id"], said["result"]["isError"]) == (200, call["id"], True)
        assert code in str(said["result"]["structuredContent"])
        assert said["result"]["content"][0]["text"]
    listed = await house.post_mcp(message("tools/list", {}))
    assert (listed.status_code, listed.json()["error"]["data"]["kind"]) == (503, "store_unavailable")


async def check_graphql(house: DarkHouse) -> None:
    answer = await house.post("/graphql", {"query": "{ __typename }"})
    [error] = answer.json()["errors"]
    assert (answer.status_code, error["extensions"]["code"]) == (503, "UNAVAILABLE")
    asked = '{ first: get_memory(query: "a") { status } rag_search(query: "a") { documents { pmid } } }'
    both = (await house.post("/graphql", {"query": asked})).json()["errors"]
    assert [(error["path"], error["extensions"]["code"]) for error in both] == [
        (["first"], TOOLS["get_memory"]),
        (["rag_search"], TOOLS["rag.search"]),
    ]


async def check_grpc(house: DarkHouse) -> None:
    grpc = pytest.importorskip("grpc")
    status_pb2 = pytest.importorskip("google.rpc.status_pb2")
    file = build_proto(house.app.kernel.catalogue, FieldNumbers())
    messages = Descriptors(file)
    paths = {
        method.tool: f"/sanya.v1.{service.name}/{method.name}"
        for service in file.services
        for method in service.methods
    }
    async with grpc.aio.insecure_channel(f"127.0.0.1:{house.grpc_port}") as channel:
        for tool, code in TOOLS.items():
            with pytest.raises(grpc.aio.AioRpcError) as failed:
                await channel.unary_unary(paths[tool])(
                    b"", metadata=(("authorization", f"Bearer {house.key}"),), timeout=WAIT_S
                )
            assert failed.value.code() == grpc.StatusCode.UNAVAILABLE
            trailers = failed.value.trailing_metadata() or ()
            details = next(value for name, value in trailers if name == "grpc-status-details-bin")
            status = status_pb2.Status.FromString(details)
            fault = messages.get_message_class("Fault").FromString(status.details[-1].value)
            assert fault.code == code
