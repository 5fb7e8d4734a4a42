"""Markdown check lists, Thai dates in tables, and exports of Todoist and Things."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from sanya.kernel.clock import format_timestamp
from sanya.suites.tasks.importing.formats import TaskFormat, detect_format, open_task_file
from sanya.suites.tasks.importing.rows import ImportedTask, ImportNotice, ParsedRow, RejectedRow

BANGKOK = ZoneInfo("Asia/Bangkok")

NOTES = """# งานบ้าน

- [ ] ซื้อน้ำ 📅 2025-02-01 ⏫ 🔁 every week
    two bottles
  and a lid
- [x] Fix the tap ✅ 2025-01-09 ➕ 2025-01-02
* [/] Paint [due:: 2568-03-01] [priority:: low] 🆔 paint-1

Some text, no task.

```
- [ ] an example in code
```

## Shop ##
1. [ ] Order beans 🔁 every third full moon
- [-] Old plan ❌ 2025-01-05
- [ ] Bad day 📅 2025-02-30
- not a task
"""


def parse(data: str, format: TaskFormat | None = None, name: str = "") -> list[ParsedRow]:
    return list(open_task_file(data.encode(), BANGKOK, name=name, format=format).parse_rows())


def tasks(rows: list[ParsedRow]) -> dict[str, ImportedTask]:
    return {row.title: row for row in rows if isinstance(row, ImportedTask)}


def moment(value: datetime | None) -> str | None:
    return None if value is None else format_timestamp(value)


def test_a_check_list_has_its_dates_priorities_and_headings() -> None:
    rows = parse(NOTES, name="notes.md")
    found = tasks(rows)
    assert list(found) == ["ซื้อน้ำ", "Fix the tap", "Paint", "Order beans", "Old plan"]
    water = found["ซื้อน้ำ"]
    assert (water.priority, water.is_important, water.recurrence) == ("URGENT", True, "WEEKLY")
    assert (moment(water.due_at), water.notes_markdown) == ("2025-02-01T16:59:59.999Z", "two bottles\nand a lid")
    assert water.project is not None
    assert water.project.name == "งานบ้าน"
    tap = found["Fix the tap"]
    assert (tap.status, moment(tap.created_at), moment(tap.status_since)) == (
        "DONE",
        "2025-01-01T17:00:00.000Z",
        "2025-01-08T17:00:00.000Z",
    )
    paint = found["Paint"]
    assert (paint.status, paint.key, paint.priority, moment(paint.due_at)) == (
        "DOING",
        "paint-1",
        "LOW",
        "2025-03-01T16:59:59.999Z",
    )
    assert (found["Old plan"].status, found["Old plan"].project and found["Old plan"].project.name) == (
        "ARCHIVED",
        "Shop",
    )
    assert [row.line for row in rows if isinstance(row, ImportNotice)] == [16]
    assert [row.line for row in rows if isinstance(row, RejectedRow)] == [18]


@pytest.mark.parametrize(
    ("line", "title", "due", "recurrence"),
    [
        (
            "- [ ] Pay rent 🔁 every month on the 1st 📅 2026-12-01",
            "Pay rent",
            "2026-12-01",
            "FREQ=MONTHLY;BYMONTHDAY=1",
        ),
        ("- [ ] Review ⏫ 🔁 every Monday 📅 2026-11-23 #work", "Review #work", "2026-11-23", "FREQ=WEEKLY;BYDAY=MO"),
        ("- [ ] 📅 2026-11-21 date first, then words", "date first, then words", "2026-11-21", "NONE"),
        ("- [ ] พบหมอ 📅 30 พ.ย. 2569", "พบหมอ", "2026-11-30", "NONE"),
        ("- [ ] Water 🔁 every 3 days when done", "Water", None, "FREQ=DAILY;INTERVAL=3"),
        ("- [ ] party 🎉 at home 📅️ 2026-11-24", "party 🎉 at home", "2026-11-24", "NONE"),
    ],
)
def test_signs_may_stand_anywhere_in_a_line(line: str, title: str, due: str | None, recurrence: str) -> None:
    (found,) = tasks(parse(line, "markdown")).values()
    assert (found.title, (moment(found.due_at) or "")[:10] or None, found.recurrence) == (title, due, recurrence)


@pytest.mark.parametrize("edited", ["- [x] Call the bank ✅ 2025-01-09", "* [ ] call  the BANK 📅 2025-02-01 🔼"])
def test_a_check_list_item_keeps_its_identity_through_edits(edited: str) -> None:
    (first,), (later,) = (tasks(parse(text, "markdown")).values() for text in ("- [ ] Call the bank", edited))
    assert first.identity == later.identity


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("30 พ.ย. 2569", "2026-11-30T16:59:59.999Z"),
        ("30 พฤศจิกายน 2569", "2026-11-30T16:59:59.999Z"),
        ("30 พฤศจิกายน พ.ศ. 2569", "2026-11-30T16:59:59.999Z"),
        ("๓๐ พ.ย. ๒๕๖๙", "2026-11-30T16:59:59.999Z"),
        ("1 มี.ค. 68", "2025-03-01T16:59:59.999Z"),
        ("1 ก.พ. 2568 เวลา 14:30 น.", "2025-02-01T07:30:00.000Z"),
        ("31/01/2568", "2025-01-31T16:59:59.999Z"),
        ("2025-01-31", "2025-01-31T16:59:59.999Z"),
    ],
)
def test_a_table_may_have_thai_dates(text: str, expected: str) -> None:
    (found,) = tasks(parse(f"งาน;กำหนดส่ง\nส่งรายงาน;{text}\n", "csv")).values()
    assert moment(found.due_at) == expected


@pytest.mark.parametrize("text", ["31 ก.พ. 2569", "30 xyz 2569", "พ.ย. 2569"])
def test_a_thai_date_that_is_no_day_is_refused(text: str) -> None:
    (row,) = parse(f"งาน;กำหนดส่ง\nส่งรายงาน;{text}\n", "csv")
    assert isinstance(row, RejectedRow)
    assert "พ.ย. 2569" in row.reason


TODOIST = """TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE
task,Renew passport,bring photos,1,1,Ann (1),,30 Nov 2026,en,Asia/Bangkok
note,ask at the office,,,,Ann (1),,,,
,,,,,,,,,
section,Shop,,,,,,,,
task,Order beans,,4,1,Ann (1),,every 2 weeks,en,Asia/Bangkok
task,Call Bee,,3,2,Ann (1),,next full moon,en,Asia/Bangkok
"""


def test_a_todoist_export_has_sections_comments_and_dates() -> None:
    rows = parse(TODOIST)
    found = tasks(rows)
    passport = found["Renew passport"]
    assert (passport.priority, passport.is_important, moment(passport.due_at)) == (
        "URGENT",
        True,
        "2026-11-30T16:59:59.999Z",
    )
    assert (passport.description, passport.notes_markdown) == ("bring photos", "ask at the office")
    beans = found["Order beans"]
    assert (beans.recurrence, beans.priority, beans.project and beans.project.name) == (
        "FREQ=WEEKLY;INTERVAL=2",
        "LOW",
        "Shop",
    )
    assert [row.text for row in rows if isinstance(row, ImportNotice)] == [
        "the date 'next full moon' is not understood and left out"
    ]


THINGS = """[
 {"uuid": "A1", "type": "to-do", "title": "ส่งภาษี", "status": "incomplete", "notes": "ภ.พ.30",
  "project": "P1", "project_title": "ร้าน", "deadline": "2026-11-30", "start_date": "2026-11-20",
  "created": "2026-11-01 09:00:00", "modified": "2026-11-02 09:00:00",
  "checklist": [{"title": "receipts", "status": "completed"}, {"title": "form", "status": "incomplete"}]},
 {"uuid": "A2", "type": "to-do", "title": "Old", "status": "canceled", "stop_date": "2026-11-03"},
 {"uuid": "P1", "type": "project", "title": "ร้าน", "status": "incomplete"},
 {"uuid": "A3", "type": "to-do", "title": "Odd", "status": "sleeping"}
]"""


def test_an_export_of_things_has_projects_deadlines_and_check_lists() -> None:
    rows = parse(THINGS)
    found = tasks(rows)
    tax = found["ส่งภาษี"]
    assert (tax.key, moment(tax.due_at), moment(tax.created_at)) == (
        "A1",
        "2026-11-30T16:59:59.999Z",
        "2026-11-01T02:00:00.000Z",
    )
    assert tax.notes_markdown == "ภ.พ.30\n\n- [x] receipts\n- [ ] form"
    assert tax.project is not None
    assert (tax.project.id, tax.project.name) == ("P1", "ร้าน")
    assert found["Old"].status == "ARCHIVED"
    assert [row.line for row in rows if isinstance(row, ImportNotice)] == [3]
    assert [row.line for row in rows if isinstance(row, RejectedRow)] == [4]


@pytest.mark.parametrize(
    ("data", "name", "expected"),
    [
        (NOTES, "", "markdown"),
        (NOTES, "a.md", "markdown"),
        (TODOIST, "Inbox.csv", "todoist"),
        (THINGS, "things.json", "things"),
        ('[{"uuid": "1", "description": "a", "status": "pending"}]', "tasks.json", "taskwarrior"),
        ("title,due\na,2025-01-31\n", "a.csv", "csv"),
        ("(A) call", "todo.txt", "todotxt"),
    ],
)
def test_the_format_is_recognised(data: str, name: str, expected: str) -> None:
    assert detect_format(data.encode(), name) == expected
