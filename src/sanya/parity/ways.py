"""Every way into a home, opened as a stranger would: clients over real sockets and pipes, processes of their own."""

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

from sanya.parity.comparison import Case, Heard, Way, WayFailed
from sanya.parity.graphql_way import open_graphql_way
from sanya.parity.grpc_way import open_grpc_way

_START_S = 30.0
_ANSWER_S = 600.0  # the comparison itself is less patient
_STOP_S = 10.0
_POLL_S = 0.05
_LAST_WORDS = 2000
_MAX_LINE = 64 * 1024 * 1024


@asynccontextmanager
async def open_ways(program: Sequence[str], home: Path) -> AsyncIterator[list[Way]]:
    """All ways but the one in this process. `program` are the words that start Sanya."""
    async with AsyncExitStack() as stack:
        words = stack.enter_context(tempfile.TemporaryFile("w+"))  # noqa: SIM115 - the stack closes it
        grpc_port = _free_port() if has_grpc() else None
        base = await stack.enter_async_context(_serving(program, home, words, grpc_port))
        gateway = await stack.enter_async_context(httpx.AsyncClient(base_url=base, trust_env=False, timeout=_ANSWER_S))

        async def over_http(path: str, mode: str) -> Client:
            web = await stack.enter_async_context(httpx2.AsyncClient(trust_env=False, timeout=_ANSWER_S))
            return await stack.enter_async_context(
                Client(streamable_http_client(base + path, http_client=web), mode=mode)
            )

        piped = StdioServerParameters(
            command=program[0], args=[*program[1:], "mcp", "--home", str(home)], env={**os.environ}
        )
        ways = [
            _mcp_way("MCP stdio", await stack.enter_async_context(Client(stdio_client(piped, errlog=words)))),
            _mcp_way("MCP modern", await over_http("/mcp", LATEST_MODERN_VERSION)),
            _mcp_way("MCP legacy", await over_http("/mcp", "legacy")),
            _mcp_way("MCP portable", await over_http("/mcp/portable", LATEST_MODERN_VERSION), portable=True),
            _gateway_way(gateway),
            await open_graphql_way(gateway),
        ]
        if grpc_port is not None:
            ways.append(await stack.enter_async_context(open_grpc_way(f"127.0.0.1:{grpc_port}")))
        ways.append(await stack.enter_async_context(_open_cli_way(program, home, words)))
        yield ways


def has_grpc() -> bool:
    """Whether the packages of gRPC, which is an extra, are here."""
    return find_spec("httpunk") is not None and find_spec("grpc_reflection") is not None


def _mcp_way(name: str, client: Client, *, portable: bool = False) -> Way:
    async def read(uri: str) -> Heard:
        try:
            result = await client.read_resource(uri)
        except MCPError as error:
            raise WayFailed(str(error)) from error
        (content,) = result.contents
        if not isinstance(content, TextResourceContents):
            raise WayFailed("the resource is not text")
        is_json = content.mime_type == "application/json"
        payload = orjson.loads(content.text) if is_json else {"text": content.text, "mime_type": content.mime_type}
        return _heard(payload, (result.meta or {}).get("sanya/audit") or _stamp_in(payload))

    async def ask(case: Case) -> Heard:
        if case.uri is not None:
            return await read(case.uri)
        called = case.tool.portable_name if portable else case.tool.name
        try:
            result = await client.call_tool(called, dict(case.arguments))
        except MCPError as error:
            raise WayFailed(str(error)) from error
        stamp = (result.meta or {}).get("sanya/audit") or _stamp_in(result.structured_content)
        return _heard(result.structured_content, stamp)

    return Way(name, ask, on_mcp=True)


def _gateway_way(client: httpx.AsyncClient) -> Way:
    async def ask(case: Case) -> Heard:
        try:
            response = await client.post(f"/tools/{case.tool.name}", json={"args": dict(case.arguments)})
            envelope = response.json()
            return _heard(envelope["data"] if envelope["ok"] else envelope["error"], envelope["meta"]["audit"])
        except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
            raise WayFailed(f"the gateway gave no envelope ({type(error).__name__}: {error})") from error

    return Way("gateway", ask, reads_resources=False)


@asynccontextmanager
async def _open_cli_way(program: Sequence[str], home: Path, words: IO[str]) -> AsyncIterator[Way]:
    """One process for all calls, a line each: a process for each would load dictionaries and models again and again."""
    command = (*program, "call", "--lines", "--home", str(home))
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, stderr=words, limit=_MAX_LINE)
    assert process.stdin is not None
    assert process.stdout is not None
    asking, answering = process.stdin, process.stdout

    async def ask(case: Case) -> Heard:
        asking.write(orjson.dumps({"tool": case.name, "arguments": dict(case.arguments)}) + b"\n")
        await asking.drain()
        line = await answering.readline()
        if not line:
            raise WayFailed("`sanya call --lines` ended before it answered")
        answer = orjson.loads(line)
        return _heard(answer["body"] if answer["ok"] else answer["error"], answer["stamp"])

    try:
        yield Way("CLI", ask)
    finally:
        asking.close()
        await _stop(process)


def _stamp_in(payload: Any) -> Any:
    return payload.get("audit") if isinstance(payload, dict) else None


def _heard(payload: Any, stamp: Any) -> Heard:
    if not isinstance(payload, dict):
        raise WayFailed(f"the answer is not an object but {type(payload).__name__}")
    if not isinstance(stamp, dict) or not isinstance(stamp.get("out_hash"), str):
        raise WayFailed("the answer has no stamp")
    return Heard(payload, stamp["out_hash"])


@asynccontextmanager
async def _serving(program: Sequence[str], home: Path, words: IO[str], grpc_port: int | None) -> AsyncIterator[str]:
    """A server of our own on free loopback ports; gives its address."""
    port = _free_port()
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
        *program, "serve", "--home", str(home), *options, stdin=asyncio.subprocess.DEVNULL, stdout=words, stderr=words
    )
    try:
        base = f"http://127.0.0.1:{port}"
        await _until_ready(process, base, words)
        yield base
    finally:
        await _stop(process)


async def _until_ready(process: Process, base: str, words: IO[str]) -> None:
    deadline = asyncio.get_running_loop().time() + _START_S
    async with httpx.AsyncClient(trust_env=False, timeout=_POLL_S * 20) as client:
        while process.returncode is None and asyncio.get_running_loop().time() < deadline:
            try:
                if (await client.get(f"{base}/health")).is_success:
                    return
            except httpx.HTTPError:
                await asyncio.sleep(_POLL_S)
    words.seek(0)
    raise WayFailed(f"`sanya serve` did not start; it said:\n{words.read()[-_LAST_WORDS:].strip()}")


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


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
