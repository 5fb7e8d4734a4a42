"""All funds of one data revision in memory, with indexes and cached sort orders.

Each sort order is computed once, on first use. A query then costs about the same for 10,000 funds as for 400.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, reduce
from itertools import islice, pairwise
from math import inf
from operator import and_, itemgetter, or_

from sanya.suite.text import fold
from sanya.suites.funds.arithmetic import ReturnStatistics, compute_statistics
from sanya.suites.funds.bitmaps import BitmapIndex, TrigramIndex, build_bitmap, iterate_rows
from sanya.suites.funds.fund import Fund, fold_code
from sanya.suites.funds.naming.classes import (
    Placement,
    find_classes,
    load_class_words,
    load_empty_words,
    place_fund,
    split_identifier,
)
from sanya.suites.funds.naming.managers import is_manager, is_manager_name, list_manager_names

LOWEST_RISK, HIGHEST_RISK = 1, 8
_NEAREST = 3
# Below this similarity a name of another manager is no likely meaning of a misspelt one.
_LIKE_NAME = 0.7
# Up to this many matches are sorted by their position. With more, a walk through the sort order meets the first soon.
_FEW = 128
# A word of so many Latin letters matches at the start of a word, a shorter one a whole word: "us" is not in "Plus".
_SHORT = 3
_MAX_PHRASE_WORDS = 4
_SEPARATORS = str.maketrans(dict.fromkeys("-()/,.:;–", " "))


@dataclass(frozen=True, slots=True)
class FundFilter:
    """Conditions that a fund must all meet. None means no condition."""

    text: str | None = None
    amc: str | None = None
    min_risk: int | None = None
    max_risk: int | None = None
    min_ytd: float | None = None
    category: str | None = None
    fund_type: str | None = None


class _Order:
    """All rows in one sort order, and the position of each row in it."""

    def __init__(self, rows: list[int]) -> None:
        self.rows = rows
        self.positions = array("L", rows)
        for position, row in enumerate(rows):
            self.positions[row] = position


class Selection:
    """The matching funds in order, produced lazily."""

    def __init__(self, funds: Sequence[Fund], order: _Order, matching: int) -> None:
        self._funds = funds
        self._order = order
        self._matching = matching
        self._count = matching.bit_count()

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Fund]:
        return (self._funds[row] for row in self._iterate_rows())

    def take(self, start: int, count: int) -> list[Fund]:
        return list(islice(self, start, start + count))

    def _iterate_rows(self) -> Iterable[int]:
        if self._count == len(self._funds):
            return self._order.rows
        matching = self._matching
        if self._count <= _FEW:
            return sorted(iterate_rows(matching), key=self._order.positions.__getitem__)
        return (row for row in self._order.rows if matching >> row & 1)


class FundSnapshot:
    def __init__(self, funds: Iterable[Fund], *, demo: bool) -> None:
        self.demo = demo
        self._funds = sorted(funds, key=lambda fund: fund.symbol)
        self._by_code = {fold_code(fund.symbol): fund for fund in self._funds}
        self._names = TrigramIndex([_join_names(fund) for fund in self._funds])
        self._symbols = TrigramIndex([fold_code(fund.symbol) for fund in self._funds])
        self._companies = BitmapIndex([(fund.amc or "",) for fund in self._funds])
        self._categories = BitmapIndex([(fund.fund_classification or "",) for fund in self._funds])
        self._types = BitmapIndex([(fund.fund_type,) for fund in self._funds])
        self._risks = BitmapIndex([(fund.risk_level,) for fund in self._funds])
        self._orders: dict[tuple[str, bool], _Order] = {}
        self._known: dict[str, int] = {}
        self._statistics: dict[str, ReturnStatistics] = {}

    def __len__(self) -> int:
        return len(self._funds)

    def find(self, code: str) -> Fund | None:
        return self._by_code.get(fold_code(code))

    def place(self, fund: Fund) -> Placement:
        """Return the classes of a fund of this snapshot."""
        names = (fund.symbol, fund.fund_name, fund.fund_name_th)
        return place_fund(fund.fund_classification, _separate_words(*names), _separate_words(fund.benchmark_name))

    def count_inferred(self, conditions: FundFilter, matching: Iterable[Fund]) -> int:
        """Count the funds that only their names place in the requested category."""
        ids = find_classes(conditions.category or "")
        placed = (self.place(fund) for fund in matching) if ids else ()
        return sum(not ids & placement.reported and bool(ids & placement.inferred) for placement in placed)

    def select(self, conditions: FundFilter, sort_by: str, *, descending: bool) -> Selection:
        """Select matching funds in order. Unknown figures come last in either direction; ties are sorted by symbol."""
        matching = reduce(and_, self._match_conditions(conditions), (1 << len(self._funds)) - 1)
        return Selection(self._funds, self._get_order(sort_by, descending), matching)

    def compute_statistics(self, period: str) -> ReturnStatistics:
        """Compute statistics over the reported returns of all funds that have one."""
        if period not in self._statistics:
            returns = [fund.returns[period] for fund in self._funds]
            self._statistics[period] = compute_statistics([value for value in returns if value is not None])
        return self._statistics[period]

    def count_known(self, conditions: FundFilter, period: str) -> int:
        """Count the matching funds that have a figure for the period."""
        if period not in self._known:
            # Unknown figures come last in every order.
            known = self._get_order(period, descending=True).rows[: self.compute_statistics(period).counted]
            self._known[period] = build_bitmap(known, len(self._funds))
        return reduce(and_, self._match_conditions(conditions), self._known[period]).bit_count()

    def suggest_codes(self, code: str) -> list[str]:
        """Return the codes most similar to this one by the Dice coefficient of their letter pairs."""
        pairs = _split_pairs(fold_code(code))
        by_similarity = defaultdict[float, int](int)
        for shared, rows in enumerate(self._pairs.group_by_overlap(pairs)):
            for size in self._pair_counts:
                by_similarity[2 * shared / (len(pairs) + size)] |= rows & self._pair_counts.find(size)
        similarities = sorted(by_similarity, reverse=True)
        best = (row for similarity in similarities if similarity for row in iterate_rows(by_similarity[similarity]))
        return [self._funds[row].symbol for row in islice(best, _NEAREST)]

    def complete_code(self, text: str, limit: int) -> list[str]:
        start = fold_code(text)
        return [fund.symbol for code, fund in self._by_code.items() if code.startswith(start)][:limit]

    def find_codes_by_name(self, text: str, limit: int) -> list[str]:
        """Return the codes of funds that a search for the text finds."""
        rows = iterate_rows(self._match_text(fold_code(text)))
        return [self._funds[row].symbol for row in islice(rows, limit)]

    def complete_company(self, text: str, limit: int) -> list[str]:
        """Return the managers of whom any name, also a Thai one or a brand, starts with the text."""
        start = fold(text.strip())
        names = (name for name in self._companies if name)
        return sorted(name for name in names if any(known.startswith(start) for known in list_manager_names(name)))[
            :limit
        ]

    def suggest_managers(self, text: str) -> list[str]:
        """Return the names of managers, Thai names and brands among them, that are most like the text."""
        names = {name for company in self._companies if company for name in list_manager_names(company)}
        return get_close_matches(fold(text.strip()), sorted(names), n=_NEAREST, cutoff=_LIKE_NAME)

    @cached_property
    def _pairs(self) -> BitmapIndex[tuple[str, str]]:
        return BitmapIndex([_split_pairs(fold_code(fund.symbol)) for fund in self._funds])

    @cached_property
    def _pair_counts(self) -> BitmapIndex[int]:
        return BitmapIndex([(len(_split_pairs(fold_code(fund.symbol))),) for fund in self._funds])

    def _match_conditions(self, conditions: FundFilter) -> Iterator[int]:
        if conditions.text and (text := fold_code(conditions.text)):
            yield self._match_text(text)
        if conditions.amc and (amc := fold_code(conditions.amc)):
            yield self._companies.match(lambda name: amc in fold(name) or is_manager(amc, name))
        if conditions.category and (category := fold_code(conditions.category)):
            yield self._match_category(category)
        if conditions.fund_type and (kind := fold_code(conditions.fund_type)):
            yield self._types.match(lambda fund_type: fold(fund_type) == kind)
        if conditions.min_risk is not None or conditions.max_risk is not None:
            least, most = conditions.min_risk or LOWEST_RISK, conditions.max_risk or HIGHEST_RISK
            yield self._risks.match(lambda risk: least <= risk <= most)
        if conditions.min_ytd is not None:
            yield self._match_ytd(conditions.min_ytd)

    def _match_text(self, text: str) -> int:
        """Return the rows that have every word, in any order, in a name, the benchmark, the class or the manager."""
        parts = [part for part in _split_phrases(text, self._vocabulary) if part not in load_empty_words()]
        if not parts:
            return self._names.find_containing(text)
        rows = reduce(and_, map(self._match_word, parts))
        return rows | self._names.find_containing(text) if _is_long(text) else rows

    def _match_word(self, word: str) -> int:
        if _is_long(word):
            rows = self._names.find_containing(word)
        else:
            end = " " if len(word) < _SHORT else ""
            rows = self._names.find_containing(f" {word}{end}") | self._symbols.find_containing(word)
        rows |= self._match_classes(find_classes(word)) | self._companies.match(
            lambda name: is_manager_name(word, name)
        )
        return rows or self._match_joined(word)

    def _match_joined(self, word: str) -> int:
        """Match a text without blanks that consists of known words and a rest, as Thai is written."""
        for end in range(len(word) - 1, 1, -1):
            if word[:end] in load_empty_words():
                return self._match_word(word[end:])
            if word[:end] in self._vocabulary and (rows := self._match_word(word[:end]) & self._match_word(word[end:])):
                return rows
        return 0

    def _match_category(self, category: str) -> int:
        """Match a code of AIMC or the start of one, a policy of the SEC, or words for classes that must all fit."""
        rows = self._categories.match(lambda code: fold(code).startswith(category))
        ids = [find_classes(part) for part in _split_phrases(split_identifier(category), load_class_words())]
        if ids and all(ids):
            rows |= reduce(and_, map(self._match_classes, ids))
        return rows

    def _match_classes(self, ids: Iterable[str]) -> int:
        return reduce(or_, map(self._classes.find, ids), 0)

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        """The words and phrases that stand for classes and managers of this snapshot."""
        return load_class_words().union(*(list_manager_names(name) for name in self._companies if name))

    @cached_property
    def _classes(self) -> BitmapIndex[str]:
        placements = map(self.place, self._funds)
        return BitmapIndex([placement.reported | placement.inferred for placement in placements])

    def _match_ytd(self, least: float) -> int:
        """Return the rows with at least this YTD return: a prefix of the order from best to worst."""
        rows = self._get_order("ytd", descending=True).rows
        count = bisect_right(rows, -least, key=lambda row: _negate(self._funds[row].returns["ytd"]))
        return build_bitmap(rows[:count], len(rows))

    def _get_order(self, sort_by: str, descending: bool) -> _Order:
        key = (sort_by, descending)
        if key not in self._orders:
            figures = [(_get_sort_key(fund, sort_by), row) for row, fund in enumerate(self._funds)]
            known = [(figure, row) for figure, row in figures if figure is not None]
            # The sort is stable, reversed or not, so ties stay sorted by symbol.
            known.sort(key=itemgetter(0), reverse=descending)
            unknown = [row for figure, row in figures if figure is None]
            self._orders[key] = _Order([row for _, row in known] + unknown)
        return self._orders[key]


def _get_sort_key(fund: Fund, sort_by: str) -> float | str | None:
    match sort_by:
        case "risk":
            return fund.risk_level
        case "nav":
            return fund.latest.nav
        case "name":
            return fold(fund.fund_name)
        case period:
            return fund.returns[period]


def _negate(figure: float | None) -> float:
    """Return a key that sorts the best figure first and unknown figures last."""
    return inf if figure is None else -figure


def _join_names(fund: Fund) -> str:
    texts = (fund.symbol, fund.fund_name, fund.fund_name_th, fund.benchmark_name)
    return _separate_words(*texts)


def _separate_words(*texts: str | None) -> str:
    """Return the folded words of the texts, with a blank before and after each and the texts as written between."""
    return "\n".join(
        f" {folded} \n {' '.join(folded.translate(_SEPARATORS).split())} "
        for text in texts
        if text and (folded := fold_code(text))
    )


def _is_long(word: str) -> bool:
    return len(word) > _SHORT or not word.isascii()


def _split_phrases(text: str, vocabulary: Set[str]) -> list[str]:
    """Split a text at blanks, but keep the longest known phrases together."""
    words, parts = text.split(), list[str]()
    while words:
        sizes = range(min(_MAX_PHRASE_WORDS, len(words)), 1, -1)
        size = next((size for size in sizes if " ".join(words[:size]) in vocabulary), 1)
        parts.append(" ".join(words[:size]))
        words = words[size:]
    return parts


def _split_pairs(text: str) -> set[tuple[str, str]]:
    return set(pairwise(f" {text} "))
