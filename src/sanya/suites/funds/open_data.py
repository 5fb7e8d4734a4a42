"""Conversion of the Thai SEC's open data to the layout of fund files, so that one importer reads both."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

SecRow = Mapping[str, Any]

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
# The parts of a fact sheet. The filter `latest` restricts them to the current sheet.
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
    """The port to the rows of the SEC's open data."""

    async def fetch_rows(self, path: str, **filters: str) -> list[dict[str, Any]]: ...


@dataclass(frozen=True, slots=True)
class FundProject:
    """A fund of the register with its share classes. Investors see each class as a fund of its own."""

    id: str
    profiles: tuple[SecRow, ...]

    @property
    def registered_on(self) -> str | None:
        dates = [day for row in self.profiles for day in (row.get("init_date"), row.get("regis_date")) if day]
        return str(dates[0])[:10] if dates else None


@dataclass(frozen=True, slots=True)
class Sheets:
    """The SEC's data about one project in addition to its profiles."""

    nav: Sequence[SecRow]
    urls: Sequence[SecRow]
    dividends: Sequence[SecRow]
    facts: Mapping[str, Sequence[SecRow]]


def select_rmf_projects(specifications: Iterable[SecRow], profiles: Iterable[SecRow]) -> list[FundProject]:
    """Return the active retirement funds sorted by id, without classes that are no retirement funds."""
    rmf_classes = {
        (_read_id(row), _read_class(row)) for row in specifications if str(row.get("spec_code", "")).strip() == RMF
    }
    whole_projects = {project for project, name in rmf_classes if not name}
    profiles_by_project: dict[str, list[SecRow]] = {}
    for row in profiles:
        project = _read_id(row)
        is_rmf = (project, _read_class(row)) in rmf_classes or project in whole_projects
        if is_rmf and not row.get("cancel_date"):
            profiles_by_project.setdefault(project, []).append(row)
    return [FundProject(project, tuple(rows)) for project, rows in sorted(profiles_by_project.items())]


def build_fund_files(project: FundProject, sheets: Sheets, fetched_at: datetime) -> list[dict[str, Any]]:
    """Build a fund file for each class of the project."""
    return [_build_file(project, profile, sheets, fetched_at) for profile in project.profiles]


def read_field(row: SecRow, field: str) -> str:
    return str(row.get(field) or "").strip()


def choose_symbol(profile: SecRow) -> str:
    """Return the class name, or the abbreviation of the fund if it has no classes."""
    return _read_class(profile) or read_field(profile, "proj_abbr_name")


def _build_file(project: FundProject, profile: SecRow, sheets: Sheets, fetched_at: datetime) -> dict[str, Any]:
    name = _read_class(profile)
    nav = sorted(_select_class(sheets.nav, name), key=lambda row: str(row.get("nav_date")))
    points = [_to_point(row) for row in nav if row.get("last_val") not in (None, 0, "0", "")]
    returns = _select_class(sheets.facts["performance"], name)
    return {
        "fund_id": project.id,
        "symbol": choose_symbol(profile),
        "fund_name": read_field(profile, "proj_name_en") or read_field(profile, "proj_name_th"),
        "amc": read_field(profile, "comp_name_en") or read_field(profile, "comp_name_th"),
        "metadata": {
            "fund_classification": read_field(profile, "policy_desc"),
            "management_style": read_field(profile, "management_style"),
            "dividend_policy": _read_dividend_policy(_select_class(sheets.facts["dividend-policy"], name)),
            "risk_level": _read_risk(sheets.facts["risk-spectrum"]),
            "fund_type": RMF,
        },
        "latest_nav": points[-1] if points else {},
        "nav_history_30d": points,
        "performance": _read_returns(returns, _FUND_RETURN),
        "benchmark": {
            "name": _join_benchmark(sheets.facts["benchmarks"]),
            "returns": _read_returns(returns, _BENCHMARK_RETURN),
        },
        "asset_allocation": [
            {"asset_class": read_field(row, "asset_name"), "percentage": row.get("asset_ratio")}
            for row in sorted(sheets.facts["asset-allocation"], key=lambda row: str(row.get("asset_seq", "")).zfill(6))
        ],
        "fees": [_to_fee(row) for row in _select_class(sheets.facts["fees"], name)],
        "investment_minimums": _read_minimums(_select_class(sheets.facts["subscription-redemption-minimums"], name)),
        "document_urls": _read_documents(_select_class(sheets.urls, name)),
        "statistics": _read_statistics(_select_class(sheets.facts["statistics"], name)),
        "dividends": [_to_dividend(row) for row in _select_class(sheets.dividends, name, "class_abbr_name")],
        "data_fetched_at": fetched_at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
    }


