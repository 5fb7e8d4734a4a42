"""Funds of the Thai SEC's open data in the layout that fund files have: from there on the importer reads both."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

Row = Mapping[str, Any]

RMF = "RMF"
_NO_CLASS = ("", "-", "main")
_RISK = re.compile(r"RS([1-8])1?")
_FUND_RETURN, _BENCHMARK_RETURN = "ผลตอบแทนกองทุนรวม", "ผลตอบแทนตัวชี้วัด"
_PERIODS = {
    "year to date": "ytd",
    "3 months": "3m",
    "6 months": "6m",
    "1 year": "1y",
    "3 years": "3y",
    "5 years": "5y",
    "10 years": "10y",
    "inception date": "since_inception",
}
_MINIMUMS = {
    "minimum_initial": "minimum_sub_ipo",
    "minimum_additional": "minimum_sub",
    "minimum_redemption": "minimum_redempt",
    "minimum_balance": "lowbal_val",
}
_STATISTICS = ("tracking_error", "sharpe_ratio", "beta", "alpha", "maximum_drawdown")
# Kinds of rows that a fact sheet is made of; `latest` asks for the sheet in force alone.
FACT_SHEET = (
    "risk-spectrum",
    "performance",
    "benchmarks",
    "asset-allocation",
    "fees",
    "subscription-redemption-minimums",
    "statistics",
    "dividend-policy",
)


class OpenData(Protocol):
    """The port to the SEC's rows."""

    async def rows(self, path: str, **filters: str) -> list[dict[str, Any]]: ...


@dataclass(frozen=True, slots=True)
class Project:
    """One fund of the register with its classes; each class is a fund of its own to those who buy it."""

    id: str
    profiles: tuple[Row, ...]

    @property
    def registered_on(self) -> str | None:
        dates = [day for row in self.profiles for day in (row.get("init_date"), row.get("regis_date")) if day]
        return str(dates[0])[:10] if dates else None


@dataclass(frozen=True, slots=True)
class Sheets:
    """What the SEC has of one project beside its profile."""

    nav: Sequence[Row]
    urls: Sequence[Row]
    dividends: Sequence[Row]
    facts: Mapping[str, Sequence[Row]]


def rmf_projects(specifications: Iterable[Row], profiles: Iterable[Row]) -> list[Project]:
    """The projects that are retirement funds, alive, in the order of their ids. A class that is none is left out."""
    wanted = {(_id(row), _class(row)) for row in specifications if str(row.get("spec_code", "")).strip() == RMF}
    whole = {project for project, name in wanted if not name}
    found: dict[str, list[Row]] = {}
    for row in profiles:
        project = _id(row)
        if ((project, _class(row)) in wanted or project in whole) and not row.get("cancel_date"):
            found.setdefault(project, []).append(row)
    return [Project(project, tuple(rows)) for project, rows in sorted(found.items())]


def fund_files(project: Project, sheets: Sheets, fetched_at: datetime) -> list[dict[str, Any]]:
    """One file for each class of the project."""
    return [_file(project, profile, sheets, fetched_at) for profile in project.profiles]


def text_of(row: Row, field: str) -> str:
    return str(row.get(field) or "").strip()


def symbol_of(profile: Row) -> str:
    """What people call it: the class, or the fund where it has none."""
    return _class(profile) or text_of(profile, "proj_abbr_name")


def _file(project: Project, profile: Row, sheets: Sheets, fetched_at: datetime) -> dict[str, Any]:
    name = _class(profile)
    nav = sorted(_of_class(sheets.nav, name), key=lambda row: str(row.get("nav_date")))
    points = [_point(row) for row in nav if row.get("last_val") not in (None, 0, "0", "")]
    returns = _of_class(sheets.facts["performance"], name)
    return {
        "fund_id": project.id,
        "symbol": symbol_of(profile),
        "fund_name": text_of(profile, "proj_name_en") or text_of(profile, "proj_name_th"),
        "amc": text_of(profile, "comp_name_en") or text_of(profile, "comp_name_th"),
        "metadata": {
            "fund_classification": text_of(profile, "policy_desc"),
            "management_style": text_of(profile, "management_style"),
            "dividend_policy": _dividend_policy(_of_class(sheets.facts["dividend-policy"], name)),
            "risk_level": _risk(sheets.facts["risk-spectrum"]),
            "fund_type": RMF,
        },
        "latest_nav": points[-1] if points else {},
        "nav_history_30d": points,
        "performance": _returns(returns, _FUND_RETURN),
        "benchmark": {"name": _benchmark(sheets.facts["benchmarks"]), "returns": _returns(returns, _BENCHMARK_RETURN)},
        "asset_allocation": [
            {"asset_class": text_of(row, "asset_name"), "percentage": row.get("asset_ratio")}
            for row in sorted(sheets.facts["asset-allocation"], key=lambda row: str(row.get("asset_seq", "")).zfill(6))
        ],
        "fees": [_fee(row) for row in _of_class(sheets.facts["fees"], name)],
        "investment_minimums": _minimums(_of_class(sheets.facts["subscription-redemption-minimums"], name)),
        "document_urls": _documents(_of_class(sheets.urls, name)),
        "statistics": _statistics(_of_class(sheets.facts["statistics"], name)),
        "dividends": [_dividend(row) for row in _of_class(sheets.dividends, name, "class_abbr_name")],
        "data_fetched_at": fetched_at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
    }


