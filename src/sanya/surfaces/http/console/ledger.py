"""The console's ledger endpoints: list rows, show one, verify the chains, replay a call.

A caller with the scope `audit:read` sees every call; others see their own.
"""

from __future__ import annotations

import asyncio
import re
from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from sanya.kernel.calls.call import ALL_SCOPES, Answered, Caller, Progress
from sanya.kernel.calls.replay import Replay, check_replayable, replay
from sanya.kernel.clock import format_timestamp, read_clock
from sanya.kernel.faults import Fault, Forbidden, InvalidArgument, NotFound
from sanya.kernel.ledger.chain import LedgerLink
from sanya.kernel.ledger.verification import LedgerVerdict, verify_ledger
from sanya.surfaces.http.asgi import HttpRequest, HttpResponse
from sanya.surfaces.http.console.api import respond_json
from sanya.surfaces.http.console_client import CONSOLE

if TYPE_CHECKING:
    from sanya.app import App

AUDIT_SCOPE = "audit:read"
MAX_ROWS = 200
_DEFAULT_ROWS = 50
_FILTERS = ("tool", "suite", "status", "fault", "caller", "surface", "request_id")
_TIMESTAMPS = ("since", "until")
_CALL_ID = re.compile(r"call_[0-9a-f]{1,40}")
_ROW_FIELDS = (
    "id", "at", "tool", "suite", "effect", "surface", "caller", "latency_ms", "status", "fault",
)  # fmt: skip


class ConsoleLedger:
    def __init__(self, app: App) -> None:
        self._app = app
        self._verification = _Verification(app)
        # A replay does not count against the caller's rate limit, so only one runs at a time.
        self._replaying = asyncio.Lock()

    async def list_calls(self, request: HttpRequest) -> HttpResponse:
        query = read_query(request, {*_FILTERS, *_TIMESTAMPS, "cites", "limit", "before", "own_reads"})
        filters: dict[str, str | None] = {name: query[name] for name in _FILTERS if name in query}
        if "cites" in query:
            filters["cites"] = _parse_pmid(query["cites"])
        filters |= {name: _parse_timestamp(name, query[name]) for name in _TIMESTAMPS if name in query}
        sees_all = _can_see_all(request.caller)
        if not sees_all:
            filters["caller"] = request.caller.id
        limit = _parse_number("limit", query.get("limit", str(_DEFAULT_ROWS)), MAX_ROWS)
        before = _parse_call_id("before", query["before"]) if "before" in query else None
        await self._app.ledger.flush()
        hidden = None if _is_shown(query.get("own_reads", "shown")) else (CONSOLE, request.caller.id)
        links = await self._app.ledger_store.page(limit, before, without_reads_of=hidden, **filters)
        next_before = links[-1].entry.id if len(links) == limit else None
        return respond_json(
            {"calls": [_describe_row(link) for link in links], "before": next_before, "own_only": not sees_all}
        )

    async def show(self, request: HttpRequest) -> HttpResponse:
        link = await self._find(request)
        content = link.as_json()
        content["intact"] = link.row_hash == link.compute_hash()
        content["not_replayable"] = _explain_not_replayable(link)
        return respond_json(content)

    async def replay(self, request: HttpRequest) -> HttpResponse:
        link = await self._find(request)
        caller, app = request.caller, self._app
        async with self._replaying:
            replayed = await replay(app.kernel, app.ledger, app.ledger_store, link.entry.id, caller)
        return respond_json({**replayed.as_json(), "answer": _select_answer(caller, replayed)})

    async def show_verification(self, request: HttpRequest) -> HttpResponse:
        _require_audit_scope(request.caller)
        return respond_json(self._verification.as_json())

    async def verify(self, request: HttpRequest) -> HttpResponse:
        _require_audit_scope(request.caller)
        self._verification.start()
        return respond_json(self._verification.as_json())

    async def _find(self, request: HttpRequest) -> LedgerLink:
        id = read_query(request, {"id"}).get("id", "")
        await self._app.ledger.flush()
        link = await self._app.ledger_store.find(id)
        if link is None or not (_can_see_all(request.caller) or link.entry.caller == request.caller.id):
            raise NotFound(f"No call {id[:80]!r} in the ledger, or it is another caller's.")
        return link


