"""The record of all calls: append-only, hash-chained, written in groups behind the calls.

A read costs its caller one append to a list. A write waits until its row is durable. Rows are chained by the store
inside the transaction that inserts them, so that several processes may share one chain. Replicas have one each, and
note in the chain `main` how far theirs has come (anchors.py).
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from time import time_ns
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

import orjson

from sanya.kernel.call import Progress, ProgressSink, ignore_progress
from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.stamp import digest

log = logging.getLogger(__name__)

GENESIS = "0" * 64
MAIN_CHAIN = "main"
_WRITE_S, _WRITE_ROW_S = 10.0, 0.002
_RETRY_S = 1.0
# How many rows are read between two words about it.
_TOLD_ROWS = 500
_NOTHING: Mapping[int, str] = MappingProxyType({})


class Entry(NamedTuple):
    """One call as the ledger keeps it. `input` is the canonical JSON, redacted where the contract says so;
    `redacted` tells whether anything was, since such a call cannot be replayed. A tuple, because every call makes one,
    and a frozen dataclass of so many fields takes five times as long to make."""

    id: str
    at: str
    tool: str
    suite: str
    effect: str
    surface: str
    caller: str
    request_id: str
    trace_id: str | None
    in_hash: str
    out_hash: str
    latency_ms: int
    status: str
    fault: str | None
    error_id: str | None
    input: str
    redacted: bool
    contract_hash: str


@dataclass(frozen=True, slots=True)
class Link:
    """An entry in its place in the chain. `code_hash` and `data_revision` tell a replay what has changed since."""

    chain: str
    seq: int
    entry: Entry
    code_hash: str
    data_revision: int
    prev_hash: str
    row_hash: str

    @property
    def place(self) -> str:
        """How people name the row: its number, with the chain where that is not the main one."""
        return str(self.seq) if self.chain == MAIN_CHAIN else f"{self.chain}:{self.seq}"

    def expected_hash(self) -> str:
        return link_hash(self.prev_hash, self.seq, self.entry, self.code_hash, self.data_revision)

    def as_json(self) -> dict[str, Any]:
        """Everything that the ledger keeps of a call, in one flat object."""
        found = asdict(self)
        return {"seq": self.seq, **found.pop("entry")._asdict(), **found}


def link_hash(prev_hash: str, seq: int, entry: Entry, code_hash: str, data_revision: int) -> str:
    # A flat array of text, small integers, booleans and nulls: orjson's bytes are the canonical ones.
    return digest(orjson.dumps([prev_hash, seq, code_hash, data_revision, *entry]))


_ID = re.compile(r"call_([0-9a-f]{16})")
_last_ns = 0


def new_id(random: str) -> str:
    """An id for a call. Ids rise with time, so that the ledger's index of them grows at its end, which is a third
    cheaper, and rows of several chains can be listed as they came. They rise even if the clock is set back."""
    global _last_ns
    _last_ns = max(time_ns(), _last_ns + 1)
    return f"call_{_last_ns:016x}{random}"


def rise_above(id: str | None) -> None:
    """Ids from now on are later ones than this: the last of a home whose clock may have been ahead of ours."""
    global _last_ns
    found = _ID.match(id or "")
    if found is not None:
        _last_ns = max(_last_ns, int(found[1], 16))


def own_entry(tool: tuple[str, str], by: tuple[str, str], at: str, content: bytes, *, redacted: bool = False) -> Entry:
    """A row that the house writes of what it did itself, by no call: the tool's name and suite, the surface and caller
    it is told under, and what there is to say, as canonical JSON."""
    id = new_id(secrets.token_hex(3))
    said = digest(content)
    return Entry(
        id=id,
        at=at,
        tool=tool[0],
        suite=tool[1],
        effect="write",
        surface=by[0],
        caller=by[1],
        request_id=id,
        trace_id=None,
        in_hash=said,
        out_hash=said,
        latency_ms=0,
        status="ok",
        fault=None,
        error_id=None,
        input=content.decode("utf-8"),
        redacted=redacted,
        contract_hash="",
    )


@dataclass(frozen=True, slots=True)
class Answer:
    """A write's answer, kept with its row so that a repeated request id finds it even after a crash."""

    entry_id: str
    caller: str
    request_id: str
    fingerprint: str
    outcome: str
    expires_at: str


