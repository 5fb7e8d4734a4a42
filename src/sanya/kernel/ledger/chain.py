"""The ledger: an append-only, hash-chained record of all calls, written in groups in the background.

A read costs its caller one append to a list. A write waits until its row is durable. The store chains rows inside the
transaction that inserts them, so several processes may share one chain. Replicas have a chain each and record in the
chain `main` how far theirs has come (anchors.py).
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

from sanya.kernel.calls.call import Progress, ProgressSink, ignore_progress
from sanya.kernel.calls.stamp import digest
from sanya.kernel.faults import StoreUnavailable

log = logging.getLogger(__name__)

GENESIS = "0" * 64
MAIN_CHAIN = "main"
_WRITE_S, _WRITE_ROW_S = 10.0, 0.002
_RETRY_S = 1.0
# Rows that verification reads between two progress reports.
_REPORT_EVERY = 500
_NOTHING: Mapping[int, str] = MappingProxyType({})


class LedgerEntry(NamedTuple):
    """A call as the ledger stores it.

    `input` is canonical JSON, redacted where the contract says so. `redacted` tells whether anything was redacted; such
    a call cannot be replayed. `scopes` are those that the call ran with; None for rows without a call and for rows
    from before scopes were recorded. `asked_by` is set on the row of a replay: who asked for it, while `caller` is
    whose call it repeats. A named tuple, because every call creates one, and a frozen dataclass of so many fields takes
    five times as long.
    """

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
    scopes: str | None = None
    asked_by: str | None = None


_FIELDS_WITHOUT_SCOPES = LedgerEntry._fields.index("scopes")


@dataclass(frozen=True, slots=True)
class LedgerLink:
    """An entry in its place in a chain. `code_hash` and `data_revision` let a replay tell what has changed since."""

    chain: str
    seq: int
    entry: LedgerEntry
    code_hash: str
    data_revision: int
    prev_hash: str
    row_hash: str

    @property
    def place(self) -> str:
        """The row's name for people: its number, with the chain before it unless that is the main chain."""
        return str(self.seq) if self.chain == MAIN_CHAIN else f"{self.chain}:{self.seq}"

    def compute_hash(self) -> str:
        return hash_link(self.prev_hash, self.seq, self.entry, self.code_hash, self.data_revision)

    @property
    def event(self) -> str:
        """The name of what happened, as the contracts write events: `CORRECT_MEMORY`. It follows from the tool."""
        return self.entry.tool.removeprefix("tool.").replace(".", "_").upper()

    def as_json(self) -> dict[str, Any]:
        """Return all that the ledger stores of a call, as one flat object, with its event."""
        fields = asdict(self)
        return {"seq": self.seq, "event": self.event, **fields.pop("entry")._asdict(), **fields}


def hash_link(prev_hash: str, seq: int, entry: LedgerEntry, code_hash: str, data_revision: int) -> str:
    # A row without scopes is hashed without the two fields that came later, so that rows from before them still verify.
    # Taking the scopes off a row changes its hash all the same: the array gets shorter.
    fields = entry if entry.scopes is not None else entry[:_FIELDS_WITHOUT_SCOPES]
    # For a flat array of strings, small integers, booleans and nulls orjson's bytes are canonical JSON.
    return digest(orjson.dumps([prev_hash, seq, code_hash, data_revision, *fields]))


_ID = re.compile(r"call_([0-9a-f]{16})")
_last_ns = 0


def make_call_id(random: str) -> str:
    """Return a new call id.

    Ids rise with time, even if the clock is set back. So the ledger's index grows at its end, which is a third cheaper,
    and rows of several chains can be listed in the order in which they came.
    """
    global _last_ns
    _last_ns = max(time_ns(), _last_ns + 1)
    return f"call_{_last_ns:016x}{random}"


def raise_id_floor(id: str | None) -> None:
    """Make every later id greater than this one: the last id of a home whose clock may have been ahead of ours."""
    global _last_ns
    match = _ID.match(id or "")
    if match is not None:
        _last_ns = max(_last_ns, int(match[1], 16))


