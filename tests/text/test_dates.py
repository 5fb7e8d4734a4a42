from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanya.text.dates import PartialDate, find_dates, parse_date
from tests.text.strings import anything


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("15 มกราคม พ.ศ. 2566", "2023-01-15"),
        ("วันอาทิตย์ที่ 15 มกราคม 2566", "2023-01-15"),
        ("๑๕ ม.ค. ๒๕๖๖", "2023-01-15"),
        ("15 ม.ค. 66", "2023-01-15"),
        ("15 มค 2566", "2023-01-15"),
        ("วันที่ 29 กุมภาพันธ์ 2567", "2024-02-29"),
        ("5 เดือน ธันวาคม ปี พ.ศ. 2470", "1927-12-05"),
        ("1 มิ.ย. ค.ศ. 2024", "2024-06-01"),
        ("มีนาคม 2565", "2022-03"),
        ("เม.ย. 2565", "2022-04"),
        ("เดือนพฤศจิกายน พ.ศ. 2560", "2017-11"),
        ("พ.ศ. 2566", "2023"),
        ("พ.ศ.๒๕๖๖", "2023"),
        ("ค.ศ. 1999", "1999"),
        ("2566", "2023"),
        ("2023", "2023"),
        ("2023-01-15", "2023-01-15"),
        ("2566/1/15", "2023-01-15"),
        ("15/01/2566", "2023-01-15"),
        ("15.1.2023", "2023-01-15"),
        ("01/31/2023", "2023-01-31"),
        ("2023-01", "2023-01"),
        ("15 January 2023", "2023-01-15"),
        ("15th of Jan. 2023", "2023-01-15"),
        ("January 15, 2023", "2023-01-15"),
        ("Sept 3rd, 2021", "2021-09-03"),
        ("Sep 2021", "2021-09"),
        ("May 2021", "2021-05"),
        ("15 January 2566 BE", "2023-01-15"),
        ("B.E. 2566", "2023"),
        ("2566 B.E.", "2023"),
        ("A.D. 1350", "1350"),
    ],
)
def test_a_date_is_read_as_exactly_as_it_is_written(text: str, iso: str) -> None:
    found = parse_date(text)
    assert found is not None
    assert found.to_iso() == iso


@pytest.mark.parametrize(
    "text",
    [
        "",
        "31 เมษายน 2566",
        "29 February 2023",
        "2023-13-01",
        "32/1/2566",
        "yesterday",
        "12345",
        "15",
        "มกราคม",
        "5353-10",
    ],
)
def test_what_is_no_date_is_refused(text: str) -> None:
    assert parse_date(text) is None


def test_dates_are_found_where_they_stand() -> None:
    text = "ศึกษาตั้งแต่วันที่ ๑ ม.ค. ๒๕๖๕ ถึง 31 ธันวาคม 2566 (2019) and published on May 3, 2024, in 2021."
    assert [(found.span.slice(text), found.date.to_iso()) for found in find_dates(text)] == [
        ("วันที่ ๑ ม.ค. ๒๕๖๕", "2022-01-01"),
        ("31 ธันวาคม 2566", "2023-12-31"),
        ("2019", "2019"),
        ("May 3, 2024", "2024-05-03"),
        ("2021", "2021"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "ผู้ป่วย 2566 ราย",
        "2020 patients",
        "1,999.50 บาท",
        "10.1.2.3.4",
        "in 2000 patients",
        "in 2000 % of",
        "of 2,500 mg",
    ],
)
def test_a_number_that_is_no_date_is_left_alone(text: str) -> None:
    assert find_dates(text) == []


def test_a_date_knows_its_bounds_and_precision() -> None:
    year, month, day = PartialDate(2024), PartialDate(2024, 2), PartialDate(2024, 2, 3)
    assert [date.precision for date in (year, month, day)] == ["year", "month", "day"]
    assert (year.first_day, year.last_day) == (date(2024, 1, 1), date(2024, 12, 31))
    assert (month.first_day, month.last_day) == (date(2024, 2, 1), date(2024, 2, 29))
    assert day.first_day == day.last_day == date(2024, 2, 3)


def test_dates_are_written_for_readers_of_both_languages() -> None:
    day = PartialDate(2023, 1, 15)
    assert (day.to_thai(), day.to_thai(short=True)) == ("15 มกราคม พ.ศ. 2566", "15 ม.ค. 2566")
    assert (day.to_english(), day.to_english(short=True)) == ("15 January 2023", "15 Jan 2023")
    assert (PartialDate(2023, 5).to_thai(), PartialDate(2023).to_thai(short=True)) == ("พฤษภาคม พ.ศ. 2566", "พ.ศ. 2566")


_days = st.dates(date(1000, 1, 1), date(2399, 12, 31)).map(lambda day: PartialDate(day.year, day.month, day.day))


@given(_days, st.sampled_from(["day", "month", "year"]), st.booleans())
def test_what_is_written_is_read_again(day: PartialDate, precision: str, short: bool) -> None:
    month = day.month if precision != "year" else None
    known = PartialDate(day.year, month, day.day if precision == "day" else None)
    era = "" if known.year >= 1900 else "พ.ศ. "
    assert parse_date(known.to_english(short=short)) == known
    assert parse_date(known.to_iso()) == known
    assert (short and era) or parse_date(known.to_thai(short=short)) == known


@given(anything)
def test_any_text_is_searched_and_what_is_found_does_not_overlap(text: str) -> None:
    found = find_dates(text)
    ends = [end for mention in found for end in mention.span]
    assert ends == sorted(ends)
    assert parse_date(text) is None or text.strip()


@pytest.mark.parametrize("piece", ["1/", "1 ", "พ.ศ.", "15 มกราคม 2566 ", "2020-", "in 2020 ", "(2020)", " "])
def test_ten_thousand_characters_are_searched(piece: str) -> None:
    find_dates(piece * (10_000 // len(piece)))