class LedgerStore(Protocol):
    async def append(self, entries: Sequence[Entry], answers: Sequence[Answer]) -> None:
        """Chains and inserts all of them in one durable transaction, in order."""
        ...

    async def answer(self, caller: str, request_id: str) -> Answer | None: ...

    def links(self, chain: str, *, after: int = 0, tool: str | None = None) -> AsyncIterator[Link]:
        """The rows of one chain by rising sequence number, streamed; those of one tool alone where it is given."""
        ...

    async def head(self, chain: str) -> tuple[int, str]:
        """The last sequence number and hash as the chain's own head row has them; (0, GENESIS) when empty."""
        ...

    async def chains(self) -> set[str]:
        """All that have a row or a head."""
        ...


@dataclass(frozen=True, slots=True)
class Flaw:
    """The first place where a chain does not hold."""

    seq: int
    problem: str
    chain: str = MAIN_CHAIN


async def verify_chain(
    store: LedgerStore,
    chain: str = MAIN_CHAIN,
    progress: ProgressSink = ignore_progress,
    anchored: Mapping[int, str] = _NOTHING,
) -> tuple[int, Flaw | None]:
    """How many rows were read, and the first that was altered, removed or reordered. Others may append meanwhile.
    `anchored` has hashes of rows by their numbers, as they were noted in the main chain."""
    noted = await store.head(chain)
    seq, row_hash = 0, GENESIS
    async for link in store.links(chain):
        flaw = _flaw_in(link, (seq, row_hash), noted)
        if flaw is None and anchored.get(link.seq, link.row_hash) != link.row_hash:
            flaw = Flaw(link.seq, f"row {link.seq} was altered: the main chain has another one noted")
        if flaw is not None:
            return seq + 1, replace(flaw, chain=chain)
        seq, row_hash = link.seq, link.row_hash
        if seq % _TOLD_ROWS == 0:
            progress(Progress(seq, max(seq, noted[0])))
    flaw = _flaw_at_end(seq, noted, await store.head(chain)) or _flaw_behind(seq, anchored)
    return seq, flaw and replace(flaw, chain=chain)


def _flaw_in(link: Link, before: tuple[int, str], noted: tuple[int, str]) -> Flaw | None:
    """What is wrong with a row, given the one before it and where the chain's head was when the reading began."""
    seq, row_hash = before
    if link.seq != seq + 1:
        return Flaw(seq + 1, f"row {seq + 1} was removed: row {link.seq} follows row {seq}")
    if link.prev_hash != row_hash:
        return Flaw(link.seq, f"row {link.seq} was altered or reordered: it does not continue row {seq}")
    if link.row_hash != link.expected_hash():
        return Flaw(link.seq, f"row {link.seq} was altered: its contents do not give its hash")
    if link.seq == noted[0] and link.row_hash != noted[1]:
        return Flaw(link.seq, f"row {link.seq} was altered: the chain ended with another one")
    return None


def _flaw_at_end(seq: int, noted: tuple[int, str], head: tuple[int, str]) -> Flaw | None:
    if seq < noted[0]:
        return Flaw(seq + 1, f"row {seq + 1} was removed: the chain ended at row {noted[0]}")
    # Rows and head are written together, so that the head as it is now is never behind the rows as they were.
    if head[0] < seq:
        return Flaw(head[0] + 1, f"row {head[0] + 1} was added by somebody else: the chain ended at row {head[0]}")
    return None


def _flaw_behind(seq: int, anchored: Mapping[int, str]) -> Flaw | None:
    last = max(anchored, default=0)
    if seq < last:
        return Flaw(seq + 1, f"row {seq + 1} was removed: the main chain has row {last} noted")
    return None


