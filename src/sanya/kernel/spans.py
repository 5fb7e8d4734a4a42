"""Child spans of a call: how long it waited for the database, the index, the embedder and other servers.

Whoever waits opens a span. Spans are collected only within a call of a server that exports them; elsewhere opening one
costs about 0.1 µs. The names of kinds and attributes are those of OpenTelemetry's semantic conventions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from time import perf_counter_ns
from typing import Any, Literal

MAX_SPANS = 100
"""Spans that a call may have: one that makes thousands of statements is shown by its first ones."""

_COLLECTION = re.compile(r"\b(?:FROM|INTO|UPDATE|JOIN)\s+(\w+)", re.IGNORECASE)
_NOT_COLLECTED: AbstractContextManager[dict[str, Any]] = nullcontext({})


@dataclass(slots=True)
class WaitSpan:
    """A finished wait. Times are those of `perf_counter_ns`; `attributes` never hold a value of a caller."""

    name: str
    kind: Literal["client", "internal"]
    started_ns: int
    attributes: dict[str, Any] = field(default_factory=dict)
    ended_ns: int = 0


_collected: ContextVar[list[WaitSpan] | None] = ContextVar("collected spans", default=None)


def read_spans() -> list[WaitSpan]:
    """Return the spans of the running call so far."""
    return _collected.get() or []


@contextmanager
def collect_spans() -> Iterator[None]:
    """Collect the spans of a call while the block runs."""
    token = _collected.set([])
    try:
        yield
    finally:
        _collected.reset(token)


def open_span(
    name: str, attributes: Mapping[str, Any], kind: Literal["client", "internal"] = "client"
) -> AbstractContextManager[dict[str, Any]]:
    """Time a block as a span of the running call. It yields the attributes, to which the block may add."""
    spans = _collected.get()
    return _NOT_COLLECTED if spans is None or len(spans) >= MAX_SPANS else _time(spans, name, attributes, kind)


def open_statement_span(system: str, sql: str) -> AbstractContextManager[dict[str, Any]]:
    """Time a statement. The span tells its operation and first table, and no text of it."""
    spans = _collected.get()
    if spans is None or len(spans) >= MAX_SPANS:
        return _NOT_COLLECTED
    summary, attributes = _describe_statement(system, sql)
    return _time(spans, summary, attributes, "client")


@contextmanager
def _time(
    spans: list[WaitSpan], name: str, attributes: Mapping[str, Any], kind: Literal["client", "internal"]
) -> Iterator[dict[str, Any]]:
    span = WaitSpan(name, kind, perf_counter_ns(), dict(attributes))
    spans.append(span)
    try:
        yield span.attributes
    except BaseException as error:
        span.attributes["error.type"] = type(error).__name__
        raise
    finally:
        span.ended_ns = perf_counter_ns()


@lru_cache(maxsize=512)
def _describe_statement(system: str, sql: str) -> tuple[str, dict[str, str]]:
    operation = sql.split(None, 1)[0].upper()
    attributes = {"db.system.name": system, "db.operation.name": operation}
    table = _COLLECTION.search(sql)
    if table is None:
        return operation, attributes
    summary = f"{operation} {table[1]}"
    return summary, {**attributes, "db.collection.name": table[1], "db.query.summary": summary}
