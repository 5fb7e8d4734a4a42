"""Records of an import, all read before anything is written: funds with their points, repairs and refusals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING

from sanya.suites.funds.fund import NavPoint, Nulls
from sanya.suites.funds.importing.layout import FundFile

if TYPE_CHECKING:
    from hashlib import _Hash as Hash


@dataclass(frozen=True, slots=True)
class FundSource:
    """A fund as its source has it. `place` is the file name, with the line number in a CSV."""

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
class FundRefusal:
    place: str
    reason: str


@dataclass(frozen=True, slots=True)
class RegisterEntry:
    """A fund in the register, which fills in what the fund's own file has lost."""

    fund_name: str | None
    fund_name_th: str | None
    amc: str | None
    registered_on: str | None


Register = Mapping[str, RegisterEntry]


@dataclass(frozen=True, slots=True)
class ImportedFund:
    """A fund ready to write. `nulls` covers the figures of the file; the writer adds those of NAV after a merge."""

    place: str
    symbol: str
    fund_name: str
    fund_name_th: str | None
    amc: str | None
    fund_classification: str | None
    risk_level: int
    fund_type: str
    benchmark_name: str | None
    returns: Mapping[str, float | None]
    benchmark_returns: Mapping[str, float | None]
    details: str
    """`FundDetails` as the JSON to store."""
    points: list[NavPoint]
    nulls: Nulls
    fetched_at: str


@dataclass(slots=True)
class FundReadResult:
    funds: list[ImportedFund] = field(default_factory=list)
    repairs: list[Repair] = field(default_factory=list)
    refused: list[FundRefusal] = field(default_factory=list)
    skipped: list[FundRefusal] = field(default_factory=list)
    """JSON files that are not about a fund."""
    hasher: Hash = field(default_factory=sha256, repr=False, compare=False)

    def add_input(self, name: str, content: bytes) -> None:
        """Add a file to the hash of the input. Its name and length keep two files apart."""
        self.hasher.update(f"{name}\0{len(content)}\0".encode())
        self.hasher.update(content)

    @property
    def sha256(self) -> str:
        """The hash over all files that were read, in their order."""
        return self.hasher.hexdigest()