def make_internal_entry(
    tool: tuple[str, str], by: tuple[str, str], at: str, content: bytes, *, redacted: bool = False
) -> LedgerEntry:
    """Return an entry for something that the server did itself, without a call.

    `tool` is a tool name and its suite, `by` a surface and a caller, `content` canonical JSON.
    """
    id = make_call_id(secrets.token_hex(3))
    content_hash = digest(content)
    return LedgerEntry(
        id=id,
        at=at,
        tool=tool[0],
        suite=tool[1],
        effect="write",
        surface=by[0],
        caller=by[1],
        request_id=id,
        trace_id=None,
        in_hash=content_hash,
        out_hash=content_hash,
        latency_ms=0,
        status="ok",
        fault=None,
        error_id=None,
        input=content.decode("utf-8"),
        redacted=redacted,
        contract_hash="",
    )


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """A write's answer, stored with its row so that a repeated request id finds it even after a crash."""

    entry_id: str
    caller: str
    request_id: str
    fingerprint: str
    outcome: str
    expires_at: str


class CitedPaper(NamedTuple):
    """A paper that the answer of a call named."""

    pmid: str
    call_id: str


class LedgerStore(Protocol):
    async def append(
        self, entries: Sequence[LedgerEntry], answers: Sequence[StoredAnswer], cited: Sequence[CitedPaper] = ()
    ) -> None:
        """Chain and insert all entries in order, with the answers and papers of their calls, in one durable
        transaction."""
        ...

    async def find_answer(self, caller: str, request_id: str) -> StoredAnswer | None: ...

    def read_links(self, chain: str, *, after: int = 0, tool: str | None = None) -> AsyncIterator[LedgerLink]:
        """Stream the rows of a chain by ascending sequence number, those of one tool only if it is given."""
        ...

    async def read_head(self, chain: str) -> tuple[int, str]:
        """Return the last sequence number and hash, as the chain's head row has them; (0, GENESIS) when empty."""
        ...

    async def list_chains(self) -> set[str]:
        """Return every chain that has a row or a head."""
        ...


@dataclass(frozen=True, slots=True)
class Flaw:
    """The first row at which a chain is broken."""

    seq: int
    problem: str
    chain: str = MAIN_CHAIN


async def verify_chain(
    store: LedgerStore,
    chain: str = MAIN_CHAIN,
    progress: ProgressSink = ignore_progress,
    anchored: Mapping[int, str] = _NOTHING,
    receipts: Mapping[int, str] = _NOTHING,
) -> tuple[int, Flaw | None]:
    """Return the number of rows read and the first flaw: a row that was altered, removed or reordered.

    Others may append meanwhile. `anchored` holds the row hashes that the main chain recorded, `receipts` those that
    were recorded outside the database, by row number.
    """
    recorded = ((anchored, "the main chain has an anchor"), (receipts, "there is a receipt"))
    head_before = await store.read_head(chain)
    seq, row_hash = 0, GENESIS
    async for link in store.read_links(chain):
        flaw = _find_flaw_in_row(link, (seq, row_hash), head_before)
        for hashes, source in recorded:
            if flaw is None and hashes.get(link.seq, link.row_hash) != link.row_hash:
                flaw = Flaw(link.seq, f"row {link.seq} or one before it was altered: {source} of another row")
        if flaw is not None:
            return seq + 1, replace(flaw, chain=chain)
        seq, row_hash = link.seq, link.row_hash
        if seq % _REPORT_EVERY == 0:
            progress(Progress(seq, max(seq, head_before[0])))
    flaw = _find_flaw_at_end(seq, head_before, await store.read_head(chain))
    for hashes, source in recorded:
        flaw = flaw or _find_missing_row(seq, hashes, source)
    return seq, flaw and replace(flaw, chain=chain)


def _find_flaw_in_row(link: LedgerLink, before: tuple[int, str], head_before: tuple[int, str]) -> Flaw | None:
    """Return the flaw of a row, given the row before it and the chain's head at the time when reading began."""
    seq, row_hash = before
    if link.seq != seq + 1:
        return Flaw(seq + 1, f"row {seq + 1} was removed: row {link.seq} follows row {seq}")
    if link.prev_hash != row_hash:
        return Flaw(link.seq, f"row {link.seq} was altered or reordered: it does not continue row {seq}")
    if link.row_hash != link.compute_hash():
        return Flaw(link.seq, f"row {link.seq} was altered: its contents do not give its hash")
    if link.seq == head_before[0] and link.row_hash != head_before[1]:
        return Flaw(link.seq, f"row {link.seq} was altered: the chain ended with another one")
    return None


def _find_flaw_at_end(seq: int, head_before: tuple[int, str], head: tuple[int, str]) -> Flaw | None:
    if seq < head_before[0]:
        return Flaw(seq + 1, f"row {seq + 1} was removed: the chain ended at row {head_before[0]}")
    # Rows and head are written in one transaction, so the current head is never behind rows read earlier.
    if head[0] < seq:
        return Flaw(head[0] + 1, f"row {head[0] + 1} was added by somebody else: the chain ended at row {head[0]}")
    return None


