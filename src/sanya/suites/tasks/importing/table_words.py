"""The words by which tables name their columns and values, in English and Thai."""

from __future__ import annotations

from typing import Literal, get_args

from sanya.kernel.folding import fold
from sanya.suites.tasks.contract import Priority, TaskStatus

Column = Literal[
    "id",
    "title",
    "description",
    "notes",
    "project",
    "project_id",
    "status",
    "done",
    "priority",
    "important",
    "due",
    "reminder",
    "recurrence",
    "created",
    "updated",
    "completed",
]


def _by_word(table: dict[str, str]) -> dict[str, str]:
    """Each word, folded and without what parts it, to the name it stands for."""
    return {_plain(word): name for name, words in table.items() for word in (name, *words.split(", "))}


def _plain(text: str) -> str:
    return "".join(one for one in fold(text) if one not in " _-.()?*:/")


_COLUMNS = _by_word(
    {
        "id": "task id, uuid, uid, key, รหัส, รหัสงาน, ไอดี",
        "title": "task, task name, name, summary, subject, todo, content, ชื่อ, ชื่องาน, งาน, หัวข้อ, รายการ, สิ่งที่ต้องทำ",
        "description": "details, detail, text, body, รายละเอียด, คำอธิบาย",
        "notes": "notes markdown, note, comment, comments, หมายเหตุ, บันทึก, โน้ต",
        "project": "project name, list, list name, section, category, folder, โครงการ, โปรเจกต์, โปรเจค, หมวด, หมวดหมู่",
        "project_id": "รหัสโครงการ",
        "status": "state, สถานะ",
        "done": "is done, is completed, finished, เสร็จ, เสร็จแล้ว, เสร็จหรือยัง",
        "priority": "urgency, ลำดับความสำคัญ, ความสำคัญ, ความเร่งด่วน",
        "important": "is important, starred, star, flagged, สำคัญ",
        "due": "due at, due date, due on, deadline, date, วันครบกำหนด, ครบกำหนด, กำหนดส่ง, กำหนดเสร็จ, กำหนด, วันที่",
        "reminder": "remind at, remind, reminder date, เตือน, แจ้งเตือน, วันแจ้งเตือน",
        "recurrence": "repeat, repeats, recurring, frequency, ทำซ้ำ, ความถี่",
        "created": "created at, created on, date created, creation date, added, สร้างเมื่อ, วันที่สร้าง",
        "updated": "updated at, modified, last modified, modified at, changed, แก้ไขเมื่อ, แก้ไขล่าสุด, วันที่แก้ไข",
        "completed": "completed at, completed on, completed date, date completed, completion date, วันที่เสร็จ, เสร็จเมื่อ",
    }
)
_STATUSES = _by_word(
    {
        "TODO": "to do, open, new, pending, waiting, not started, needs action, backlog, "
        "ต้องทำ, รอ, รอดำเนินการ, ยังไม่เริ่ม, ยังไม่ทำ, ค้าง",
        "DOING": "in progress, started, active, in process, กำลังทำ, ดำเนินการ, กำลังดำเนินการ",
        "DONE": "completed, complete, closed, finished, เสร็จ, เสร็จแล้ว, เสร็จสิ้น, เรียบร้อย",
        "ARCHIVED": "archive, cancelled, canceled, deleted, dropped, ยกเลิก, เก็บ, เก็บถาวร",
    }
)
_PRIORITIES = _by_word(
    {
        "URGENT": "high, highest, critical, h, p1, 1, a, ด่วน, เร่งด่วน, สูง, มาก",
        "NORMAL": "medium, m, none, p2, p3, 2, b, c, ปกติ, กลาง, ปานกลาง",
        "LOW": "lowest, l, p4, 3, d, ต่ำ, น้อย, ไม่ด่วน",
    }
)
_TRUTHS = _by_word(
    {"true": "1, yes, y, x, t, on, done, ✓, ✔, ใช่, เสร็จ, เสร็จแล้ว", "false": "0, no, n, f, off, ไม่, ไม่ใช่, ยัง, ยังไม่เสร็จ"}
)


def column_named(text: str) -> str | None:
    return _COLUMNS.get(_plain(text))


def status_named(text: str) -> TaskStatus | None:
    return next((one for one in get_args(TaskStatus) if one == _STATUSES.get(_plain(text))), None)


def priority_named(text: str) -> Priority | None:
    return next((one for one in get_args(Priority) if one == _PRIORITIES.get(_plain(text))), None)


def truth_named(text: str) -> bool | None:
    named = _TRUTHS.get(_plain(text))
    return None if named is None else named == "true"
