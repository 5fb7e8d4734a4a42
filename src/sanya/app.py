"""The composition root: opens a home and builds the kernel from settings, engines, sources and suites."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field, fields
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pydantic

from sanya import __version__
from sanya.assembly.freed_memory import release_freed_memory
from sanya.assembly.guest_entries import find_guest_entries
from sanya.assembly.home_resources import HomeResources
from sanya.assembly.library import SharedLibrary
from sanya.assembly.receipts import ReceiptWriter
from sanya.assembly.suites import has_outline, open_suites, restore_suites, save_outline
from sanya.assembly.workers import run_workers
from sanya.code import compute_code_hash
from sanya.engines.cited_papers import CitedPapers
from sanya.engines.database import open_database
from sanya.engines.disk import describe_disk, measure_free_bytes
from sanya.engines.jobs import SqlJobs
from sanya.engines.keys import KeyStore
from sanya.engines.ledger import SqlLedgerStore
from sanya.engines.snapshot import Engine
from sanya.engines.upgrading import SchemaMode
from sanya.engines.vault import Vault
from sanya.kernel.breaker import BreakerPolicy, Breakers
from sanya.kernel.calls.call import Answered, Call, ProgressSink, Refused, ignore_progress
from sanya.kernel.calls.dispatch import Kernel, Observer
from sanya.kernel.calls.limits import LocalRateLimiter, RateLimiter
from sanya.kernel.calls.prepared_bodies import copy_body
from sanya.kernel.calls.requests import RequestWindow, SharedWindow
from sanya.kernel.calls.stamp import Stamp
from sanya.kernel.contracts.lock import BrokenContract
from sanya.kernel.contracts.suite import Suite, Worker
from sanya.kernel.cursors import Cursors
from sanya.kernel.faults import Fault
from sanya.kernel.jobs.job import Jobs
from sanya.kernel.ledger.anchors import Anchorer
from sanya.kernel.ledger.chain import MAIN_CHAIN, Ledger, raise_id_floor
from sanya.kernel.ledger.null_ledger import NullLedgerStore
from sanya.kernel.storage.database import Database
from sanya.kernel.traced_dispatch import TracedKernel
from sanya.published_contracts import BadLock, compute_lock_digest, refuse_unlocked
from sanya.settings import BadSetting, Settings, load_settings

if TYPE_CHECKING:
    from redis.asyncio import Redis

    from sanya.assembly.guests import GuestSuite, KernelBridge
    from sanya.coordination.peers import WorkerPeers
    from sanya.sources.jwks import IssuerKeys

# Settings that decide nothing of what the suites list: a copied home, or a server at another address, has the same.
_UNDECISIVE = frozenset(
    ("home", "host", "port", "workers", "pin_workers", "migrate", "grpc", "grpc_port", "log_level", "log_format")
)


class CallRefused(Exception):
    """Raised by `App.call` for a refused call. `error` is the suite's error object."""

    def __init__(self, refusal: Refused) -> None:
        super().__init__(refusal.message)
        self.error: dict[str, Any] = refusal.error
        self.fault: Fault = refusal.fault
        self.stamp: Stamp = refusal.stamp


class StampedBody(dict[str, Any]):
    """The body of a tool's answer, with the stamp of the call."""

    stamp: Stamp


