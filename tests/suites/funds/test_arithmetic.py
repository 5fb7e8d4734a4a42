"""Every figure, compared with the standard library or with a manual calculation."""

from __future__ import annotations

import statistics
from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanya.suites.funds.arithmetic import (
    compute_average,
    compute_change,
    compute_change_percent,
    compute_max_drawdown,
    compute_period_return,
    compute_statistics,
    compute_volatility,
    find_period_start,
    reconcile,
    subtract_months,
)

NAVS = st.lists(st.floats(0.5, 500).map(lambda nav: round(nav, 4)), min_size=3, max_size=60)
CLOSE = 1e-9


@given(NAVS)
def test_volatility_is_the_population_deviation_of_daily_returns(navs: list[float]) -> None:
    returns = [(after / before - 1) * 100 for before, after in pairwise(navs)]
    assert compute_volatility(navs) == pytest.approx(statistics.pstdev(returns), abs=CLOSE, rel=CLOSE)


@given(NAVS)
def test_the_return_of_a_period_is_its_last_nav_by_its_first(navs: list[float]) -> None:
    assert compute_period_return(navs) == pytest.approx((navs[-1] / navs[0] - 1) * 100, abs=CLOSE, rel=CLOSE)


@given(NAVS)
def test_a_drawdown_is_the_worst_of_all_falls(navs: list[float]) -> None:
    falls = [(low / high - 1) * 100 for number, high in enumerate(navs) for low in navs[number:]]
    assert compute_max_drawdown(navs) == pytest.approx(min(0.0, *falls), abs=CLOSE, rel=CLOSE)


@given(st.lists(st.floats(-100, 1000), min_size=1, max_size=50))
def test_statistics_are_those_of_the_standard_library(values: list[float]) -> None:
    found = compute_statistics(values)
    assert found.average == pytest.approx(statistics.fmean(values), abs=CLOSE, rel=CLOSE)
    assert found.median == pytest.approx(statistics.median(values), abs=CLOSE, rel=CLOSE)
    assert (found.min, found.max, found.counted) == (min(values), max(values), len(values))


def test_a_change_has_no_dust_of_binary_fractions() -> None:
    assert compute_change(15.8339, 15.626) == -0.2079
    assert compute_change_percent(10.0, 10.1) == 1.0


def test_too_few_points_give_no_figure_instead_of_a_zero() -> None:
    assert compute_period_return([10.0]) is None
    assert compute_volatility([10.0, 11.0]) is None
    assert compute_max_drawdown([10.0]) is None
    assert compute_average([]) is None
    assert compute_statistics([]).average is None


def test_a_month_back_stays_in_its_month() -> None:
    assert subtract_months(date(2025, 3, 31), 1) == date(2025, 2, 28)
    assert subtract_months(date(2024, 3, 31), 1) == date(2024, 2, 29)
    assert subtract_months(date(2025, 1, 15), 3) == date(2024, 10, 15)
    assert subtract_months(date(2025, 12, 31), 12) == date(2024, 12, 31)


def test_periods_begin_where_the_market_says() -> None:
    latest = date(2025, 11, 7)
    assert find_period_start("ytd", latest) == date(2024, 12, 31)
    assert find_period_start("3m", latest) == date(2025, 8, 7)
    assert find_period_start("10y", latest) == date(2015, 11, 7)
    assert find_period_start("since_inception", latest) is None


def test_a_reported_return_is_held_against_nav() -> None:
    assert reconcile("1y", 10.0, 10.0, 11.0).agrees
    assert not reconcile("1y", 12.0, 10.0, 11.0).agrees


def test_returns_over_several_years_are_annual() -> None:
    found = reconcile("3y", 10.0, 10.0, 13.31)
    assert found.computed == pytest.approx(10.0, abs=CLOSE)
    assert found.agrees
