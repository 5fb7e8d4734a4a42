"""The composition root: the only module that knows everyone and reads the settings."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pydantic

from sanya import __version__
from sanya.assembly.freed_memory import give_back_steadily
from sanya.assembly.library import SharedLibrary
from sanya.assembly.opened import Opened
from sanya.assembly.suites import keep_outline, open_suites, outlined_suites
from sanya.assembly.workers import at_work
from sanya.code import code_hash
from sanya.engines.database import open_database
from sanya.engines.jobs import SqlJobs
from sanya.engines.keys import KeyStore
from sanya.engines.ledger import SqlLedgerStore
from sanya.engines.vault import Vault
from sanya.kernel.anchors import Anchorer
from sanya.kernel.breaker import Breakers, Tolerance
from sanya.kernel.call import Answered, Call, ProgressSink, Refused, ignore_progress
from sanya.kernel.cursors import Cursors
from sanya.kernel.database import Database
from sanya.kernel.dispatch import Kernel, Observer
from sanya.kernel.faults import Fault
from sanya.kernel.jobs import Jobs
from sanya.kernel.ledger import MAIN_CHAIN, Ledger, rise_above
from sanya.kernel.limits import LocalRateLimiter, RateLimiter
from sanya.kernel.requests import RequestWindow, SharedWindow
from sanya.kernel.stamp import Stamp
from sanya.kernel.suite import Suite, Worker
from sanya.kernel.unrecorded import Unrecorded
from sanya.published import lock_digest, refuse_unlocked
from sanya.settings import BadSetting, Settings, load_settings

if TYPE_CHECKING:
    from redis.asyncio import Redis

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
    jobs: Jobs
    library: SharedLibrary
    kernel: Kernel
    breakers: Breakers
    observers: list[Observer] = field(default_factory=list)
    signing_keys: IssuerKeys | None = None
    is_outlined: bool = False

    def at_work(self) -> AbstractAsyncContextManager[None]:
        """While this is entered, the background work runs. Servers enter it; single calls do not."""
        return at_work([*self.workers, Worker("freed memory", give_back_steadily)])

    @property
    def workers(self) -> list[Worker]:
        return [worker for suite in self.kernel.catalogue.suites for worker in suite.workers]

    def keep_promises(self) -> None:
        """Raises BrokenPromise where this code breaks a contract as it was published: such a server must not start.

        What it found good it keeps an outline of, so that the next start with the same code, published contracts and
        settings need not open every suite to know.
        """
        if not self.is_outlined:
            refuse_unlocked(self.kernel.catalogue)
            keep_outline(self.settings, _outline_key(self.settings), self.kernel.catalogue.suites)

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
    home: str | Path | None = None, *, extra_suites: Sequence[Suite] = (), lazily: bool = False, **overrides: Any
) -> AsyncIterator[App]:
    """Opens a home, makes it where there is none, and closes it with every audit row written.

    `overrides` are settings by name; `extra_suites` are served beside our own. Opened `lazily`, a suite that an earlier
    server left an outline of is opened by the first call that needs it.
    """
    settings = load_settings({"home": home, **overrides})
    async with AsyncExitStack() as stack:
        yield await _assemble(settings, extra_suites, stack, lazily=lazily)


@asynccontextmanager
async def open_beside(settings: Settings, *, recorded: bool) -> AsyncIterator[App]:
    """Opens what these settings name for calls that only compare. Unrecorded, they leave nothing in the ledger."""
    async with AsyncExitStack() as stack:
        yield await _assemble(settings, (), stack, recorded=recorded)


async def _assemble(
    settings: Settings,
    extra_suites: Sequence[Suite],
    stack: AsyncExitStack,
    *,
    lazily: bool = False,
    recorded: bool = True,
) -> App:
    breakers = Breakers(Tolerance(failures=settings.engine_failures, longest_pause_s=float(settings.engine_pause_s)))
    database = await stack.enter_async_context(open_database(settings.database_url, settings.home, breakers))
    vault = Vault(database)
    cursors = Cursors(await vault.secret("cursors"))
    ledger_store = SqlLedgerStore(database, code_hash=code_hash, chain=settings.replica or MAIN_CHAIN)
    rise_above(await ledger_store.newest_id())
    ledger = _start_ledger(ledger_store if recorded else Unrecorded(), database, settings, stack)
    observers = await _observers(settings, stack)
    library = SharedLibrary(settings, database, breakers=breakers)
    stack.push_async_callback(library.close)
    jobs = SqlJobs(database)
    redis = await _redis(settings, breakers, stack)
    opened = Opened(
        settings=settings,
        database=database,
        vault=vault,
        cursors=cursors,
        jobs=jobs,
        library=library,
        redis=redis,
        breakers=breakers,
        stack=stack,
    )
    outlined = outlined_suites(opened, _outline_key(settings)) if lazily else None
    kernel = Kernel(
        [*(outlined or await open_suites(opened)), *extra_suites],
        ledger=ledger,
        limiter=_limiter(redis),
        window=RequestWindow(settings.request_window_s),
        shared_window=_shared_window(redis, settings),
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
        jobs=jobs,
        library=library,
        kernel=kernel,
        breakers=breakers,
        observers=observers,
        signing_keys=await _signing_keys(settings, stack),
        is_outlined=outlined is not None,
    )


def _start_ledger(
    store: SqlLedgerStore | Unrecorded, database: Database, settings: Settings, stack: AsyncExitStack
) -> Ledger:
    """A replica's chain is anchored in the main one; a home with one server has no other."""
    if isinstance(store, Unrecorded) or store.chain == MAIN_CHAIN:
        ledger = Ledger(store, group_ms=settings.ledger_group_ms)
    else:
        anchorer = Anchorer(store.chain, SqlLedgerStore(database, code_hash=code_hash))
        ledger = Ledger(store, group_ms=settings.ledger_group_ms, on_written=anchorer.moved)
        anchorer.start()
        stack.push_async_callback(anchorer.close)
    ledger.start()
    stack.push_async_callback(ledger.close)
    return ledger


async def _redis(settings: Settings, breakers: Breakers, stack: AsyncExitStack) -> Redis | None:
    if not settings.redis_url:
        return None
    from sanya.engines.redis_client import (
        RedisUnavailable,
        open_redis,
    )  # here, as its like below: it takes long to load

    try:
        return await stack.enter_async_context(open_redis(settings.redis_url, breakers))
    except RedisUnavailable as problem:
        raise BadSetting(str(problem)) from None


def _limiter(redis: Redis | None) -> RateLimiter:
    if redis is None:
        return LocalRateLimiter()
    from sanya.engines.redis_limits import RedisRateLimiter

    return RedisRateLimiter(redis)


def _shared_window(redis: Redis | None, settings: Settings) -> SharedWindow | None:
    if redis is None:
        return None
    from sanya.engines.redis_window import RedisWindow

    return RedisWindow(redis, settings.request_window_s)


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


def _outline_key(settings: Settings) -> str:
    """Changes with everything that decides what the suites show, and whether they can be opened at all."""
    decisive = (code_hash(), lock_digest(), pydantic.VERSION, settings)
    return sha256(repr(decisive).encode("utf-8")).hexdigest()