@dataclass(frozen=True, kw_only=True)
class App:
    """An open home: everything a surface needs."""

    settings: Settings
    database: Engine
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
    guests: tuple[GuestSuite, ...] = ()
    peers: WorkerPeers | None = None
    """The other workers of this server, where it has several."""

    def run_background_work(self) -> AbstractAsyncContextManager[None]:
        """Run the background work while this context is entered. Servers enter it; single calls do not. Of several
        workers one does what concerns the home; each looks after its own memory."""
        freed_memory = Worker("freed memory", release_freed_memory)
        if self.peers is not None and not self.peers.leads:
            return run_workers([freed_memory])
        return run_workers([*self.workers, *self._ledger_workers, freed_memory])

    def describe_disk(self) -> str | None:
        """Return what is wrong with the disk of the home and what to do, or None."""
        return describe_disk(self.settings.home)

    def measure_free_bytes(self) -> int:
        """Return the free space on the disk of the home."""
        return measure_free_bytes(self.settings.home)

    @property
    def receipts(self) -> ReceiptWriter:
        return ReceiptWriter(self.ledger, self.ledger_store, self.vault)

    @property
    def cited_papers(self) -> CitedPapers:
        return CitedPapers(self.database)

    @property
    def _ledger_workers(self) -> list[Worker]:
        settings, workers = self.settings, []
        if settings.receipts_folder:
            folder = Path(settings.receipts_folder).expanduser()
            write = partial(self.receipts.write_often, folder, settings.receipts_every_s)
            workers.append(Worker("ledger receipts", write))
        if settings.cited_papers_days:
            workers.append(Worker("cited papers", partial(self.cited_papers.prune_daily, settings.cited_papers_days)))
        return workers

    @property
    def workers(self) -> list[Worker]:
        return [worker for suite in self.kernel.catalogue.suites for worker in suite.workers]

    async def prepare_search(self) -> None:
        """Load models, indexes and names before anybody waits for them."""
        await (await self.library()).load_models()
        for suite in self.kernel.catalogue.suites:
            if suite.prepare is not None:
                await suite.prepare()

    def check_contracts(self) -> None:
        """Raise BrokenContract where the code breaks a published contract: such a server must not start.

        Where all are kept, save the outline of the suites, so that the next start with the same code, contracts and
        settings need not open every suite to check.
        """
        if not self.is_outlined and not has_outline(self.settings, key := _hash_outline_key(self.settings)):
            refuse_unlocked(self.kernel.catalogue, without=self.settings.suites_disabled)
            save_outline(self.settings, key, self.kernel.catalogue.suites)

    def save_outline_if_kept(self) -> None:
        """Save the outline as a server does. Where a contract is broken, save nothing: the work at hand goes on."""
        with suppress(BrokenContract, BadLock):
            self.check_contracts()

    async def call(
        self,
        tool: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        request_id: str | None = None,
        timeout_ms: int | None = None,
        progress: ProgressSink = ignore_progress,
    ) -> StampedBody:
        """Call a tool as the owner and return its body. Raise CallRefused with the suite's error object."""
        outcome = await self.kernel.call(
            Call(tool, arguments or {}, request_id=request_id, timeout_ms=timeout_ms, progress=progress)
        )
        match outcome:
            case Answered():
                body = StampedBody(copy_body(outcome.body))
                body.stamp = outcome.stamp
                return body
            case Refused():
                raise CallRefused(outcome)


@asynccontextmanager
async def open(
    home: str | Path | None = None,
    *,
    extra_suites: Sequence[Suite] = (),
    lazily: bool = False,
    with_guests: bool = True,
    peers: WorkerPeers | None = None,
    **overrides: Any,
) -> AsyncIterator[App]:
    """Open a home, creating it where there is none, and close it with every ledger row written.

    `overrides` are settings by name. `extra_suites` are served beside the built-in ones. With `lazily`, suites come
    from the outline of an earlier server where there is one, and open with the first call that needs them. Without
    `with_guests`, the suites of other packages are left out. `peers` are the other workers of the same server.
    """
    settings = load_settings({"home": home, **overrides})
    async with AsyncExitStack() as stack:
        yield await _assemble(settings, extra_suites, stack, lazily=lazily, with_guests=with_guests, peers=peers)


@asynccontextmanager
async def open_beside(settings: Settings, *, recorded: bool) -> AsyncIterator[App]:
    """Open a second home for calls that are only compared. Without `recorded`, they leave nothing in the ledger."""
    async with AsyncExitStack() as stack:
        yield await _assemble(settings, (), stack, recorded=recorded)


@asynccontextmanager
async def open_ledger(settings: Settings) -> AsyncIterator[Ledger]:
    """Open the ledger of a home and nothing else, for a change of settings: others of them may be wrong."""
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(_open_database(settings))
        yield _start_ledger(await _open_ledger_store(settings, database), database, settings, stack)


async def _assemble(
    settings: Settings,
    extra_suites: Sequence[Suite],
    stack: AsyncExitStack,
    *,
    lazily: bool = False,
    recorded: bool = True,
    with_guests: bool = True,
    peers: WorkerPeers | None = None,
) -> App:
    breakers = _make_breakers(settings)
    database = await stack.enter_async_context(_open_database(settings, breakers))
    vault = Vault(database)
    ledger_store = await _open_ledger_store(settings, database)
    ledger = _start_ledger(ledger_store if recorded else NullLedgerStore(), database, settings, stack)
    observers = await _open_observers(settings, stack)
    library = _open_library(settings, database, breakers, stack)
    redis = await _open_redis(settings, breakers, stack)
    resources = HomeResources(
        settings=settings,
        database=database,
        vault=vault,
        cursors=Cursors(await vault.get_secret("cursors")),
        jobs=SqlJobs(database),
        library=library,
        redis=redis,
        peers=peers,
        breakers=breakers,
        stack=stack,
    )
    lazy_suites = restore_suites(resources, _hash_outline_key(settings)) if lazily else None
    guests, bridge = await _open_guests(resources) if with_guests else ([], None)
    kernel = (TracedKernel if settings.otel_endpoint else Kernel)(
        [*(lazy_suites or await open_suites(resources)), *extra_suites, *_list_suites(guests)],
        ledger=ledger,
        limiter=_choose_limiter(redis, peers),
        window=RequestWindow(settings.request_window_s),
        shared_window=_open_shared_window(redis, peers, settings),
        observers=observers,
    )
    if bridge is not None:
        bridge.kernel = kernel
    return App(
        settings=settings,
        database=database,
        ledger=ledger,
        ledger_store=ledger_store,
        vault=vault,
        keys=KeyStore(database),
        cursors=resources.cursors,
        jobs=resources.jobs,
        library=library,
        kernel=kernel,
        breakers=breakers,
        observers=observers,
        signing_keys=await _open_signing_keys(settings, stack),
        is_outlined=lazy_suites is not None,
        guests=tuple(guests),
        peers=peers,
    )


