"""NAV history of a fund, with the figures computed from its points."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from sanya.suites.funds.arithmetic import (
    compute_average,
    compute_change,
    compute_change_percent,
    compute_max_drawdown,
    compute_period_return,
    compute_volatility,
)
from sanya.suites.funds.contract import NavHistory, NavHistoryPoint
from sanya.suites.funds.fund import Fund, NavPoint, Nulls


def build_nav_history(fund: Fund, points: Sequence[NavPoint], *, is_short: bool) -> NavHistory:
    """Build the answer. `is_short` says that the stored history starts later than requested."""
    navs = [point.nav for point in points]
    figures: dict[str, float | None] = {
        "period_return": compute_period_return(navs),
        "volatility": compute_volatility(navs),
        "max_drawdown": compute_max_drawdown(navs),
        "min_nav": min(navs, default=None),
        "max_nav": max(navs, default=None),
        "avg_nav": compute_average(navs),
        "current_nav": navs[-1] if navs else None,
    }
    return NavHistory(
        fund_code=fund.symbol,
        fund_name=fund.fund_name,
        nav_history=_compute_changes(points),
        points=len(points),
        from_day=points[0].date if points else None,
        to_day=points[-1].date if points else None,
        covered=_count_days(points),
        is_short=is_short,
        current_date=points[-1].date if points else None,
        nulls=_explain_nulls(figures, has_points=bool(points)),
        **figures,
    )


def _count_days(points: Sequence[NavPoint]) -> int:
    return (date.fromisoformat(points[-1].date) - date.fromisoformat(points[0].date)).days if points else 0


def _compute_changes(points: Sequence[NavPoint]) -> list[NavHistoryPoint]:
    """Return each point with its change from the point before; the first point has no change."""
    before = [None, *points]
    return [
        NavHistoryPoint(
            date=point.date,
            nav=point.nav,
            change=None if previous is None else compute_change(previous.nav, point.nav),
            change_percent=None if previous is None else compute_change_percent(previous.nav, point.nav),
        )
        for previous, point in zip(before, points, strict=False)
    ]


def _explain_nulls(figures: dict[str, float | None], *, has_points: bool) -> Nulls:
    """Return the reason for each missing figure, under the field names of the answer."""
    missing = [NavHistory.model_fields[name].alias or name for name, value in figures.items() if value is None]
    if not has_points:
        return dict.fromkeys([*missing, "currentDate", "from", "to"], "not_reported")
    return dict.fromkeys(missing, "too_young")
