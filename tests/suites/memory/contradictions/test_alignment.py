"""Statements laid side by side: what excludes each other in other words, and what does not."""

from datetime import date
from pathlib import Path

import pytest

from sanya.suites.memory.contradictions.alignment import StatementConflict, find_statement_conflict
from sanya.suites.memory.contradictions.statements import read_statements
from sanya.suites.memory.parsing.written_numbers import rewrite_numbers

DAY, LATER = date(2026, 3, 2), date(2026, 3, 9)
# Both hold: other things, other times, other people. None of them may be linked.
KEPT_APART = (Path(__file__).parent / "kept_apart.txt").read_text(encoding="utf-8").splitlines()


def compare(older: str, newer: str) -> StatementConflict | None:
    return find_statement_conflict(read_statements(newer, LATER), read_statements(older, DAY))


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The ferry is booked for 9 July.", "Rebooked the ferry to 12 July."),
        ("CI runs on Jenkins.", "We migrated CI from Jenkins to GitHub Actions."),
        ("Beatrix handles returns.", "Returns are handled by Callum from now on, not Beatrix."),
        ("Mr Abara takes warfarin.", "Warfarin was discontinued for Mr Abara."),
        ("The Leeds branch employs 14 people.", "After the layoffs the Leeds branch employs nine people."),
        ("Nils weighs 91 kg.", "Nils is down to 86 kg."),
        ("ค่าส่วนกลางเดือนละ ๑,๒๐๐ บาท", "นิติแจ้งขึ้นค่าส่วนกลางเป็นเดือนละ ๑,๕๐๐ บาท"),
        ("งานวัดจัดวันเสาร์นี้", "งานวัดวันเสาร์ถูกยกเลิกแล้ว"),
        ("งบการตลาดปีนี้สองล้านห้าแสนบาท", "แก้ไข งบการตลาดปีนี้สามล้านบาท"),
        ("คนไข้เตียง 4 เป็นเบาหวาน", "คนไข้เตียง 4 ไม่ได้เป็นเบาหวาน"),
    ],
)
def test_a_change_in_other_words_is_found(older: str, newer: str) -> None:
    assert compare(older, newer) is not None


def test_what_both_hold_is_kept_apart() -> None:
    pairs = [tuple(part.strip() for part in line.split(" | ")) for line in KEPT_APART]
    wrong = [pair for pair in pairs if compare(*pair) or compare(*reversed(pair))]
    assert len(pairs) > 200
    assert wrong == []


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Logs are kept for 14 days.", "Ola proposed keeping logs for 90 days."),
        ("The fair takes place on Saturday.", "Perhaps the fair was moved to Sunday."),
        ("ร้านเปิดเก้าโมง", "ปู่คิดว่าร้านเปลี่ยนเป็นเปิดสิบโมง"),
        ("Alice: The deadline is 3 May.", "Bob: The deadline was moved to 5 May."),
        ("2026-03-01 | pump | 3 bar", "2026-03-02 | pump | now 5 bar"),
    ],
)
def test_proposals_guesses_log_rows_and_other_speakers_replace_nothing(older: str, newer: str) -> None:
    assert compare(older, newer) is None


@pytest.mark.parametrize(
    ("written", "digits"),
    [
        ("สองล้านห้าแสนบาท", "2500000 บาท"),
        ("ยี่สิบเอ็ดคน", "21 คน"),
        ("แปดโมงครึ่ง", "08:30"),
        ("บ่ายสาม", "15:00"),
        ("สองทุ่ม", "20:00"),
        ("ตีห้า", "05:00"),
        ("3.2 ล้านบาท", "3.2 ล้านบาท"),
        ("half past eight", "08:30"),
        ("an hour and a half", "90 minutes"),
        ("at 1,240 euros", "at 1,240 euros"),
    ],
)
def test_numbers_in_words_are_rewritten_in_digits(written: str, digits: str) -> None:
    assert rewrite_numbers(written).strip() == digits
