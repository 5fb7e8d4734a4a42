"""The server on real sockets: start-up, limits, and shutdown without losing a call."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

import sanya
from sanya.app import App
from sanya.kernel.ledger.chain import verify_chain
from sanya.surfaces.http.listener import CannotServe, bind
from sanya.surfaces.http.server import announce, serve
from tests.surfaces.http.conftest import WAIT_S, DemoControl, demo_suites

CALL = {"args": {"text": "x"}}
LISTEN = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "subscriptions/listen",
    "params": {
        "notifications": {"toolsListChanged": True},
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    },
}
MCP_HEADERS = {
    "accept": "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "subscriptions/listen",
}


@dataclass
class RunningServer:
    app: App
    control: DemoControl
    url: str
    client: httpx.AsyncClient
    stop: asyncio.Event
    serving: asyncio.Task[None]

    @property
    def address(self) -> tuple[str, int]:
        url = httpx.URL(self.url)
        return url.host, url.port or 80

    async def wait_until_stopped(self) -> None:
        await asyncio.wait_for(self.serving, WAIT_S)

    async def read_rows(self) -> list[Any]:
        return [link.entry async for link in self.app.ledger_store.read_links("main")]


StartServer = Callable[..., Awaitable[RunningServer]]


@pytest.fixture
async def start(begun_home: Path) -> AsyncIterator[StartServer]:
    async with AsyncExitStack() as stack:

        async def started(*, grace_s: float = WAIT_S, **settings: Any) -> RunningServer:
            control, stop = DemoControl(), asyncio.Event()
            app = await stack.enter_async_context(
                sanya.open(begun_home, extra_suites=demo_suites(control), **{"port": 0, **settings})
            )
            ready: asyncio.Queue[str] = asyncio.Queue()
            serving = asyncio.create_task(serve(app, on_ready=ready.put_nowait, stop=stop, grace_s=grace_s))
            stack.push_async_callback(_stop, stop, serving)
            url = await _wait_until_ready(ready, serving)
            client = httpx.AsyncClient(base_url=url, timeout=WAIT_S, trust_env=False)
            await stack.enter_async_context(client)
            return RunningServer(app, control, url, client, stop, serving)

        yield started


async def _wait_until_ready(ready: asyncio.Queue[str], serving: asyncio.Task[None]) -> str:
    """Return the URL, or raise the reason why the server did not start."""
    waiting = asyncio.create_task(ready.get())
    async with asyncio.timeout(WAIT_S):
        await asyncio.wait([waiting, serving], return_when=asyncio.FIRST_COMPLETED)
    if serving.done():
        waiting.cancel()
        await serving
    return await waiting


async def _stop(stop: asyncio.Event, serving: asyncio.Task[None]) -> None:
    stop.set()
    await asyncio.wait({serving}, timeout=WAIT_S)


async def send_raw(running: RunningServer, request: bytes) -> bytes:
    """Send raw bytes and return the first part of the server's response."""
    reader, writer = await asyncio.open_connection(*running.address)
    writer.write(request)
    await writer.drain()
    try:
        return await asyncio.wait_for(reader.read(65536), WAIT_S)
    finally:
        writer.close()


async def test_port_0_binds_a_free_port_and_reports_it(start: StartServer) -> None:
    running = await start()
    assert running.address[1] > 0
    assert (await running.client.post("/tools/demo.say", json=CALL)).json()["ok"] is True
    assert (await running.client.get("/health")).json()["ready"] is True


async def test_the_host_check_knows_the_real_port(start: StartServer) -> None:
    running = await start()
    port = running.address[1]
    for host, status in ((f"localhost:{port}", 200), (f"localhost:{port + 1}", 421), ("evil.com", 421)):
        assert (await running.client.get("/health", headers={"host": host})).status_code == status


async def test_an_allowed_host_behind_a_proxy_is_accepted(start: StartServer) -> None:
    running = await start(allowed_hosts="sanya.example.com")
    assert (await running.client.get("/health", headers={"host": "sanya.example.com"})).status_code == 200


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"GET /health HTTP/1.1\r\n\r\n", b"400"),
        (b"GET /health HTTP/1.1\r\nHost: evil.com\r\n\r\n", b"421"),
        (b"GET http://evil.com/health HTTP/1.1\r\nHost: evil.com\r\n\r\n", b"421"),
        (b"GET /health HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", b"400"),
        (b"GET /health HTTP/1.1\r\nHost: localhost\r\nOrigin: null\r\n\r\n", b"403"),
        (b"GET /health HTTP/1.0\r\nHost: localhost\r\n\r\n", b"200"),
        (b"GET /health HTTP/1.1\r\nHost: localhost   \r\n\r\n", b"200"),
        (b"not http at all\r\n\r\n", b"400"),
    ],
)
async def test_raw_requests_get_a_plain_answer(start: StartServer, request_bytes: bytes, status: bytes) -> None:
    running = await start()
    answer = await send_raw(running, request_bytes)
    assert answer.split(b" ")[1] == status
    assert b"Traceback" not in answer


