"""Client libraries for agents list and call the tools, and hand a model what the table of docs/agents.md says.

Each library is installed as that table names it, in an environment of its own, because they need different releases of
the SDK. It runs in the long form of the tests (SANYA_LONG=1).
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import sanya
from sanya.surfaces.http.server import serve
from sanya.surfaces.mcp.listing.lists import list_tools
from sanya.surfaces.mcp.listing.toolsets import AGENT_TOOLS
from tests.built_once import build_once
from tests.long_form import often

pytestmark = pytest.mark.skipif(not often(0, 1), reason="installs client libraries (SANYA_LONG=1)")

ROOT = Path(__file__).parents[2]
VISIT = Path(__file__).parent / "adapters" / "visit.py"
SANYA = str(Path(sys.executable).with_name("sanya"))
EXTRAS = {"pydantic-ai-slim": "[mcp]"}
INSTALL_TIMEOUT_S = 600
VISIT_TIMEOUT_S = 300
HERB = "kg://herb/curcuma-longa"


class Client(NamedTuple):
    """A row of the table in docs/agents.md."""

    library: str
    version: str
    structure: str
    links: str
    asks: str


def read_clients() -> list[Client]:
    row = re.compile(r"^\| `([\w-]+)` ([\d.]+)[^|]*\| yes[^|]*\| ([^|]+)\| ([^|]+)\| ([^|]+)\|$", re.MULTILINE)
    found = row.findall((ROOT / "docs" / "agents.md").read_text("utf-8"))
    return [Client(*(cell.strip() for cell in cells)) for cells in found]


CLIENTS = read_clients()


@pytest.fixture(params=CLIENTS, ids=[client.library for client in CLIENTS])
def client(request: pytest.FixtureRequest) -> Client:
    row: Client = request.param
    return row


@pytest.fixture
def python(client: Client, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment that holds the library. Skip with the reason if it cannot be installed."""
    requirement = f"{client.library}{EXTRAS.get(client.library, '')}=={client.version}"
    return build_once(tmp_path_factory, client.library, partial(install, requirement)) / "bin" / "python"


def install(requirement: str, folder: Path) -> None:
    uv = shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv")
    if uv is None:
        pytest.skip("uv is not installed")
    steps = (
        [uv, "venv", "--quiet", "--python", sys.executable, str(folder)],
        [uv, "pip", "install", "--quiet", "--python", str(folder / "bin" / "python"), requirement],
    )
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True, timeout=INSTALL_TIMEOUT_S, check=False)
        if done.returncode != 0:
            shutil.rmtree(folder, ignore_errors=True)
            pytest.skip(f"{requirement} cannot be installed: {done.stderr.strip()[-300:]}")


@pytest.fixture
def searched_home(indexed_home: Path, tmp_path: Path) -> Path:
    return shutil.copytree(indexed_home, tmp_path / "home")


@pytest.fixture(params=["stdio", "http"])
async def target(request: pytest.FixtureRequest, searched_home: Path) -> AsyncIterator[list[str]]:
    if request.param == "stdio":
        yield ["--", SANYA, "--home", str(searched_home), "mcp", "--tool-names", "portable"]
        return
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    stop = asyncio.Event()
    async with sanya.open(searched_home, port=0, log_level="error") as app:
        serving = asyncio.create_task(serve(app, on_ready=ready.set_result, stop=stop))
        try:
            yield [f"{await ready}/mcp/portable"]
        finally:
            stop.set()
            await serving


async def visit(python: Path, library: str, target: list[str]) -> dict[str, Any]:
    process = await asyncio.create_subprocess_exec(
        python, str(VISIT), library, *target, stdin=PIPE, stdout=PIPE, stderr=PIPE
    )
    async with asyncio.timeout(VISIT_TIMEOUT_S):
        written, complained = await process.communicate()
    assert process.returncode == 0, complained.decode()[-3000:]
    found: dict[str, Any] = json.loads(written)
    return found


async def list_portable_names(home: Path) -> list[str]:
    async with sanya.open(home, log_level="error") as app:
        return [tool.name for tool in list_tools(app.kernel.catalogue, portable=True, toolset=AGENT_TOOLS).tools]


async def test_a_library_hands_a_model_what_the_table_says(
    client: Client, python: Path, target: list[str], filled_home: Path, tmp_path: Path
) -> None:
    found = await visit(python, client.library, target)
    assert found["tools"] == await list_portable_names(shutil.copytree(filled_home, tmp_path / "listed"))
    assert json.loads(found["text"])["hits"][0]["id"] == "curcuma-longa"
    assert found["structured"] == client.structure.startswith("yes")
    assert (HERB in found["links"]) == client.links.startswith("yes")
    checked = [(pair.get("entity_id"), pair["verdict"]) for pair in json.loads(found["check"])["pairs"]]
    is_asked = client.asks == "yes" or (client.asks == "yes, on stdin and stdout" and target[0] == "--")
    assert len(found["asked"]) == is_asked
    assert checked == [("angelica-sinensis", "warned") if is_asked else (None, "not_checked")]
