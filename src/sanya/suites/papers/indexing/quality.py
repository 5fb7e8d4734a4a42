"""Rates a paper by study design, age, journal and subjects, in small whole numbers that anybody can check.

Age is measured from the corpus's own date, so the same corpus gives the same ratings on any day.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from importlib.resources import files

from sanya.suites.papers.indexing.name_folding import fold_name_cached
from sanya.suites.papers.pubmed.record import PaperRecord
from sanya.suites.papers.pubmed.study_headings import COHORTS, PRECLINICAL

_BEST_DESIGNS = frozenset(
    ("Meta-Analysis", "Network Meta-Analysis", "Systematic Review", "Randomized Controlled Trial", "Equivalence Trial")
)
_GOOD_DESIGNS = frozenset(
    (
        "Clinical Trial",
        "Clinical Trial, Phase I",
        "Clinical Trial, Phase II",
        "Clinical Trial, Phase III",
        "Clinical Trial, Phase IV",
        "Controlled Clinical Trial",
        "Adaptive Clinical Trial",
        "Pragmatic Clinical Trial",
        "Observational Study",
    )
)


@dataclass(frozen=True, slots=True)
class FixedQuality:
    """The part of the quality that does not depend on the date of the corpus."""

    design: int
    journal: int
    human: int


def rate_fixed_quality(record: PaperRecord) -> FixedQuality:
    design, human = rate_evidence(record)
    return FixedQuality(design, rank_journal(record.journal, record.journal_abbreviation), human)


def rate_evidence(record: PaperRecord) -> tuple[int, int]:
    return rate_types_and_headings(record.pub_types, record.study_headings)


# Cached: records differ in many headings, but few headings and combinations of types count here.
@lru_cache(maxsize=16_384)
def rate_types_and_headings(types: tuple[str, ...], headings: frozenset[str] | None) -> tuple[int, int]:
    """Return the ratings of design and subjects; `headings` is None for a record without any headings."""
    known = headings or frozenset()
    return _rate_design(frozenset(types), known), _rate_human(
        frozenset(types), known, has_headings=headings is not None
    )


def _rate_design(types: frozenset[str], headings: frozenset[str]) -> int:
    if types & _BEST_DESIGNS:
        return 3
    if types & _GOOD_DESIGNS or headings & COHORTS:
        return 2
    only_animals = "Animals" in headings and "Humans" not in headings
    return 1 if "Case Reports" in types or only_animals or headings & PRECLINICAL else 0


def _rate_human(types: frozenset[str], headings: frozenset[str], *, has_headings: bool) -> int:
    """Rate by the headings of NLM's indexers. A record without headings is rated by its type: a trial has human
    subjects (trials on animals have the type Clinical Trial, Veterinary)."""
    if "Humans" in headings:
        return 2
    if "Animals" in headings:
        return 1
    trial = not has_headings and types & (_GOOD_DESIGNS | {"Randomized Controlled Trial"})
    return 2 if trial else 0


@lru_cache(maxsize=16_384)
def rank_journal(*names: str | None) -> int:
    ranks = load_journal_ranks()
    return max((ranks.get(fold_name_cached(name), 0) for name in names if name), default=0)


@lru_cache(maxsize=16_384)
def rate_recency(published: date | None, as_of: date | None) -> int:
    """Return 2 up to five years before the corpus's date, 1 up to ten; an unknown date counts as old."""
    if published is None or as_of is None:
        return 0
    if published >= _subtract_years(as_of, 5):
        return 2
    return 1 if published >= _subtract_years(as_of, 10) else 0


@lru_cache(maxsize=64)
def _subtract_years(day: date, years: int) -> date:
    if (day.month, day.day) == (2, 29):
        day = day.replace(day=28)
    return day.replace(year=day.year - years)


@cache
def load_journal_ranks() -> dict[str, int]:
    """Return the rank of each listed journal, by each of its names."""
    return {name: rank for rank, names in _read_journal_lines() for name in names}


@cache
def load_journal_names() -> dict[str, frozenset[str]]:
    """Return all names of each listed journal, by each of its names."""
    return {name: frozenset(names) for _, names in _read_journal_lines() for name in names}


def _read_journal_lines() -> list[tuple[int, list[str]]]:
    text = files(__package__).joinpath("journals.txt").read_text(encoding="utf-8")
    rows = [line.split("|") for line in text.splitlines() if line and not line.startswith("#")]
    return [(int(rank), [fold_name_cached(name) for name in names]) for rank, *names in rows]
