"""Rows whose columns slipped: one text was lost on the way, and all that follows it stands one column too early.

The lost one is the fund's name or its manager. A row is put right only where every column then holds what it should.
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
class Columns:
    """The columns that can slip, as texts."""

    fund_name: str
    amc: str
    fund_classification: str
    management_style: str
    dividend_policy: str
    risk_level: str


class CannotPlace(ValueError):
    """No reading of the row has every column in its place; the message says what is wrong."""


def is_shifted(columns: Columns) -> bool:
    return columns.management_style.casefold() in _POLICIES


def unshift(columns: Columns, managers: Collection[str]) -> Columns:
    """The columns in their places; the lost one is empty."""
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


def _check(columns: Columns) -> None:
    if not _RISK.fullmatch(columns.risk_level):
        raise CannotPlace(f"its columns are shifted, and no column holds a risk of 1 to 8 (got {columns.risk_level!r})")
    if columns.management_style not in _STYLES:
        raise CannotPlace(f"its columns are shifted, and {columns.management_style[:40]!r} is no management style")
    if not _CLASSIFICATION.fullmatch(columns.fund_classification):
        raise CannotPlace(f"its columns are shifted, and {columns.fund_classification[:40]!r} is no classification")
