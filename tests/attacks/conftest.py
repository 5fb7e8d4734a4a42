"""Two servers in this process: one with keys, an OAuth issuer and two callers, one open to everybody.

All attacks share them, one after the other, so an attack that damages a server also fails the next test.
"""

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
from tests.attacks.case_counts import PROPERTY, take_count
from tests.attacks.grpc_client import GrpcClient, grpc_client
from tests.attacks.raw_http import WAIT_S, RawConnection
from tests.sources.issuer import AUDIENCE, Issuer, local_issuer
from tests.sources.pages import Pages, local_pages

SUITES = ("tasks", "funds", "memory", "herbs", "papers")
SECRET_SETTINGS = {
    name: f"canary-of-{name.replace('_', '-')}-7f3a9c"
    for name in ("entrez_api_key", "thai_sec_key", "phrasing_key", "embedder_key", "weaviate_key")
}
SCOPES = [f"{suite}:{right}" for suite in SUITES for right in ("read", "write")]


class LogCapture(io.StringIO):
    """Captures the whole log as `sanya serve --log-level debug --log-format json` writes it."""

    def lines(self) -> list[str]:
        return self.getvalue().split("\n")[:-1]

    def clear(self) -> None:
        self.seek(0)
        self.truncate()


@dataclass(frozen=True)
class AttackedServer:
    app: App
    port: int
    grpc_port: int
    home: Path


@dataclass(frozen=True)
class GuardedServer(AttackedServer):
    """A server with keys: `alice` and `bob` may use every tool and nothing else; `gone` is revoked."""

    issuer: Issuer
    upstream: Pages
    """The only host that PubMed requests may go to."""
    logged: LogCapture
    alice: str
    bob: str
    gone: str


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests in the session's event loop, where the servers run."""
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here) and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest.fixture(autouse=True)
def _report_cases(request: pytest.FixtureRequest) -> Iterator[None]:
    """Report how many attacks the test made; the end of the run sums them up."""
    take_count()
    yield
    request.node.user_properties.append((PROPERTY, max(1, take_count())))


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def issuer() -> AsyncIterator[Issuer]:
    async with local_issuer() as served:
        yield served


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def upstream() -> AsyncIterator[Pages]:
    async with local_pages() as served:
        yield served


@pytest.fixture(scope="session")
def logged() -> Iterator[LogCapture]:
    stream = LogCapture()
    before = logging.getLogger("sanya").level, list(logging.getLogger().handlers)
    configure_logging("debug", "json", stream)
    yield stream
    logging.getLogger("sanya").setLevel(before[0])
    logging.getLogger().handlers[:] = before[1]


@pytest.fixture(scope="session")
def homes(indexed_home: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two homes with starter data."""
    folder = tmp_path_factory.mktemp("attacks")
    return shutil.copytree(indexed_home, folder / "guarded"), shutil.copytree(indexed_home, folder / "open")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def guarded(
    homes: tuple[Path, Path], issuer: Issuer, upstream: Pages, logged: LogCapture
) -> AsyncIterator[GuardedServer]:
    settings = {"oauth_issuer": issuer.url, "oauth_audience": AUDIENCE, "rate_limit_per_minute": 0}
    settings |= {"entrez_url": upstream.url, "entrez_requests_per_second": 10_000, **SECRET_SETTINGS}
    async with serve_home(homes[0], require_auth=True, **settings) as served:
        keys = [await served.app.keys.create(name, SCOPES) for name in ("alice", "bob", "gone")]
        await served.app.keys.revoke(keys[2].split("_")[1])
        yield GuardedServer(served.app, served.port, served.grpc_port, served.home, issuer, upstream, logged, *keys)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def unguarded(homes: tuple[Path, Path]) -> AsyncIterator[AttackedServer]:
    limits = {"ingest_max_seconds": 10, "ingest_max_page_seconds": 2, "ingest_max_memory_mb": 256}
    async with serve_home(homes[1], body_timeout_s=1, max_body_bytes=1024 * 1024, **limits) as served:
        yield served


@pytest_asyncio.fixture(loop_scope="session")
async def connection(guarded: GuardedServer) -> AsyncIterator[RawConnection]:
    """A connection to the guarded home."""
    async with RawConnection(guarded.port) as raw:
        yield raw


@pytest_asyncio.fixture(loop_scope="session")
async def open_connection(unguarded: AttackedServer) -> AsyncIterator[RawConnection]:
    async with RawConnection(unguarded.port) as raw:
        yield raw


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def grpc(guarded: GuardedServer) -> AsyncIterator[GrpcClient]:
    """A client of the guarded home."""
    async with grpc_client(guarded.app, guarded.grpc_port) as client:
        yield client


@asynccontextmanager
async def serve_home(home: Path, **settings: Any) -> AsyncIterator[AttackedServer]:
    """Serve a home on free ports, without limits of the rate unless the settings name them."""
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    stop, grpc_port = asyncio.Event(), _free_port()
    settings = {"rate_limit_anonymous_per_minute": 0, "log_level": "error", **settings}
    async with AsyncExitStack() as stack:
        opened = await stack.enter_async_context(app.open(home, port=0, grpc="on", grpc_port=grpc_port, **settings))
        await stack.enter_async_context(opened.run_background_work())
        serving = asyncio.create_task(serve(opened, on_ready=ready.set_result, stop=stop, grace_s=1.0))
        try:
            async with asyncio.timeout(WAIT_S):
                url = await ready
            yield AttackedServer(opened, int(url.rpartition(":")[2]), grpc_port, home)
        finally:
            stop.set()
            await serving


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        return int(unused.getsockname()[1])
