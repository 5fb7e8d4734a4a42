"""Days as savers write them: in the Common Era or the Buddhist Era."""

from __future__ import annotations

from datetime import date

from sanya.suite import InvalidArgument

BUDDHIST_YEARS = 543
# No fund has a day so late in the Common Era, nor one so early in the Buddhist Era.
_FIRST_BUDDHIST_YEAR = 2400


def to_common_year(year: int) -> int:
    return year - BUDDHIST_YEARS if year >= _FIRST_BUDDHIST_YEAR else year


def parse_day(field: str, text: str) -> date:
    """Return the day of a text such as 2025-05-31 or, in the Buddhist Era, 2568-05-31."""
    try:
        # The year first: 29 February 2543 exists, as 29 February 2000.
        return date.fromisoformat(f"{to_common_year(int(text[:4])):04}{text[4:]}")
    except ValueError:
        raise InvalidArgument(f"{field} {text} is no day", field=field, hint="Give a day such as 1980-05-31.") from None
