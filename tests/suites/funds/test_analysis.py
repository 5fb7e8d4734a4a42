"""The tools for savers: every figure equals a recomputation that shares no code with them."""

from __future__ import annotations

import statistics
from datetime import date, timedelta
from decimal import Decimal, getcontext
from itertools import pairwise
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sanya.kernel.storage.database import Database
from sanya.suites.funds.analysis.purchases import Purchase, compute_money_weighted_return
from sanya.suites.funds.importing.files import read_funds
from sanya.suites.funds.importing.writer import import_funds
from tests.suites.funds.market import Market, fund, nav, write_folder

CLOSE = 1e-9
SYMBOLS = ("A", "B", "C")
LAST = date(2025, 11, 7)
DAYS = 900
DIVIDENDS = [
    {"book_close_date": "2024-06-03", "payment_date": "2024-06-20", "amount": 0.35},
    {"book_close_date": "2025-02-10", "payment_date": "2025-02-21", "amount": 0.2},
]
History = dict[str, dict[str, float]]


def make_history() -> History:
    """Weekdays of 900 days, with a holiday here and there that is not the same for every fund."""
    found: History = {}
    for number, symbol in enumerate(SYMBOLS):
        chance, value = Random(symbol), 10.0 + number
        found[symbol] = {}
        for back in range(DAYS, -1, -1):
            day = LAST - timedelta(days=back)
            value *= 1 + chance.gauss(0.0003, 0.006 * (number + 1))
            if day.weekday() < 5 and (chance.random() > 0.03 or back in (0, DAYS)):
                found[symbol][day.isoformat()] = round(value, 4)
    return found


@pytest.fixture
def history() -> History:
    return make_history()


@pytest.fixture
async def filled(database: Database, market: Market, tmp_path: Path, history: History) -> Market:
    funds = [
        fund(
            symbol,
            amc="ONE ASSET MANAGEMENT LIMITED" if symbol != "C" else "TISCO ASSET MANAGEMENT COMPANY LIMITED",
            metadata={"fund_classification": {"A": "EQGL", "B": "EQGL", "C": "FIXMM"}[symbol]},
            latest_nav=nav(LAST.isoformat(), points[LAST.isoformat()]),
            nav_history_30d=[nav(day, value) for day, value in points.items()],
            dividends=DIVIDENDS if symbol == "A" else [],
            fees=[{"fee_type": "x", "fee_desc": "รวมทั้งหมด", "fee_value": {"A": 1.5, "B": 0.5, "C": None}[symbol]}],
        )
        for symbol, points in history.items()
    ]
    young = fund("YOUNG", latest_nav=nav("2025-11-07", 10.0), nav_history_30d=[nav("2025-10-07", 9.0)])
    await import_funds(database, read_funds(write_folder(tmp_path / "a", *funds, young)).funds)
    return market


def window(points: dict[str, float], days: int) -> list[float]:
    """The NAV from the last point on or before the first day."""
    first = (LAST - timedelta(days=days)).isoformat()
    start = max(day for day in points if day <= first)
    return [value for day, value in points.items() if day >= start]


def daily(navs: list[float]) -> list[float]:
    return [after / before - 1 for before, after in pairwise(navs)]


def drawdown(navs: list[float]) -> float:
    return min(min(later / nav - 1 for later in navs[at:]) for at, nav in enumerate(navs)) * 100


def year_before(day: date) -> date:
    return day.replace(year=day.year - 1, day=28) if (day.month, day.day) == (2, 29) else day.replace(year=day.year - 1)


def rolling(points: dict[str, float], days: int) -> list[float]:
    first = (LAST - timedelta(days=days)).isoformat()
    found = []
    for end, value in points.items():
        start = year_before(date.fromisoformat(end))
        earlier = [day for day in points if day <= start.isoformat()]
        if end >= first and earlier and (start - date.fromisoformat(earlier[-1])).days <= 14:
            found.append((value / points[earlier[-1]] - 1) * 100)
    return found


def expect(measure: str, points: dict[str, float]) -> float:
    navs = window(points, 365)
    returns = daily(navs)
    spread = statistics.pstdev(returns) * sqrt(252)
    match measure:
        case "drawdown":
            return drawdown(navs)
        case "volatility":
            return spread * 100
        case "sharpe":
            return (statistics.fmean(returns) * 252 - 0.02) / spread
        case _:
            years = rolling(points, 365)
            return sum(value > 0 for value in years) / len(years) * 100