class _Verification:
    """Background verification of the ledger, one at a time. Shows its progress, then the verdict of the last run."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._task: asyncio.Task[None] | None = None
        self._progress = Progress(0)
        self._verdict: LedgerVerdict | None = None
        self._at: str | None = None
        self._problem: str | None = None

    def start(self) -> None:
        if self._task is None or self._task.done():
            self._progress, self._verdict, self._problem = Progress(0), None, None
            self._task = asyncio.create_task(self._run(), name="verification")

    def as_json(self) -> dict[str, Any]:
        return {
            "running": self._task is not None and not self._task.done(),
            "done": self._progress.done,
            "total": self._progress.total,
            "verdict": None if self._verdict is None else self._verdict.as_json(),
            "problem": self._problem,
            "at": self._at,
        }

    async def _run(self) -> None:
        try:
            await self._app.ledger.flush()
            self._verdict = await verify_ledger(self._app.ledger_store, progress=self._note)
        except Fault as fault:
            self._problem = fault.message
        self._at = format_timestamp(read_clock())

    def _note(self, progress: Progress) -> None:
        self._progress = progress


def _is_shown(choice: str) -> bool:
    if choice not in ("shown", "hidden"):
        raise InvalidArgument(f"own_reads must be shown or hidden, got {choice[:40]!r}", field="own_reads")
    return choice == "shown"


def _can_see_all(caller: Caller) -> bool:
    return caller.may(AUDIT_SCOPE)


def _require_audit_scope(caller: Caller) -> None:
    if not _can_see_all(caller):
        raise Forbidden(f"Verifying the ledger needs the scope {AUDIT_SCOPE}.", details={"scope": AUDIT_SCOPE})


def _describe_row(link: LedgerLink) -> dict[str, Any]:
    entry = link.entry._asdict()
    return {"seq": link.seq, "chain": link.chain, **{name: entry[name] for name in _ROW_FIELDS}}


def _explain_not_replayable(link: LedgerLink) -> str | None:
    try:
        check_replayable(link.entry)
    except InvalidArgument as fault:
        return fault.message
    return None


def _select_answer(caller: Caller, replayed: Replay) -> dict[str, Any] | None:
    """Return the replayed answer, or None unless the caller made the call or has all scopes: it may be private."""
    if caller.id != replayed.past.entry.caller and ALL_SCOPES not in caller.scopes:
        return None
    outcome = replayed.outcome
    return outcome.body if isinstance(outcome, Answered) else outcome.error


def read_query(request: HttpRequest, known: set[str]) -> dict[str, str]:
    """Parse the query string. Parameters without a value are left out; an unknown parameter is refused."""
    parameters = dict(parse_qsl(request.scope["query_string"].decode("latin-1"), encoding="utf-8", errors="replace"))
    unknown = sorted(parameters.keys() - known)
    if unknown:
        raise InvalidArgument(f"Unknown query parameter {unknown[0][:40]!r}. Use {', '.join(sorted(known))}.")
    return parameters


def _parse_number(name: str, text: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 16 and 1 <= int(text) <= most):
        raise InvalidArgument(f"{name} must be a number from 1 to {most}, got {text[:40]!r}", field=name)
    return int(text)


def _parse_call_id(name: str, text: str) -> str:
    if not _CALL_ID.fullmatch(text):
        raise InvalidArgument(f"{name} must be the id of a call, got {text[:40]!r}", field=name)
    return text


def _parse_pmid(text: str) -> str:
    digits = text.removeprefix("pmid:").lstrip("0")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 10):
        raise InvalidArgument(f"cites takes the PMID of a paper, got {text[:40]!r}", field="cites")
    return digits


def _parse_timestamp(name: str, text: str) -> str:
    try:
        timestamp = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidArgument(f"{name} must be a timestamp such as 2026-01-31T09:00:00Z", field=name) from None
    if timestamp.tzinfo is None:
        raise InvalidArgument(f"{name} must have a time zone, as in 2026-01-31T09:00:00Z", field=name)
    return format_timestamp(timestamp)