def _id(row: Row) -> str:
    return str(row.get("proj_id", "")).strip()


def _class(row: Row, field: str = "fund_class_name") -> str:
    """The class; empty where a fund has none."""
    name = str(row.get(field) or "").strip()
    return "" if name.casefold() in _NO_CLASS else name


def _of_class(rows: Iterable[Row], name: str, field: str = "fund_class_name") -> list[Row]:
    """Rows of a class; those of the fund as a whole where the class has none of its own."""
    rows = list(rows)
    return [row for row in rows if _class(row, field) == name] or [row for row in rows if not _class(row, field)]


def _point(row: Row) -> dict[str, Any]:
    return {name: row.get(name) for name in ("nav_date", "last_val", "net_asset", "buy_price", "sell_price")}


def _risk(rows: Iterable[Row]) -> str:
    """RS81 is the higher half of 8."""
    for row in rows:
        found = _RISK.fullmatch(text_of(row, "risk_spectrum"))
        if found is not None:
            return found[1]
    return ""


def _returns(rows: Iterable[Row], kind: str) -> dict[str, Any]:
    return {
        _PERIODS[period]: row.get("performance_value")
        for row in rows
        if text_of(row, "performance_type_desc") == kind and (period := text_of(row, "reference_period")) in _PERIODS
    }


def _benchmark(rows: Sequence[Row]) -> str:
    """Several parts make one benchmark, in the order that the fact sheet gives them."""
    named = sorted(rows, key=lambda row: str(row.get("group_seq", "")).zfill(6))
    return " + ".join(dict.fromkeys(text for row in named if (text := text_of(row, "benchmark"))))


def _fee(row: Row) -> dict[str, Any]:
    """What is paid, or where that is not told what may be charged at most."""
    actual = row.get("actual_value")
    return {
        "fee_type": text_of(row, "fee_type_desc"),
        "fee_desc": text_of(row, "fee_type_desc"),
        "fee_value": row.get("rate") if actual in (None, "") else actual,
        "fee_remark": text_of(row, "fee_other_desc") or None,
    }


def _minimums(rows: Sequence[Row]) -> dict[str, Any]:
    """Only amounts in baht: the contract's figures are."""
    row = rows[0] if rows else {}
    return {
        name: row.get(field) for name, field in _MINIMUMS.items() if text_of(row, f"{field}_cur").upper() in ("", "THB")
    }


def _documents(rows: Sequence[Row]) -> dict[str, Any]:
    latest = max(rows, key=lambda row: text_of(row, "as_of_date"), default={})
    return {"factsheet_url": text_of(latest, "pdf_factsheet") or text_of(latest, "amc_url_factsheet") or None}


def _statistics(rows: Sequence[Row]) -> dict[str, Any]:
    """Noughts throughout are the source's way to say that nothing was reported."""
    row = rows[0] if rows else {}
    found = {name: row.get(name) for name in _STATISTICS}
    told = [str(value).strip() for value in found.values() if value is not None]
    return {} if all(value in ("0", "0.0", "0.00", "-", "") for value in told) else found


def _dividend_policy(rows: Sequence[Row]) -> str:
    policy = text_of(rows[0], "dividend_policy") if rows else ""
    return {"Y": "Yes", "N": "No"}.get(policy.upper(), policy)


def _dividend(row: Row) -> dict[str, Any]:
    return {
        "book_close_date": text_of(row, "book_close_date")[:10],
        "payment_date": text_of(row, "dividend_date")[:10],
        "amount": row.get("dividend_value"),
    }
