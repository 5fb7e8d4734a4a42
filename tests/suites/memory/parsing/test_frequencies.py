"""How often something happens, in English and Thai."""

from decimal import Decimal

import pytest

from sanya.suites.memory.parsing.frequencies import find_frequencies
from sanya.suites.memory.parsing.written_numbers import rewrite_numbers


def read_hours(text: str) -> list[Decimal]:
    return [found.hours for found in find_frequencies(rewrite_numbers(text))]


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("The filter is changed every quarter.", "The filter is changed once every three months."),
        ("Rounds take place every other day.", "Rounds take place every two days."),
        ("Payroll runs monthly.", "Payroll runs once a month."),
        ("กินยาวันเว้นวัน", "กินยาทุก 2 วัน"),
        ("ประชุมสัปดาห์ละครั้ง", "ประชุมทุกอาทิตย์"),
        ("รดน้ำวันละสองครั้ง", "The garden is watered twice a day."),
    ],
)
def test_one_frequency_in_two_ways_is_equal(text: str, same: str) -> None:
    assert len(read_hours(text)) == 1
    assert abs(read_hours(text)[0] - read_hours(same)[0]) < 1


@pytest.mark.parametrize(
    "text", ["The bus leaves every Monday.", "รถขยะมาทุกวันพุธ", "The weekly report is late.", "We met once in Rome."]
)
def test_a_weekday_or_a_name_is_no_frequency(text: str) -> None:
    assert read_hours(text) == []
