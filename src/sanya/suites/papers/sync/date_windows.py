"""Splits a search with more results than PubMed lists into windows of dates.

PubMed lists at most 9,999 results of a search. A span of days that has more is halved until each half can be listed.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import date, timedelta

from sanya.suite import InvalidArgument
from sanya.suites.papers.sync.entrez import MOST_LISTED, PmidListing

FIRST_DAY = date(1800, 1, 1)
SearchDates = Callable[[date, date], Awaitable[PmidListing]]


@dataclass(frozen=True, slots=True)
class DateWindow:
    """A span of days, both included, and the PMIDs that entered PubMed in it."""

    first: date
    last: date
    pmids: tuple[str, ...]


async def iterate_windows(
    search: SearchDates, first: date, last: date, listing: PmidListing
) -> AsyncIterator[DateWindow]:
    """Yield windows that together cover the span, the oldest first; `listing` is the result for the whole span."""
    pending = [(first, last, listing)]
    while pending:
        first, last, listing = pending.pop()
        if listing.pmids is not None:
            yield DateWindow(first, last, listing.pmids)
            continue
        if first == last:
            raise InvalidArgument(
                f"more than {MOST_LISTED:,} papers of this query entered PubMed on {first}; narrow the query",
                field="query",
            )
        middle = first + (last - first) // 2
        later = middle + timedelta(days=1)
        pending += [(later, last, await search(later, last)), (first, middle, await search(first, middle))]


def format_entrez_day(day: date) -> str:
    return day.strftime("%Y/%m/%d")
