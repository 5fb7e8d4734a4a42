"""Lookup of funds by code, with the nearest codes where one is unknown."""

from __future__ import annotations

from sanya.suite import InvalidArgument, NotFound
from sanya.suites.funds.fund import Fund
from sanya.suites.funds.fund_snapshot import FundSnapshot


def find_fund(snapshot: FundSnapshot, code: str, field: str) -> Fund:
    fund = snapshot.find(code)
    if fund is None:
        raise _build_not_found(snapshot, [code], field)
    return fund


def find_funds(snapshot: FundSnapshot, codes: list[str]) -> list[Fund]:
    """Find all funds. Raise if one is unknown or named twice."""
    matches = [snapshot.find(code) for code in codes]
    unknown = [code for code, fund in zip(codes, matches, strict=True) if fund is None]
    if unknown:
        raise _build_not_found(snapshot, unknown, "fundCodes")
    funds = [fund for fund in matches if fund is not None]
    if len({fund.symbol for fund in funds}) < len(funds):
        raise InvalidArgument("fundCodes names a fund twice", field="fundCodes", hint="Give different fund codes.")
    return funds


def _build_not_found(snapshot: FundSnapshot, codes: list[str], field: str) -> NotFound:
    listing = ", ".join(repr(code) for code in codes)
    nearest = [symbol for code in codes for symbol in snapshot.suggest_codes(code)]
    suggestion = f"Nearest codes: {', '.join(dict.fromkeys(nearest))}. " if nearest else ""
    return NotFound(
        f"Fund code {listing} does not exist" if len(codes) == 1 else f"Fund codes {listing} do not exist",
        hint=f"{suggestion}search_rmf_funds finds codes by part of the name.",
        details={"field": field, "invalidCodes": codes, "nearest": list(dict.fromkeys(nearest))},
    )