def _read_id(row: SecRow) -> str:
    return str(row.get("proj_id", "")).strip()


def _read_class(row: SecRow, field: str = "fund_class_name") -> str:
    """Return the class name, or an empty text if the fund has no classes."""
    name = str(row.get(field) or "").strip()
    return "" if name.casefold() in _NO_CLASS else name


def _select_class(rows: Iterable[SecRow], name: str, field: str = "fund_class_name") -> list[SecRow]:
    """Return the rows of a class, or those of the whole fund if the class has none."""
    rows = list(rows)
    return [row for row in rows if _read_class(row, field) == name] or [
        row for row in rows if not _read_class(row, field)
    ]


def _to_point(row: SecRow) -> dict[str, Any]:
    return {name: row.get(name) for name in ("nav_date", "last_val", "net_asset", "buy_price", "sell_price")}


def _read_risk(rows: Iterable[SecRow]) -> str:
    """Return the risk level 1 to 8. The code RS81 is the upper half of level 8."""
    for row in rows:
        match = _RISK.fullmatch(read_field(row, "risk_spectrum"))
        if match is not None:
            return match[1]
    return ""


def _read_returns(rows: Iterable[SecRow], kind: str) -> dict[str, Any]:
    return {
        _PERIODS[period]: row.get("performance_value")
        for row in rows
        if read_field(row, "performance_type_desc") == kind
        and (period := read_field(row, "reference_period")) in _PERIODS
    }


def _join_benchmark(rows: Sequence[SecRow]) -> str:
    """Join the parts of a benchmark in the order of the fact sheet."""
    parts = sorted(rows, key=lambda row: str(row.get("group_seq", "")).zfill(6))
    return " + ".join(dict.fromkeys(text for row in parts if (text := read_field(row, "benchmark"))))


def _to_fee(row: SecRow) -> dict[str, Any]:
    """Convert a fee. Its value is the fee actually charged, or the maximum rate if that is not reported."""
    actual = row.get("actual_value")
    return {
        "fee_type": read_field(row, "fee_type_desc"),
        "fee_desc": read_field(row, "fee_type_desc"),
        "fee_value": row.get("rate") if actual in (None, "") else actual,
        "fee_remark": read_field(row, "fee_other_desc") or None,
    }


def _read_minimums(rows: Sequence[SecRow]) -> dict[str, Any]:
    """Return the minimum amounts that are in baht, as the contract requires."""
    row = rows[0] if rows else {}
    return {
        name: row.get(field)
        for name, field in _MINIMUMS.items()
        if read_field(row, f"{field}_cur").upper() in ("", "THB")
    }


def _read_documents(rows: Sequence[SecRow]) -> dict[str, Any]:
    latest = max(rows, key=lambda row: read_field(row, "as_of_date"), default={})
    return {"factsheet_url": read_field(latest, "pdf_factsheet") or read_field(latest, "amc_url_factsheet") or None}


def _read_statistics(rows: Sequence[SecRow]) -> dict[str, Any]:
    """Return the statistics, or nothing if all are zero: the source reports missing statistics as zeros."""
    row = rows[0] if rows else {}
    statistics = {name: row.get(name) for name in _STATISTICS}
    texts = [str(value).strip() for value in statistics.values() if value is not None]
    return {} if all(text in ("0", "0.0", "0.00", "-", "") for text in texts) else statistics


def _read_dividend_policy(rows: Sequence[SecRow]) -> str:
    policy = read_field(rows[0], "dividend_policy") if rows else ""
    return {"Y": "Yes", "N": "No"}.get(policy.upper(), policy)


def _to_dividend(row: SecRow) -> dict[str, Any]:
    return {
        "book_close_date": read_field(row, "book_close_date")[:10],
        "payment_date": read_field(row, "dividend_date")[:10],
        "amount": row.get("dividend_value"),
    }
