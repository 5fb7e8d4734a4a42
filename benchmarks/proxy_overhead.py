"""Milliseconds that a proxy adds to a call of the server behind it: p50 through the proxy minus p50 without, over HTTP.

One connection asks; the server behind is the SDK's own. `peer` is the bound of 1 ms, so the ratio is the figure.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter_ns
from typing import Any

import orjson
import uvloop

from benchmarks.guest_packages import write_guest
from benchmarks.load import read_content_length
from benchmarks.result import Result, judge_ratio
from benchmarks.servers import build_server_command, serving
from benchmarks.wire import build_tool_request
from sanya.sources.mcp_server import McpServerClient
from sanya.suite.proxy import write_listing
from sanya.suite.servers import McpServerAddress

CALLS = 500
ROUNDS = 5
TEXT = {"text": "สวัสดี, world"}
_PROXY = """
from pathlib import Path
from sanya.suite import ProxySuite
suite = ProxySuite("behind", url="URL", listing=Path(__file__).with_name("listing.json"), read_only=("shout",))
"""


def run() -> Result:
    with tempfile.TemporaryDirectory(prefix="sanya-bench-") as folder:
        packages = Path(folder) / "packages"
        with serving(
            lambda port: [sys.executable, "-m", "benchmarks.peers.sdk_shout", str(port)], ("shout", TEXT)
        ) as bare:
            url = f"http://127.0.0.1:{bare.port}/mcp"
            write_guest(packages, "behind", _PROXY.replace("URL", url))
            (packages / "listing.json").write_bytes(uvloop.run(_fetch_listing(url)))
            command = build_server_command(Path(folder) / "home")
            with serving(command, ("behind.shout", TEXT), path=packages) as proxy:
                added = uvloop.run(_measure_added(bare.port, proxy.port))
    return judge_ratio("proxy_overhead", added, 1.0, ("<=", 1.0))


async def _fetch_listing(url: str) -> bytes:
    server = McpServerClient("behind", McpServerAddress(url=url), "benchmark")
    try:
        return write_listing(await server.list_all())
    finally:
        await server.close()


async def _measure_added(bare: int, proxy: int) -> float:
    """Return the median of the differences of alternating rounds, in milliseconds."""
    differences = []
    for _ in range(ROUNDS):
        direct = await _measure(bare, "shout", TEXT)
        proxied = await _measure(proxy, "behind.shout", TEXT)
        differences.append(proxied - direct)
    return median(differences)


async def _measure(port: int, tool: str, arguments: dict[str, Any]) -> float:
    request = build_tool_request(port, tool, arguments)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    took = []
    try:
        for _ in range(CALLS):
            started = perf_counter_ns()
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            body = await reader.readexactly(read_content_length(head))
            took.append((perf_counter_ns() - started) / 1e6)
            if orjson.loads(body)["result"].get("isError"):
                raise RuntimeError(f"the call failed: {body[:300]!r}")
    finally:
        writer.close()
    return median(took)
