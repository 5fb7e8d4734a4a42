"""Everything that can go wrong with a call, once.

Fault
├── InvalidArgument          the caller sent something the contract does not take
│   ├── MissingArgument      a required argument is absent
│   ├── UnknownArgument      the contract has no such argument
│   ├── BadCursor            a cursor that was altered or belongs to another query
│   └── AnswerTooLarge       what was asked for does not fit the caller's way in
├── Unauthorized             nobody we know
├── Forbidden                somebody we know, without the scope
├── NotFound                 the thing named does not exist
│   └── UnknownTool          no tool or resource has this name
├── TooLarge                 the request is over the size limit
├── RateLimited              too many calls; says when to come back
├── DeadlineExceeded         the tool did not finish in its time
├── Cancelled                the caller went away
├── Unavailable              an engine of ours does not answer
│   └── StoreUnavailable     the database does not answer
├── UpstreamFailed           a source outside does not answer as promised
└── Internal                 our own mistake; the details are in the log
    └── InvariantBroken      a body or a state that the contract rules out

Each suite words these in its own vocabulary (its dialect); each surface has a table of statuses beside it.
"""

from __future__ import annotations

from typing import Any, ClassVar


def _sendable(value: Any) -> Any:
    """A fault quotes its caller, who may have sent half of a surrogate pair, which no wire carries."""
    match value:
        case str():
            return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
        case dict():
            return {_sendable(key): _sendable(one) for key, one in value.items()}
        case list():
            return [_sendable(one) for one in value]
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
        self.message: str = _sendable(message)
        self.details: dict[str, Any] = _sendable(details or {})
        self.retry_after_ms = retry_after_ms
        self.hint = hint


class InvalidArgument(Fault):
    kind = "invalid_argument"

    def __init__(self, message: str, *, field: str | None = None, **more: Any) -> None:
        super().__init__(message, **more)
        self.field: str | None = _sendable(field)
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
    """`source` names the outside party, so that a dialect can word it (entrez, embeddings, weaviate, llm, sec)."""

    kind = "upstream_failed"

    def __init__(self, message: str, *, source: str, **more: Any) -> None:
        super().__init__(message, **more)
        self.source = source


class Internal(Fault):
    """`error_id` finds the rest in the log; nothing else of the failure leaves the house."""

    kind = "internal"

    def __init__(self, message: str = "Something failed on our side.", *, error_id: str = "", **more: Any) -> None:
        super().__init__(message, **more)
        self.error_id = error_id


class InvariantBroken(Internal):
    kind = "invariant_broken"


def fault_kinds() -> dict[str, type[Fault]]:
    """Every class of the tree by its kind."""
    found: dict[str, type[Fault]] = {}
    pending: list[type[Fault]] = [Fault]
    while pending:
        fault = pending.pop()
        found[fault.kind] = fault
        pending.extend(fault.__subclasses__())
    return found
