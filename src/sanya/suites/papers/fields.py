"""What the chunks of a paper are filtered and ranked by. Much of it belongs to a journal or a day, of which a file has
few beside its papers: that is worked out once for each."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import NamedTuple

from sanya.retrieval.documents import FieldValue
from sanya.suites.papers.names import folded_name
from sanya.suites.papers.quality import design_and_human, journal_rank, recency
from sanya.suites.papers.record import Record
from sanya.suites.papers.sample_ids import is_sample_id
from sanya.text.dates import PartialDate

_REMEMBERED = 16_384


class JournalFields(NamedTuple):
    rank: int
    fields: dict[str, FieldValue]


def shared_fields(record: Record) -> dict[str, FieldValue]:
    """What is filtered and ranked by, and what an engine outside is promised to hold. The parts of the quality stand
    apart, because its total moves with the corpus's date; `quality_total` is that of the day the record came in."""
    design, human = design_and_human(record)
    journal = journal_fields(record.journal, record.journal_abbreviation)
    found: dict[str, FieldValue] = {
        "pmid": record.pmid,
        "pub_types": record.pub_types,
        "design": design,
        "journal_rank": journal.rank,
        "human": human,
        "quality_total": design + journal.rank + human + recency_when_entered(record.pdat, record.edat),
        "retracted": record.retracted,
        **journal.fields,
    }
    if record.pdat:
        found |= day_fields(record.pdat)
    if record.edat:
        found["edat"] = record.edat
    if record.lr:
        found["lr"] = record.lr
    if url := source_url(record.pmid):
        found["source_url"] = url
    return found


@lru_cache(_REMEMBERED)
def journal_fields(journal: str | None, abbreviation: str | None) -> JournalFields:
    fields: dict[str, FieldValue] = {}
    if journal:
        names = dict.fromkeys(map(folded_name, (journal, abbreviation or journal)))
        fields = {"journal": journal, "journal_names": tuple(names)}
    return JournalFields(journal_rank(journal, abbreviation), fields)


@lru_cache(_REMEMBERED)
def day_fields(pdat: str) -> dict[str, FieldValue]:
    day = _partial_date(pdat)
    return {"year": day.year, "date_first": number_of(day.first_day), "date_last": number_of(day.last_day)}


@lru_cache(_REMEMBERED)
def recency_when_entered(pdat: str | None, edat: str | None) -> int:
    entered = date.fromisoformat(edat[:10]) if edat else None
    return recency(_partial_date(pdat).last_day if pdat else None, entered)


def published(record: Record) -> PartialDate | None:
    """`pdat` is ISO 8601, as exact as it was given."""
    return _partial_date(record.pdat) if record.pdat else None


@lru_cache(_REMEMBERED)
def _partial_date(text: str) -> PartialDate:
    return PartialDate(*map(int, text.split("-")))


def number_of(day: date) -> int:
    """20240131, so that dates are compared as numbers."""
    return day.year * 10_000 + day.month * 100 + day.day


def source_url(pmid: str) -> str | None:
    """Where PubMed has it; nowhere, if it is a sample."""
    return None if is_sample_id(pmid) else f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/"
