"""All funds in memory, sorted once for each order that is asked for, so that ten thousand cost what 400 do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import pairwise
from operator import itemgetter

from sanya.kernel.folding import fold
from sanya.suites.funds.arithmetic import Statistics, statistics_of
from sanya.suites.funds.fund import Fund, folded_code

LOWEST_RISK, HIGHEST_RISK = 1, 8
_NEAREST = 3
# Words that people use for the first letters of AIMC's classifications.
_CATEGORY_WORDS = {
    "fixed": "fix",
    "fixed income": "fix",
    "bond": "fix",
    "equity": "eq",
    "stock": "eq",
    "mixed": "mix",
    "gold": "compm",
    "commodity": "com",
    "property": "prf",
    "money market": "fixmm",
    "ตราสารหนี้": "fix",
    "ตราสารทุน": "eq",
    "หุ้น": "eq",
    "ผสม": "mix",
    "ทองคำ": "compm",
    "อสังหาริมทรัพย์": "prf",
    "ตลาดเงิน": "fixmm",
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """Conditions that combine; None asks for nothing."""

    text: str | None = None
    amc: str | None = None
    min_risk: int | None = None
    max_risk: int | None = None
    min_ytd: float | None = None
    category: str | None = None
    fund_type: str | None = None


@dataclass(frozen=True, slots=True)
class _Shelved:
    """A fund with the texts that searches compare."""

    fund: Fund
    names: str
    amc: str
    category: str


Filter = Callable[[Sequence[_Shelved]], Sequence[_Shelved]]


class Selection:
    """The funds that match, in order. Only those that are looked at are taken out."""

    def __init__(self, found: Sequence[_Shelved]) -> None:
        self._found = found

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[Fund]:
        return (one.fund for one in self._found)

    def part(self, start: int, count: int) -> list[Fund]:
        return [one.fund for one in self._found[start : start + count]]


class Shelf:
    def __init__(self, funds: Iterable[Fund], *, demo: bool) -> None:
        self.demo = demo
        self._shelved = [_shelve(fund) for fund in sorted(funds, key=lambda fund: fund.symbol)]
        self._by_code = {folded_code(one.fund.symbol): one.fund for one in self._shelved}
        self._orders: dict[tuple[str, bool], list[_Shelved]] = {}
        self._statistics: dict[str, Statistics] = {}

    def __len__(self) -> int:
        return len(self._shelved)

    def find(self, code: str) -> Fund | None:
        return self._by_code.get(folded_code(code))

    def select(self, wanted: Wanted, sort_by: str, *, descending: bool) -> Selection:
        """All that match, in order: unknown figures last in either direction, ties by symbol."""
        found: Sequence[_Shelved] = self._ordered(sort_by, descending)
        for keep in _filters(wanted):
            found = keep(found)
        return Selection(found)

    def statistics(self, period: str) -> Statistics:
        """Of the reported returns of all funds that have one."""
        if period not in self._statistics:
            found = [one.fund.returns[period] for one in self._shelved]
            self._statistics[period] = statistics_of([value for value in found if value is not None])
        return self._statistics[period]

    def nearest(self, code: str) -> list[str]:
        """The codes most like this one: those that share most pairs of letters."""
        pairs = _pairs(folded_code(code))
        scored = [(-_likeness(pairs, _pairs(folded)), fund.symbol) for folded, fund in self._by_code.items()]
        return [symbol for score, symbol in nsmallest(_NEAREST, scored) if score < 0]

    def codes_beginning(self, text: str, limit: int) -> list[str]:
        start = folded_code(text)
        return [fund.symbol for code, fund in self._by_code.items() if code.startswith(start)][:limit]

    def codes_named(self, text: str, limit: int) -> list[str]:
        """By a piece of their names, Thai or English."""
        part = folded_code(text)
        return [one.fund.symbol for one in self._shelved if part in one.names][:limit]

    def companies_beginning(self, text: str, limit: int) -> list[str]:
        names = {one.fund.amc for one in self._shelved if one.fund.amc and one.amc.startswith(fold(text.strip()))}
        return sorted(names)[:limit]

    def _ordered(self, sort_by: str, descending: bool) -> list[_Shelved]:
        key = (sort_by, descending)
        if key not in self._orders:
            figures = [(_figure(one.fund, sort_by), one) for one in self._shelved]
            known = [(figure, one) for figure, one in figures if figure is not None]
            # Sorting keeps the order of equals, reversed or not, so that ties stay in the order of symbols.
            known.sort(key=itemgetter(0), reverse=descending)
            unknown = [one for figure, one in figures if figure is None]
            self._orders[key] = [one for _, one in known] + unknown
        return self._orders[key]


def _figure(fund: Fund, sort_by: str) -> float | str | None:
    match sort_by:
        case "risk":
            return fund.risk_level
        case "nav":
            return fund.latest.nav
        case "name":
            return fold(fund.fund_name)
        case period:
            return fund.returns[period]


def _shelve(fund: Fund) -> _Shelved:
    names = "\n".join(folded_code(text) for text in (fund.symbol, fund.fund_name, fund.fund_name_th or ""))
    return _Shelved(fund, names, fold(fund.amc or ""), fold(fund.fund_classification or ""))


def _filters(wanted: Wanted) -> Iterator[Filter]:
    """One pass over the list for each condition, which is several times faster than all conditions for each fund."""
    if wanted.text and (text := folded_code(wanted.text)):
        yield lambda found: [one for one in found if text in one.names]
    if wanted.amc and (amc := folded_code(wanted.amc)):
        yield lambda found: [one for one in found if amc in one.amc]
    if wanted.category and (word := folded_code(wanted.category)):
        start = _CATEGORY_WORDS.get(word, word)
        yield lambda found: [one for one in found if one.category.startswith(start)]
    if wanted.fund_type and (kind := folded_code(wanted.fund_type)):
        yield lambda found: [one for one in found if fold(one.fund.fund_type) == kind]
    if wanted.min_risk is not None or wanted.max_risk is not None:
        least, most = wanted.min_risk or LOWEST_RISK, wanted.max_risk or HIGHEST_RISK
        yield lambda found: [one for one in found if least <= one.fund.risk_level <= most]
    if (ytd := wanted.min_ytd) is not None:
        yield lambda found: [one for one in found if (value := one.fund.returns["ytd"]) is not None and value >= ytd]


def _pairs(text: str) -> set[tuple[str, str]]:
    return set(pairwise(f" {text} "))


def _likeness(one: set[tuple[str, str]], other: set[tuple[str, str]]) -> float:
    return 2 * len(one & other) / (len(one) + len(other))
