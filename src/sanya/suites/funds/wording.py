"""Summaries of the answers in English and Thai, with two decimals and a text for missing figures."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sanya.suites.funds.arithmetic import ReturnStatistics
from sanya.suites.funds.contract import ComparedFunds, ComparisonAspect, FundLanguage, NavHistory
from sanya.suites.funds.fund import Fund
from sanya.suites.funds.naming.classes import FundClass

_THAI = re.compile("[\u0e01-\u0e5b]")
_ROWS = 10
_RISK = {
    "en": ("low risk", "moderately low risk", "moderately high risk", "high risk", "very high risk"),
    "th": ("เสี่ยงต่ำ", "เสี่ยงปานกลางค่อนข้างต่ำ", "เสี่ยงปานกลางค่อนข้างสูง", "เสี่ยงสูง", "เสี่ยงสูงมาก"),
}
_RISK_BANDS = (0, 1, 1, 1, 2, 3, 3, 4)
_PERIODS = {
    "en": {"ytd": "YTD", "3m": "3-month", "6m": "6-month", "1y": "1-year", "3y": "3-year p.a.", "5y": "5-year p.a."},
    "th": {"ytd": "ตั้งแต่ต้นปี", "3m": "3 เดือน", "6m": "6 เดือน", "1y": "1 ปี", "3y": "3 ปี (ต่อปี)", "5y": "5 ปี (ต่อปี)"},
}
_ORDERS = {
    "en": {"risk": ("lowest risk first", "highest risk first"), "nav": ("lowest NAV first", "highest NAV first")},
    "th": {"risk": ("ความเสี่ยงต่ำก่อน", "ความเสี่ยงสูงก่อน"), "nav": ("ตาม NAV ต่ำก่อน", "ตาม NAV สูงก่อน")},
}
_DEMO = {
    "en": " These are sample funds: import real ones with `sanya funds import`.",
    "th": " ข้อมูลนี้เป็นกองทุนตัวอย่าง นำเข้าข้อมูลจริงด้วย `sanya funds import`",
}
_FILTERS = {
    "en": {
        "search": "matching “{}”",
        "amc": "manager “{}”",
        "category": "class “{}”",
        "minYtdReturn": "YTD at least {}%",
    },
    "th": {
        "search": "ค้นหา “{}”",
        "amc": "ผู้จัดการ “{}”",
        "category": "ประเภท “{}”",
        "minYtdReturn": "ตั้งแต่ต้นปีอย่างน้อย {}%",
    },
}


def choose_language(requested: FundLanguage | None, *texts: str | None) -> FundLanguage:
    """Return the requested language, else the language of the search texts."""
    if requested is not None:
        return requested
    return "th" if any(text and _THAI.search(text) for text in texts) else "en"


@dataclass(frozen=True, slots=True)
class FundOrder:
    """The order of a list: a period, `risk`, `nav` or `name`."""

    sort_by: str
    descending: bool


@dataclass(frozen=True, slots=True)
class Wording:
    language: FundLanguage
    demo: bool

    def describe_page(
        self, funds: Sequence[Fund], total: int, page: str, order: FundOrder, *, text: str | int | None
    ) -> str:
        """Describe a page of a list; `page` says which of how many, `text` for what was searched."""
        named = "" if text is None else f" ({self._describe_filters({'search': text})})"
        if not total:
            return self.finish(f"No RMF fund matches{named}.", f"ไม่พบกองทุน RMF ที่ตรงกัน{named}")
        count, sorting = self.count_funds(total) + named, self._describe_order(order)
        return self.finish(
            f"Found {count}, {sorting}. Page {page}{self._list_funds(funds, order)}",
            f"พบ{count} {sorting} หน้า {page}{self._list_funds(funds, order)}",
        )

    def describe_matches(
        self, funds: Sequence[Fund], total: int, filters: Mapping[str, str | int | float], order: FundOrder
    ) -> str:
        named = self._describe_filters(filters)
        if not total:
            return self.finish(
                f"No RMF fund matches ({named}); loosen one of these filters.",
                f"ไม่พบกองทุน RMF ที่ตรงตามเงื่อนไข ({named}) ลองผ่อนเงื่อนไขลง",
            )
        count, sorting = self.count_funds(total), self._describe_order(order)
        return self.finish(
            f"Found {count} ({named}), {sorting}{self._list_funds(funds, order)}",
            f"พบ{count} ({named}) {sorting}{self._list_funds(funds, order)}",
        )

    def describe_alone(self, counts: Sequence[tuple[Mapping[str, str | int | float], int]], managers: list[str]) -> str:
        """Say what each filter finds without the others, and the names most like that of an unknown manager."""
        alone = ", ".join(f"{self._describe_filters(part)}: {count:,}" for part, count in counts)
        sentence = self.choose(f" Each alone finds: {alone}.", f" หากใช้ทีละเงื่อนไขพบ {alone}") if len(counts) > 1 else ""
        if managers:
            names = ", ".join(managers)
            sentence += self.choose(f" Nearest names of managers: {names}.", f" ชื่อผู้จัดการที่ใกล้เคียง: {names}")
        return sentence

    def describe_inferred(self, count: int) -> str:
        if not count:
            return ""
        verbs = "has no finer class at the source and is" if count == 1 else "have no finer class at the source and are"
        return self.choose(
            f"\n{count} of the funds shown {verbs} placed by name.",
            f"\n{count} กองทุนที่แสดงไม่มีประเภทย่อยจากแหล่งข้อมูล จึงจัดประเภทตามชื่อ",
        )

    def describe_fund(self, fund: Fund, suitability: str | None, kind: FundClass | None) -> str:
        nav, risk = self.format_nav(fund), self._describe_risk_level(fund.risk_level)
        ytd = self.format_percent(fund.returns["ytd"])
        stated = f" {' '.join(suitability.split())}" if suitability else ""
        seeks = "" if kind is None else self.choose(f" and seek {kind.english}", f"และต้องการลงทุนใน{kind.thai}")
        return self.finish(
            f"{fund.fund_name} is managed by {fund.amc or 'an unknown manager'}. Current NAV: {nav}. "
            f"Risk level: {fund.risk_level}/8 ({risk}). YTD return: {ytd}. "
            f"Suitable for investors who accept {risk}{seeks}.{self._describe_gone(fund)}",
            f"{self.choose_name(fund)} ({fund.symbol}) จัดการโดย {fund.amc or 'ไม่ทราบผู้จัดการ'} "
            f"NAV ล่าสุด {nav} ความเสี่ยง {fund.risk_level}/8 ({risk}) ผลตอบแทนตั้งแต่ต้นปี {ytd} "
            f"เหมาะกับผู้ลงทุนที่รับความ{risk}ได้{seeks}{stated}{self._describe_gone(fund)}",
        )

    def describe_ranking(
        self, order: FundOrder, funds: Sequence[Fund], total: int, statistics: ReturnStatistics, risk: int | None
    ) -> str:
        name = _PERIODS[self.language][order.sort_by]
        level = "" if risk is None else self.choose(f" with risk {risk}/8", f" ความเสี่ยง {risk}/8")
        if not funds:
            return self.finish(f"No fund{level} has a {name} return.", f"ไม่มีกองทุน{level}ที่มีผลตอบแทน {name}")
        average, counted = self.format_percent(statistics.average), statistics.counted
        listing, sorting = self._list_funds(funds, order), self._describe_order(order)
        shown = "" if len(funds) == total else self.choose(f"{len(funds)} of ", f"{len(funds)} จาก ")
        return self.finish(
            f"{shown}{self.count_funds(total)}{level}, {sorting}{listing}\n"
            f"{name} average return across all {counted} funds with a figure: {average}.",
            f"{shown}{self.count_funds(total)}{level} {sorting}{listing}\n"
            f"ผลตอบแทน {name} เฉลี่ยของทั้ง {counted} กองทุนที่มีข้อมูล {average}",
        )

    def describe_history(self, history: NavHistory, fund: Fund, days: int) -> str:
        name = self.choose_name(fund)
        if not history.points:
            return self.finish(f"{name} has no NAV yet.", f"{name} ยังไม่มี NAV")
        low, high, last = history.min_nav, history.max_nav, history.current_nav
        change = self.format_percent(history.period_return)
        spread = self.format_unsigned_percent(history.volatility)
        span = f"{history.covered} of {days} days asked for, " if history.is_short else f"{history.covered} days, "
        span_th = f"{history.covered} จาก {days} วันที่ขอ " if history.is_short else f"{history.covered} วัน "
        return self.finish(
            f"{name} NAV from {history.from_day} to {history.to_day} ({span}{history.points} points): {change} return "
            f"({low:g} to {high:g} THB range). Current NAV: {last:g} THB. Volatility: {spread} (standard deviation)."
            f"{self._describe_gone(fund)}",
            f"NAV ของ {name} ตั้งแต่ {history.from_day} ถึง {history.to_day} ({span_th}{history.points} จุด): "
            f"ผลตอบแทน {change} (ช่วง {low:g} ถึง {high:g} บาท) NAV ล่าสุด {last:g} บาท "
            f"ความผันผวน {spread} (ส่วนเบี่ยงเบนมาตรฐาน){self._describe_gone(fund)}",
        )

    def describe_comparison(self, funds: Sequence[Fund], comparison: ComparedFunds, by: ComparisonAspect) -> str:
        rows = "".join(
            f"\n- {fund.symbol} ({self.choose_name(fund)}): {self._format_risk(fund)}, "
            f"{self._format_return(fund, 'ytd')}, {self._format_return(fund, '1y')}{self._describe_gone(fund)}"
            for fund in funds
        )
        differences = " ".join(self._describe_differences(funds, comparison, by))
        return self.finish(
            f"Comparing {self.count_funds(len(funds))}:{rows}\nKey differences: {differences}",
            f"เปรียบเทียบ{self.count_funds(len(funds))}:{rows}\nความแตกต่างสำคัญ: {differences}",
        )

    def choose_name(self, fund: Fund) -> str:
        return fund.fund_name if self.language == "en" else fund.fund_name_th or fund.fund_name

    def count_funds(self, count: int) -> str:
        return self.choose(f"{count:,} RMF fund{'' if count == 1 else 's'}", f"กองทุน RMF {count:,} กองทุน")

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
            return self.choose("Not every YTD return is known.", "ไม่ทราบผลตอบแทนตั้งแต่ต้นปีของทุกกองทุน")
        gap = max(known) - min(known)
        if not gap:
            return self.choose(f"All returned {known[0]:+.2f}% YTD.", f"ทุกกองทุนให้ผลตอบแทน {known[0]:+.2f}% ตั้งแต่ต้นปี")
        leaders, last = self._join_tied(comparison, "bestYtd", best), self._join_tied(comparison, "worstYtd", worst)
        verb = "lead" if "bestYtd" in comparison.ties else "leads"
        return self.choose(
            f"{leaders} {verb} {last} by {gap:.2f} points YTD.", f"{leaders} นำ {last} อยู่ {gap:.2f} จุดตั้งแต่ต้นปี"
        )

    def _describe_risks(self, comparison: ComparedFunds) -> str:
        low, high = comparison.comparison_highlights.lowest_risk, comparison.comparison_highlights.highest_risk
        levels = {fund.symbol: fund.risk_level for fund in comparison.funds}
        if levels[low] == levels[high]:
            return self.choose(f"All have risk {levels[low]}/8.", f"ทุกกองทุนมีความเสี่ยง {levels[low]}/8")
        lowest, highest = (
            self._join_tied(comparison, "lowestRisk", low),
            self._join_tied(comparison, "highestRisk", high),
        )
        verb = "have" if "lowestRisk" in comparison.ties else "has"
        return self.choose(
            f"{lowest} {verb} the lowest risk ({levels[low]}/8), {highest} the highest ({levels[high]}/8).",
            f"{lowest} เสี่ยงต่ำสุด ({levels[low]}/8) {highest} เสี่ยงสูงสุด ({levels[high]}/8)",
        )

    def _describe_fees(self, comparison: ComparedFunds) -> str:
        lowest = comparison.comparison_highlights.lowest_fees
        if lowest is None:
            return self.choose("Not all total fees are known.", "ไม่ทราบค่าธรรมเนียมรวมของทุกกองทุน")
        names, verb = self._join_tied(comparison, "lowestFees", lowest), "has"
        if "lowestFees" in comparison.ties:
            verb = "have"
        return self.choose(f"{names} {verb} the lowest total fees.", f"{names} มีค่าธรรมเนียมรวมต่ำสุด")

    def _join_tied(self, comparison: ComparedFunds, highlight: str, symbol: str) -> str:
        symbols = comparison.ties.get(highlight, [symbol])
        joined, last = ", ".join(symbols[:-1]), symbols[-1]
        return f"{joined}{self.choose(' and ', ' และ ')}{last}" if joined else last

    def _describe_filters(self, filters: Mapping[str, str | int | float]) -> str:
        texts = [text.format(filters[name]) for name, text in _FILTERS[self.language].items() if name in filters]
        least, most = filters.get("minRiskLevel"), filters.get("maxRiskLevel")
        if least is not None or most is not None:
            texts.append(self._describe_risk_range(least, most))
        return ", ".join(texts)

    def _describe_risk_range(self, least: object, most: object) -> str:
        if least is None:
            return self.choose(f"risk at most {most}", f"ความเสี่ยงไม่เกิน {most}")
        if most is None:
            return self.choose(f"risk at least {least}", f"ความเสี่ยงตั้งแต่ {least}")
        span = str(least) if least == most else f"{least}–{most}"
        return self.choose(f"risk {span}", f"ความเสี่ยง {span}")

    def _describe_order(self, order: FundOrder) -> str:
        if order.sort_by == "name":
            return self.choose("by name", "เรียงตามชื่อ") + (
                self.choose(", Z to A", " ฮ ถึง ก") if order.descending else ""
            )
        if order.sort_by in ("risk", "nav"):
            return self.choose("", "เรียง") + _ORDERS[self.language][order.sort_by][order.descending]
        period = _PERIODS[self.language][order.sort_by]
        if self.language == "th":
            return f"เรียงผลตอบแทน {period} {'สูง' if order.descending else 'ต่ำ'}ก่อน"
        return f"{'highest' if order.descending else 'lowest'} {period} return first"

    def _list_funds(self, funds: Sequence[Fund], order: FundOrder) -> str:
        """Return one line for each of the first funds, with the figure by which they are sorted."""
        if not funds:
            return self.choose(": no funds.", ": ไม่มีกองทุน")
        rows = [
            f"{number}. {fund.symbol}: {self._describe_row(fund, order.sort_by)}{self._describe_gone(fund)}"
            for number, fund in enumerate(funds[:_ROWS], start=1)
        ]
        if len(funds) > _ROWS:
            more = len(funds) - _ROWS
            rows.append(self.choose(f"and {more} more in this answer.", f"และอีก {more} กองทุนในคำตอบนี้"))
        return ":\n" + "\n".join(rows)

    def _describe_row(self, fund: Fund, sort_by: str) -> str:
        risk = self._format_risk(fund)
        if sort_by in ("risk", "name"):
            return f"{risk}, {self.choose_name(fund)}"
        if sort_by == "nav":
            return f"NAV {self.format_nav(fund)}, {risk}"
        return f"{self._format_return(fund, sort_by)}, {risk}"

    def _format_return(self, fund: Fund, period: str) -> str:
        figure, name = self.format_percent(fund.returns[period]), _PERIODS[self.language][period]
        return f"{figure} {name}" if self.language == "en" else f"{name} {figure}"

    def _describe_gone(self, fund: Fund) -> str:
        if fund.gone_since is None:
            return ""
        return self.choose(
            f" (gone: missing from the market since {fund.gone_since})", f" (ไม่มีในตลาดแล้วตั้งแต่ {fund.gone_since})"
        )

    def _format_risk(self, fund: Fund) -> str:
        return self.choose(f"risk {fund.risk_level}/8", f"ความเสี่ยง {fund.risk_level}/8")

    def _describe_risk_level(self, level: int) -> str:
        return _RISK[self.language][_RISK_BANDS[level - 1]]

    def format_unsigned_percent(self, value: float | None) -> str:
        return self._format_missing() if value is None else f"{value:.2f}%"

    def _format_missing(self) -> str:
        return "N/A" if self.language == "en" else "ไม่มีข้อมูล"

    def choose(self, english: str, thai: str) -> str:
        return english if self.language == "en" else thai

    def finish(self, english: str, thai: str) -> str:
        return self.choose(english, thai) + (_DEMO[self.language] if self.demo else "")
