"""Filters of a search: their check, and what each of them finds alone when together they find nothing."""

from __future__ import annotations

from typing import Any

from sanya.suite import InvalidArgument
from sanya.suites.funds import contract
from sanya.suites.funds.fund import fold_code
from sanya.suites.funds.fund_snapshot import FundFilter, FundSnapshot

FundFilters = dict[str, str | int | float]

_CONDITIONS = {
    "search": "text",
    "amc": "amc",
    "minRiskLevel": "min_risk",
    "maxRiskLevel": "max_risk",
    "minYtdReturn": "min_ytd",
    "category": "category",
}


def to_conditions(filters: FundFilters) -> FundFilter:
    values: dict[str, Any] = {_CONDITIONS[name]: value for name, value in filters.items()}
    return FundFilter(**values)


def count_alone(snapshot: FundSnapshot, filters: FundFilters) -> list[tuple[FundFilters, int]]:
    """Count the funds that each filter, and each word of the search text, finds without the others."""
    parts: list[FundFilters] = [{"search": word} for word in str(filters.get("search", "")).split()]
    parts += [{name: filters[name]} for name in ("amc", "category", "minYtdReturn") if name in filters]
    parts += [{"search": filters["category"]}] if "category" in filters and "search" not in filters else []
    risk: FundFilters = {name: filters[name] for name in ("minRiskLevel", "maxRiskLevel") if name in filters}
    parts += [risk] if risk else []
    return [(part, len(snapshot.select(to_conditions(part), "name", descending=False))) for part in parts]


def suggest_managers(snapshot: FundSnapshot, filters: FundFilters) -> list[str]:
    """Return the names most like that of an unknown manager."""
    amc = filters.get("amc")
    if amc is None or len(snapshot.select(FundFilter(amc=str(amc)), "name", descending=False)):
        return []
    return snapshot.suggest_managers(str(amc))


def check_filters(request: contract.SearchFundsInput) -> FundFilters:
    least, most = request.min_risk_level, request.max_risk_level
    filters: FundFilters = drop_blank(
        search=request.search,
        amc=request.amc,
        minRiskLevel=least,
        maxRiskLevel=most,
        minYtdReturn=request.min_ytd_return,
        category=request.category,
    )
    if not filters:
        raise InvalidArgument(
            "at least one filter is required",
            hint="Give search, amc, minRiskLevel, maxRiskLevel, minYtdReturn or category; get_rmf_funds lists all.",
        )
    if least is not None and most is not None and least > most:
        raise InvalidArgument(
            f"minRiskLevel {least} is above maxRiskLevel {most}",
            field="minRiskLevel",
            hint="Give a minRiskLevel that is at most maxRiskLevel; both are 1 to 8.",
        )
    return filters


def drop_blank(**filters: Any) -> dict[str, Any]:
    """Drop filters that are None or blank."""
    return {
        name: value
        for name, value in filters.items()
        if value is not None and (not isinstance(value, str) or fold_code(value))
    }
