"""The official TypeScript client and the Inspector call the server over HTTP and stdio, in both eras."""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

import sanya
from sanya.surfaces.http.server import serve
from sanya.surfaces.mcp.listing.server_tools import READ_RESOURCE
from tests.conformance.node_tools import CLIENT_SCRIPT, FOLDER, INSPECTOR, build_environment, find_node, is_installed

pytestmark = pytest.mark.skipif(not is_installed(), reason="`make conformance` installs the official clients")

VERSIONS = {"legacy": "2025-11-25", "modern": "2026-07-28"}
CONTRACTS = Path(__file__).parents[2] / "contracts"
SANYA = str(Path(sys.executable).parent / "sanya")


def published(name: str) -> list[str]:
    """List the names of all tools, contract names or portable ones, and the tool that MCP adds to them."""
    contracts = [json.loads(path.read_text("utf-8"))[name] for path in CONTRACTS.glob("*/*.json")]
    return sorted([*contracts, READ_RESOURCE])


@pytest.fixture
async def address(home: Path) -> AsyncIterator[str]:
    """Serve a complete home on loopback."""
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    stop = asyncio.Event()
    async with sanya.open(home, port=0, log_level="error", tools="all") as app:
        serving = asyncio.create_task(serve(app, on_ready=ready.set_result, stop=stop))
        try:
            yield await ready
        finally:
            stop.set()
            await serving


async def run(*arguments: str) -> tuple[int, str, str]:
    process = await asyncio.create_subprocess_exec(
        find_node(), *arguments, cwd=FOLDER, env=build_environment(), stdin=PIPE, stdout=PIPE, stderr=PIPE
    )
    async with asyncio.timeout(120):
        said, complained = await process.communicate()
    return process.returncode or 0, said.decode(), complained.decode()


async def visit(package: str, era: str, *target: str) -> Any:
    code, said, complained = await run(str(CLIENT_SCRIPT), package, era, *target)
    assert code == 0, complained
    return json.loads(said.splitlines()[-1])


def check_visit(found: Any, era: str) -> None:
    assert found["version"] in (VERSIONS[era], None), "v1 does not tell it on stdio, and speaks the older era only"
    assert sorted(found["tools"]) == published("name")
    assert len(found["answered"]["structuredContent"]["items"]) == 2
    assert json.loads(found["answered"]["content"][0]["text"]) == found["answered"]["structuredContent"]
    assert found["refused"]["isError"] is True
    assert found["refused"]["structuredContent"]["code"] == "INVALID_ARGUMENT"
    assert found["unknown"] == -32602


WAYS = [("client", "legacy"), ("client", "modern"), ("sdk", "legacy")]


@pytest.mark.parametrize(("package", "era"), WAYS)
async def test_the_typescript_client_calls_over_http(address: str, package: str, era: str) -> None:
    check_visit(await visit(package, era, f"{address}/mcp"), era)


@pytest.mark.parametrize(("package", "era"), WAYS)
async def test_the_typescript_client_calls_over_stdio(home: Path, package: str, era: str) -> None:
    check_visit(await visit(package, era, "--", SANYA, "--home", str(home), "mcp", "--tools", "all"), era)


async def inspect(address: str, era: str, *more: str) -> Any:
    where = ["--transport", "http", "--protocol-era", era, "--format", "json"]
    code, said, complained = await run(str(INSPECTOR), "--cli", address, *where, *more)
    assert code == 0, complained
    return json.loads(said)


@pytest.mark.parametrize("path", ["/mcp", "/mcp/portable"])
@pytest.mark.parametrize("era", VERSIONS)
async def test_inspector_lists_strictly(address: str, era: str, path: str) -> None:
    found = await inspect(address + path, era, "--method", "tools/list", "--strict")
    names = published("name" if path == "/mcp" else "portable_name")
    assert sorted(tool["name"] for tool in found["result"]["tools"]) == names


@pytest.mark.parametrize("era", VERSIONS)
async def test_inspector_calls(address: str, era: str) -> None:
    call = ["--method", "tools/call", "--tool-name", "get_tasks", "--tool-arg", "limit=1"]
    found = await inspect(f"{address}/mcp", era, *call)
    assert len(found["result"]["structuredContent"]["items"]) == 1
