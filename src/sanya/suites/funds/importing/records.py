"""What an import reads before anything is written: funds with their points, and what was repaired or refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sanya.suites.funds.fund import NavPoint, Nulls
from sanya.suites.funds.importing.layout import FundFile


@dataclass(frozen=True, slots=True)
class Source:
    """One fund as a file has it; `place` is the file, and the line where a file has many."""

    place: str
    file: FundFile


@dataclass(frozen=True, slots=True)
class Repair:
    place: str
    symbol: str
    field: str
    was: str
    now: str
    why: str


@dataclass(frozen=True, slots=True)
class Refusal:
    place: str
    reason: str


@dataclass(frozen=True, slots=True)
class Registered:
    """A fund in the register: what helps where its own file has lost something."""

    fund_name: str | None
    fund_name_th: str | None
    amc: str | None
    registered_on: str | None


Register = Mapping[str, Registered]


@dataclass(frozen=True, slots=True)
class ImportedFund:
    """`nulls` is about the figures that the file itself has; those of NAV are settled when points meet the store's."""

    place: str
    symbol: str
    fund_name: str
    fund_name_th: str | None
    amc: str | None
    fund_classification: str | None
    risk_level: int
    fund_type: str
    returns: Mapping[str, float | None]
    benchmark_returns: Mapping[str, float | None]
    details: str
    """`Details` as the JSON that is kept."""
    points: list[NavPoint]
    nulls: Nulls
    fetched_at: str


@dataclass(slots=True)
class ReadFunds:
    funds: list[ImportedFund] = field(default_factory=list)
    repairs: list[Repair] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    skipped: list[Refusal] = field(default_factory=list)
    """Files that hold no fund and do not pretend to."""