@pytest.mark.parametrize(
    ("measure", "descending"), [("drawdown", True), ("volatility", False), ("sharpe", True), ("consistency", True)]
)
async def test_a_ranking_is_that_of_an_independent_computation(
    filled: Market, history: History, measure: str, descending: bool
) -> None:
    found = await filled.ask("rank_rmf_funds", measure=measure, riskFree=2.0)
    expected = {symbol: expect(measure, points) for symbol, points in history.items()}
    order = sorted(expected, key=lambda symbol: (-expected[symbol] if descending else expected[symbol], symbol))
    assert [entry["symbol"] for entry in found["funds"]] == order
    for entry in found["funds"]:
        assert entry["value"] == pytest.approx(expected[entry["symbol"]], abs=CLOSE)
    assert (found["considered"], found["leftOut"], found["longestHistory"]) == (4, {"too_young": 1}, DAYS)
    assert found["rule"]


async def test_rolling_years_have_their_worst_and_median(filled: Market, history: History) -> None:
    for entry in (await filled.ask("rank_rmf_funds", measure="consistency", days=400))["funds"]:
        years = rolling(history[entry["symbol"]], 400)
        assert (entry["windows"], entry["worst"], entry["median"]) == (
            len(years),
            pytest.approx(min(years), abs=CLOSE),
            pytest.approx(statistics.median(years), abs=CLOSE),
        )


async def test_a_ranking_by_fee_leaves_out_what_is_not_known(filled: Market) -> None:
    found = await filled.ask("rank_rmf_funds", measure="fee")
    assert [(entry["symbol"], entry["value"]) for entry in found["funds"]] == [("B", 0.5), ("A", 1.5)]
    assert found["leftOut"] == {"not_reported": 2}


async def test_a_history_too_short_for_all_says_how_long_it_is(filled: Market) -> None:
    body = await filled.call("rank_rmf_funds", measure="volatility", days=3650)
    assert body["structuredContent"]["funds"] == []
    assert f"covers {DAYS} days" in body["content"][0]["text"]


def buy_monthly(
    points: dict[str, float], amount: Decimal, day_of_month: int, first: str, last: str
) -> list[tuple[date, Decimal]]:
    """The days and units of the purchases."""
    bought = []
    year, month = int(first[:4]), int(first[5:7])
    while (target := date(year, month, day_of_month)) <= date.fromisoformat(last):
        days = [day for day in points if target.isoformat() <= day <= last]
        if target.isoformat() >= first and days:
            bought.append((date.fromisoformat(days[0]), amount / Decimal(repr(points[days[0]]))))
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)
    return bought


def solve_rate(flows: list[tuple[date, Decimal]], value: Decimal, last: date) -> Decimal:
    low, high = Decimal("-0.99"), Decimal(10)
    for _ in range(120):
        rate = (low + high) / 2
        grown = sum(amount * (1 + rate) ** (Decimal((last - day).days) / 365) for day, amount in flows)
        low, high = (rate, high) if grown < value else (low, rate)
    return rate * 100


@pytest.mark.parametrize("arguments", [{}, {"dayOfMonth": 25, "from": "2024-01-10", "to": "2025-09-30"}])
async def test_monthly_purchases_are_those_of_an_independent_computation(
    filled: Market, history: History, arguments: dict[str, Any]
) -> None:
    getcontext().prec = 40
    found = await filled.ask("simulate_rmf_dca", fundCodes=["A", "B"], monthlyAmount=5000, **arguments)
    first = max(arguments.get("from", ""), *(min(history[symbol]) for symbol in "AB"))
    last = arguments.get("to", LAST.isoformat())
    assert (found["from"], found["to"]) == (first, last)
    invested = value = Decimal(0)
    flows = []
    for entry in found["funds"]:
        points = history[entry["symbol"]]
        bought = buy_monthly(points, Decimal(2500), arguments.get("dayOfMonth", 1), first, last)
        last_nav = Decimal(repr(points[max(day for day in points if day <= last)]))
        worth = sum(units for _, units in bought) * last_nav
        assert entry["purchases"] == len(bought) > 18
        assert entry["units"] == pytest.approx(float(sum(units for _, units in bought)), abs=CLOSE)
        assert entry["value"] == pytest.approx(float(worth), abs=CLOSE)
        own = [(day, Decimal(2500)) for day, _ in bought]
        assert entry["annualReturn"] == pytest.approx(
            float(solve_rate(own, worth, date.fromisoformat(last))), abs=CLOSE
        )
        flows += own
        invested, value = invested + 2500 * len(bought), value + worth
    assert found["invested"] == float(invested)
    assert found["value"] == pytest.approx(float(value), abs=CLOSE)
    assert found["gainPercent"] == pytest.approx(float((value / invested - 1) * 100), abs=CLOSE)
    assert found["annualReturn"] == pytest.approx(float(solve_rate(flows, value, date.fromisoformat(last))), abs=CLOSE)


