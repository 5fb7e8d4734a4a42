"""The port to NCBI's E-utilities, through which a sync reads PubMed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from sanya.suites.papers.pubmed.record import PaperRecord

MOST_LISTED = 9_999
"""The most results that PubMed lists of one search. A search by narrower dates finds the rest."""


@dataclass
class DocSummary:
    """The summary of a record, with the fields that the contract gives it."""

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
    """The results of a search; `pmids` is None where PubMed has more than it lists, `warnings` are PubMed's own."""

    count: int
    pmids: tuple[str, ...] | None
    warnings: tuple[str, ...] = ()


class Entrez(Protocol):
    """NCBI's E-utilities. Dates are days, 'YYYY/MM/DD', both included.

    Raises RateLimited when PubMed refuses more requests, and UpstreamFailed for every other failure.
    """

    async def esearch(self, term: str, mindate: str, maxdate: str, datetype: str = "edat") -> PmidListing: ...

    async def esearch_delta(self, term: str, mindate: str, maxdate: str, datetype: str = "edat") -> list[str]:
        """Return all PMIDs of a range of dates, however many, the oldest dates first."""
        ...

    async def esummary_batch(self, pmids: Sequence[str]) -> list[DocSummary]:
        """Return the summaries that exist, without papers that PubMed has withdrawn."""
        ...

    async def efetch(self, pmids: Sequence[str]) -> list[PaperRecord]:
        """Return the full records that exist, without papers that PubMed has withdrawn."""
        ...
