"""Repair of rows with shifted columns: one text is missing, and every later value stands one column too far left.

The missing text is the fund's name or its manager. A row is repaired only if every column then holds a valid value.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

_POLICIES = frozenset({"no", "yes"})
_STYLES = frozenset({"AM", "AN", "PM", "PN", "SM", "OT", "-"})
_CLASSIFICATION = re.compile(r"-|[A-Z]{2,}[A-Za-z0-9]*")
_RISK = re.compile(r"[1-8]")


@dataclass(frozen=True, slots=True)
class FundColumns:
    """The columns that can shift, as texts."""

    fund_name: str
    amc: str
    fund_classification: str
    management_style: str
    dividend_policy: str
    risk_level: str


class CannotPlace(ValueError):
    """A row that cannot be read as a fund, repaired or not. The message says what is wrong."""


def is_shifted(columns: FundColumns) -> bool:
    return columns.management_style.casefold() in _POLICIES


def restore_columns(columns: FundColumns, managers: Collection[str]) -> FundColumns:
    """Return the columns in their places, with the missing one empty."""
    moved = replace(
        columns,
        fund_classification=columns.amc,
        management_style=columns.fund_classification,
        dividend_policy=columns.management_style,
        risk_level=columns.dividend_policy,
    )
    _check(moved)
    if columns.fund_name in managers:
        return replace(moved, fund_name="", amc=columns.fund_name)
    return replace(moved, amc="")


def _check(columns: FundColumns) -> None:
    if not _RISK.fullmatch(columns.risk_level):
        raise CannotPlace(f"the columns are shifted, and no column holds a risk of 1 to 8 (got {columns.risk_level!r})")
    if columns.management_style not in _STYLES:
        raise CannotPlace(f"the columns are shifted, and {columns.management_style[:40]!r} is no management style")
    if not _CLASSIFICATION.fullmatch(columns.fund_classification):
        raise CannotPlace(f"the columns are shifted, and {columns.fund_classification[:40]!r} is no classification")