class Ledger:
    """Groups entries and writes them in order. `record` never waits; `flush` waits until all is durable. `failing` is
    set while the last group could not be written. `on_written` is called after each group that was."""

    def __init__(
        self,
        store: LedgerStore,
        *,
        group_ms: int = 100,
        max_pending: int = 100_000,
        on_written: Callable[[], None] = lambda: None,
    ) -> None:
        self._store = store
        self._on_written = on_written
        self._group_s = group_ms / 1000
        self._max_pending = max_pending
        self._entries: list[Entry] = []
        self._answers: list[Answer] = []
        self._answers_on_their_way: list[Answer] = []
        self._wake = asyncio.Event()
        self._hurry = asyncio.Event()
        self._waiters: list[asyncio.Future[None]] = []
        self._writing = False
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False
        self.failing = False

    @property
    def pending(self) -> int:
        """How many rows wait to be written."""
        return len(self._entries)

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="ledger")

    async def close(self) -> None:
        """Writes what is pending and stops. Raises StoreUnavailable if the last rows could not be written."""
        if self._task is None:
            return
        try:
            while self._entries or self._writing:
                await self.flush()
        finally:
            self._is_closed = True
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    def check_open(self) -> None:
        """Asked before a write is done: what cannot be recorded must not happen."""
        if self._is_closed:
            raise StoreUnavailable("the audit ledger is closed, because the server stops")
        if len(self._entries) >= self._max_pending:
            raise StoreUnavailable("the audit ledger cannot be written; see the server's log", retry_after_ms=1000)

    def record(self, entry: Entry, answer: Answer | None = None) -> None:
        self.check_open()
        self._entries.append(entry)
        if answer is not None:
            self._answers.append(answer)
        self._wake.set()

    async def answer(self, caller: str, request_id: str, *, at: str) -> Answer | None:
        """What a write answered under this request id, while its window is open."""
        stored = self._waiting_answer(caller, request_id)
        if stored is not None:
            await self.flush()
        else:
            stored = await self._store.answer(caller, request_id)
        return stored if stored is not None and stored.expires_at > at else None

    def _waiting_answer(self, caller: str, request_id: str) -> Answer | None:
        """One of a write that was carried out and could not be acknowledged, because this could not be kept."""
        waiting = (*self._answers_on_their_way, *self._answers)
        return next((one for one in waiting if (one.caller, one.request_id) == (caller, request_id)), None)

    async def flush(self) -> None:
        if not (self._entries or self._waiters or self._writing):
            return
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        self._wake.set()
        self._hurry.set()
        await waiter

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            await self._let_more_join(_RETRY_S if self.failing else self._group_s)
            self._wake.clear()
            self._hurry.clear()
            await self._write_group()

    async def _let_more_join(self, wait_s: float) -> None:
        """Waits, but not when somebody waits for us."""
        try:
            async with asyncio.timeout(wait_s):
                await self._hurry.wait()
        except TimeoutError:
            pass

    async def _write_group(self) -> None:
        entries, self._entries = self._entries, []
        answers, self._answers = self._answers, []
        self._answers_on_their_way = answers
        waiters, self._waiters = self._waiters, []
        self._writing = True
        try:
            if entries:
                await self._append(entries, answers)
        except Exception as error:  # whatever it is: if this task ended, every later write would wait for ever
            # Kept, and tried again with the next group: a row is never dropped while we live.
            self._entries[:0] = entries
            self._answers[:0] = answers
            self.failing = True
            self._wake.set()
            _settle(waiters, self._report(error))
        else:
            self.failing = False
            _settle(waiters, None)
            self._on_written()
        finally:
            self._writing = False
            self._answers_on_their_way = []

    async def _append(self, entries: list[Entry], answers: list[Answer]) -> None:
        """A store that hangs must not hold up all that comes after it."""
        try:
            async with asyncio.timeout(_WRITE_S + len(entries) * _WRITE_ROW_S):
                await self._store.append(entries, answers)
        except TimeoutError:
            raise StoreUnavailable("the audit ledger cannot be written in time", retry_after_ms=1000) from None

    def _report(self, error: Exception) -> StoreUnavailable:
        unexpected = None if isinstance(error, StoreUnavailable) else error
        log.error("ledger rows wait: %s", error, exc_info=unexpected, extra={"pending": len(self._entries)})
        if isinstance(error, StoreUnavailable):
            return error
        return StoreUnavailable("the audit ledger cannot be written; see the server's log", retry_after_ms=1000)


def _settle(waiters: list[asyncio.Future[None]], fault: StoreUnavailable | None) -> None:
    for waiter in waiters:
        if waiter.done():
            continue
        if fault is None:
            waiter.set_result(None)
        else:
            waiter.set_exception(fault)
