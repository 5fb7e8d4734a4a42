from __future__ import annotations

from datetime import date

import pytest

from sanya.suites.papers.indexing.name_folding import fold_name_cached
from sanya.suites.papers.indexing.quality import (
    FixedQuality,
    load_journal_names,
    load_journal_ranks,
    rate_fixed_quality,
    rate_recency,
)
from tests.suites.papers.harness import record


@pytest.mark.parametrize(
    ("types", "headings", "design"),
    [
        (("Randomized Controlled Trial",), (), 3),
        (("Meta-Analysis", "Case Reports"), (), 3),
        (("Systematic Review",), (), 3),
        (("Clinical Trial, Phase II",), (), 2),
        (("Journal Article",), ("Humans", "Cohort Studies"), 2),
        (("Case Reports",), ("Humans",), 1),
        (("Journal Article",), ("Animals", "Mice"), 1),
        (("Journal Article",), ("Humans", "Cell Line, Tumor"), 1),
        (("Journal Article",), ("Humans",), 0),
        (("Review",), (), 0),
        (("Clinical Trial Protocol",), (), 0),
        ((), (), 0),
    ],
)
def test_the_design_is_read_off_types_and_headings(
    types: tuple[str, ...], headings: tuple[str, ...], design: int
) -> None:
    assert rate_fixed_quality(record(1, "T", pub_types=types, mesh=headings)).design == design


@pytest.mark.parametrize(
    ("types", "headings", "human"),
    [
        ((), ("Humans", "Animals"), 2),
        ((), ("Animals",), 1),
        ((), (), 0),
        (("Randomized Controlled Trial",), (), 2),
        (("Randomized Controlled Trial",), ("Animals",), 1),
        (("Clinical Trial, Veterinary",), (), 0),
    ],
)
def test_people_count_before_animals(types: tuple[str, ...], headings: tuple[str, ...], human: int) -> None:
    assert rate_fixed_quality(record(1, "T", pub_types=types, mesh=headings)).human == human


def test_a_journal_is_known_by_each_of_its_names() -> None:
    by_title = record(1, "T", journal="The New England journal of medicine")
    by_abbreviation = record(1, "T", journal="New Engl. J.", journal_abbreviation="N Engl J Med")
    assert rate_fixed_quality(by_title).journal == rate_fixed_quality(by_abbreviation).journal == 2
    assert rate_fixed_quality(record(1, "T", journal="PLoS one")).journal == 1
    assert rate_fixed_quality(record(1, "T", journal="Journal of Nowhere")).journal == 0
    assert rate_fixed_quality(record(1, "T")) == FixedQuality(0, 0, 0)


def test_the_list_of_journals_has_no_name_twice() -> None:
    assert set(load_journal_ranks().values()) == {1, 2}
    assert fold_name_cached("N Engl J Med") in load_journal_names()[fold_name_cached("NEJM")]
    assert all(load_journal_names()[other] == names for names in load_journal_names().values() for other in names)


@pytest.mark.parametrize(
    ("published", "points"),
    [
        (date(2026, 5, 1), 2),
        (date(2021, 2, 28), 2),
        (date(2021, 2, 27), 1),
        (date(2016, 2, 28), 1),
        (date(2016, 2, 27), 0),
        (None, 0),
    ],
)
def test_recency_is_counted_from_the_corpus_date(published: date | None, points: int) -> None:
    assert rate_recency(published, date(2026, 2, 28)) == points


def test_a_leap_day_has_birthdays_too() -> None:
    assert rate_recency(date(2019, 2, 28), date(2024, 2, 29)) == 2
    assert rate_recency(date(2020, 1, 1), None) == 0
