"""What `deploy/nginx.conf` answers by itself is JSON, and what a server answers passes unchanged."""

from __future__ import annotations

import re
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import httpx
import pytest

from sanya.surfaces.http.listener import bind

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
    server = HTTPServer(("127.0.0.1", 0), RefusingServer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


def find_free_port() -> int:
    with bind("127.0.0.1", 0) as listener:
        return int(listener.getsockname()[1])


def adapt_config(port: int, east: int, west: int, folder: Path) -> str:
    """Return the file for one machine. The part for gRPC needs a newer nginx than many systems have."""
    text = CONFIG.read_text("utf-8").split("    # gRPC needs HTTP/2")[0] + "}\n"
    text = re.sub(r"    upstream sanya_grpc \{.*?\}\n", "", text, flags=re.DOTALL)
    text = text.replace("east:8787", f"127.0.0.1:{east}").replace("west:8787", f"127.0.0.1:{west}")
    text = text.replace("listen 8787", f"listen 127.0.0.1:{port}")
    names = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"    {name}_temp_path {folder / name};\n" for name in names)
    head = f"daemon off;\npid {folder / 'pid'};\nerror_log stderr;\n"
    return head + text.replace("http {\n", f"http {{\n    access_log off;\n{paths}", 1)


@pytest.fixture
def proxy(tmp_path: Path, upstream: int) -> Iterator[str]:
    """Run nginx with one server that refuses every call; requests to /gone find none."""
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if program is None:
        pytest.skip("nginx is not installed")
    port = find_free_port()
    file = tmp_path / "nginx.conf"
    text = adapt_config(port, upstream, upstream, tmp_path)
    gone = f"        location /gone {{ proxy_pass http://127.0.0.1:{find_free_port()}; }}\n"
    file.write_text(text.replace("        location / {\n", f"{gone}        location / {{\n", 1), "utf-8")
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen([program, "-c", str(file), "-p", str(tmp_path), "-e", "stderr"], stderr=log)
    try:
        wait_for_answer(f"http://127.0.0.1:{port}/gone", tmp_path / "log")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(WAIT_S)


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
