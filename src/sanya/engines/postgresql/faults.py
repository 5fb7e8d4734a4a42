"""Translates errors of PostgreSQL: what the owner can fix becomes StoreUnavailable, a mistake in our SQL stays an
error."""

from __future__ import annotations

from psycopg import Error, InterfaceError, OperationalError

from sanya.kernel.faults import StoreUnavailable

_RETRY_MS = 1000

# By error class, the first two characters of the SQLSTATE.
_ADVICE = {
    "40": "PostgreSQL rolled the change back because of a concurrent one; try again",
    "53": "PostgreSQL has run out of disk space, memory or connections; free some on its machine",
    "55": "another transaction holds a lock on the data; try again",
    "57": "PostgreSQL cancelled the work, because it shuts down or an administrator ended it; try again",
    "58": "PostgreSQL cannot read or write its files; check the disk of its machine",
}
_UNKNOWN = (
    "the connection to PostgreSQL was lost during the commit, so the change may or may not be stored; check before you "
    "try again"
)
_UNREACHABLE = "PostgreSQL does not answer; check that it runs and that database_url is correct"


class CommitLost(OperationalError):
    """The connection was lost while the server committed."""


def to_fault(error: Error) -> StoreUnavailable | None:
    """Return the fault for an error of the store; None for a mistake of the code that uses it.

    The fault omits the driver's message, which names hosts and users: any caller may see a fault.
    """
    if not isinstance(error, OperationalError | InterfaceError):
        return None
    if isinstance(error, CommitLost):
        return StoreUnavailable(_UNKNOWN, retry_after_ms=_RETRY_MS, details={"outcome": "unknown"})
    advice = _ADVICE.get((error.sqlstate or "")[:2], _UNREACHABLE)
    return StoreUnavailable(advice, retry_after_ms=_RETRY_MS, details={"reason": error.sqlstate or "UNREACHABLE"})


def build_circuit_open_fault(wait_ms: int) -> StoreUnavailable:
    return StoreUnavailable(_UNREACHABLE, retry_after_ms=wait_ms, details={"reason": "UNREACHABLE"})


def build_opening_fault(error: Error) -> StoreUnavailable:
    """Return the fault for a failed start, with the driver's reason: only the owner sees it."""
    reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    return StoreUnavailable(f"{_UNREACHABLE} ({reason})", retry_after_ms=_RETRY_MS)
