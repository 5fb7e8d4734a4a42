"""Summaries and rules of the four tools for savers, in English and Thai. None of them advises."""

from __future__ import annotations

from dataclasses import dataclass

from sanya.suites.funds.analysis.contract import ContributionPlan, MeasuredFunds, Portfolio, Simulation
from sanya.suites.funds.wording import Wording

_ROWS = 10
_MEASURES = {
    "drawdown": ("smallest drawdown", "ขาดทุนสูงสุดน้อยที่สุด"),
    "volatility": ("lowest volatility", "ความผันผวนต่ำสุด"),
    "sharpe": ("highest Sharpe ratio", "อัตราส่วนชาร์ป (Sharpe ratio) สูงสุด"),
    "consistency": ("most years with a gain", "สัดส่วนปีที่กำไรสูงสุด"),
    "fee": ("lowest total fee", "ค่าธรรมเนียมรวมต่ำสุด"),
}
_RULES = {
    "drawdown": (
        "Deepest fall of NAV from a peak within the days, in percent.",
        "การลดลงของ NAV จากจุดสูงสุดที่มากที่สุดในช่วงเวลา เป็นร้อยละ",
    ),
    "volatility": (
        "Population standard deviation of daily returns within the days, times the root of 252, in percent per year.",
        "ส่วนเบี่ยงเบนมาตรฐาน (ประชากร) ของผลตอบแทนรายวันในช่วงเวลา คูณรากที่สองของ 252 เป็นร้อยละต่อปี",
    ),
    "sharpe": (
        "(Mean daily return times 252, minus riskFree) divided by the yearly volatility.",
        "(ผลตอบแทนรายวันเฉลี่ยคูณ 252 ลบ riskFree) หารด้วยความผันผวนต่อปี",
    ),
    "consistency": (
        "Share of one-year returns above 0, one for each of the days that has a NAV a year earlier, in percent.",
        "สัดส่วนผลตอบแทนหนึ่งปีที่มากกว่า 0 นับทุกวันในช่วงเวลาที่มี NAV เมื่อหนึ่งปีก่อน เป็นร้อยละ",
    ),
    "fee": (
        "Total of all fees as the fact sheet reports it, in percent per year.",
        "ค่าธรรมเนียมรวมตามหนังสือชี้ชวน ร้อยละต่อปี",
    ),
}
_SIMULATION = (
    "Each month the amount buys units at the NAV of the first day with one on or after dayOfMonth, without fees. "
    "Value: units times the last NAV. With dividends: each is reinvested at the NAV of its payment. annualReturn: the "
    "yearly rate at which all purchases grow to the value; null within the first year.",
    "ทุกเดือนซื้อหน่วยลงทุนที่ NAV ของวันแรกที่มี NAV ตั้งแต่ dayOfMonth โดยไม่คิดค่าธรรมเนียม มูลค่า: จำนวนหน่วยคูณ NAV ล่าสุด "
    "รวมปันผล: ลงทุนซ้ำที่ NAV วันจ่าย annualReturn: อัตราต่อปีที่ทำให้เงินซื้อทั้งหมดโตเป็นมูลค่านั้น ไม่คำนวณในปีแรก",
)
_PORTFOLIO = (
    "Bought once by the weights on the first common day and held; only days with a NAV of every fund count. "
    "Volatility: population standard deviation of daily returns. Correlation: Pearson, of daily returns.",
    "ซื้อครั้งเดียวตามสัดส่วนในวันแรกที่มี NAV ครบ แล้วถือไว้ นับเฉพาะวันที่ทุกกองทุนมี NAV ความผันผวน: ส่วนเบี่ยงเบนมาตรฐาน "
    "(ประชากร) ของผลตอบแทนรายวัน สหสัมพันธ์: เพียร์สันของผลตอบแทนรายวัน",
)


