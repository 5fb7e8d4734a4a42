"""Parsers: what decides an id, reasons of rejected rows, and that no input makes a parser fail."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanya.suites.tasks.importing.formats import FORMATS, TaskFormat, detect_format, open_task_file
from sanya.suites.tasks.importing.recurrence import read_recurrence
from sanya.suites.tasks.importing.rows import ImportedTask, ParsedRow, RejectedRow
from tests.long_form import often

UTC = ZoneInfo("UTC")


def rows(data: str | bytes, format: TaskFormat) -> list[ParsedRow]:
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    return list(open_task_file(raw, UTC, format=format).parse_rows())


def only_task(data: str, format: TaskFormat) -> ImportedTask:
    (row,) = rows(data, format)
    assert isinstance(row, ImportedTask), row
    return row


def reason(data: str | bytes, format: TaskFormat) -> str:
    found = [row for row in rows(data, format) if isinstance(row, RejectedRow)]
    assert len(found) == 1, found
    return found[0].reason


@pytest.mark.parametrize(
    "edited",
    [
        "(A) 2025-01-02 Call the bank",
        "2025-01-02 Call the bank due:2025-02-01 +Shop @phone",
        "2025-01-02 call  the BANK",
        "x 2025-01-09 2025-01-02 Call the bank pri:A",
    ],
)
def test_a_line_of_todo_txt_keeps_its_identity_through_edits(edited: str) -> None:
    assert only_task(edited, "todotxt").identity == only_task("2025-01-02 Call the bank", "todotxt").identity


def test_other_words_or_another_day_make_another_task() -> None:
    before = only_task("2025-01-02 Call the bank", "todotxt").identity
    assert only_task("2025-01-02 Call the boat", "todotxt").identity != before
    assert only_task("2025-01-03 Call the bank", "todotxt").identity != before


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "NONE"), ("daily", "DAILY"), ("1w", "WEEKLY"), ("+1m", "MONTHLY"), ("2w", "FREQ=WEEKLY;INTERVAL=2"),
        ("P1Y", "YEARLY"), ("1b", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"), ("weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("FREQ=DAILY", "DAILY"), ("RRULE:FREQ=WEEKLY;INTERVAL=1", "WEEKLY"), ("3 days", "FREQ=DAILY;INTERVAL=3"),
        ("FREQ=MONTHLY;BYMONTHDAY=-1", "FREQ=MONTHLY;BYMONTHDAY=-1"), ("ทุกเดือน", "MONTHLY"), ("0d", None),
        ("often", None),
    ],
)  # fmt: skip
def test_a_recurrence_is_a_word_where_one_says_it_and_a_rule_elsewhere(text: str, expected: str | None) -> None:
    assert read_recurrence(text) == expected


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        ("a.ics", b"", "ical"),
        ("a.txt", b"BEGIN:VCALENDAR\r\n", "ical"),
        ("a.txt", b'[{"uuid": "1"}]', "taskwarrior"),
        ("a.csv", b"whatever", "csv"),
        ("a", b"Title,Due\nx,\n", "csv"),
        ("a", "ชื่องาน\tสถานะ\n".encode(), "csv"),
        ("a", b"(A) call mom\n", "todotxt"),
        ("a", b"\xef\xbb\xbfBEGIN:VCALENDAR", "ical"),
        ("todo.txt", b"title, due and the rest\n", "todotxt"),
        ("a.JSON", b"", "taskwarrior"),
    ],
)
def test_contents_without_doubt_come_before_the_name(name: str, head: bytes, expected: str) -> None:
    assert detect_format(head, name) == expected


def test_a_format_that_is_asked_for_is_taken() -> None:
    assert open_task_file(b"BEGIN:VCALENDAR", UTC, format="todotxt").format == "todotxt"


@pytest.mark.parametrize(
    ("data", "format", "said"),
    [
        ("nothing,known\n1,2\n", "csv", "first row"),
        ("title\n\ud800\n", "csv", "save the file as UTF-8"),
        ("title\nทดสอบ\n".encode("cp874"), "csv", "save the file as UTF-8"),
        ("ชื่องาน\nทดสอบ\n".encode("cp874"), "csv", "save it as UTF-8"),
        ("title\na\0b\n", "csv", "NUL"),
        ("title,priority\na,whatever\n", "csv", "priority"),
        ("title,done\na,perhaps\n", "csv", "yes or no"),
        ("title,repeat\na,often\n", "csv", "recurrence"),
        ("title,repeat\na,FREQ=SOMETIMES\n", "csv", "recurrence"),
        (f"title\n{'x' * 5000}\n", "csv", "5,000 characters"),
        ("a\ud800b", "todotxt", "UTF-8"),
        ("[1]", "taskwarrior", "object"),
        ('{"uuid": 5, "description": "x"}', "taskwarrior", "uuid must be text"),
        ('{"description": "x", "tags": "home"}', "taskwarrior", "tags must be a list"),
        ('{"description": "x", "priority": "X"}', "taskwarrior", "priority"),
        ("not json at all", "taskwarrior", "not JSON"),
        ("BEGIN:VTODO\nSUMMARY:x\nPRIORITY:high\nEND:VTODO", "ical", "PRIORITY"),
        ("BEGIN:VTODO\nSUMMARY:x\nSTATUS:LATER\nEND:VTODO", "ical", "STATUS"),
        ("BEGIN:VTODO\nSUMMARY:x\nDTSTART:20250101\nDURATION:long\nEND:VTODO", "ical", "duration"),
        ("BEGIN:VTODO\nSUMMARY:x\nDTSTART:00020101\nDURATION:-P9999W\nEND:VTODO", "ical", "leaves the calendar"),
        ("BEGIN:VTODO\nSUMMARY:\ud800\nEND:VTODO", "ical", "UTF-8"),
        ("BEGIN:VTODO\nSUMMARY:x\nDESCRIPTION;LANGUAGE=th\nEND:VTODO", "ical", "line 3: there is no colon"),
        ("BEGIN:VTODO\nSUMMARY:x\nDUE:P1D\nEND:VTODO", "ical", "which is no date"),
        ("BEGIN:VTODO\nSUMMARY:x\nDUE;VALUE=URI:http://x\nEND:VTODO", "ical", "which is no date"),
        ("BEGIN:VTODO\nSUMMARY:x\nPRIORITY;VALUE=TEXT:3\nEND:VTODO", "ical", "PRIORITY"),
        ("BEGIN:VTODO\nSUMMARY:x\nDUE;TZID=Asia:20250110T120000\nEND:VTODO", "ical", "time zone"),
        (f"BEGIN:VTODO\nSUMMARY:x\nDUE;TZID={'x' * 999}:20250110T120000\nEND:VTODO", "ical", "time zone"),
    ],
)
def test_a_row_that_cannot_be_read_says_why(data: str | bytes, format: TaskFormat, said: str) -> None:
    assert said in reason(data, format)


@pytest.mark.parametrize("format", ["csv", "todotxt", "taskwarrior", "ical"])
def test_an_id_too_long_for_an_id_is_replaced_by_a_digest_that_stays(format: TaskFormat) -> None:
    long = "x" * 400
    data = {
        "csv": f"id,title\n{long},a\n",
        "todotxt": f"a id:{long}",
        "taskwarrior": f'{{"uuid": "{long}", "description": "a"}}',
        "ical": f"BEGIN:VTODO\nUID:{long}\nSUMMARY:a\nEND:VTODO",
    }[format]
    first, second = only_task(data, format).key, only_task(data, format).key
    assert first == second
    assert first is not None
    assert len(first) < 30


@pytest.mark.parametrize("line", ["a due:0001-01-01", "0001-01-01 a", "x 0001-01-01 a", "a t:0000-00-00"])
def test_a_day_at_the_edge_of_the_calendar_is_no_failure(line: str) -> None:
    (row,) = open_task_file(line.encode(), ZoneInfo("Pacific/Apia"), format="todotxt").parse_rows()
    assert isinstance(row, RejectedRow) == (line != "a due:0001-01-01")


def test_an_indented_taskwarrior_file_is_read_whole() -> None:
    found = rows('[\n  {\n    "description": "a"\n  },\n  {\n    "description": "b"\n  }\n]', "taskwarrior")
    assert [(row.line, row.title) for row in found if isinstance(row, ImportedTask)] == [(1, "a"), (2, "b")]


def test_a_taskwarrior_file_on_one_line_is_read() -> None:
    found = rows('[{"description":"a"},{"description":"b"}]', "taskwarrior")
    assert [row.title for row in found if isinstance(row, ImportedTask)] == ["a", "b"]


def test_an_alarm_rings_before_the_start_unless_told_otherwise() -> None:
    times = "DTSTART:20250110T100000Z\nDUE:20250110T120000Z"
    todo = f"BEGIN:VTODO\nSUMMARY:a\n{times}\nBEGIN:VALARM\nTRIGGER{{}}\nEND:VALARM\nEND:VTODO"
    for trigger, expected in (
        (":-PT15M", "2025-01-10T09:45"),
        (";RELATED=END:-P1D", "2025-01-09T12:00"),
        (";VALUE=DATE-TIME:20250109T080000Z", "2025-01-09T08:00"),
    ):
        found = only_task(todo.format(trigger), "ical").remind_at
        assert found is not None
        assert found.isoformat().startswith(expected)


SUMMER_TIME = """BEGIN:VTIMEZONE
TZID:{}
BEGIN:STANDARD
DTSTART:19701025T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
TZOFFSETFROM:+0300
TZOFFSETTO:+0200
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:19700329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
TZOFFSETFROM:+0200
TZOFFSETTO:+0300
END:DAYLIGHT
END:VTIMEZONE
"""


@pytest.mark.parametrize(
    ("due", "expected"),
    [
        (";TZID=Ours:20250110T120000", "2025-01-10T10:00"),
        (";TZID=Ours:20250710T120000", "2025-07-10T09:00"),
        (";TZID=SE Asia Standard Time:20250110T120000", "2025-01-10T05:00"),
        (";TZID=Tzfile/Europe/Berlin:20250710T120000", "2025-07-10T10:00"),
        (";TZID=Asia/Bangkok:20250110", "2025-01-10T23:59:59.999"),
        (":20161231T235960Z", "2016-12-31T23:59:59"),
        (":25680110T120000Z", "2025-01-10T12:00"),
    ],
)
def test_a_time_of_icalendar_is_read_in_its_zone(due: str, expected: str) -> None:
    task = only_task(f"{SUMMER_TIME.format('Ours')}BEGIN:VTODO\nSUMMARY:a\nDUE{due}\nEND:VTODO", "ical")
    assert task.due_at is not None
    assert task.due_at.isoformat().startswith(expected)


def test_a_zone_that_another_file_defines_is_unknown() -> None:
    todo = "BEGIN:VTODO\nSUMMARY:a\nDUE;TZID=Theirs:20250110T120000\nEND:VTODO"
    assert only_task(SUMMER_TIME.format("Theirs") + todo, "ical").due_at is not None
    assert "time zone 'Theirs' is unknown" in reason(todo, "ical")


def test_a_bad_zone_definition_spoils_no_task_that_does_not_use_it() -> None:
    twice = "BEGIN:VTIMEZONE\nTZID:a\nTZID:a\nEND:VTIMEZONE\n"
    assert only_task(f"{twice}BEGIN:VTODO\nSUMMARY:x\nEND:VTODO", "ical").title == "x"


def test_a_task_without_its_end_takes_no_other_with_it() -> None:
    begun, whole = "BEGIN:VTODO\nSUMMARY:a\n", "BEGIN:VTODO\nSUMMARY:b\nEND:VTODO\n"
    first, second = rows(begun + whole, "ical")
    assert isinstance(first, RejectedRow)
    assert isinstance(second, ImportedTask)
    assert (first.line, second.line, second.title) == (1, 3, "b")


PIECES = st.sampled_from(
    [b"BEGIN:VTODO\n", b"END:VTODO\n", b"BEGIN:VCALENDAR\n", b"SUMMARY:x\n", b"DUE:", b"DUE;TZID=", b"title,due\n",
     b'"', b",", b"\n", b"\r\n ", b"x 2025-01-01 ", b"(A) ", b"due:", b"rec:", b"99999999T999999Z", b"9999-12-31",
     b"0001-01-01", b"[", b"{", b"}", b'{"description":"a","entry":"', b'"},\n', b"\xef\xbb\xbf", b"\xff\xfe", b"\0",
     b"RRULE:", b"TRIGGER:", b"-P9999W", "ชื่องาน;".encode(), b":", b";", b"=", b"BEGIN:VTIMEZONE\nTZID:a\n",
     b"TZOFFSETTO:+9999\n", b"DTSTART:00010101\nDURATION:", b"BEGIN:VALARM\n", b"END:VALARM\n", b"END:VTIMEZONE\n",
     b"DUE;VALUE=URI:x\n", b"PRIORITY;VALUE=DATE:20250101\n", b"CATEGORIES;VALUE=PERIOD:x\n", b"TZID:a\n"]
)  # fmt: skip


@pytest.mark.parametrize("format", FORMATS)
@settings(max_examples=often(75, 300))
@given(data=st.lists(PIECES | st.binary(max_size=6), max_size=25).map(b"".join))
def test_no_file_makes_a_parser_fail(format: Any, data: bytes) -> None:
    for row in open_task_file(data, ZoneInfo("Pacific/Apia"), format=format).parse_rows():
        assert row.line >= 1
    detect_format(data)
