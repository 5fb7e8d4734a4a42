"""Two homes behind `sanya serve`, in this process: one with keys, an issuer and two callers, one open to whoever comes.
They serve all attacks, one after the other: an attack that hurts a server fails the next one as well."""

from __future__ import annotations

import asyncio
import io
import logging
import shutil
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from sanya import app
from sanya.app import App
from sanya.logs import configure_logging
from sanya.surfaces.http.server import serve
from tests.attacks.grpc_client import GrpcClient, grpc_client
from tests.attacks.wire import WAIT_S, Wire
from tests.sources.issuer import AUDIENCE, Issuer, local_issuer
from tests.sources.pages import Pages, local_pages

SUITES = ("tasks", "funds", "memory", "herbs", "papers")
SECRET_SETTINGS = {
    name: f"canary-of-{name.replace('_', '-')}-7f3a9c"
    for name in ("entrez_api_key", "thai_sec_key", "phrasing_key", "embedder_key", "weaviate_key")
}
SCOPES = [f"{suite}:{right}" for suite in SUITES for right in ("read", "write")]


class Logged(io.StringIO):
    """What was logged, all of it, as `sanya serve --log-level debug` would for a machine."""

    def lines(self) -> list[str]:
        return self.getvalue().split("\n")[:-1]

    def clear(self) -> None:
        self.seek(0)
        self.truncate()


@dataclass(frozen=True)
class Served:
    app: App
    port: int
    grpc_port: int
    home: Path


@dataclass(frozen=True)
class Guarded(Served):
    """`alice` and `bob` may use every tool and nothing else; `gone` was revoked."""

    issuer: Issuer
    upstream: Pages
    """The only place that PubMed's papers may be asked for."""
    logged: Logged
    alice: str
    bob: str
    gone: str


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The servers live in the session's loop, so whoever knocks does as well."""
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here) and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def issuer() -> AsyncIterator[Issuer]:
    async with local_issuer() as served:
        yield served


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def upstream() -> AsyncIterator[Pages]:
    async with local_pages() as served:
        yield served


@pytest.fixture(scope="session")
def logged() -> Iterator[Logged]:
    stream = Logged()
    before = logging.getLogger("sanya").level, list(logging.getLogger().handlers)
    configure_logging("debug", "json", stream)
    yield stream
    logging.getLogger("sanya").setLevel(before[0])
    logging.getLogger().handlers[:] = before[1]


@pytest.fixture(scope="session")
def homes(indexed_home: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Both with starter data."""
    folder = tmp_path_factory.mktemp("attacks")
    return shutil.copytree(indexed_home, folder / "guarded"), shutil.copytree(indexed_home, folder / "open")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def guarded(homes: tuple[Path, Path], issuer: Issuer, upstream: Pages, logged: Logged) -> AsyncIterator[Guarded]:
    settings = {"oauth_issuer": issuer.url, "oauth_audience": AUDIENCE, "rate_limit_per_minute": 0}
    settings |= {"entrez_url": upstream.url, "entrez_requests_per_second": 10_000, **SECRET_SETTINGS}
    async with _served(homes[0], require_auth=True, **settings) as one:
        keys = [await one.app.keys.create(name, SCOPES) for name in ("alice", "bob", "gone")]
        await one.app.keys.revoke(keys[2].split("_")[1])
        yield Guarded(one.app, one.port, one.grpc_port, one.home, issuer, upstream, logged, *keys)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def unguarded(homes: tuple[Path, Path]) -> AsyncIterator[Served]:
    limits = {"ingest_max_seconds": 10, "ingest_max_page_seconds": 2, "ingest_max_memory_mb": 256}
    async with _served(homes[1], body_timeout_s=1, max_body_bytes=1024 * 1024, **limits) as one:
        yield one


@pytest_asyncio.fixture(loop_scope="session")
async def wire(guarded: Guarded) -> AsyncIterator[Wire]:
    """A connection to the guarded home."""
    async with Wire(guarded.port) as one:
        yield one


@pytest_asyncio.fixture(loop_scope="session")
async def open_wire(unguarded: Served) -> AsyncIterator[Wire]:
    async with Wire(unguarded.port) as one:
        yield one


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def grpc(guarded: Guarded) -> AsyncIterator[GrpcClient]:
    """A client of the guarded home."""
    async with grpc_client(guarded.app, guarded.grpc_port) as one:
        yield one


@asynccontextmanager
async def _served(home: Path, **settings: Any) -> AsyncIterator[Served]:
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    stop, grpc_port = asyncio.Event(), _free_port()
    settings = {"rate_limit_anonymous_per_minute": 0, "log_level": "error", **settings}
    async with AsyncExitStack() as stack:
        opened = await stack.enter_async_context(app.open(home, port=0, grpc="on", grpc_port=grpc_port, **settings))
        await stack.enter_async_context(opened.at_work())
        serving = asyncio.create_task(serve(opened, on_ready=ready.set_result, stop=stop, grace_s=1.0))
        try:
            async with asyncio.timeout(WAIT_S):
                url = await ready
            yield Served(opened, int(url.rpartition(":")[2]), grpc_port, home)
        finally:
            stop.set()
            await serving


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        return int(unused.getsockname()[1])