async def test_a_web_socket_is_refused(start: StartServer) -> None:
    running = await start()
    upgrade = b"Upgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Version: 13\r\n"
    key = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    answer = await send_raw(running, b"GET /mcp HTTP/1.1\r\nHost: localhost\r\n" + upgrade + key + b"\r\n")
    assert not answer.startswith(b"HTTP/1.1 101")


async def test_a_content_length_over_the_limit_is_refused_before_the_body_is_sent(start: StartServer) -> None:
    running = await start(max_body_bytes=2048)
    head = b"POST /tools/demo.say HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    answer = await send_raw(running, head + b"Content-Length: 1000000\r\n\r\n{")
    assert answer.startswith(b"HTTP/1.1 413")


async def test_a_streamed_body_that_grows_too_large_is_refused(start: StartServer) -> None:
    running = await start(max_body_bytes=2048)

    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b" " * 512

    headers = {"content-type": "application/json"}
    try:
        response = await running.client.post("/tools/demo.say", content=endless(), headers=headers)
    except httpx.TransportError:
        pass  # the server may close the connection while we still send
    else:
        assert response.status_code == 413
    assert (await running.client.post("/tools/demo.say", json=CALL)).status_code == 200


async def test_a_body_that_stalls_times_out(start: StartServer) -> None:
    running = await start(body_timeout_s=1)
    head = b"POST /tools/demo.say HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    answer = await send_raw(running, head + b'Content-Length: 100\r\n\r\n{"args"')
    assert answer.startswith(b"HTTP/1.1 408")


async def test_a_closed_connection_cancels_its_call(start: StartServer) -> None:
    running = await start()
    _, writer = await asyncio.open_connection(*running.address)
    body = b'{"args": {"text": "x"}}'
    head = b"POST /tools/demo.wait HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    writer.write(head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
    await asyncio.wait_for(running.control.started.wait(), WAIT_S)
    writer.close()
    await asyncio.wait_for(running.control.stopped.wait(), WAIT_S)


async def test_shutdown_lets_calls_finish_and_accepts_no_new_ones(start: StartServer) -> None:
    running = await start()
    call = asyncio.create_task(running.client.post("/tools/demo.wait", json=CALL))
    await asyncio.wait_for(running.control.started.wait(), WAIT_S)
    running.stop.set()
    async with asyncio.timeout(WAIT_S):
        while not await _is_refused(running.address):
            pass
    running.control.resume.set()
    assert (await asyncio.wait_for(call, WAIT_S)).json()["ok"] is True
    await running.wait_until_stopped()
    assert [row.tool for row in await running.read_rows()] == ["demo.wait"]
    assert (await verify_chain(running.app.ledger_store))[1] is None


async def test_calls_that_exceed_the_grace_period_are_cancelled_with_a_503(start: StartServer) -> None:
    running = await start(grace_s=0.1)
    call = asyncio.create_task(running.client.post("/tools/demo.wait", json=CALL))
    await asyncio.wait_for(running.control.started.wait(), WAIT_S)
    running.stop.set()
    response = await asyncio.wait_for(call, WAIT_S)
    assert (response.status_code, response.json()["error"]["code"]) == (503, "UNAVAILABLE")
    await running.wait_until_stopped()
    assert [row.fault for row in await running.read_rows()] == ["cancelled"]


async def test_a_second_signal_skips_the_grace_period(start: StartServer) -> None:
    running = await start(grace_s=3600)
    call = asyncio.create_task(running.client.post("/tools/demo.wait", json=CALL))
    await asyncio.wait_for(running.control.started.wait(), WAIT_S)
    os.kill(os.getpid(), signal.SIGTERM)
    async with asyncio.timeout(WAIT_S):
        await running.stop.wait()
    os.kill(os.getpid(), signal.SIGINT)
    assert (await asyncio.wait_for(call, WAIT_S)).status_code == 503
    await running.wait_until_stopped()


async def test_notification_streams_do_not_delay_shutdown(start: StartServer) -> None:
    running = await start(grace_s=3600)
    async with running.client.stream("POST", "/mcp", json=LISTEN, headers=MCP_HEADERS) as stream:
        assert stream.status_code == 200
        parts = stream.aiter_bytes()
        await asyncio.wait_for(anext(parts), WAIT_S)
        running.stop.set()
        await running.wait_until_stopped()


async def test_idle_connections_do_not_delay_shutdown(start: StartServer) -> None:
    running = await start(grace_s=3600)
    await running.client.get("/health")
    _, writer = await asyncio.open_connection(*running.address)
    running.stop.set()
    await running.wait_until_stopped()
    writer.close()


async def test_the_home_can_be_served_again_after_a_stop(start: StartServer) -> None:
    first = await start()
    port = first.address[1]
    await first.client.post("/tools/demo.say", json=CALL)
    first.stop.set()
    await first.wait_until_stopped()
    again = await start(port=port)
    assert (await again.client.post("/tools/demo.say", json=CALL)).status_code == 200


async def test_many_calls_at_once_each_get_their_own_answer(start: StartServer) -> None:
    running = await start()

    async def say(number: int) -> bool:
        response = await running.client.post("/tools/demo.say", json={"args": {"text": str(number)}})
        return bool(response.json()["data"]["said"] == [str(number)])

    assert all(await asyncio.gather(*(say(number) for number in range(200))))


async def test_a_large_answer_arrives_whole(start: StartServer) -> None:
    running = await start()
    text = "ก" * 600_000
    response = await running.client.post("/tools/demo.say", json={"args": {"text": text, "times": 5}})
    assert response.json()["data"]["said"] == [text] * 5


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
async def test_a_public_address_without_authentication_is_refused(start: StartServer, host: str) -> None:
    with pytest.raises(CannotServe, match="sanya keys create"):
        await start(host=host)


async def test_a_public_address_is_served_once_there_is_a_key(home: Path, start: StartServer) -> None:
    async with sanya.open(home) as app:
        key = await app.keys.create("first", ["*"])
    running = await start(host="0.0.0.0")
    url = f"http://127.0.0.1:{running.address[1]}/tools/demo.say"
    assert (await running.client.post(url, json=CALL)).status_code == 401
    headers = {"authorization": f"Bearer {key}"}
    assert (await running.client.post(url, json=CALL, headers=headers)).status_code == 200


async def test_a_port_in_use_is_explained(start: StartServer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotServe, match=f"127.0.0.1:{port} is in use"):
            await start(port=port)


@pytest.mark.parametrize(("host", "message"), [("no.such.host.invalid", "Cannot bind"), ("192.0.2.1", "Cannot bind")])
def test_an_address_that_cannot_be_bound_is_explained(host: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if host.endswith(".invalid"):

        def unknown(*_: Any, **__: Any) -> Any:
            raise socket.gaierror(-2, "Name or service not known")

        monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(CannotServe, match=message):
        bind(host, 0)


def test_ipv6_can_be_bound() -> None:
    if not socket.has_ipv6:
        pytest.skip("this machine has no IPv6")
    try:
        with bind("::1", 0) as listener:
            assert listener.getsockname()[1] > 0
    except CannotServe as problem:
        pytest.skip(f"this machine has no IPv6: {problem}")


async def test_the_start_message_lists_the_urls(start: StartServer, capsys: pytest.CaptureFixture[str]) -> None:
    running = await start(log_format="text")
    capsys.readouterr()
    announce(running.app, running.url)
    said = capsys.readouterr().err
    assert f"is ready at {running.url}\n" in said
    assert f"{running.url}/mcp" in said
    assert "demo (9 tools)" in said


async def _is_refused(address: tuple[str, int]) -> bool:
    try:
        _, writer = await asyncio.open_connection(*address)
    except ConnectionRefusedError:
        return True
    writer.close()
    return False


STREAM = b"GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"


async def test_streams_are_counted_for_each_caller_and_end_when_idle(start: StartServer) -> None:
    running = await start(max_streams_per_caller=2, stream_idle_s=3, head_timeout_s=1)
    streams = [await asyncio.open_connection(*running.address) for _ in range(2)]
    for reader, writer in streams:
        writer.write(STREAM)
        assert b"200 OK" in await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), WAIT_S)
    assert b"429 Too Many Requests" in await send_raw(running, STREAM)
    for reader, writer in streams:
        assert (await asyncio.wait_for(reader.readuntil(b"0\r\n\r\n"), WAIT_S)).endswith(b"0\r\n\r\n")
        writer.close()
    assert b"200 OK" in await send_raw(running, STREAM)


async def test_a_subscription_is_a_stream_of_its_caller_too(start: StartServer) -> None:
    running = await start(max_streams_per_caller=1)
    async with running.client.stream("POST", "/mcp", json=LISTEN, headers=MCP_HEADERS) as first:
        assert first.status_code == 200
        refused = await running.client.post("/mcp", json=LISTEN, headers=MCP_HEADERS)
        assert refused.status_code == 429 and "max_streams_per_caller" in refused.text


async def test_a_request_whose_head_never_ends_is_closed_after_its_time(start: StartServer) -> None:
    running = await start(head_timeout_s=1)
    reader, writer = await asyncio.open_connection(*running.address)
    health = b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
    writer.write(health)
    await asyncio.wait_for(reader.readuntil(b"}"), WAIT_S)
    for sent in (b"", b"GET /health HTTP/1.1\r\nHost: local"):
        with suppress(ConnectionError):
            assert await send_raw(running, sent) == b""
    writer.write(health)
    assert b"200 OK" in await asyncio.wait_for(reader.readuntil(b"}"), WAIT_S), "a used connection stays open"
    writer.close()
