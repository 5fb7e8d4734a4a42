"""All funds in memory, sorted once for each order that is asked for, so that ten thousand cost what 400 do."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import islice, pairwise
from math import inf
from operator import and_, itemgetter

from sanya.kernel.folding import fold
from sanya.suites.funds.arithmetic import Statistics, statistics_of
from sanya.suites.funds.fund import Fund, folded_code
from sanya.suites.funds.rows import Labels, Pieces, bits_of, rows_of

LOWEST_RISK, HIGHEST_RISK = 1, 8
_NEAREST = 3
# So many are sorted; where more match, the first of them stand early in the order and are met on the way through it.
_FEW = 128
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


class _Order:
    """All rows in one order, and the place of each in it."""

    def __init__(self, rows: list[int]) -> None:
        self.rows = rows
        self.places = array("L", rows)
        for place, row in enumerate(rows):
            self.places[row] = place


class Selection:
    """The funds that match, in order. Only those that are looked at are taken out."""

    def __init__(self, funds: Sequence[Fund], order: _Order, matching: int) -> None:
        self._funds = funds
        self._order = order
        self._matching = matching
        self._count = matching.bit_count()

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Fund]:
        return (self._funds[row] for row in self._rows())

    def part(self, start: int, count: int) -> list[Fund]:
        return list(islice(self, start, start + count))

    def _rows(self) -> Iterable[int]:
        if self._count == len(self._funds):
            return self._order.rows
        matching = self._matching
        if self._count <= _FEW:
            return sorted(rows_of(matching), key=self._order.places.__getitem__)
        return (row for row in self._order.rows if matching >> row & 1)


class Shelf:
    def __init__(self, funds: Iterable[Fund], *, demo: bool) -> None:
        self.demo = demo
        self._funds = sorted(funds, key=lambda fund: fund.symbol)
        self._by_code = {folded_code(fund.symbol): fund for fund in self._funds}
        self._names = Pieces([_names(fund) for fund in self._funds])
        self._companies = Labels([(fund.amc or "",) for fund in self._funds])
        self._categories = Labels([(fund.fund_classification or "",) for fund in self._funds])
        self._types = Labels([(fund.fund_type,) for fund in self._funds])
        self._risks = Labels([(fund.risk_level,) for fund in self._funds])
        self._orders: dict[tuple[str, bool], _Order] = {}
        self._statistics: dict[str, Statistics] = {}

    def __len__(self) -> int:
        return len(self._funds)

    def find(self, code: str) -> Fund | None:
        return self._by_code.get(folded_code(code))

    def select(self, wanted: Wanted, sort_by: str, *, descending: bool) -> Selection:
        """All that match, in order: unknown figures last in either direction, ties by symbol."""
        matching = reduce(and_, self._conditions(wanted), (1 << len(self._funds)) - 1)
        return Selection(self._funds, self._ordered(sort_by, descending), matching)

    def statistics(self, period: str) -> Statistics:
        """Of the reported returns of all funds that have one."""
        if period not in self._statistics:
            found = [fund.returns[period] for fund in self._funds]
            self._statistics[period] = statistics_of([value for value in found if value is not None])
        return self._statistics[period]

    def nearest(self, code: str) -> list[str]:
        """The codes most like this one: those that share most pairs of letters."""
        pairs = _pairs(folded_code(code))
        alike = defaultdict[float, int](int)
        for shared, those in enumerate(self._pairs.sharing(pairs)):
            for size in self._pair_counts:
                alike[2 * shared / (len(pairs) + size)] |= those & self._pair_counts.having(size)
        best = (row for likeness in sorted(alike, reverse=True) if likeness for row in rows_of(alike[likeness]))
        return [self._funds[row].symbol for row in islice(best, _NEAREST)]

    def codes_beginning(self, text: str, limit: int) -> list[str]:
        start = folded_code(text)
        return [fund.symbol for code, fund in self._by_code.items() if code.startswith(start)][:limit]

    def codes_named(self, text: str, limit: int) -> list[str]:
        """By a piece of their names, Thai or English."""
        rows = rows_of(self._names.having(folded_code(text)))
        return [self._funds[row].symbol for row in islice(rows, limit)]

    def companies_beginning(self, text: str, limit: int) -> list[str]:
        start = fold(text.strip())
        return sorted(name for name in self._companies if name and fold(name).startswith(start))[:limit]

    @cached_property
    def _pairs(self) -> Labels[tuple[str, str]]:
        return Labels([_pairs(folded_code(fund.symbol)) for fund in self._funds])

    @cached_property
    def _pair_counts(self) -> Labels[int]:
        return Labels([(len(_pairs(folded_code(fund.symbol))),) for fund in self._funds])

    def _conditions(self, wanted: Wanted) -> Iterator[int]:
        if wanted.text and (text := folded_code(wanted.text)):
            yield self._names.having(text)
        if wanted.amc and (amc := folded_code(wanted.amc)):
            yield self._companies.where(lambda name: amc in fold(name))
        if wanted.category and (word := folded_code(wanted.category)):
            start = _CATEGORY_WORDS.get(word, word)
            yield self._categories.where(lambda category: fold(category).startswith(start))
        if wanted.fund_type and (kind := folded_code(wanted.fund_type)):
            yield self._types.where(lambda one: fold(one) == kind)
        if wanted.min_risk is not None or wanted.max_risk is not None:
            least, most = wanted.min_risk or LOWEST_RISK, wanted.max_risk or HIGHEST_RISK
            yield self._risks.where(lambda risk: least <= risk <= most)
        if wanted.min_ytd is not None:
            yield self._returning(wanted.min_ytd)

    def _returning(self, least: float) -> int:
        """The first of those in order from the best down."""
        rows = self._ordered("ytd", descending=True).rows
        count = bisect_right(rows, -least, key=lambda row: _below(self._funds[row].returns["ytd"]))
        return bits_of(rows[:count], len(rows))

    def _ordered(self, sort_by: str, descending: bool) -> _Order:
        key = (sort_by, descending)
        if key not in self._orders:
            figures = [(_figure(fund, sort_by), row) for row, fund in enumerate(self._funds)]
            known = [(figure, row) for figure, row in figures if figure is not None]
            # Sorting keeps the order of equals, reversed or not, so that ties stay in the order of symbols.
            known.sort(key=itemgetter(0), reverse=descending)
            unknown = [row for figure, row in figures if figure is None]
            self._orders[key] = _Order([row for _, row in known] + unknown)
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


def _below(figure: float | None) -> float:
    """So that the best is least, and the unknown behind all."""
    return inf if figure is None else -figure


def _names(fund: Fund) -> str:
    return "\n".join(folded_code(text) for text in (fund.symbol, fund.fund_name, fund.fund_name_th or ""))


def _pairs(text: str) -> set[tuple[str, str]]:
    return set(pairwise(f" {text} "))
