"""An application on real engines in which any port can be replaced by a failing one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from redis.asyncio import Redis

from sanya.assembly.home_resources import HomeResources
from sanya.assembly.library import SharedLibrary
from sanya.assembly.memory import MemoryParts, build_memory_parts
from sanya.assembly.search.indexes import open_index
from sanya.assembly.suites import open_suite
from sanya.engines.database import open_database
from sanya.engines.embedders.cache import CachedEmbedder
from sanya.engines.index.store import IndexStore
from sanya.engines.jobs import SqlJobs
from sanya.engines.keys import KeyStore
from sanya.engines.ledger import SqlLedgerStore
from sanya.engines.redis.rate_limits import RedisRateLimiter
from sanya.engines.redis.request_window import RedisRequestWindow
from sanya.engines.vault import Vault
from sanya.kernel.calls.call import OWNER, Answered, Call, Caller
from sanya.kernel.calls.dispatch import Kernel
from sanya.kernel.calls.limits import LocalRateLimiter
from sanya.kernel.calls.requests import RequestWindow
from sanya.kernel.contracts.suite import Suite
from sanya.kernel.cursors import Cursors
from sanya.kernel.faults import Fault
from sanya.kernel.ledger.chain import Ledger
from sanya.kernel.storage.database import Database
from sanya.retrieval.language_search import ENGLISH, MULTILINGUAL
from sanya.retrieval.lexicon import Lexicon
from sanya.retrieval.search import Library
from sanya.retrieval.terms import TermReader
from sanya.settings import Settings
from sanya.text.segmentation import get_default_segmenter
from tests.faults.places import Place
from tests.faults.twin import Steps, make_twin
from tests.long_form import often
from tests.retrieval.conftest import WordVectors

Port = TypeVar("Port")

NOW = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


@cache
def make_reader() -> TermReader:
    return TermReader(get_default_segmenter(), Lexicon({}, {}))


class CallFailed(Exception):
    """A call that the kernel refused; `error` is what its caller got."""

    def __init__(self, error: Mapping[str, Any], fault: Fault | None = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.fault = fault


@dataclass
class House:
    place: Place
    opened: HomeResources
    engine: Database
    """The real database."""
    ledger: Ledger
    ledger_store: SqlLedgerStore
    kernel: Kernel
    twins: Mapping[str, Steps]

    @property
    def database(self) -> Database:
        return self.opened.database

    @property
    def memory(self) -> MemoryParts:
        return build_memory_parts(self.database, self.opened.library)

    @property
    def keys(self) -> KeyStore:
        return KeyStore(self.database)

    def get_twin(self, name: str, port: Port) -> Port:
        return replace_port(self.twins, name, port)

    async def call(
        self, tool: str, caller: Caller = OWNER, request_id: str | None = "r-1", **arguments: Any
    ) -> dict[str, Any]:
        outcome = await self.kernel.call(Call(tool, arguments, caller, request_id=request_id))
        if not isinstance(outcome, Answered):
            raise CallFailed(outcome.error, outcome.fault)
        # Memory reports an unavailable store in an ordinary result, and so does a job.
        if outcome.body.get("status") in ("error", "rejected"):
            raise CallFailed(outcome.body)
        return outcome.body


def replace_port(twins: Mapping[str, Steps], name: str, port: Port) -> Port:
    return make_twin(port, twins[name]) if name in twins else port


@asynccontextmanager
async def open_house(
    place: Place, suites: tuple[str, ...] = (), twins: Mapping[str, Steps] | None = None, redis: Redis | None = None
) -> AsyncIterator[House]:
    twins = twins or {}
    settings = Settings(home=place.home, database_url=place.url, index="auto" if often(0, 1) else "embedded")
    async with AsyncExitStack() as stack:
        engine = await stack.enter_async_context(open_database(place.url, place.home))
        database = replace_port(twins, "database", engine)
        store = SqlLedgerStore(database, code_hash=lambda: "code")
        ledger = Ledger(replace_port(twins, "ledger", store), group_ms=1)
        ledger.start()
        stack.push_async_callback(ledger.close)
        vault = Vault(database)
        client = None if redis is None else replace_port(twins, "redis", redis)
        opened = HomeResources(
            settings=settings,
            database=database,
            vault=vault,
            cursors=Cursors(await vault.get_secret("cursors")),
            jobs=replace_port(twins, "jobs", SqlJobs(database)),
            library=SharedLibrary(settings, database, lambda: _library(settings, database, twins)),
            redis=client,
            stack=stack,
        )
        stack.push_async_callback(opened.library.close)
        kernel = Kernel(
            [await _open_suite(name, opened, twins) for name in suites],
            ledger=ledger,
            limiter=LocalRateLimiter() if client is None else RedisRateLimiter(client),
            window=RequestWindow(),
            shared_window=None if client is None else RedisRequestWindow(client, 600),
            clock=lambda: NOW,
        )
        yield House(place, opened, engine, ledger, SqlLedgerStore(engine, code_hash=str), kernel, twins)


async def _open_suite(name: str, opened: HomeResources, twins: Mapping[str, Steps]) -> Suite:
    if name == "papers":
        from tests.faults.papers import build_papers_suite

        return await build_papers_suite(opened, twins)
    if name == "ingest":
        from tests.faults.ingest import ingest_suite

        return ingest_suite(opened, twins)
    return await open_suite(name, opened)


@asynccontextmanager
async def _library(settings: Settings, database: Database, twins: Mapping[str, Steps]) -> AsyncIterator[Library]:
    store = IndexStore(database)
    embedders = {ENGLISH: WordVectors("english", 32, {}), MULTILINGUAL: WordVectors("both", 48, {})}
    async with open_index(settings, database, make_reader()) as index:
        yield Library(
            replace_port(twins, "index", index),
            make_reader(),
            {
                space: CachedEmbedder(replace_port(twins, "embedder", embedder), store)
                for space, embedder in embedders.items()
            },
        )


def get_inbox(place: Place) -> Path:
    folder = place.home / "inbox"
    folder.mkdir(exist_ok=True)
    return folder