async def test_dividends_are_reinvested_on_their_payment(filled: Market, history: History) -> None:
    getcontext().prec = 40
    (entry,) = (await filled.ask("simulate_rmf_dca", fundCodes=["A"], monthlyAmount=1000))["funds"]
    points = history["A"]
    units = buy_monthly(points, Decimal(1000), 1, min(points), LAST.isoformat())
    for dividend in DIVIDENDS:
        held = sum(count for day, count in units if day.isoformat() <= str(dividend["book_close_date"]))
        paid = next(day for day in points if day >= str(dividend["payment_date"]))
        extra = held * Decimal(str(dividend["amount"])) / Decimal(repr(points[paid]))
        units.append((date.fromisoformat(paid), extra))
    worth = sum(count for _, count in units) * Decimal(repr(points[LAST.isoformat()]))
    assert entry["valueWithDividends"] == pytest.approx(float(worth), abs=CLOSE)
    assert entry["valueWithDividends"] > entry["value"]


async def test_a_rate_per_year_needs_a_year(filled: Market) -> None:
    found = await filled.ask("simulate_rmf_dca", fundCodes=["YOUNG"], monthlyAmount=1000)
    assert (found["annualReturn"], found["nulls"]["annualReturn"]) == (None, "too_young")
    error = await filled.refusal(
        "simulate_rmf_dca", {"fundCodes": ["YOUNG"], "monthlyAmount": 1000, "to": "2020-01-01"}
    )
    assert error["code"] == "BAD_REQUEST"


async def test_a_portfolio_is_that_of_an_independent_computation(filled: Market, history: History) -> None:
    weights = {"A": 50.0, "B": 30.0, "C": 20.0}
    found = await filled.ask("portfolio_rmf", fundCodes=list(weights), weights=list(weights.values()), days=500)
    first = (LAST - timedelta(days=500)).isoformat()
    common = [day for day in history["A"] if day >= first and all(day in history[symbol] for symbol in weights)]
    values = [
        sum(weight * history[symbol][day] / history[symbol][common[0]] for symbol, weight in weights.items())
        for day in common
    ]
    returns = daily(values)
    assert (found["from"], found["to"], found["points"], found["isShort"]) == (
        common[0],
        common[-1],
        len(common),
        False,
    )
    assert found["periodReturn"] == pytest.approx((values[-1] / values[0] - 1) * 100, abs=CLOSE)
    assert found["volatility"] == pytest.approx(statistics.pstdev(returns) * 100, abs=CLOSE)
    assert found["annualVolatility"] == pytest.approx(statistics.pstdev(returns) * sqrt(252) * 100, abs=CLOSE)
    assert found["maxDrawdown"] == pytest.approx(drawdown(values), abs=CLOSE)
    for row, symbol in zip(found["correlation"], weights, strict=True):
        for figure, other in zip(row, weights, strict=True):
            pair = [daily([history[name][day] for day in common]) for name in (symbol, other)]
            assert figure == pytest.approx(statistics.correlation(*pair), abs=CLOSE)
    assert found["classes"] == {"global equities": 80.0, "the money market": 20.0}
    assert found["managers"] == {"ONE ASSET MANAGEMENT LIMITED": 80.0, "TISCO ASSET MANAGEMENT COMPANY LIMITED": 20.0}


@pytest.mark.parametrize("weights", [[50, 40], [50], [50, 50, 0.1]])
async def test_weights_that_do_not_fit_are_refused(filled: Market, weights: list[float]) -> None:
    error = await filled.refusal("portfolio_rmf", {"fundCodes": ["A", "B"], "weights": weights})
    assert (error["code"], error["details"]["field"]) == ("BAD_REQUEST", "weights")