def _find_missing_row(seq: int, recorded: Mapping[int, str], source: str) -> Flaw | None:
    last = max(recorded, default=0)
    if seq < last:
        return Flaw(seq + 1, f"row {seq + 1} was removed: {source} of row {last}")
    return None


class Ledger:
    """Groups entries and writes them in order. `record` never waits; `flush` waits until all entries are durable.

    `failing` is true while the last group could not be written. `on_written` is called after each group.
    """

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
        self._entries: list[LedgerEntry] = []
        self._answers: list[StoredAnswer] = []
        self._answers_in_flight: list[StoredAnswer] = []
        self._cited: list[CitedPaper] = []
        self._wake = asyncio.Event()
        self._hurry = asyncio.Event()
        self._waiters: list[asyncio.Future[None]] = []
        self._writing = False
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False
        self.failing = False

    @property
    def pending(self) -> int:
        """Number of rows that wait to be written."""
        return len(self._entries)

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="ledger")

    async def close(self) -> None:
        """Write what is pending and stop. Raises StoreUnavailable if the last rows could not be written."""
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
        """Raise StoreUnavailable if nothing can be recorded. Called before a write: what cannot be recorded must not
        happen."""
        if self._is_closed:
            raise StoreUnavailable("the audit ledger is closed because the server is stopping")
        if len(self._entries) >= self._max_pending:
            raise StoreUnavailable("the audit ledger cannot be written; see the server's log", retry_after_ms=1000)

    def record(self, entry: LedgerEntry, answer: StoredAnswer | None = None, pmids: Sequence[str] = ()) -> None:
        """Record a call with the answer to repeat under its request id, and the papers that its answer named."""
        self.check_open()
        self._entries.append(entry)
        if pmids:
            self._cited += [CitedPaper(pmid, entry.id) for pmid in pmids]
        if answer is not None:
            self._answers.append(answer)
        self._wake.set()

    async def find_answer(self, caller: str, request_id: str, *, at: str) -> StoredAnswer | None:
        """Return the answer of a write under this request id, until it expires."""
        stored = self._find_pending_answer(caller, request_id)
        if stored is not None:
            await self.flush()
        else:
            stored = await self._store.find_answer(caller, request_id)
        return stored if stored is not None and stored.expires_at > at else None

    def _find_pending_answer(self, caller: str, request_id: str) -> StoredAnswer | None:
        """Return the answer of a write that happened but is not stored yet, so it could not be acknowledged."""
        pending = (*self._answers_in_flight, *self._answers)
        return next((answer for answer in pending if (answer.caller, answer.request_id) == (caller, request_id)), None)

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
        """Wait for more entries, unless a flush is waiting."""
        try:
            async with asyncio.timeout(wait_s):
                await self._hurry.wait()
        except TimeoutError:
            pass

    async def _write_group(self) -> None:
        entries, self._entries = self._entries, []
        answers, self._answers = self._answers, []
        cited, self._cited = self._cited, []
        self._answers_in_flight = answers
        waiters, self._waiters = self._waiters, []
        self._writing = True
        try:
            if entries:
                await self._append(entries, answers, cited)
        except Exception as error:  # any error: if this task ended, every later write would wait for ever
            # Kept and retried with the next group: a living server never drops a row.
            self._entries[:0] = entries
            self._answers[:0] = answers
            self._cited[:0] = cited
            self.failing = True
            self._wake.set()
            _settle(waiters, self._report(error))
        else:
            self.failing = False
            _settle(waiters, None)
            self._on_written()
        finally:
            self._writing = False
            self._answers_in_flight = []

    async def _append(self, entries: list[LedgerEntry], answers: list[StoredAnswer], cited: list[CitedPaper]) -> None:
        """Append within a time limit: a store that hangs must not block all later groups."""
        try:
            async with asyncio.timeout(_WRITE_S + len(entries) * _WRITE_ROW_S):
                await self._store.append(entries, answers, cited)
        except TimeoutError:
            raise StoreUnavailable("the audit ledger could not be written in time", retry_after_ms=1000) from None

    def _report(self, error: Exception) -> StoreUnavailable:
        unexpected = None if isinstance(error, StoreUnavailable) else error
        log.error(
            "ledger not written, rows are kept and retried: %s",
            error,
            exc_info=unexpected,
            extra={"pending": len(self._entries)},
        )
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
