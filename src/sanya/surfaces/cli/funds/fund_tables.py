"""Funds as tables in the terminal: a list, one fund, and several side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_line

Labels = Mapping[str, str]
_PERIODS = ("ytd", "3m", "6m", "1y", "3y", "5y", "10y", "since_inception")
_DASH = "–"
LABELS: dict[str, Labels] = {
    "en": {
        "name": "name", "amc": "manager", "class": "class", "risk": "risk", "nav": "NAV", "day": "day",
        "change": "change", "ytd": "YTD", "3m": "3 months", "6m": "6 months", "1y": "1 year", "3y": "3 years p.a.",
        "5y": "5 years p.a.",
        "10y": "10 years p.a.", "since_inception": "since start p.a.", "fund": "fund", "benchmark": "benchmark",
        "return": "return", "from_nav": "from NAV", "style": "style", "dividends": "dividends", "started": "started",
        "minimum": "minimum", "first": "first", "later": "later", "holdings": "holds", "share": "share", "fee": "fee",
        "per_year": "% per year", "suitability": "suitability", "documents": "documents", "gone": "gone since",
        "volatility": "volatility of a day", "total_fee": "total fee", "symbol": "symbol", "difference": "difference",
    },
    "th": {
        "name": "ชื่อ", "amc": "ผู้จัดการ", "class": "ประเภท", "risk": "ความเสี่ยง", "nav": "NAV", "day": "วันที่",
        "change": "เปลี่ยนแปลง", "ytd": "ตั้งแต่ต้นปี", "3m": "3 เดือน", "6m": "6 เดือน", "1y": "1 ปี", "3y": "3 ปี ต่อปี",
        "5y": "5 ปี ต่อปี", "10y": "10 ปี ต่อปี", "since_inception": "ตั้งแต่เริ่ม ต่อปี", "fund": "กองทุน",
        "benchmark": "ดัชนีชี้วัด", "return": "ผลตอบแทน", "from_nav": "คำนวณจาก NAV", "style": "รูปแบบ", "dividends": "ปันผล",
        "started": "เริ่มเมื่อ", "minimum": "ขั้นต่ำ", "first": "ครั้งแรก", "later": "ครั้งต่อไป", "holdings": "ถือครอง",
        "share": "สัดส่วน", "fee": "ค่าธรรมเนียม", "per_year": "% ต่อปี", "suitability": "ความเหมาะสม",
        "documents": "เอกสาร", "gone": "ไม่มีในตลาดตั้งแต่", "volatility": "ความผันผวนรายวัน", "total_fee": "ค่าธรรมเนียมรวม",
        "symbol": "ชื่อย่อ", "difference": "ส่วนต่าง",
    },
}  # fmt: skip


def show_list(content: dict[str, Any], labels: Labels) -> None:
    columns = ("symbol", "name", "risk", "nav", "day", "change", "ytd", "1y")
    write_table(tuple(labels[name] for name in columns), [_to_list_row(fund, labels) for fund in content["funds"]])


def _to_list_row(fund: dict[str, Any], labels: Labels) -> tuple[str, ...]:
    gone = f" ({labels['gone']} {fund['gone_since']})" if fund["gone_since"] else ""
    return (
        fund["symbol"],
        fund["fund_name"] + gone,
        str(fund["risk_level"]),
        format_number(fund["nav_value"]),
        fund["nav_date"] or _DASH,
        *(format_percent(fund[name]) for name in ("nav_change_percent", "perf_ytd", "perf_1y")),
    )


def show_fund(content: dict[str, Any], labels: Labels) -> None:
    fund = content["fund"]
    rows = [(labels[name], value) for name, value in _list_facts(fund, labels) if value]
    write_table(("", fund["symbol"]), rows)
    _show_returns(fund, labels)
    _show_shares(fund["asset_allocation"], labels)
    _show_fees(fund["fees"], labels)
    texts = [text for text in fund["suitability"].values() if text]
    for text in texts:
        write_line(f"\n{labels['suitability']}: {' '.join(text.split())}")
    for name in ("factsheet_url", "annual_report_url", "halfyear_report_url"):
        if fund[name]:
            write_line(f"\n{labels['documents']}: {fund[name]}")


def _list_facts(fund: dict[str, Any], labels: Labels) -> list[tuple[str, str]]:
    nav = f"{format_number(fund['nav_value'])} ({fund['nav_date'] or _DASH})"
    change = f"{format_percent(fund['nav_change_percent'])}"
    first, later = format_number(fund["min_initial"]), format_number(fund["min_additional"])
    return [
        ("gone", fund["gone_since"] or ""),
        ("name", " / ".join(name for name in (fund["fund_name"], fund["fund_name_th"]) if name)),
        ("amc", fund["amc"] or _DASH),
        ("class", fund["fund_classification"] or _DASH),
        ("risk", f"{fund['risk_level']}/8"),
        ("nav", nav),
        ("change", change),
        ("style", fund["management_style"] or ""),
        ("dividends", fund["dividend_policy"] or ""),
        ("started", fund["registered_on"] or ""),
        ("benchmark", fund["benchmark_name"] or ""),
        ("minimum", f"{labels['first']} {first}, {labels['later']} {later}"),
    ]


def _show_returns(fund: dict[str, Any], labels: Labels) -> None:
    rows = []
    for period in _PERIODS:
        own, other = fund[f"perf_{period}"], fund.get(f"benchmark_{period}")
        computed = fund["reconciled"].get(period, {}).get("computed")
        if own is not None or other is not None:
            gap = None if own is None or other is None else own - other
            rows.append((labels[period], *map(format_percent, (own, other, gap, computed))))
    if rows:
        write_line("")
        write_table(tuple(labels[name] for name in ("return", "fund", "benchmark", "difference", "from_nav")), rows)


def _show_shares(shares: Sequence[dict[str, Any]] | None, labels: Labels) -> None:
    if shares:
        write_line("")
        rows = [(share["asset_class"] or _DASH, format_unsigned(share["percentage"])) for share in shares]
        write_table((labels["holdings"], labels["share"]), rows)


def _show_fees(fees: Sequence[dict[str, Any]] | None, labels: Labels) -> None:
    known = [fee for fee in fees or [] if fee["fee_value"] is not None]
    if known:
        write_line("")
        rows = [(fee["fee_desc"] or _DASH, format_number(fee["fee_value"])) for fee in known]
        write_table((labels["fee"], labels["per_year"]), rows)


def show_comparison(content: dict[str, Any], labels: Labels) -> None:
    funds = content["funds"]
    figures: list[tuple[str, list[str]]] = [
        ("name", [fund["fund_name"] for fund in funds]),
        ("amc", [fund["amc"] or _DASH for fund in funds]),
        ("risk", [f"{fund['risk_level']}/8" for fund in funds]),
        ("nav", [format_number(fund["nav_value"]) for fund in funds]),
        ("day", [fund["nav_date"] or _DASH for fund in funds]),
        *((period, [format_percent(fund[f"perf_{period}"]) for fund in funds]) for period in ("ytd", "1y", "3y", "5y")),
        ("benchmark", [format_percent(fund["benchmark_1y"]) for fund in funds]),
        ("volatility", [format_unsigned(fund["volatility"]) for fund in funds]),
        ("total_fee", [_find_total_fee(fund) for fund in funds]),
    ]
    names = {"benchmark": f"{labels['benchmark']}, {labels['1y']}"}
    rows = [(names.get(name, labels[name]), *values) for name, values in figures]
    write_table(("", *(fund["symbol"] for fund in funds)), rows)


def _find_total_fee(fund: dict[str, Any]) -> str:
    for fee in fund["fees"] or []:
        if "รวมทั้งหมด" in (fee["fee_desc"] or "") or "total" in (fee["fee_desc"] or "").casefold():
            return format_unsigned(fee["fee_value"])
    return _DASH


def format_number(value: float | None) -> str:
    return _DASH if value is None else f"{value:,.4f}".rstrip("0").rstrip(".")


def format_percent(value: float | None) -> str:
    return _DASH if value is None else f"{value:+.2f}%"


def format_unsigned(value: float | None) -> str:
    return _DASH if value is None else f"{value:.2f}%"
