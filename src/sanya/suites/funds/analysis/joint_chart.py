"""The NAV of several funds in one chart: an index that starts at 100 on the first day that all of them have."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from sanya.suites.funds.analysis.series import NavSeries, align
from sanya.suites.funds.arithmetic import round_figure
from sanya.suites.funds.contract import JointChart
from sanya.suites.funds.fund import Fund

# More points than this make no difference on a screen.
_MAX_POINTS = 260
# The longest run of holidays plus a weekend.
_SLACK_DAYS = 14


def build_joint_chart(series: Sequence[NavSeries], days: int) -> JointChart | None:
    """Build the chart of the last days, or None if the funds have no two days in common."""
    common = align(series)
    if len(common[0].days) < 2:
        return None
    last = common[0].days[-1]
    first = (date.fromisoformat(last) - timedelta(days=days)).isoformat()
    shown = [history.cut(first, last) for history in common]
    if len(shown[0].days) < 2:
        return None
    chosen = _choose_points(len(shown[0].days))
    return JointChart(
        from_day=shown[0].days[0],
        to_day=last,
        is_short=common[0].days[0] > first,
        dates=[shown[0].days[at] for at in chosen],
        series={
            history.symbol: [round_figure(history.navs[at] / history.navs[0] * 100) for at in chosen]
            for history in shown
        },
    )


def find_first_day(funds: Sequence[Fund], days: int) -> str:
    """Return a day from which a history of the last days is read.

    It lies some days before them, so that a NAV from before the first of them, or from that day, shows that the history
    is not short.
    """
    latest = min((fund.latest.date for fund in funds if fund.latest.date), default=None)
    return "" if latest is None else (date.fromisoformat(latest) - timedelta(days=days + _SLACK_DAYS)).isoformat()


def _choose_points(count: int) -> Sequence[int]:
    """Choose points at equal distances, the first and the last among them."""
    if count <= _MAX_POINTS:
        return range(count)
    return [round(number * (count - 1) / (_MAX_POINTS - 1)) for number in range(_MAX_POINTS)]
