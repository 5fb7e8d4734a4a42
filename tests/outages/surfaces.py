"""The surfaces of one home: the same call on each of them, and the error object that it answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from graphql import GraphQLSchema, build_client_schema, get_introspection_query, get_named_type, is_object_type

from sanya.app import App
from sanya.kernel.contracts.schema_types import to_identifier
from sanya.kernel.contracts.tool import Tool
from sanya.parity.comparison import Case, Transport
from sanya.parity.grpc_transport import open_grpc
from sanya.surfaces.grpc.server import GrpcServer
from sanya.surfaces.http.application import build_application
from sanya.surfaces.http.listener import bind
from tests.outages.gate import WAIT_S
from tests.surfaces.http.conftest import ADDRESS, run_lifespan
from tests.surfaces.mcp.asgi_requests import MODERN, tool_call

Refusal = Mapping[str, Any]
"""The error object in the words of a suite."""
# An answer has others beside them.
ERROR_FIELDS = {"status", "code", "error_code", "message", "details", "retry_after_ms", "actionableHint"}


@dataclass(frozen=True)
class Surfaces:
    app: App
    client: httpx.AsyncClient
    schema: GraphQLSchema
    over_grpc: Transport

    async def call(self, tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Refusal | None]:
        """Call the tool on every surface in turn. Return each error object, or None for an answer."""
        answers = {
            "gateway": await self.call_gateway(tool, arguments),
            "MCP": await self.call_mcp(tool, arguments),
            "MCP with progress": await self.call_mcp(tool, arguments, progressToken="p"),
        }
        if tool.effect == "read":  # these two offer nothing that writes
            answers["GraphQL"] = await self.call_graphql(tool, arguments)
            answers["gRPC"] = await self.call_grpc(tool, arguments)
        return answers

    async def call_gateway(self, tool: Tool, arguments: Mapping[str, Any]) -> Refusal | None:
        answer = await self.client.post(f"/tools/{tool.name}", json={"args": dict(arguments)})
        content = answer.json()
        error: Refusal | None = content["error"]
        assert content["ok"] is answer.is_success is (error is None)
        if answer.status_code == 503:
            assert int(answer.headers["retry-after"]) > 0
        return error

    async def call_mcp(self, tool: Tool, arguments: Mapping[str, Any], **meta: Any) -> Refusal | None:
        accept = "application/json, text/event-stream"
        headers = {"accept": accept, "mcp-protocol-version": MODERN, "mcp-method": "tools/call", "mcp-name": tool.name}
        answer = await self.client.post("/mcp", json=tool_call(tool.name, dict(arguments), **meta), headers=headers)
        assert answer.status_code == 200, answer.text
        result = _read_last_message(answer)["result"]
        if not result.get("isError"):
            return None
        assert result["content"][0]["text"]
        structured: dict[str, Any] = result["structuredContent"]
        error: Refusal = structured.get("error", structured)
        return error

    async def call_graphql(self, tool: Tool, arguments: Mapping[str, Any]) -> Refusal | None:
        query = self._build_query(to_identifier(tool.portable_name), arguments)
        answer = await self.client.post("/graphql", json={"query": query, "variables": dict(arguments)})
        content = answer.json()
        if not content.get("errors"):
            return None
        (problem,) = content["errors"]
        extensions = problem["extensions"]
        assert "error" in extensions, content
        error: Refusal = extensions["error"]
        assert extensions["code"] == read_code(error)
        return error

    async def call_grpc(self, tool: Tool, arguments: Mapping[str, Any]) -> Refusal | None:
        payload = (await self.over_grpc.ask(Case(tool, "outage", arguments))).payload
        return payload if payload.keys() <= ERROR_FIELDS else None

    def _build_query(self, name: str, arguments: Mapping[str, Any]) -> str:
        assert self.schema.query_type is not None
        field = self.schema.query_type.fields[name]
        declared = ", ".join(f"${argument}: {field.args[argument].type}" for argument in arguments)
        passed = ", ".join(f"{argument}: ${argument}" for argument in arguments)
        head, call = (f"({declared})", f"({passed})") if arguments else ("", "")
        selection = "{ __typename }" if is_object_type(get_named_type(field.type)) else ""
        return f"query{head} {{ answer: {name}{call} {selection} }}"


def _read_last_message(answer: httpx.Response) -> dict[str, Any]:
    """Return the message of a JSON answer, or the last one of a stream."""
    if not answer.headers["content-type"].startswith("text/event-stream"):
        message: dict[str, Any] = answer.json()
        return message
    lines = [line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith("data: {")]
    streamed: dict[str, Any] = json.loads(lines[-1])
    return streamed


def read_code(error: Refusal) -> str:
    return str(error["error_code"] if "error_code" in error else error["code"])


def read_retry_ms(error: Refusal) -> int | None:
    """Return the time to retry, which some contracts put among the details."""
    retry: int | None = error.get("retry_after_ms") or (error.get("details") or {}).get("retry_after_ms")
    return retry


@asynccontextmanager
async def open_surfaces(app: App) -> AsyncIterator[Surfaces]:
    async with AsyncExitStack() as stack:
        application = build_application(app)
        await stack.enter_async_context(run_lifespan(application))
        transport = httpx.ASGITransport(app=application)
        client = await stack.enter_async_context(
            httpx.AsyncClient(transport=transport, base_url=ADDRESS, timeout=WAIT_S)
        )
        grpc_server, listener = GrpcServer(app), bind("127.0.0.1", 0)
        await grpc_server.start(listener)
        stack.push_async_callback(grpc_server.stop, 0.0, asyncio.Event())
        introspected = (await client.post("/graphql", json={"query": get_introspection_query()})).json()
        over_grpc = await stack.enter_async_context(open_grpc(f"127.0.0.1:{listener.getsockname()[1]}", {}))
        yield Surfaces(app, client, build_client_schema(introspected["data"]), over_grpc)
