"""The week: its start and end in a time zone, also with clock changes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanya.kernel.clock import format_timestamp
from sanya.kernel.faults import InvalidArgument
from sanya.suites.tasks.week import find_week

BANGKOK = ZoneInfo("Asia/Bangkok")
BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2025, 1, 16, 12, 0, tzinfo=UTC)


def bounds(start: str | None, zone: ZoneInfo, now: datetime = NOW) -> tuple[str, str]:
    week = find_week(start, now, zone)
    return format_timestamp(week.start), format_timestamp(week.end)


def test_the_current_week_runs_from_monday_to_monday() -> None:
    assert bounds(None, ZoneInfo("UTC")) == ("2025-01-13T00:00:00.000Z", "2025-01-20T00:00:00.000Z")


def test_monday_begins_when_it_begins_in_the_time_zone() -> None:
    sunday_evening_in_utc = datetime(2025, 1, 12, 18, 0, tzinfo=UTC)
    assert bounds(None, BANGKOK, sunday_evening_in_utc) == ("2025-01-12T17:00:00.000Z", "2025-01-19T17:00:00.000Z")


@pytest.mark.parametrize(
    "start",
    [
        "2025-01-08",
        "2025-01-08T00:00:00",
        "2025-01-08T23:59:59.999",
        "2025-01-08 15:30",
        "2025-01-08T16:59:59Z",
        "2025-01-08T00:30:00+07:00",
        "2025-01-07T18:00:00+00:00",
        "2568-01-08",
        "2568-01-08T10:00:00+07:00",
    ],
)
def test_an_explicit_start_is_truncated_to_its_day_in_the_time_zone(start: str) -> None:
    assert bounds(start, BANGKOK) == ("2025-01-07T17:00:00.000Z", "2025-01-14T17:00:00.000Z")


def test_a_leap_day_of_the_buddhist_era_is_a_day() -> None:
    assert bounds("2567-02-29", ZoneInfo("UTC"))[0] == "2024-02-29T00:00:00.000Z"


@pytest.mark.parametrize(
    "start",
    ["", "today", "2025-13-01", "2025-02-30", "2025-01", "20250106", "2025-1-6", "2025-01-06T25:00", "06/01/2025",
     "2025-01-06junk", "0000-01-01", "๒๐๒๕-๐๑-๐๖"],
)  # fmt: skip
def test_what_is_no_day_is_refused(start: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        find_week(start, NOW, ZoneInfo("UTC"))
    assert caught.value.details["field"] == "week_start_iso"


def test_a_day_whose_first_moment_lies_before_the_calendar_of_utc_is_refused() -> None:
    with pytest.raises(InvalidArgument):
        find_week("0001-01-01", NOW, BANGKOK)


@pytest.mark.parametrize(
    ("start", "zone", "hours"),
    [
        ("2025-03-24", "Europe/Berlin", 167),  # the clocks go forward on Sunday
        ("2025-10-20", "Europe/Berlin", 169),
        ("2025-03-31", "Europe/Berlin", 168),
        ("2025-04-21", "Africa/Cairo", 167),  # they skip midnight itself, inside the week
        ("2025-04-25", "Africa/Cairo", 167),  # the first day begins at one o'clock, and so is an hour short
        ("2025-10-27", "America/Havana", 169),  # midnight comes twice
        ("2025-01-06", "Asia/Bangkok", 168),
    ],
)
def test_a_week_in_which_the_clocks_change_is_seven_days_of_the_calendar(start: str, zone: str, hours: int) -> None:
    week = find_week(start, NOW, ZoneInfo(zone))
    assert week.end - week.start == timedelta(hours=hours)


def test_the_period_ends_now_while_the_week_runs_and_with_the_week_afterwards() -> None:
    assert find_week(None, NOW, BERLIN).period_end == NOW
    past = find_week("2025-01-06", NOW, BERLIN)
    assert past.period_end == past.end
    assert past.is_over


@given(
    now=st.datetimes(datetime(1980, 1, 1), datetime(2090, 1, 1)).map(lambda moment: moment.replace(tzinfo=UTC)),
    zone=st.sampled_from(["UTC", "Asia/Bangkok", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"]),
)
def test_now_is_always_in_the_current_week_and_weeks_meet_without_a_gap(now: datetime, zone: str) -> None:
    week = find_week(None, now, ZoneInfo(zone))
    assert week.start <= now < week.end
    assert week.start.astimezone(ZoneInfo(zone)).weekday() == 0
    assert find_week(None, week.end, ZoneInfo(zone)).start == week.end