async def test_a_comparison_has_a_joint_chart_that_starts_at_100(filled: Market, history: History) -> None:
    chart = (await filled.call("compare_rmf_funds", fundCodes=["A", "B"], days=90))["_meta"]["chart"]
    common = [day for day in history["A"] if day in history["B"] and day >= (LAST - timedelta(days=90)).isoformat()]
    assert chart["dates"] == common
    for symbol in "AB":
        expected = [history[symbol][day] / history[symbol][common[0]] * 100 for day in common]
        assert chart["series"][symbol] == pytest.approx(expected, abs=CLOSE)
    long = (await filled.call("compare_rmf_funds", fundCodes=["A", "B"], days=3650))["_meta"]["chart"]
    assert (long["isShort"], len(long["dates"]), long["to"]) == (True, 260, LAST.isoformat())
    assert (await filled.call("compare_rmf_funds", fundCodes=["A", "YOUNG"], days=7))["_meta"]["chart"] is None


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"taxableIncome": 1_000_000}, (300_000, 300_000, 0, 0)),
        ({"taxableIncome": 3_000_000}, (900_000, 500_000, 0, 0)),
        ({"taxableIncome": 3_000_000, "others": 300_000}, (900_000, 200_000, 0, 0)),
        ({"taxableIncome": 1_000_000, "bought": 120_000}, (300_000, 180_000, 120_000, 0)),
        ({"taxableIncome": 1_000_000, "bought": 350_000}, (300_000, 0, 300_000, 50_000)),
        ({"taxableIncome": 1_000_000, "others": 600_000}, (300_000, 0, 0, 0)),
        ({"taxableIncome": 0}, (0, 0, 0, 0)),
    ],
)
async def test_a_contribution_keeps_within_both_limits(
    demo_market: Market, given: dict[str, Any], expected: tuple[float, ...]
) -> None:
    plan = await demo_market.ask("plan_rmf_contribution", taxYear=2567, **given)
    assert (plan["ownLimit"], plan["room"], plan["deductible"], plan["excess"]) == expected
    assert (plan["taxYear"], plan["rulesYear"], plan["isSourced"]) == (2024, 2024, True)


async def test_every_rule_names_its_source_and_a_year_without_one_is_said(demo_market: Market) -> None:
    for year in (2020, 2024):
        plan = await demo_market.ask("plan_rmf_contribution", taxYear=year, taxableIncome=1.0)
        assert plan["rules"]
        assert all(rule["official"] and rule["pages"] for rule in plan["rules"])
    body = await demo_market.call("plan_rmf_contribution", taxYear=2569, taxableIncome=1.0)
    assert (body["structuredContent"]["isSourced"], body["structuredContent"]["rulesYear"]) == (False, 2024)
    assert body["content"][0]["text"].startswith("No source for tax year 2026 is on file")
    error = await demo_market.refusal("plan_rmf_contribution", {"taxYear": 2560, "taxableIncome": 1})
    assert error["details"]["field"] == "taxYear"


@pytest.mark.parametrize(
    ("birth", "first", "expected"),
    [
        ("1980-02-29", "2022-05-01", "2035-02-28"),
        ("1960-01-01", "2022-05-01", "2027-05-01"),
        ("2523-02-29", "2565-05-01", "2035-02-28"),
        ("1960-01-01", "2565-05-01", "2027-05-01"),
    ],
)
async def test_the_first_day_of_sale_keeps_both_rules(
    demo_market: Market, birth: str, first: str, expected: str
) -> None:
    plan = await demo_market.ask(
        "plan_rmf_contribution", taxYear=2024, taxableIncome=1.0, birthDate=birth, firstPurchase=first
    )
    assert plan["firstSaleDay"] == expected


async def test_days_of_the_buddhist_era_are_read(filled: Market) -> None:
    asked = {"fundCodes": ["A"], "monthlyAmount": 1000}
    common = await filled.ask("simulate_rmf_dca", **asked, **{"from": "2024-02-29", "to": "2025-03-31"})
    buddhist = await filled.ask("simulate_rmf_dca", **asked, **{"from": "2567-02-29", "to": "2568-03-31"})
    assert buddhist == common
    assert common["from"] >= "2024-02-29"


@pytest.mark.parametrize("field", ["from", "to"])
async def test_a_day_that_does_not_exist_is_refused(filled: Market, field: str) -> None:
    error = await filled.refusal("simulate_rmf_dca", {"fundCodes": ["A"], "monthlyAmount": 1000, field: "2025-02-30"})
    assert error["details"]["field"] == field


async def test_a_ranking_by_fee_speaks_of_no_history(filled: Market) -> None:
    body = await filled.call("rank_rmf_funds", measure="fee")
    assert body["structuredContent"]["longestHistory"] is None


def test_the_yearly_rate_is_found_without_a_detour() -> None:
    """The rate solves the equation to the last digits that doubles hold."""
    purchases = [Purchase(f"{year}-01-15", 1000.0, 10.0) for year in range(2015, 2025)]
    rate = compute_money_weighted_return(purchases, 15_000.0, "2025-01-15")
    assert rate is not None
    grown = sum(
        1000.0 * (1 + rate / 100) ** ((date(2025, 1, 15) - date.fromisoformat(bought.day)).days / 365)
        for bought in purchases
    )
    assert grown == pytest.approx(15_000.0, rel=1e-10)
