"""Words for the state of a task in tables that people keep in Thai."""

from __future__ import annotations

import pytest

from sanya.suites.tasks.importing.table_vocabulary import find_priority, find_status


@pytest.mark.parametrize(
    ("word", "status"),
    [
        ("ยังไม่เสร็จ", "TODO"),
        ("ยังไม่ได้ทำ", "TODO"),
        ("อยู่ระหว่างดำเนินการ", "DOING"),
        ("เรียบร้อยแล้ว", "DONE"),
        ("ทำแล้ว", "DONE"),
        ("ยกเลิกแล้ว", "ARCHIVED"),
    ],
)
def test_a_thai_status_is_understood(word: str, status: str) -> None:
    assert find_status(word) == status


def test_a_thai_priority_is_understood() -> None:
    assert find_priority("ด่วนที่สุด") == "URGENT"
    assert find_priority("ธรรมดา") == "NORMAL"
