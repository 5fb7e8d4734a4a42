"""Every way into a home, opened as a stranger would: clients over real sockets and pipes, processes of their own."""

from __future__ import annotations

import asyncio
import os
import socket
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import IO, Any

import httpx
import httpx2
import orjson
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types.version import LATEST_MODERN_VERSION

from sanya.kernel.tool import Tool
from sanya.parity.comparison import Heard, Way, WayFailed

_START_S = 30.0
_ANSWER_S = 600.0  # the comparison itself is less patient
_STOP_S = 10.0
_POLL_S = 0.05
_LAST_WORDS = 2000


@asynccontextmanager
async def open_ways(program: Sequence[str], home: Path) -> AsyncIterator[list[Way]]:
    """All ways but the one in this process. `program` are the words that start Sanya."""
    async with AsyncExitStack() as stack:
        words = stack.enter_context(tempfile.TemporaryFile("w+"))  # noqa: SIM115 - the stack closes it
        base = await stack.enter_async_context(_serving(program, home, words))
        gateway = await stack.enter_async_context(httpx.AsyncClient(base_url=base, trust_env=False, timeout=_ANSWER_S))

        async def over_http(path: str, mode: str) -> Client:
            web = await stack.enter_async_context(httpx2.AsyncClient(trust_env=False, timeout=_ANSWER_S))
            return await stack.enter_async_context(
                Client(streamable_http_client(base + path, http_client=web), mode=mode)
            )

        piped = StdioServerParameters(
            command=program[0], args=[*program[1:], "mcp", "--home", str(home)], env={**os.environ}
        )
        yield [
            _mcp_way("MCP stdio", await stack.enter_async_context(Client(stdio_client(piped, errlog=words)))),
            _mcp_way("MCP modern", await over_http("/mcp", LATEST_MODERN_VERSION)),
            _mcp_way("MCP legacy", await over_http("/mcp", "legacy")),
            _mcp_way("MCP portable", await over_http("/mcp/portable", LATEST_MODERN_VERSION), portable=True),
            _gateway_way(gateway),
            _cli_way(program, home),
        ]


def _mcp_way(name: str, client: Client, *, portable: bool = False) -> Way:
    async def ask(tool: Tool, arguments: Mapping[str, Any]) -> Heard:
        called = tool.portable_name if portable else tool.name
        try:
            result = await client.call_tool(called, dict(arguments))
        except MCPError as error:
            raise WayFailed(str(error)) from error
        stamp = (result.meta or {}).get("sanya/audit") or _stamp_in(result.structured_content)
        return _heard(result.structured_content, stamp)

    return Way(name, ask, on_mcp=True)


def _gateway_way(client: httpx.AsyncClient) -> Way:
    async def ask(tool: Tool, arguments: Mapping[str, Any]) -> Heard:
        try:
            response = await client.post(f"/tools/{tool.name}", json={"args": dict(arguments)})
            envelope = response.json()
            return _heard(envelope["data"] if envelope["ok"] else envelope["error"], envelope["meta"]["audit"])
        except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
            raise WayFailed(f"the gateway gave no envelope ({type(error).__name__}: {error})") from error

    return Way("gateway", ask)


def _cli_way(program: Sequence[str], home: Path) -> Way:
    async def ask(tool: Tool, arguments: Mapping[str, Any]) -> Heard:
        words = (*program, "call", tool.name, "-", "--stamp", "--home", str(home))
        process = await asyncio.create_subprocess_exec(*words, stdin=PIPE, stdout=PIPE, stderr=PIPE)
        try:
            out, err = await process.communicate(orjson.dumps(dict(arguments)))
        finally:
            await _stop(process)
        try:
            return _heard(orjson.loads(out), orjson.loads(err.strip().splitlines()[-1]))
        except (ValueError, IndexError) as error:
            raise WayFailed(err.decode("utf-8", "replace")[-_LAST_WORDS:].strip()) from error

    return Way("CLI", ask)


def _stamp_in(payload: Any) -> Any:
    return payload.get("audit") if isinstance(payload, dict) else None


def _heard(payload: Any, stamp: Any) -> Heard:
    if not isinstance(payload, dict):
        raise WayFailed(f"the answer is not an object but {type(payload).__name__}")
    if not isinstance(stamp, dict) or not isinstance(stamp.get("out_hash"), str):
        raise WayFailed("the answer has no stamp")
    return Heard(payload, stamp["out_hash"])


@asynccontextmanager
async def _serving(program: Sequence[str], home: Path, words: IO[str]) -> AsyncIterator[str]:
    """A server of our own on a free loopback port; gives its address."""
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
