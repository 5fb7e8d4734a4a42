"""The gateway's envelope for answers and errors, and the HTTP status of each fault."""

from __future__ import annotations

import math
from typing import Any
from uuid import uuid4

import orjson

from sanya.kernel.calls.call import Answered, Outcome
from sanya.kernel.calls.prepared_bodies import prepare_response
from sanya.kernel.contracts.tool import Tool
from sanya.kernel.faults import (
    Cancelled,
    DeadlineExceeded,
    Fault,
    Forbidden,
    InvalidArgument,
    NotFound,
    RateLimited,
    TooLarge,
    Unauthorized,
    Unavailable,
    UpstreamFailed,
)
from sanya.suites.tasks.dialect import DIALECT as GATEWAY_DIALECT
from sanya.surfaces.http.asgi import DATA_HEADERS, HeaderLines, HttpResponse

STATUSES: dict[type[Fault], int] = {
    InvalidArgument: 400,
    Unauthorized: 401,
    Forbidden: 403,
    NotFound: 404,
    TooLarge: 413,
    RateLimited: 429,
    Fault: 500,
    UpstreamFailed: 502,
    Unavailable: 503,
    Cancelled: 503,
    DeadlineExceeded: 504,
}


def find_status(fault: Fault) -> int:
    return next(STATUSES[kind] for kind in type(fault).__mro__ if kind in STATUSES)


def answer(outcome: Outcome, tool_name: str, duration_ms: int) -> HttpResponse:
    """Build the response to a call from its outcome."""
    meta = _build_meta(duration_ms, outcome.id or None, outcome.stamp.as_json(), outcome.replayed)
    name = outcome.tool.name if outcome.tool else tool_name
    if isinstance(outcome, Answered):
        meta["next_cursor"] = outcome.body.get("next_cursor")
        if outcome.notes:
            meta["notes"] = dict(outcome.notes)
        return HttpResponse(200, _serialize(outcome.request_id, name, meta, data=prepare_response(outcome.body)))
    status, headers = find_status(outcome.fault), DATA_HEADERS + build_fault_headers(outcome.fault)
    return HttpResponse(status, _serialize(outcome.request_id, name, meta, error=outcome.error), headers=headers)


def refuse(
    fault: Fault,
    *,
    status: int | None = None,
    headers: HeaderLines = (),
    request_id: str | None = None,
    tool: Tool | None = None,
) -> HttpResponse:
    """Build the response to a request that was refused before a call, in the dialect of the tool's suite if known."""
    error = (tool.dialect if tool else GATEWAY_DIALECT).render_fault(fault, tool).error
    body = _serialize(
        request_id or str(uuid4()), tool.name if tool else None, _build_meta(0, None, None, False), error=error
    )
    return HttpResponse(status or find_status(fault), body, headers=DATA_HEADERS + headers + build_fault_headers(fault))


def build_fault_headers(fault: Fault) -> HeaderLines:
    """Build the HTTP headers of a fault: Retry-After, and the missing scope in WWW-Authenticate."""
    lines: HeaderLines = ()
    if fault.retry_after_ms is not None:
        lines += ((b"retry-after", str(math.ceil(fault.retry_after_ms / 1000)).encode("ascii")),)
    if isinstance(fault, Forbidden) and "scope" in fault.details:
        challenge = f'Bearer realm="sanya", error="insufficient_scope", scope="{fault.details["scope"]}"'
        lines += ((b"www-authenticate", challenge.encode("ascii", "replace")),)
    return lines


def _build_meta(duration_ms: int, call_id: str | None, audit: dict[str, Any] | None, replayed: bool) -> dict[str, Any]:
    """`call_id` finds the call in the ledger (`sanya audit show`)."""
    return {
        "duration_ms": duration_ms,
        "next_cursor": None,
        "audit": audit,
        "replayed": replayed,
        "call_id": call_id,
    }


def _serialize(
    request_id: str,
    tool: str | None,
    meta: dict[str, Any],
    *,
    data: dict[str, Any] | None = None,
    error: dict[str, Any] | None = None,
) -> bytes:
    return orjson.dumps(
        {"request_id": request_id, "tool": tool, "ok": error is None, "data": data, "meta": meta, "error": error}
    )