@dataclass(frozen=True, slots=True)
class AnalysisWording:
    wording: Wording

    def explain_measure(self, measure: str) -> str:
        return self.wording.choose(*_RULES[measure])

    def explain_simulation(self) -> str:
        return self.wording.choose(*_SIMULATION)

    def explain_portfolio(self) -> str:
        return self.wording.choose(*_PORTFOLIO)

    def describe_ranking(self, ranking: MeasuredFunds, days: int) -> str:
        choose, title = self.wording.choose, self.wording.choose(*_MEASURES[ranking.measure])
        left_out = sum(ranking.left_out.values())
        span = "" if ranking.measure == "fee" else choose(f" over {days} days", f" ในช่วง {days} วัน")
        if not ranking.funds:
            longest = ranking.longest_history
            more = (
                ""
                if longest is None
                else choose(
                    f" The longest history covers {longest} days; ask for days={longest} or fewer.",
                    f" ประวัติที่ยาวที่สุดมี {longest} วัน ลองขอ days={longest} หรือน้อยกว่า",
                )
            )
            return self.wording.finish(
                f"None of {self.wording.count_funds(ranking.considered)} has this figure{span}.{more}",
                f"ไม่มีกองทุนใดใน{self.wording.count_funds(ranking.considered)}ที่มีตัวเลขนี้{span}{more}",
            )
        missing = choose(f"; {left_out} have no such figure", f" ไม่มีตัวเลขนี้ {left_out} กองทุน") if left_out else ""
        rows = "\n".join(
            f"{number}. {fund.symbol}: {self._format_figure(fund.value, ranking.unit)}, "
            + choose(f"risk {fund.risk_level}/8", f"ความเสี่ยง {fund.risk_level}/8")
            for number, fund in enumerate(ranking.funds[:_ROWS], start=1)
        )
        return self.wording.finish(
            f"{self.wording.count_funds(len(ranking.funds))} with the {title}{span}, of {ranking.considered}"
            f"{missing}:\n{rows}\n{ranking.rule}",
            f"{self.wording.count_funds(len(ranking.funds))}ที่มี{title}{span} จาก {ranking.considered} กองทุน"
            f"{missing}:\n{rows}\n{ranking.rule}",
        )

    def describe_simulation(self, simulation: Simulation) -> str:
        choose, span = self.wording.choose, f"{simulation.from_day} – {simulation.to_day}"
        symbols, gain = (
            ", ".join(fund.symbol for fund in simulation.funds),
            self.wording.format_percent(simulation.gain_percent),
        )
        yearly = simulation.annual_return
        rate = "" if yearly is None else choose(f", {yearly:+.2f}% per year", f" ({yearly:+.2f}% ต่อปี)")
        with_dividends = simulation.value_with_dividends
        dividends = choose(" Dividends are not reported.", " ไม่มีข้อมูลปันผล") if with_dividends is None else ""
        if with_dividends is not None and with_dividends != simulation.value:
            dividends = choose(f" With dividends: {with_dividends:,.2f} THB.", f" รวมปันผล {with_dividends:,.2f} บาท")
        return self.wording.finish(
            f"Monthly purchases of {symbols}, {span}: {simulation.invested:,.2f} THB became {simulation.value:,.2f} "
            f"THB ({gain}{rate}).{dividends} Past returns promise nothing.",
            f"ซื้อ {symbols} ทุกเดือน {span}: เงินลงทุน {simulation.invested:,.2f} บาท มีมูลค่า {simulation.value:,.2f} บาท "
            f"({gain}{rate}){dividends} ผลในอดีตไม่รับประกันอนาคต",
        )

    def describe_plan(self, plan: ContributionPlan) -> str:
        choose = self.wording.choose
        warning = (
            ""
            if plan.is_sourced
            else choose(
                f"No source for tax year {plan.tax_year} is on file; these are the rules of {plan.rules_year}. ",
                f"ไม่มีแหล่งอ้างอิงสำหรับปีภาษี {plan.tax_year + 543} ใช้เกณฑ์ปี {plan.rules_year + 543} แทน ",
            )
        )
        sale = (
            ""
            if plan.first_sale_day is None
            else choose(
                f" First day of sale within the rules: {plan.first_sale_day}.",
                f" ขายได้ตามเงื่อนไขตั้งแต่ {plan.first_sale_day}",
            )
        )
        excess = (
            ""
            if not plan.excess
            else choose(f" {plan.excess:,.2f} THB are beyond the limit.", f" ซื้อเกินวงเงิน {plan.excess:,.2f} บาท")
        )
        rules = "".join(
            f"\n- {rule.text} ({rule.official or choose('no official text found', 'ไม่พบตัวบททางการ')})"
            for rule in plan.rules
        )
        return choose(
            f"{warning}RMF purchases that may still be deducted in tax year {plan.tax_year}: {plan.room:,.2f} THB "
            f"(own limit {plan.own_limit:,.2f}, ceiling with other products {plan.combined_limit:,.0f}, of which "
            f"others use {plan.others:,.2f}).{excess}{sale}{rules}\n{plan.left_out} "
            "This is no advice: ask the Revenue Department.",
            f"{warning}วงเงินซื้อ RMF ที่ยังหักได้ในปีภาษี {plan.tax_year + 543}: {plan.room:,.2f} บาท "
            f"(เพดาน RMF {plan.own_limit:,.2f} เพดานรวม {plan.combined_limit:,.0f} ผลิตภัณฑ์อื่นใช้ไป {plan.others:,.2f})"
            f"{excess}{sale}{rules}\n{plan.left_out} ข้อมูลนี้ไม่ใช่คำแนะนำ โปรดสอบถามกรมสรรพากร",
        )

    def describe_portfolio(self, portfolio: Portfolio, days: int) -> str:
        choose, format_percent = self.wording.choose, self.wording.format_percent
        if not portfolio.points:
            return self.wording.finish("The funds have no day with a NAV in common.", "กองทุนเหล่านี้ไม่มีวันที่มี NAV ร่วมกัน")
        span = choose(f"{portfolio.covered} days", f"{portfolio.covered} วัน")
        if portfolio.is_short:
            span = choose(f"{portfolio.covered} of {days} days asked for", f"{portfolio.covered} จาก {days} วันที่ขอ")
        classes = ", ".join(f"{name} {share:.0f}%" for name, share in portfolio.classes.items())
        managers = ", ".join(f"{name} {share:.0f}%" for name, share in portfolio.managers.items())
        volatility = self.wording.format_unsigned_percent(portfolio.annual_volatility)
        gain, fall = format_percent(portfolio.period_return), format_percent(portfolio.max_drawdown)
        return self.wording.finish(
            f"Portfolio from {portfolio.from_day} to {portfolio.to_day} ({span}): {gain} return, "
            f"{volatility} volatility per year, deepest fall {fall}.\nClasses: {classes}.\nManagers: {managers}.",
            f"พอร์ตตั้งแต่ {portfolio.from_day} ถึง {portfolio.to_day} ({span}): ผลตอบแทน {gain} ความผันผวนต่อปี {volatility} "
            f"ลดลงมากสุด {fall}\nประเภท: {classes}\nผู้จัดการ: {managers}",
        )

    def _format_figure(self, value: float, unit: str) -> str:
        return f"{value:.2f}" if unit == "ratio" else f"{value:.2f}%"
