"""The port to PubMed's E-utilities: what a sync asks of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from sanya.suites.papers.pubmed.record import PaperRecord

MOST_LISTED = 9_999
"""PubMed lists no more results of one search; more are found by narrower dates."""


@dataclass
class DocSummary:
    """A record in short, as the contract has it."""

    pmid: str
    title: str | None = None
    journal: str | None = None
    pub_types: list[str] = field(default_factory=list)
    pdat: str | None = None
    edat: str | None = None
    lr: str | None = None
    pmcid: str | None = None
    authors: list[str] | None = None
    abstract: str | None = None


@dataclass(frozen=True, slots=True)
class PmidListing:
    """What a search found. `pmids` is None where there are more than can be listed; `warnings` are PubMed's own."""

    count: int
    pmids: tuple[str, ...] | None
    warnings: tuple[str, ...] = ()


class Entrez(Protocol):
    """Dates are days, 'YYYY/MM/DD', both included. Failures are faults of the one tree: RateLimited when PubMed will
    not be asked so often, UpstreamFailed for everything else."""

    async def esearch(self, term: str, mindate: str, maxdate: str, datetype: str = "edat") -> PmidListing: ...

    async def esearch_delta(self, term: str, mindate: str, maxdate: str, datetype: str = "edat") -> list[str]:
        """All PMIDs of a range of dates, whatever their number, oldest dates first."""
        ...

    async def esummary_batch(self, pmids: Sequence[str]) -> list[DocSummary]:
        """Those that are there; one that PubMed has withdrawn is left out."""
        ...

    async def efetch(self, pmids: Sequence[str]) -> list[PaperRecord]:
        """The records in full; those that PubMed has withdrawn are left out."""
        ...
