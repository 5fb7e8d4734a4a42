"""The official reference server `server-everything`, and our own server, behind a proxy suite."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client

import sanya
from sanya.app import App
from sanya.assembly.guests import open_server
from sanya.kernel.calls.call import Progress
from sanya.suite.proxy import write_listing
from sanya.suite.servers import McpServerAddress
from sanya.surfaces.graphql.schema import build_schema
from sanya.surfaces.http.server import serve
from sanya.surfaces.mcp.endpoint import McpEndpoint
from tests.conformance.node_tools import EVERYTHING, build_environment, find_node, is_installed
from tests.suite.conftest import Installer
from tests.suite.conftest import install as install

pytestmark = pytest.mark.skipif(not is_installed(), reason="`make conformance` installs the reference server")

ONLY_GUESTS = "tasks,funds,memory,herbs,papers"


async def install_proxy(address: McpServerAddress, folder: Path, install: Installer) -> None:
    """Save the listing of a server and install a package with a proxy of it, as `sanya suite new` does."""
    server = open_server("behind", address)
    try:
        (folder / "listing.json").write_bytes(write_listing(await server.list_all()))
    finally:
        await server.close()
    place = f"url={address.url!r}" if address.url else f"command={list(address.command)!r}"
    source = (
        "from pathlib import Path\nfrom sanya.suite import ProxySuite\n"
        f"suite = ProxySuite('behind', {place}, listing=Path({str(folder / 'listing.json')!r}))\n"
    )
    install("behind", source)


@asynccontextmanager
async def serve_everything_on_http() -> AsyncIterator[str]:
    """Serve `server-everything` on a free port of loopback, in the older era: it speaks no other."""
    with_port = {**build_environment(), "PORT": "0"}
    probe = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port = probe.sockets[0].getsockname()[1]
    probe.close()
    await probe.wait_closed()
    process = await asyncio.create_subprocess_exec(
        find_node(),
        str(EVERYTHING),
        "streamableHttp",
        env={**with_port, "PORT": str(port)},
        stdout=DEVNULL,
        stderr=PIPE,
    )
    try:
        assert process.stderr is not None
        async with asyncio.timeout(60):
            while b"listening" not in (line := await process.stderr.readline()).lower():
                assert line, "the server ended before it listened"
        draining = asyncio.create_task(process.stderr.read())
        yield f"http://127.0.0.1:{port}/mcp"
        process.terminate()
        await draining
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@asynccontextmanager
async def open_guests_alone(home: Path) -> AsyncIterator[App]:
    async with sanya.open(home, suites_disabled=ONLY_GUESTS, log_level="error") as app:
        assert [guest.reason for guest in app.guests] == [""]
        yield app


async def check_everything(app: App) -> None:
    """Use what the reference server offers: tools, images, links, structured content, progress, prompts, completion."""
    build_schema(app.kernel.catalogue)
    endpoint = McpEndpoint(app.kernel, portable=False, max_body_bytes=65_536, max_result_tokens=25_000)
    async with Client(endpoint.server) as client:
        said = await client.call_tool("behind.echo", {"message": "สวัสดี"})
        assert said.content[0].text == "Echo: สวัสดี"  # type: ignore[union-attr]
        image = await client.call_tool("behind.get-tiny-image", {})
        assert [block.type for block in image.content] == ["text", "image", "text"]
        weather = await client.call_tool("behind.get-structured-content", {"location": "Chicago"})
        assert isinstance((weather.structured_content or {})["temperature"], int)
        links = await client.call_tool("behind.get-resource-links", {"count": 2})
        uri = next(block.uri for block in links.content if block.type == "resource_link")
        assert uri.startswith("behind://demo/resource/dynamic/")
        assert (await client.read_resource(uri)).contents
        wrong = await client.call_tool("behind.get-sum", {"a": "one", "b": 2})
        assert wrong.is_error
        assert "a must be number" in wrong.content[0].text  # type: ignore[union-attr]
        prompt = await client.get_prompt("behind_args-prompt", {"city": "Chiang Mai"})
        assert "Chiang Mai" in prompt.messages[0].content.text  # type: ignore[union-attr]
        reference = {"type": "ref/prompt", "name": "behind_completable-prompt"}
        completed = await client.session.complete(reference, {"name": "department", "value": "E"})  # type: ignore[arg-type]
        assert "Engineering" in completed.completion.values
    steps: list[Progress] = []
    await app.call("behind.trigger-long-running-operation", {"duration": 0.2, "steps": 2}, progress=steps.append)
    assert [step.done for step in steps] == [1, 2]


async def test_the_reference_server_answers_through_a_proxy_on_stdio(tmp_path: Path, install: Installer) -> None:
    command = [find_node(), str(EVERYTHING), "stdio"]
    await install_proxy(McpServerAddress(command=command), tmp_path, install)
    async with open_guests_alone(tmp_path / "home") as app:
        await check_everything(app)


async def test_the_reference_server_answers_through_a_proxy_on_http(tmp_path: Path, install: Installer) -> None:
    async with serve_everything_on_http() as url:
        await install_proxy(McpServerAddress(url=url), tmp_path, install)
        async with open_guests_alone(tmp_path / "home") as app:
            await check_everything(app)


async def test_our_own_server_answers_the_same_through_a_proxy_of_the_newer_era(
    home: Path, tmp_path: Path, install: Installer
) -> None:
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    stop = asyncio.Event()
    async with sanya.open(home, port=0, log_level="error", suites_disabled="herbs,papers,memory") as own:
        serving = asyncio.create_task(serve(own, on_ready=ready.set_result, stop=stop))
        try:
            await install_proxy(McpServerAddress(url=f"{await ready}/mcp"), tmp_path, install)
            async with open_guests_alone(tmp_path / "second") as app:
                direct: Mapping[str, Any] = await own.call("get_tasks", {"limit": 2})
                proxied = await app.call("behind.get_tasks", {"limit": 2})
                assert proxied == direct
                assert proxied.stamp.out_hash == direct.stamp.out_hash  # type: ignore[attr-defined]
                with pytest.raises(sanya.CallRefused, match="find ids with get_tasks") as refused:
                    await app.call("behind.get_task_changelogs", {"task_id": "ไม่มี"})
                assert refused.value.error["code"] == "UPSTREAM_FAILED"
        finally:
            stop.set()
            await serving
