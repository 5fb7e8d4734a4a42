"""What `deploy/nginx.conf` answers by itself is JSON, and what a server answers passes unchanged."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import httpx
import pytest

pytest.importorskip("grpc", reason="the extra `grpc` is not installed")
import grpc.aio

from sanya.surfaces.http.listener import bind
from tests.surfaces.grpc.conftest import GrpcDemoServer, open_grpc, server  # noqa: F401 - fixtures

CONFIG = Path(__file__).parents[2] / "deploy" / "nginx.conf"
REFUSAL = b'{"error_code": "storage_unavailable"}'
WAIT_S = 20.0


class RefusingServer(BaseHTTPRequestHandler):
    """Answers every POST as a server whose engine is away."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(503)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(REFUSAL)))
        self.end_headers()
        self.wfile.write(REFUSAL)

    def log_message(self, format: str, *args: object) -> None:
        """Stay silent."""


@pytest.fixture
def upstream() -> Iterator[int]:
    refusing = HTTPServer(("127.0.0.1", 0), RefusingServer)
    threading.Thread(target=refusing.serve_forever, daemon=True).start()
    yield refusing.server_port
    refusing.shutdown()
    refusing.server_close()


def find_free_port() -> int:
    with bind("127.0.0.1", 0) as listener:
        return int(listener.getsockname()[1])


@dataclass(frozen=True)
class Proxy:
    """A running nginx: its address for HTTP, and its port for gRPC."""

    url: str
    grpc_port: int


def adapt_config(proxy: Proxy, http_port: int, grpc_port: int, folder: Path) -> str:
    """Return the file for one machine: other ports, and files in a folder of its own."""
    text = CONFIG.read_text("utf-8")
    for name in ("east", "west"):
        text = text.replace(f"{name}:8787", f"127.0.0.1:{http_port}").replace(f"{name}:50051", f"127.0.0.1:{grpc_port}")
    text = text.replace("listen 8787", f"listen {proxy.url.removeprefix('http://')}")
    text = text.replace("listen 50051", f"listen 127.0.0.1:{proxy.grpc_port}")
    names = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"    {name}_temp_path {folder / name};\n" for name in names)
    head = f"daemon off;\npid {folder / 'pid'};\nerror_log stderr;\n"
    return head + text.replace("http {\n", f"http {{\n    access_log off;\n{paths}", 1)


@contextmanager
def run_nginx(folder: Path, http_port: int, grpc_port: int) -> Iterator[Proxy]:
    """Run nginx before these ports; requests to /gone find no server."""
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if program is None:
        pytest.skip("nginx is not installed")
    proxy = Proxy(f"http://127.0.0.1:{find_free_port()}", find_free_port())
    text = adapt_config(proxy, http_port, grpc_port, folder)
    gone = f"        location /gone {{ proxy_pass http://127.0.0.1:{find_free_port()}; }}\n"
    file = folder / "nginx.conf"
    file.write_text(text.replace("        location / {\n", f"{gone}        location / {{\n", 1), "utf-8")
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([program, "-c", str(file), "-p", str(folder), "-e", "stderr"], stderr=log)
    try:
        wait_for_answer(f"{proxy.url}/gone", folder / "log")
        yield proxy
    finally:
        process.terminate()
        process.wait(WAIT_S)


@pytest.fixture
def proxy(tmp_path: Path, upstream: int) -> Iterator[str]:
    """The address of nginx before a server that refuses every call."""
    with run_nginx(tmp_path, upstream, find_free_port()) as running:
        yield running.url


def wait_for_answer(url: str, log: Path) -> None:
    until = time.monotonic() + WAIT_S
    while time.monotonic() < until:
        try:
            httpx.get(url, trust_env=False)
        except httpx.TransportError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError(log.read_text("utf-8"))


def test_an_answer_of_a_server_passes_unchanged(proxy: str) -> None:
    answer = httpx.post(f"{proxy}/tools/send_memory", json={"args": {}}, trust_env=False)
    assert (answer.status_code, answer.content) == (503, REFUSAL)


def test_no_server_and_a_large_body_are_said_in_json(proxy: str) -> None:
    away = httpx.post(f"{proxy}/gone", json={"args": {}}, trust_env=False)
    assert (away.status_code, away.headers["content-type"]) == (503, "application/json")
    assert (away.headers["retry-after"], away.json()["ok"]) == ("1", False)
    assert away.json()["error"]["code"] == "UNAVAILABLE" and away.json()["error"]["details"] == {"outcome": "unknown"}
    large = httpx.post(f"{proxy}/tools", content=b"x" * (5 * 1024 * 1024), trust_env=False)
    assert (large.status_code, large.json()["error"]["code"]) == (413, "INVALID_ARGUMENT")


async def test_grpc_passes_with_its_refusals_and_a_server_that_is_away_is_said_in_grpc(
    server: GrpcDemoServer,  # noqa: F811 - the fixture
    tmp_path: Path,
) -> None:
    with run_nginx(tmp_path, find_free_port(), server.port) as proxy:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{proxy.grpc_port}") as channel:
            behind = replace(server, channel=channel)
            assert (await behind.call("DemoSay", text="sawasdee")).body.said == ["sawasdee"]
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await behind.call("DemoStore", text="hi")
            assert refused.value.code() == grpc.StatusCode.UNAVAILABLE
            assert "disk is full" in str(refused.value.details())
            trailers = refused.value.trailing_metadata()
            assert trailers is not None and b"UNAVAILABLE" in trailers["grpc-status-details-bin"]
            await server.grpc.stop(0.0, asyncio.Event())
            with pytest.raises(grpc.aio.AioRpcError) as away:
                await behind.call("DemoSay", text="anybody?")
    assert (away.value.code(), away.value.details()) == (
        grpc.StatusCode.UNAVAILABLE,
        "No server answers. Repeat the request.",
    )
