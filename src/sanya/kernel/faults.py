"""The one tree of faults: everything that can go wrong with a call.

Fault
├── InvalidArgument          the caller sent something the contract does not take
│   ├── MissingArgument      a required argument is absent
│   ├── UnknownArgument      the contract has no such argument
│   ├── BadCursor            a cursor that was altered or belongs to another query
│   └── AnswerTooLarge       the answer is larger than the caller's connection carries
├── Unauthorized             the caller is not known
├── Forbidden                the caller is known but lacks the scope
├── NotFound                 the thing named does not exist
│   └── UnknownTool          no tool or resource has this name
├── TooLarge                 the request is over the size limit
├── RateLimited              too many calls; retry_after_ms says when to retry
├── DeadlineExceeded         the tool did not finish within its time limit
├── Cancelled                the caller went away
├── Unavailable              one of the server's engines does not answer
│   └── StoreUnavailable     the database does not answer
├── UpstreamFailed           an outside source failed or answered with something else
└── Internal                 a bug of the server; the log has the details
    └── InvariantBroken      a body or a state that the contract rules out

A `Fault` may be shown to the caller as it is. Each suite maps the classes to its own error codes (its dialect), and
each surface maps them to its statuses; a class without an entry takes that of its nearest ancestor.
"""

from __future__ import annotations

from typing import Any, ClassVar


def _make_sendable(value: Any) -> Any:
    """Replace half surrogate pairs. A fault quotes its caller, who may have sent one, and UTF-8 cannot carry it."""
    match value:
        case str():
            return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
        case dict():
            return {_make_sendable(key): _make_sendable(item) for key, item in value.items()}
        case list():
            return [_make_sendable(item) for item in value]
    return value


class Fault(Exception):
    """A refusal that may be shown to the caller as it is."""

    kind: ClassVar[str] = "fault"

    def __init__(
        self,
        message: str,
        *,
        details: dict[str, Any] | None = None,
        retry_after_ms: int | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message: str = _make_sendable(message)
        self.details: dict[str, Any] = _make_sendable(details or {})
        self.retry_after_ms = retry_after_ms
        self.hint = hint


class InvalidArgument(Fault):
    kind = "invalid_argument"

    def __init__(self, message: str, *, field: str | None = None, **more: Any) -> None:
        super().__init__(message, **more)
        self.field: str | None = _make_sendable(field)
        if field is not None:
            self.details.setdefault("field", self.field)


class MissingArgument(InvalidArgument):
    kind = "missing_argument"


class UnknownArgument(InvalidArgument):
    kind = "unknown_argument"


class BadCursor(InvalidArgument):
    kind = "bad_cursor"


class AnswerTooLarge(InvalidArgument):
    kind = "answer_too_large"


class Unauthorized(Fault):
    kind = "unauthorized"


class Forbidden(Fault):
    kind = "forbidden"


class NotFound(Fault):
    kind = "not_found"


class UnknownTool(NotFound):
    kind = "unknown_tool"


class TooLarge(Fault):
    kind = "too_large"


class RateLimited(Fault):
    kind = "rate_limited"


class DeadlineExceeded(Fault):
    kind = "deadline_exceeded"


class Cancelled(Fault):
    kind = "cancelled"


class Unavailable(Fault):
    kind = "unavailable"


class StoreUnavailable(Unavailable):
    kind = "store_unavailable"


class UpstreamFailed(Fault):
    """`source` names the outside service (entrez, embeddings, weaviate, llm, sec), so that a dialect can name it.

    `was_asked` is false where nothing was sent, because the service has just failed too often."""

    kind = "upstream_failed"

    def __init__(self, message: str, *, source: str, was_asked: bool = True, **more: Any) -> None:
        super().__init__(message, **more)
        self.source = source
        self.was_asked = was_asked


class Internal(Fault):
    """`error_id` finds the details in the log; nothing else about the failure leaves the server."""

    kind = "internal"

    def __init__(self, message: str = "Internal error.", *, error_id: str = "", **more: Any) -> None:
        super().__init__(message, **more)
        self.error_id = error_id


class InvariantBroken(Internal):
    kind = "invariant_broken"


def list_fault_kinds() -> dict[str, type[Fault]]:
    """Return every class of the tree by its kind; of classes that share one, the topmost."""
    by_kind: dict[str, type[Fault]] = {}
    pending: list[type[Fault]] = [Fault]
    while pending:
        fault = pending.pop()
        by_kind.setdefault(fault.kind, fault)
        pending.extend(fault.__subclasses__())
    return by_kind
