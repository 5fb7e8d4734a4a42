"""The composition root: the only module that knows everyone and reads the settings."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sanya import __version__
from sanya.engines.attached import open_attached
from sanya.engines.database import open_database
from sanya.engines.keys import KeyStore
from sanya.engines.ledger import SqlLedgerStore
from sanya.engines.vault import Vault
from sanya.kernel.call import Answered, Call, ProgressSink, Refused, ignore_progress
from sanya.kernel.cursors import Cursors
from sanya.kernel.database import Database
from sanya.kernel.dispatch import Kernel, Observer
from sanya.kernel.faults import Fault
from sanya.kernel.ledger import Ledger
from sanya.kernel.limits import LocalRateLimiter
from sanya.kernel.requests import RequestWindow
from sanya.kernel.stamp import Stamp
from sanya.kernel.suite import Suite
from sanya.settings import BadSetting, Settings, load_settings
from sanya.suites.funds import suite as funds
from sanya.suites.funds.demo import load_demo
from sanya.suites.funds.store import FundStore
from sanya.suites.tasks import suite as tasks
from sanya.suites.tasks.attached import AttachedTables
from sanya.suites.tasks.starter import load_starter
from sanya.suites.tasks.store import TaskStore

if TYPE_CHECKING:
    from sanya.retrieval.search import Library
    from sanya.sources.jwks import IssuerKeys


class CallRefused(Exception):
    """A call through the Python door that was refused: `error` is the suite's error object."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused.message)
        self.error: dict[str, Any] = refused.error
        self.fault: Fault = refused.fault
        self.stamp: Stamp = refused.stamp


class Body(dict[str, Any]):
    """A tool's answer, with its stamp beside it."""

    stamp: Stamp


@dataclass(frozen=True, kw_only=True)
class App:
    """An open home: everything that a surface needs."""

    settings: Settings
    database: Database
    ledger: Ledger
    ledger_store: SqlLedgerStore
    vault: Vault
    keys: KeyStore
    cursors: Cursors
    kernel: Kernel
    observers: list[Observer] = field(default_factory=list)
    signing_keys: IssuerKeys | None = None

    async def call(
        self,
        tool: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        request_id: str | None = None,
        timeout_ms: int | None = None,
        progress: ProgressSink = ignore_progress,
    ) -> Body:
        """Calls a tool as the owner and gives its body. Raises CallRefused with the suite's error object."""
        outcome = await self.kernel.call(
            Call(tool, arguments or {}, request_id=request_id, timeout_ms=timeout_ms, progress=progress)
        )
        match outcome:
            case Answered():
                body = Body(outcome.body)
                body.stamp = outcome.stamp
                return body
            case Refused():
                raise CallRefused(outcome)


@asynccontextmanager
async def open(
    home: str | Path | None = None, *, extra_suites: Sequence[Suite] = (), **overrides: Any
) -> AsyncIterator[App]:
    """Opens a home, makes it where there is none, and closes it with every audit row written.

    `overrides` are settings by name; `extra_suites` are served beside our own.
    """
    settings = load_settings({"home": home, **overrides})
    async with AsyncExitStack() as stack:
        yield await _assemble(settings, extra_suites, stack)


@asynccontextmanager
async def open_library(app: App) -> AsyncIterator[Library]:
    """The search over this home's documents. Apart from `open`, because dictionaries and models take long to load."""
    from sanya.engines.embedders.cached import CachedEmbedder
    from sanya.engines.embedders.offline import offline_embedders
    from sanya.engines.index.embedded import open_embedded
    from sanya.engines.index.store import IndexStore
    from sanya.retrieval.lexicon import general_lexicon
    from sanya.retrieval.search import Library
    from sanya.retrieval.terms import Reader
    from sanya.text.segmentation import default_segmenter

    reader = Reader(default_segmenter(), general_lexicon())
    local = offline_embedders()
    store = IndexStore(app.database)
    try:
        async with open_embedded(app.database, app.settings.home / "index", reader.read_document) as index:
            yield Library(index, reader, {space: CachedEmbedder(one, store) for space, one in local.items()})
    finally:
        for one in local.values():
            one.close()


