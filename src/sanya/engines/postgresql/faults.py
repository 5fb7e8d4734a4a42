"""PostgreSQL's errors in our words: what the owner can mend is StoreUnavailable, a mistake in our SQL stays loud."""

from __future__ import annotations

from psycopg import Error, InterfaceError, OperationalError

from sanya.kernel.faults import StoreUnavailable

_RETRY_MS = 1000

# By the first two characters of SQLSTATE, the class of the error.
_ADVICE = {
    "40": "PostgreSQL undid the change because of another one at the same time; try again",
    "53": "PostgreSQL has run out of disk, memory or connections; make room on its machine",
    "55": "PostgreSQL keeps a lock on the data; try again",
    "57": "PostgreSQL stopped the work, because it shuts down or an administrator said so; try again",
    "58": "PostgreSQL cannot read or write its files; check the disk of its machine",
}
_UNKNOWN = "PostgreSQL was lost while it kept the change; whether it did is not known: look before you ask again"
_UNREACHABLE = "PostgreSQL does not answer; check that it runs and that database_url is right"


class CommitLost(OperationalError):
    """The connection was lost while the server committed."""


def fault_of(error: Error) -> StoreUnavailable | None:
    """The fault for an error of the store itself; None for an error of the one who used it.

    The driver's own text stays out of it: it names hosts and users, and a fault may be shown to any caller.
    """
    if not isinstance(error, OperationalError | InterfaceError):
        return None
    if isinstance(error, CommitLost):
        return StoreUnavailable(_UNKNOWN, retry_after_ms=_RETRY_MS, details={"outcome": "unknown"})
    advice = _ADVICE.get((error.sqlstate or "")[:2], _UNREACHABLE)
    return StoreUnavailable(advice, retry_after_ms=_RETRY_MS, details={"reason": error.sqlstate or "UNREACHABLE"})


def left_alone(wait_ms: int) -> StoreUnavailable:
    return StoreUnavailable(_UNREACHABLE, retry_after_ms=wait_ms, details={"reason": "UNREACHABLE"})


def opening_fault(error: Error) -> StoreUnavailable:
    """The fault for the owner who starts the server: with the reason, which only the owner sees."""
    reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    return StoreUnavailable(f"{_UNREACHABLE} ({reason})", retry_after_ms=_RETRY_MS)
