"""Starts the stand-in on two free loopback ports and serves its REST side: meta, schema, single objects."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import orjson
from weaviate.proto.v1 import weaviate_pb2_grpc

from tests.engines.index.weaviate_server.held import ClassStore, Refused, add_property
from tests.engines.index.weaviate_server.misbehaving import Misbehaviour
from tests.engines.index.weaviate_server.rpc import Service

VERSION = "1.35.2"
_OBJECT = re.compile("/v1/objects/([^/]+)/([^/]+)")
_CLASS = re.compile("/v1/schema/([^/]+)(/properties)?")


class _Status(Exception):
    def __init__(self, status: int) -> None:
        self.status = status


class StandIn:
    def __init__(self) -> None:
        self.store = ClassStore()
        self.misbehaviour = Misbehaviour()
        self.service = Service(self.store, self.misbehaviour)
        self.requests: list[str] = []
        self.key = ""
        self._rest: asyncio.Server | None = None
        self._open: set[asyncio.Task[None]] = set()
        self._rpc: Any = None
        self._ports = (0, 0)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._ports[0]}"

    @property
    def grpc_port(self) -> int:
        return self._ports[1]

    async def start(self) -> None:
        """Start listening. A second start takes the same ports again, like a restarted server."""
        self._rest = await asyncio.start_server(self._accept, "127.0.0.1", self._ports[0])
        self._rpc = grpc.aio.server()
        weaviate_pb2_grpc.add_WeaviateServicer_to_server(self.service, self._rpc)  # type: ignore[no-untyped-call]
        port = self._rpc.add_insecure_port(f"127.0.0.1:{self._ports[1]}")
        await self._rpc.start()
        self._ports = (self._rest.sockets[0].getsockname()[1], port)

    async def stop(self) -> None:
        """Stop at once, like a machine that is switched off. The data stays."""
        assert self._rest is not None
        self._rest.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)
        await self._rpc.stop(None)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            method, path, _ = head.split(" ", 2)
            length = re.search(r"content-length: (\d+)", head, re.IGNORECASE)
            body = await reader.readexactly(int(length[1])) if length else b""
            status, answer = await self._answer_rest(f"{method} {path.partition('?')[0]}", head, body)
            writer.write(f"HTTP/1.1 {status} x\r\ncontent-type: application/json\r\n".encode())
            writer.write(f"content-length: {len(answer)}\r\nconnection: close\r\n\r\n".encode() + answer)
            await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _answer_rest(self, asked: str, head: str, body: bytes) -> tuple[int, bytes]:
        self.requests.append(asked)
        if self.key and f"authorization: bearer {self.key}" not in head.lower():
            return 401, b"{}"
        try:
            await self.misbehaviour.run_before(asked, _abort)
            answer = self._route(asked, orjson.loads(body) if body else {})
            await self.misbehaviour.run_after(asked, _abort)
        except _Status as failed:
            return failed.status, b"{}"
        except Refused as refused:
            return 422, orjson.dumps({"error": [{"message": str(refused)}]})
        return (204, b"") if answer is None else (200, orjson.dumps(answer))

    def _route(self, asked: str, body: dict[str, Any]) -> Any:
        method, path = asked.split(" ")
        if asked == "GET /v1/meta":
            return {"version": VERSION, "grpcMaxMessageSize": 104858000, "hostname": self.url, "modules": {}}
        if asked == "GET /v1/nodes":
            return {"nodes": [{"name": "stand-in", "status": "HEALTHY", "version": VERSION, "shards": None}]}
        if asked == "POST /v1/schema":
            return self.store.create(body)
        if match := _OBJECT.fullmatch(path):
            return self._handle_object(method, match[1], match[2])
        if match := _CLASS.fullmatch(path):
            return self._handle_class(method, match[1], body if match[2] else None)
        raise _Status(404)

    def _handle_object(self, method: str, name: str, uuid: str) -> None:
        objects = self.store.get(name).objects
        if method != "DELETE" or uuid not in objects:
            raise _Status(404)
        del objects[uuid]

    def _handle_class(self, method: str, name: str, added: dict[str, Any] | None) -> Any:
        if name not in self.store.classes:
            raise _Status(400 if method == "DELETE" else 404)
        if method == "DELETE":
            del self.store.classes[name]
            return {}
        if added is not None:
            add_property(self.store.classes[name], added)
            return added
        return self.store.classes[name].config


async def _abort(code: grpc.StatusCode, _: str) -> None:
    raise _Status(503 if code == grpc.StatusCode.UNAVAILABLE else 500)


@asynccontextmanager
async def stand_in() -> AsyncIterator[StandIn]:
    server = StandIn()
    await server.start()
    try:
        yield server
    finally:
        await server.stop()
