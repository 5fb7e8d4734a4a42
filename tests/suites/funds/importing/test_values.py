from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest

from sanya.suites.funds.importing.values import Unreadable, read_base64, read_day, read_number, read_text


@pytest.mark.parametrize("value", ["-", "Unknown", " n/a ", None, ""])
def test_every_way_to_say_unknown_is_none(value: Any) -> None:
    assert read_text(value) is None
    assert read_number(value) is None


@pytest.mark.parametrize(("value", "number"), [("1,000.50", 1000.5), ("0", 0.0), (0, 0.0), ("1.00", 1.0), (-3, -3.0)])
def test_numbers_come_as_numbers_and_as_strings(value: Any, number: float) -> None:
    assert read_number(value) == number


@pytest.mark.parametrize("value", ["abc", "NaN", "inf", True, [], {}, 10**400])
def test_what_is_no_number_is_refused(value: Any) -> None:
    with pytest.raises(Unreadable):
        read_number(value)


@pytest.mark.parametrize("text", ["2025-11-07", "2568-11-07", "7/11/2025", "07/11/2568", "2025-11-07T08:11:44.25"])
def test_a_day_is_read_in_either_era(text: str) -> None:
    assert read_day(text) == "2025-11-07"


def test_29_february_2567_is_a_day_because_2024_was_a_leap_year() -> None:
    assert read_day("2567-02-29") == "2024-02-29"


@pytest.mark.parametrize("text", ["2025-02-30", "yesterday", "2025-13-01", "0000-01-01"])
def test_what_is_no_day_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        read_day(text)


def test_base64_is_decoded_and_plain_text_stays() -> None:
    assert read_base64(b64encode("เสี่ยงสูง".encode()).decode()) == "เสี่ยงสูง"
    assert read_base64("Long-term investors") == "Long-term investors"
    assert read_base64("abcdefgh") == "abcdefgh"
    assert read_base64("-") is None