async def _assemble(settings: Settings, extra_suites: Sequence[Suite], stack: AsyncExitStack) -> App:
    database = await stack.enter_async_context(open_database(settings.database_url, settings.home))
    vault = Vault(database)
    cursors = Cursors(await vault.secret("cursors"))
    ledger_store = SqlLedgerStore(database, code_hash=code_hash)
    ledger = Ledger(ledger_store, group_ms=settings.ledger_group_ms)
    ledger.start()
    stack.push_async_callback(ledger.close)
    observers = await _observers(settings, stack)
    kernel = Kernel(
        [await _tasks_suite(settings, database, cursors, stack), await _funds_suite(database), *extra_suites],
        ledger=ledger,
        limiter=LocalRateLimiter(),
        window=RequestWindow(settings.request_window_s),
        observers=observers,
    )
    return App(
        settings=settings,
        database=database,
        ledger=ledger,
        ledger_store=ledger_store,
        vault=vault,
        keys=KeyStore(database),
        cursors=cursors,
        kernel=kernel,
        observers=observers,
        signing_keys=await _signing_keys(settings, stack),
    )


async def _observers(settings: Settings, stack: AsyncExitStack) -> list[Observer]:
    if not settings.otel_endpoint:
        return []
    from sanya.sources.telemetry import TelemetryUnavailable, open_telemetry  # here: it takes long to load

    try:
        telemetry = await stack.enter_async_context(open_telemetry(settings.otel_endpoint, __version__))
    except TelemetryUnavailable as problem:
        raise BadSetting(str(problem)) from None
    return [telemetry.record]


async def _signing_keys(settings: Settings, stack: AsyncExitStack) -> IssuerKeys | None:
    if not settings.oauth_issuer:
        return None
    if not settings.oauth_audience:
        raise BadSetting("oauth_issuer needs oauth_audience: the address that tokens for this server must name")
    from sanya.sources.egress import BadDestination  # here: an HTTP client takes long to load
    from sanya.sources.jwks import open_issuer_keys

    try:
        return await stack.enter_async_context(open_issuer_keys(settings.oauth_issuer, settings.oauth_jwks_url))
    except BadDestination as problem:
        raise BadSetting(f"oauth_issuer or oauth_jwks_url: {problem}") from None


async def _tasks_suite(settings: Settings, database: Database, cursors: Cursors, stack: AsyncExitStack) -> Suite:
    time_zone = _time_zone(settings.time_zone)
    if settings.tasks_database:
        attached = await stack.enter_async_context(open_attached(_path(settings.tasks_database)))
        return tasks.build(TaskStore(attached, AttachedTables(attached)), cursors, time_zone)
    await load_starter(database)
    return tasks.build(TaskStore(database), cursors, time_zone)


async def _funds_suite(database: Database) -> Suite:
    await load_demo(database)
    return funds.build(FundStore(database))


def _path(text: str) -> Path:
    return Path(text).expanduser()


def _time_zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        raise BadSetting(f"time_zone takes an IANA name such as Asia/Bangkok, got {name!r}") from None


@cache
def code_hash() -> str:
    """One hash over all our sources, so that a replay can tell whether the code has changed."""
    found = sha256()
    for path, source in sorted(_sources(files("sanya"), "")):
        found.update(path.encode("utf-8") + b"\0" + source.read_bytes() + b"\0")
    return found.hexdigest()


def _sources(folder: Traversable, prefix: str) -> list[tuple[str, Traversable]]:
    found: list[tuple[str, Traversable]] = []
    for one in folder.iterdir():
        path = f"{prefix}/{one.name}"
        if one.is_dir():
            found += _sources(one, path)
        elif one.name.endswith((".py", ".sql")):
            found.append((path, one))
    return found
