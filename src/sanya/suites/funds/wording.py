"""Summaries of the answers in English and Thai, with two decimals and a text for missing figures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sanya.suites.funds.arithmetic import ReturnStatistics
from sanya.suites.funds.contract import ComparedFunds, ComparisonAspect, FundLanguage, NavHistory
from sanya.suites.funds.fund import Fund

_THAI = re.compile("[\u0e01-\u0e5b]")
_SHOWN = 3
_RISK = {
    "en": ("Low risk", "Moderately low risk", "Moderately high risk", "High risk", "Very high risk"),
    "th": ("เสี่ยงต่ำ", "เสี่ยงปานกลางค่อนข้างต่ำ", "เสี่ยงปานกลางค่อนข้างสูง", "เสี่ยงสูง", "เสี่ยงสูงมาก"),
}
_RISK_BANDS = (0, 1, 1, 1, 2, 3, 3, 4)
_PERIODS = {
    "en": {"ytd": "YTD", "3m": "3-month", "6m": "6-month", "1y": "1-year", "3y": "3-year", "5y": "5-year"},
    "th": {"ytd": "ตั้งแต่ต้นปี", "3m": "3 เดือน", "6m": "6 เดือน", "1y": "1 ปี", "3y": "3 ปี", "5y": "5 ปี"},
}
_DEMO = {
    "en": " These are sample funds: import real ones with `sanya funds import`.",
    "th": " ข้อมูลนี้เป็นกองทุนตัวอย่าง นำเข้าข้อมูลจริงด้วย `sanya funds import`",
}


def choose_language(requested: FundLanguage | None, *texts: str | None) -> FundLanguage:
    """Return the requested language, else the language of the search texts."""
    if requested is not None:
        return requested
    return "th" if any(text and _THAI.search(text) for text in texts) else "en"


@dataclass(frozen=True, slots=True)
class Wording:
    language: FundLanguage
    demo: bool

    def describe_page(self, funds: Sequence[Fund], total: int, page: int) -> str:
        if not total:
            return self._finish("No RMF fund matches.", "ไม่พบกองทุน RMF ที่ตรงกัน")
        return self._finish(
            f"Found {total} RMF funds. Showing page {page} ({len(funds)} funds).{self._list_top(funds)}",
            f"พบกองทุน RMF {total} กองทุน แสดงหน้า {page} ({len(funds)} กองทุน){self._list_top(funds)}",
        )

    def describe_matches(self, funds: Sequence[Fund], total: int) -> str:
        if not total:
            return self._finish(
                "No RMF fund matches these filters; loosen one of them.", "ไม่พบกองทุน RMF ที่ตรงตามเงื่อนไข ลองผ่อนเงื่อนไขลง"
            )
        return self._finish(
            f"Found {total} RMF funds that match, {len(funds)} shown.{self._list_top(funds)}",
            f"พบกองทุน RMF ที่ตรงตามเงื่อนไข {total} กองทุน แสดง {len(funds)} กองทุน{self._list_top(funds)}",
        )

    def describe_fund(self, fund: Fund, suitability: str | None) -> str:
        nav, risk = self.format_nav(fund), self._describe_risk_level(fund.risk_level)
        ytd = self.format_percent(fund.returns["ytd"])
        about = f" {suitability}" if suitability else ""
        return self._finish(
            f"{fund.fund_name} is managed by {fund.amc or 'an unknown manager'}. Current NAV: {nav}. "
            f"Risk level: {fund.risk_level}/8 ({risk}). YTD return: {ytd}.",
            f"{self._choose_name(fund)} ({fund.symbol}) จัดการโดย {fund.amc or 'ไม่ทราบผู้จัดการ'} "
            f"NAV ล่าสุด {nav} ความเสี่ยง {fund.risk_level}/8 ({risk}) ผลตอบแทนตั้งแต่ต้นปี {ytd}{about}",
        )

    def describe_ranking(self, period: str, funds: Sequence[Fund], statistics: ReturnStatistics) -> str:
        name = _PERIODS[self.language][period]
        best = ", ".join(
            f"{fund.symbol} ({self.format_percent(fund.returns[period])}, {self._format_risk(fund)})"
            for fund in funds[:_SHOWN]
        )
        average, counted = self.format_percent(statistics.average), statistics.counted
        if not funds:
            return self._finish(f"No fund has a {name} return.", f"ไม่มีกองทุนที่มีผลตอบแทน {name}")
        return self._finish(
            f"{len(funds)} RMF funds by {name} performance: {best}. "
            f"{name} average return across {counted} funds: {average}.",
            f"กองทุน RMF {len(funds)} กองทุนเรียงตามผลตอบแทน {name}: {best} ผลตอบแทนเฉลี่ยของ {counted} กองทุน {average}",
        )

    def describe_history(self, history: NavHistory, fund: Fund, days: int) -> str:
        name = self._choose_name(fund)
        if not history.points:
            return self._finish(f"{name} has no NAV yet.", f"{name} ยังไม่มี NAV")
        low, high, last = history.min_nav, history.max_nav, history.current_nav
        change = self.format_percent(history.period_return)
        spread = self._format_unsigned_percent(history.volatility)
        return self._finish(
            f"{name} NAV over the last {days} days ({history.points} points): {change} return "
            f"({low:g} to {high:g} THB range). Current NAV: {last:g} THB. Volatility: {spread} (standard deviation).",
            f"NAV ของ {name} ย้อนหลัง {days} วัน ({history.points} จุด): ผลตอบแทน {change} (ช่วง {low:g} ถึง {high:g} บาท) "
            f"NAV ล่าสุด {last:g} บาท ความผันผวน {spread} (ส่วนเบี่ยงเบนมาตรฐาน)",
        )

    def describe_comparison(self, funds: Sequence[Fund], comparison: ComparedFunds, by: ComparisonAspect) -> str:
        listed = ", ".join(
            f"{self._choose_name(fund)} ({self._format_risk(fund)}, {self.format_percent(fund.returns['ytd'])} YTD)"
            for fund in funds
        )
        differences = " ".join(self._describe_differences(funds, comparison, by))
        return self._finish(
            f"Comparing {len(funds)} RMF funds: {listed}. Key differences: {differences}",
            f"เปรียบเทียบกองทุน RMF {len(funds)} กองทุน: {listed} ความแตกต่างสำคัญ: {differences}",
        )

    def _choose_name(self, fund: Fund) -> str:
        return fund.fund_name if self.language == "en" else fund.fund_name_th or fund.fund_name

    def format_percent(self, value: float | None) -> str:
        return self._format_missing() if value is None else f"{value:+.2f}%"

    def format_nav(self, fund: Fund) -> str:
        if fund.latest.nav is None:
            return self._format_missing()
        if self.language == "th":
            return f"{fund.latest.nav:g} บาท (ณ {fund.latest.date})"
        return f"{fund.latest.nav:g} THB (as of {fund.latest.date})"

    def _describe_differences(
        self, funds: Sequence[Fund], comparison: ComparedFunds, by: ComparisonAspect
    ) -> list[str]:
        parts = {
            "performance": self._describe_performance(funds, comparison),
            "risk": self._describe_risks(comparison),
            "fees": self._describe_fees(comparison),
        }
        return list(parts.values()) if by == "all" else [parts[by]]

    def _describe_performance(self, funds: Sequence[Fund], comparison: ComparedFunds) -> str:
        best, worst = comparison.comparison_highlights.best_ytd, comparison.comparison_highlights.worst_ytd
        known = [value for fund in funds if (value := fund.returns["ytd"]) is not None]
        if best is None or worst is None:
            return self._choose("Not every YTD return is known.", "ไม่ทราบผลตอบแทนตั้งแต่ต้นปีของทุกกองทุน")
        gap = max(known) - min(known)
        return self._choose(
            f"{best} leads {worst} by {gap:.2f} points YTD.", f"{best} นำ {worst} อยู่ {gap:.2f} จุดตั้งแต่ต้นปี"
        )

    def _describe_risks(self, comparison: ComparedFunds) -> str:
        low, high = comparison.comparison_highlights.lowest_risk, comparison.comparison_highlights.highest_risk
        levels = {fund.symbol: fund.risk_level for fund in comparison.funds}
        if levels[low] == levels[high]:
            return self._choose(f"All have risk {levels[low]}/8.", f"ทุกกองทุนมีความเสี่ยง {levels[low]}/8")
        return self._choose(
            f"{low} has the lowest risk ({levels[low]}/8), {high} the highest ({levels[high]}/8).",
            f"{low} เสี่ยงต่ำสุด ({levels[low]}/8) {high} เสี่ยงสูงสุด ({levels[high]}/8)",
        )

    def _describe_fees(self, comparison: ComparedFunds) -> str:
        lowest = comparison.comparison_highlights.lowest_fees
        if lowest is None:
            return self._choose("Not all total fees are known.", "ไม่ทราบค่าธรรมเนียมรวมของทุกกองทุน")
        return self._choose(f"{lowest} has the lowest total fees.", f"{lowest} มีค่าธรรมเนียมรวมต่ำสุด")

    def _list_top(self, funds: Sequence[Fund]) -> str:
        shown = ", ".join(f"{fund.symbol} ({self.format_percent(fund.returns['ytd'])} YTD)" for fund in funds[:_SHOWN])
        if not shown:
            return ""
        return f" First: {shown}." if self.language == "en" else f" ได้แก่ {shown}"

    def _format_risk(self, fund: Fund) -> str:
        return f"Risk {fund.risk_level}" if self.language == "en" else f"ความเสี่ยง {fund.risk_level}"

    def _describe_risk_level(self, level: int) -> str:
        return _RISK[self.language][_RISK_BANDS[level - 1]]

    def _format_unsigned_percent(self, value: float | None) -> str:
        return self._format_missing() if value is None else f"{value:.2f}%"

    def _format_missing(self) -> str:
        return "N/A" if self.language == "en" else "ไม่มีข้อมูล"

    def _choose(self, english: str, thai: str) -> str:
        return english if self.language == "en" else thai

    def _finish(self, english: str, thai: str) -> str:
        return self._choose(english, thai) + (_DEMO[self.language] if self.demo else "")