def _list_suites(guests: Iterable[GuestSuite]) -> list[Suite]:
    """Return the suites of the guests that could be opened."""
    return [guest.suite for guest in guests if guest.suite]


def _open_library(settings: Settings, database: Database, breakers: Breakers, stack: AsyncExitStack) -> SharedLibrary:
    library = SharedLibrary(settings, database, breakers=breakers)
    stack.push_async_callback(library.close)
    return library


def _open_database(settings: Settings, breakers: Breakers | None = None) -> AbstractAsyncContextManager[Engine]:
    schema: SchemaMode = "migrate" if settings.migrate else "check"
    return open_database(settings.database_url, settings.home, breakers, schema=schema)


def _make_breakers(settings: Settings) -> Breakers:
    return Breakers(BreakerPolicy(failures=settings.engine_failures, longest_pause_s=float(settings.engine_pause_s)))


async def _open_ledger_store(settings: Settings, database: Database) -> SqlLedgerStore:
    store = SqlLedgerStore(database, code_hash=compute_code_hash, chain=settings.replica or MAIN_CHAIN)
    raise_id_floor(await store.read_newest_id())
    return store


def _start_ledger(
    store: SqlLedgerStore | NullLedgerStore, database: Database, settings: Settings, stack: AsyncExitStack
) -> Ledger:
    """Start the ledger. The chain of a replica is anchored in the main chain; a home with one server has only that."""
    if isinstance(store, NullLedgerStore) or store.chain == MAIN_CHAIN:
        ledger = Ledger(store, group_ms=settings.ledger_group_ms)
    else:
        anchorer = Anchorer(store.chain, SqlLedgerStore(database, code_hash=compute_code_hash))
        ledger = Ledger(store, group_ms=settings.ledger_group_ms, on_written=anchorer.notify_written)
        anchorer.start()
        stack.push_async_callback(anchorer.close)
    ledger.start()
    stack.push_async_callback(ledger.close)
    return ledger


async def _open_guests(resources: HomeResources) -> tuple[list[GuestSuite], KernelBridge | None]:
    """Open the suites of other packages. They call tools through the bridge, once it has the kernel."""
    entries = find_guest_entries()
    if not entries:
        return [], None
    from sanya.assembly.guests import KernelBridge, open_guests  # here, as below: it takes long to load

    bridge = KernelBridge()
    return await open_guests(resources, bridge, entries), bridge


async def _open_redis(settings: Settings, breakers: Breakers, stack: AsyncExitStack) -> Redis | None:
    if not settings.redis_url:
        return None
    from sanya.engines.redis.client import RedisUnavailable, open_redis

    try:
        return await stack.enter_async_context(open_redis(settings.redis_url, breakers))
    except RedisUnavailable as problem:
        raise BadSetting(str(problem)) from None


def _choose_limiter(redis: Redis | None, peers: WorkerPeers | None) -> RateLimiter:
    """Choose whose calls count together: those of all servers with this Redis, of all workers, or of this process."""
    if redis is None:
        return LocalRateLimiter() if peers is None else peers.limiter
    from sanya.engines.redis.rate_limits import RedisRateLimiter

    return RedisRateLimiter(redis)


def _open_shared_window(redis: Redis | None, peers: WorkerPeers | None, settings: Settings) -> SharedWindow | None:
    if redis is None:
        return None if peers is None else peers.window
    from sanya.engines.redis.request_window import RedisRequestWindow

    return RedisRequestWindow(redis, settings.request_window_s)


async def _open_observers(settings: Settings, stack: AsyncExitStack) -> list[Observer]:
    if not settings.otel_endpoint:
        return []
    from sanya.sources.telemetry import TelemetryUnavailable, open_telemetry  # here: it takes long to load

    try:
        telemetry = await stack.enter_async_context(open_telemetry(settings.otel_endpoint, __version__))
    except TelemetryUnavailable as problem:
        raise BadSetting(str(problem)) from None
    return [telemetry.record]


async def _open_signing_keys(settings: Settings, stack: AsyncExitStack) -> IssuerKeys | None:
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


def _hash_outline_key(settings: Settings) -> str:
    """Hash everything that decides what the suites list, and whether they open at all."""
    chosen = {item.name: getattr(settings, item.name) for item in fields(settings) if item.name not in _UNDECISIVE}
    decisive = (compute_code_hash(), compute_lock_digest(), pydantic.VERSION, chosen)
    return sha256(repr(decisive).encode("utf-8")).hexdigest()
