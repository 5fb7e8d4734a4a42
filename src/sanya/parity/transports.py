"""Opens every transport to a home as a client would: over real sockets and pipes, in processes of their own."""

from __future__ import annotations

import asyncio
import os
import socket
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
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

_START_S = 1800.0  # a busy machine takes its time; a server that ends is noticed at once
_REPORT_EVERY_S = 10.0
_ANSWER_S = 600.0  # the comparison has shorter timeouts
_STOP_S = 10.0
_POLL_S = 0.05
_LAST_WORDS = 2000
_MAX_LINE = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class TransportOptions:
    """A key for homes that have keys, who is told about long waits, and what was waited for, in seconds."""

    key: str | None = None
    report: Callable[[str], object] = str
    waits: dict[str, float] = field(default_factory=dict)

    @property
    def headers(self) -> dict[str, str]:
        return {} if self.key is None else {"authorization": f"Bearer {self.key}"}

    @contextmanager
    def waiting(self, name: str) -> Iterator[None]:
        """Measure how long a transport takes to open, and name it if it does not."""
        started = monotonic()
        try:
            yield
        except (MCPError, httpx.HTTPError, httpx2.HTTPError, OSError, TimeoutError) as error:
            raise TransportFailed(f"{name} did not open: {error or type(error).__name__}") from error
        finally:
            self.waits[name] = round(monotonic() - started, 3)


_PLAIN = TransportOptions()


@asynccontextmanager
async def open_transports(
    program: Sequence[str], home: Path, options: TransportOptions = _PLAIN
) -> AsyncIterator[list[Transport]]:
    """Yield all transports but the one in this process. `program` is the command that starts Sanya."""
    async with AsyncExitStack() as stack:
        output = stack.enter_context(tempfile.TemporaryFile("w+"))  # noqa: SIM115 - the stack closes it
        grpc_port = _find_free_port() if has_grpc() else None
        server = _Server(program, home, output, grpc_port)
        with options.waiting("server"):
            base = await stack.enter_async_context(server.run(options.report))
        gateway = await stack.enter_async_context(
            httpx.AsyncClient(base_url=base, headers=options.headers, trust_env=False, timeout=_ANSWER_S)
        )

        async def connect_mcp(name: str, client: Client, *, portable: bool = False) -> Transport:
            with options.waiting(name):
                return _build_mcp(name, await stack.enter_async_context(client), portable=portable)

        async def connect_http(name: str, path: str, mode: str, *, portable: bool = False) -> Transport:
            web = await stack.enter_async_context(
                httpx2.AsyncClient(headers=options.headers, trust_env=False, timeout=_ANSWER_S)
            )
            client = Client(streamable_http_client(base + path, http_client=web), mode=mode)
            return await connect_mcp(name, client, portable=portable)

        piped = StdioServerParameters(
            command=program[0], args=[*program[1:], "mcp", "--home", str(home)], env={**os.environ}
        )
        transports = [
            await connect_mcp("MCP stdio", Client(stdio_client(piped, errlog=output))),
            await connect_http("MCP modern", "/mcp", LATEST_MODERN_VERSION),
            await connect_http("MCP legacy", "/mcp", "legacy"),
            await connect_http("MCP portable", "/mcp/portable", LATEST_MODERN_VERSION, portable=True),
            _build_gateway(gateway),
        ]
        with options.waiting("GraphQL"):
            transports.append(await open_graphql(gateway))
        if grpc_port is not None:
            with options.waiting("gRPC"):
                address = f"127.0.0.1:{grpc_port}"
                transports.append(await stack.enter_async_context(open_grpc(address, options.headers)))
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


@dataclass(frozen=True, slots=True)
class _Server:
    """A server of its own on free loopback ports, with the same home."""

    program: Sequence[str]
    home: Path
    output: IO[str]
    grpc_port: int | None

    @asynccontextmanager
    async def run(self, report: Callable[[str], object]) -> AsyncIterator[str]:
        """Start it and yield its address."""
        port = _find_free_port()
        process = await asyncio.create_subprocess_exec(
            *self.program,
            "serve",
            "--home",
            str(self.home),
            *self._list_options(port),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=self.output,
            stderr=self.output,
        )
        try:
            base = f"http://127.0.0.1:{port}"
            await self._wait_until_ready(process, base, report)
            yield base
        finally:
            await _stop(process)

    def _list_options(self, port: int) -> tuple[str, ...]:
        """Return the options: the calls are to be compared, not limited, and no issuer of tokens is asked."""
        own = ("--host", "127.0.0.1", "--port", str(port), "--require-auth", "false", "--oauth-issuer", "")
        limits = ("--rate-limit-per-minute", "0", "--rate-limit-anonymous-per-minute", "0")
        grpc = ("--grpc", "off") if self.grpc_port is None else ("--grpc", "on", "--grpc-port", str(self.grpc_port))
        return (*own, *limits, *grpc)

    async def _wait_until_ready(self, process: Process, base: str, report: Callable[[str], object]) -> None:
        started = reported = monotonic()
        async with httpx.AsyncClient(trust_env=False, timeout=_POLL_S * 20) as client:
            while process.returncode is None and monotonic() - started < _START_S:
                try:
                    if (await client.get(f"{base}/health")).is_success:
                        return
                except httpx.HTTPError:
                    await asyncio.sleep(_POLL_S)
                if monotonic() - reported > _REPORT_EVERY_S:
                    reported = monotonic()
                    report(f"Waiting for `sanya serve` to answer at {base} ({reported - started:.0f} s)")
        self.output.seek(0)
        last_words = self.output.read()[-_LAST_WORDS:].strip()
        ending = (
            f"gave no answer within {monotonic() - started:.0f} s"
            if process.returncode is None
            else f"ended with exit code {process.returncode}"
        )
        raise TransportFailed(f"`sanya serve` {ending}. Its output:\n{last_words}")


async def _stop(process: Process) -> None:
    if process.returncode is None:
        process.terminate()
    try:
        async with asyncio.timeout(_STOP_S):
            await process.communicate()  # `wait` would leave its pipes open
    except TimeoutError:
        process.kill()
        await process.communicate()


def _find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
