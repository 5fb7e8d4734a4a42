"""Fields that filter and rank the chunks of a paper.

A file has far fewer journals and days than papers, so the fields of a journal or a day are computed once and cached.
"""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import NamedTuple

from sanya.suite.search import FieldValue
from sanya.suite.text import PartialDate
from sanya.suites.papers.indexing.name_folding import fold_name_cached
from sanya.suites.papers.indexing.quality import rank_journal, rate_evidence, rate_recency
from sanya.suites.papers.pubmed.record import PaperRecord
from sanya.suites.papers.sample_ids import is_sample_id

_CACHE_SIZE = 16_384


class JournalFields(NamedTuple):
    rank: int
    fields: dict[str, FieldValue]


def build_shared_fields(record: PaperRecord) -> dict[str, FieldValue]:
    """Build the fields that all chunks of a paper share.

    The parts of the quality are separate fields, because their total changes with the date of the corpus.
    `quality_total`, which the contract promises for an external index, is the total on the day the record came in.
    """
    design, human = rate_evidence(record)
    journal = build_journal_fields(record.journal, record.journal_abbreviation)
    fields: dict[str, FieldValue] = {
        "pmid": record.pmid,
        "pub_types": record.pub_types,
        "design": design,
        "journal_rank": journal.rank,
        "human": human,
        "quality_total": design + journal.rank + human + rate_recency_at_entry(record.pdat, record.edat),
        "retracted": record.is_retracted,
        **journal.fields,
    }
    if record.pdat:
        fields |= build_date_fields(record.pdat)
    if record.edat:
        fields["edat"] = record.edat
    if record.lr:
        fields["lr"] = record.lr
    if url := build_source_url(record.pmid):
        fields["source_url"] = url
    return fields


@lru_cache(_CACHE_SIZE)
def build_journal_fields(journal: str | None, abbreviation: str | None) -> JournalFields:
    fields: dict[str, FieldValue] = {}
    if journal:
        names = dict.fromkeys(map(fold_name_cached, (journal, abbreviation or journal)))
        fields = {"journal": journal, "journal_names": tuple(names)}
    return JournalFields(rank_journal(journal, abbreviation), fields)


@lru_cache(_CACHE_SIZE)
def build_date_fields(pdat: str) -> dict[str, FieldValue]:
    day = _parse_partial_date(pdat)
    return {"year": day.year, "date_first": to_date_number(day.first_day), "date_last": to_date_number(day.last_day)}


@lru_cache(_CACHE_SIZE)
def rate_recency_at_entry(pdat: str | None, edat: str | None) -> int:
    entered = date.fromisoformat(edat[:10]) if edat else None
    return rate_recency(_parse_partial_date(pdat).last_day if pdat else None, entered)


def read_publication_date(record: PaperRecord) -> PartialDate | None:
    """Return `pdat`, at the precision that PubMed gives."""
    return _parse_partial_date(record.pdat) if record.pdat else None


@lru_cache(_CACHE_SIZE)
def _parse_partial_date(text: str) -> PartialDate:
    return PartialDate(*map(int, text.split("-")))


def to_date_number(day: date) -> int:
    """Return a number such as 20240131, so that dates compare as numbers."""
    return day.year * 10_000 + day.month * 100 + day.day


def build_source_url(pmid: str) -> str | None:
    """Return the page of the paper at PubMed, or None for a sample."""
    return None if is_sample_id(pmid) else f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/"
