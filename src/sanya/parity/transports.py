"""Opens every transport to a home as a client would: over real sockets and pipes, in processes of their own."""

from __future__ import annotations

import asyncio
import os
import socket
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

import httpx
import httpx2
import orjson
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import TextResourceContents
from mcp_types.version import LATEST_MODERN_VERSION

from sanya.parity.comparison import Case, Transport, TransportAnswer, TransportFailed
from sanya.parity.graphql_transport import open_graphql
from sanya.parity.grpc_transport import open_grpc

_START_S = 180.0  # a busy machine takes its time; a server that ends is noticed at once
_ANSWER_S = 600.0  # the comparison has shorter timeouts
_STOP_S = 10.0
_POLL_S = 0.05
_LAST_WORDS = 2000
_MAX_LINE = 64 * 1024 * 1024


@asynccontextmanager
async def open_transports(program: Sequence[str], home: Path) -> AsyncIterator[list[Transport]]:
    """Yield all transports but the one in this process. `program` is the command that starts Sanya."""
    async with AsyncExitStack() as stack:
        output = stack.enter_context(tempfile.TemporaryFile("w+"))  # noqa: SIM115 - the stack closes it
        grpc_port = _find_free_port() if has_grpc() else None
        base = await stack.enter_async_context(_run_server(program, home, output, grpc_port))
        gateway = await stack.enter_async_context(httpx.AsyncClient(base_url=base, trust_env=False, timeout=_ANSWER_S))

        async def connect_http(path: str, mode: str) -> Client:
            web = await stack.enter_async_context(httpx2.AsyncClient(trust_env=False, timeout=_ANSWER_S))
            return await stack.enter_async_context(
                Client(streamable_http_client(base + path, http_client=web), mode=mode)
            )

        piped = StdioServerParameters(
            command=program[0], args=[*program[1:], "mcp", "--home", str(home)], env={**os.environ}
        )
        transports = [
            _build_mcp("MCP stdio", await stack.enter_async_context(Client(stdio_client(piped, errlog=output)))),
            _build_mcp("MCP modern", await connect_http("/mcp", LATEST_MODERN_VERSION)),
            _build_mcp("MCP legacy", await connect_http("/mcp", "legacy")),
            _build_mcp("MCP portable", await connect_http("/mcp/portable", LATEST_MODERN_VERSION), portable=True),
            _build_gateway(gateway),
            await open_graphql(gateway),
        ]
        if grpc_port is not None:
            transports.append(await stack.enter_async_context(open_grpc(f"127.0.0.1:{grpc_port}")))
        transports.append(await stack.enter_async_context(_open_cli(program, home, output)))
        yield transports


def has_grpc() -> bool:
    """Return whether the packages of gRPC, an extra, are installed."""
    return find_spec("httpunk") is not None and find_spec("grpc_reflection") is not None


def _build_mcp(name: str, client: Client, *, portable: bool = False) -> Transport:
    async def read(uri: str) -> TransportAnswer:
        try:
            result = await client.read_resource(uri)
        except MCPError as error:
            raise TransportFailed(str(error)) from error
        (content,) = result.contents
        if not isinstance(content, TextResourceContents):
            raise TransportFailed("the resource is not text")
        is_json = content.mime_type == "application/json"
        payload = orjson.loads(content.text) if is_json else {"text": content.text, "mime_type": content.mime_type}
        return _read_answer(payload, (result.meta or {}).get("sanya/audit") or _find_stamp(payload))

    async def ask(case: Case) -> TransportAnswer:
        if case.uri is not None:
            return await read(case.uri)
        called = case.tool.portable_name if portable else case.tool.name
        try:
            result = await client.call_tool(called, dict(case.arguments))
        except MCPError as error:
            raise TransportFailed(str(error)) from error
        stamp = (result.meta or {}).get("sanya/audit") or _find_stamp(result.structured_content)
        return _read_answer(result.structured_content, stamp)

    return Transport(name, ask, on_mcp=True)


def _build_gateway(client: httpx.AsyncClient) -> Transport:
    async def ask(case: Case) -> TransportAnswer:
        try:
            response = await client.post(f"/tools/{case.tool.name}", json={"args": dict(case.arguments)})
            envelope = response.json()
            return _read_answer(envelope["data"] if envelope["ok"] else envelope["error"], envelope["meta"]["audit"])
        except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
            raise TransportFailed(f"the gateway gave no envelope ({type(error).__name__}: {error})") from error

    return Transport("gateway", ask, reads_resources=False)


@asynccontextmanager
async def _open_cli(program: Sequence[str], home: Path, output: IO[str]) -> AsyncIterator[Transport]:
    """Run one process for all calls, a line each. A process for each call would load the models every time."""
    command = (*program, "call", "--lines", "--home", str(home))
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, stderr=output, limit=_MAX_LINE)
    assert process.stdin is not None
    assert process.stdout is not None
    asking, answering = process.stdin, process.stdout

    async def ask(case: Case) -> TransportAnswer:
        asking.write(orjson.dumps({"tool": case.name, "arguments": dict(case.arguments)}) + b"\n")
        await asking.drain()
        line = await answering.readline()
        if not line:
            raise TransportFailed("`sanya call --lines` ended before it answered")
        answer = orjson.loads(line)
        return _read_answer(answer["body"] if answer["ok"] else answer["error"], answer["stamp"])

    try:
        yield Transport("CLI", ask)
    finally:
        asking.close()
        await _stop(process)


def _find_stamp(payload: Any) -> Any:
    return payload.get("audit") if isinstance(payload, dict) else None


def _read_answer(payload: Any, stamp: Any) -> TransportAnswer:
    if not isinstance(payload, dict):
        raise TransportFailed(f"the answer is not an object but {type(payload).__name__}")
    if not isinstance(stamp, dict) or not isinstance(stamp.get("out_hash"), str):
        raise TransportFailed("the answer has no stamp")
    return TransportAnswer(payload, stamp["out_hash"])


@asynccontextmanager
async def _run_server(program: Sequence[str], home: Path, output: IO[str], grpc_port: int | None) -> AsyncIterator[str]:
    """Run a server on free loopback ports and yield its address."""
    port = _find_free_port()
    options = (
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--require-auth",
        "false",
        "--rate-limit-anonymous-per-minute",
        "0",
        *(("--grpc", "on", "--grpc-port", str(grpc_port)) if grpc_port is not None else ("--grpc", "off")),
    )
    process = await asyncio.create_subprocess_exec(
        *program, "serve", "--home", str(home), *options, stdin=asyncio.subprocess.DEVNULL, stdout=output, stderr=output
    )
    try:
        base = f"http://127.0.0.1:{port}"
        await _wait_until_ready(process, base, output)
        yield base
    finally:
        await _stop(process)


async def _wait_until_ready(process: Process, base: str, output: IO[str]) -> None:
    deadline = asyncio.get_running_loop().time() + _START_S
    async with httpx.AsyncClient(trust_env=False, timeout=_POLL_S * 20) as client:
        while process.returncode is None and asyncio.get_running_loop().time() < deadline:
            try:
                if (await client.get(f"{base}/health")).is_success:
                    return
            except httpx.HTTPError:
                await asyncio.sleep(_POLL_S)
    output.seek(0)
    raise TransportFailed(f"`sanya serve` did not start. Its output:\n{output.read()[-_LAST_WORDS:].strip()}")


async def _stop(process: Process) -> None:
    if process.returncode is not None:
        return
    process.terminate()
    try:
        async with asyncio.timeout(_STOP_S):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


def _find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
