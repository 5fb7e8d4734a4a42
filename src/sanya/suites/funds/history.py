"""A fund's NAV over some days, with the figures that its points give."""

from __future__ import annotations

from collections.abc import Sequence

from sanya.suites.funds.arithmetic import average, change, change_percent, max_drawdown, period_return, volatility
from sanya.suites.funds.contract import HistoryPoint, NavHistory
from sanya.suites.funds.fund import Fund, NavPoint, Nulls


def nav_history(fund: Fund, points: Sequence[NavPoint]) -> NavHistory:
    navs = [point.nav for point in points]
    figures: dict[str, float | None] = {
        "period_return": period_return(navs),
        "volatility": volatility(navs),
        "max_drawdown": max_drawdown(navs),
        "min_nav": min(navs, default=None),
        "max_nav": max(navs, default=None),
        "avg_nav": average(navs),
        "current_nav": navs[-1] if navs else None,
    }
    return NavHistory(
        fund_code=fund.symbol,
        fund_name=fund.fund_name,
        nav_history=_changes(points),
        points=len(points),
        current_date=points[-1].date if points else None,
        nulls=_nulls(figures, has_points=bool(points)),
        **figures,
    )


def _changes(points: Sequence[NavPoint]) -> list[HistoryPoint]:
    """Each point with the change from the one before; the first has none to change from."""
    before = [None, *points]
    return [
        HistoryPoint(
            date=point.date,
            nav=point.nav,
            change=None if last is None else change(last.nav, point.nav),
            change_percent=None if last is None else change_percent(last.nav, point.nav),
        )
        for last, point in zip(before, points, strict=False)
    ]


def _nulls(figures: dict[str, float | None], *, has_points: bool) -> Nulls:
    """By the names that the answer has for them."""
    missing = [NavHistory.model_fields[name].alias or name for name, value in figures.items() if value is None]
    if not has_points:
        return dict.fromkeys([*missing, "currentDate"], "not_reported")
    return dict.fromkeys(missing, "too_young")
