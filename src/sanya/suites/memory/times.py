"""Days and times in arguments, as `created_at` is written."""

from __future__ import annotations

from datetime import UTC, date, datetime

from sanya.suite import InvalidArgument
from sanya.suite.runtime import format_timestamp

_DAY_CHARS = len("2026-03-01")


def parse_as_of(text: str, field: str = "as_of") -> str:
    """Return a time, or the end of a day."""
    return _parse(text, field, "T23:59:59.999Z")


def parse_since(text: str, field: str) -> str:
    """Return a time, or the beginning of a day."""
    return _parse(text, field, "T00:00:00.000Z")


def _parse(text: str, field: str, of_day: str) -> str:
    try:
        if len(text) == _DAY_CHARS:
            return date.fromisoformat(text).isoformat() + of_day
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidArgument(
            f"{field} must be a day or a time such as 2026-03-01 or 2026-03-01T09:00:00Z, got {text[:40]!r}",
            field=field,
        ) from None
    return format_timestamp(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
