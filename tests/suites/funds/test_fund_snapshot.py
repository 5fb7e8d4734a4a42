"""The indexes of the snapshot find the same funds as a scan over all of them."""

from __future__ import annotations

import re
from itertools import pairwise
from random import Random

import pytest

from sanya.kernel.folding import fold
from sanya.suites.funds.fund import BENCHMARK_PERIODS, PERIODS, Fund, LatestNav, fold_code
from sanya.suites.funds.fund_snapshot import FundFilter, FundSnapshot

COMPANIES = ("MANAGER A LIMITED", "Manager B", "บลจ. ก", None)
CATEGORIES = ("EQGEN", "FIXMM", "MIX", None)
WORDS = ("Bench", "fund", "number", "หุ้น", "ตราสารหนี้", "RMF", "a", "1", "11", "0")
ORDERS = (*PERIODS, "risk", "nav", "name")


def some_funds(chance: Random, count: int) -> list[Fund]:
    return [one_fund(chance, number) for number in range(count)]


def one_fund(chance: Random, number: int) -> Fund:
    def some_figure() -> float | None:
        return chance.choice((None, 0.0, round(chance.gauss(5, 12), 1)))

    def words() -> str:
        return " ".join(chance.choices(WORDS, k=chance.randint(1, 4)))

    return Fund(
        symbol=f"{words()}-{number}",
        fund_name=words(),
        fund_name_th=chance.choice((None, words())),
        amc=chance.choice(COMPANIES),
        fund_classification=chance.choice(CATEGORIES),
        risk_level=chance.randint(1, 8),
        fund_type=chance.choice(("RMF", "ssf")),
        latest=LatestNav(nav=some_figure()),
        returns={period: some_figure() for period in PERIODS},
        benchmark_returns=dict.fromkeys(BENCHMARK_PERIODS),
        nulls="{}",
    )


def some_question(chance: Random) -> FundFilter:
    return FundFilter(
        text=chance.choice((None, " ", chance.choice(WORDS), "number 1", "nd n", "zzz", "bench  FUND", "หุ้น 1")),
        amc=chance.choice((None, None, "manager", "ก", "nobody")),
        min_risk=chance.choice((None, 2)),
        max_risk=chance.choice((None, 5, 7)),
        min_ytd=chance.choice((None, None, 0.0, 4.5, 1000.0)),
        category=chance.choice((None, None, "equity", "fix", "zzz")),
        fund_type=chance.choice((None, None, "rmf", "SSF")),
    )


CLASS_OF_WORD = {"หุ้น": "EQ", "ตราสารหนี้": "FIX", "equity": "EQ"}


def texts(fund: Fund) -> list[str]:
    return [fold_code(text) for text in (fund.symbol, fund.fund_name, fund.fund_name_th or "")]


def is_of_class(fund: Fund, word: str) -> bool:
    """Whether a code says it, or no code is known and a name says it."""
    code = CLASS_OF_WORD.get(word)
    if code is None or fund.fund_classification is not None:
        return code is not None and str(fund.fund_classification).startswith(code)
    return any(spoken in text for spoken, meant in CLASS_OF_WORD.items() if meant == code for text in texts(fund))


def has_word(fund: Fund, word: str) -> bool:
    words = re.split(r"[\s\-]+", " ".join(texts(fund)))
    if len(word) > 3 or not word.isascii():
        found = any(word in text for text in texts(fund))
    elif len(word) == 3:
        found = any(known.startswith(word) for known in words) or word in texts(fund)[0]
    else:
        found = word in words or word in texts(fund)[0]
    return found or is_of_class(fund, word)


def has_text(fund: Fund, text: str) -> bool:
    wanted = fold_code(text)
    phrase = any(wanted in known for known in texts(fund))
    words = [word for word in wanted.split() if word not in ("fund", "rmf")]
    if not words:
        return phrase
    return all(has_word(fund, word) for word in words) or (phrase and (len(wanted) > 3 or not wanted.isascii()))


def is_in_category(fund: Fund, category: str) -> bool:
    return fold(fund.fund_classification or "").startswith(category) or is_of_class(fund, category)


def matches(fund: Fund, conditions: FundFilter) -> bool:
    ytd = fund.returns["ytd"]
    return (
        has_text(fund, conditions.text or "")
        and (conditions.amc or "") in fold(fund.amc or "")
        and is_in_category(fund, conditions.category or "")
        and fund.fund_type.lower() == (conditions.fund_type or fund.fund_type).lower()
        and (conditions.min_risk or 1) <= fund.risk_level <= (conditions.max_risk or 8)
        and (conditions.min_ytd is None or (ytd is not None and ytd >= conditions.min_ytd))
    )


def figure(fund: Fund, order: str) -> float | str | None:
    own = {"risk": fund.risk_level, "nav": fund.latest.nav, "name": fold(fund.fund_name)}
    return own[order] if order in own else fund.returns[order]


def in_order(funds: list[Fund], order: str, *, descending: bool) -> list[Fund]:
    by_symbol = sorted(funds, key=lambda fund: fund.symbol)
    known = [fund for fund in by_symbol if figure(fund, order) is not None]
    known.sort(key=lambda fund: figure(fund, order), reverse=descending)  # type: ignore[arg-type, return-value]
    return known + [fund for fund in by_symbol if figure(fund, order) is None]


@pytest.mark.parametrize("count", [0, 1, 40, 600])
def test_conditions_find_what_looking_at_every_fund_finds(count: int) -> None:
    chance = Random(count)
    funds = some_funds(chance, count)
    snapshot = FundSnapshot(funds, demo=False)
    for _ in range(400):
        conditions, order, descending = some_question(chance), chance.choice(ORDERS), chance.random() < 0.5
        expected = in_order([fund for fund in funds if matches(fund, conditions)], order, descending=descending)
        found = snapshot.select(conditions, order, descending=descending)
        start = chance.randint(0, 30)
        assert len(found) == len(expected), conditions
        assert list(found) == expected, conditions
        assert found.take(start, 10) == expected[start : start + 10], conditions


def pairs(code: str) -> set[tuple[str, str]]:
    return set(pairwise(f" {fold_code(code)} "))


def test_the_nearest_codes_are_those_that_comparing_with_each_finds() -> None:
    chance = Random(7)
    funds = some_funds(chance, 300)
    snapshot = FundSnapshot(funds, demo=False)
    for _ in range(100):
        code = "".join(chance.choices("benchfud 01หุ", k=chance.randint(1, 12)))
        asked = pairs(code)

        def likeness(symbol: str, asked: set[tuple[str, str]] = asked) -> float:
            own = pairs(symbol)
            return 2 * len(asked & own) / (len(asked) + len(own))

        ranked = sorted((-likeness(fund.symbol), fund.symbol) for fund in funds)
        assert snapshot.suggest_codes(code) == [symbol for score, symbol in ranked[:3] if score < 0], code


def test_names_are_completed_in_the_order_of_symbols() -> None:
    chance = Random(3)
    funds = some_funds(chance, 50)
    snapshot = FundSnapshot(funds, demo=False)
    named = sorted(fund.symbol for fund in funds if matches(fund, FundFilter(text="number")))
    assert snapshot.find_codes_by_name("NUMBER", 5) == named[:5]
    assert snapshot.find_codes_by_name("", 100) == sorted(fund.symbol for fund in funds)
    assert snapshot.complete_company(" manager", 10) == ["MANAGER A LIMITED", "Manager B"]
