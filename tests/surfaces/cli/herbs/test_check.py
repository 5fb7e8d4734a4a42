"""`sanya herbs check` in Thai speaks of herbs by their names and says of each name what was done with it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Run

pytestmark = pytest.mark.usefixtures("begun_home")

SOURCES = re.compile(r"^  (?:แหล่งข้อมูล:|\S+: ).*$", re.MULTILINE)


def test_a_formulation_and_its_ingredients_are_called_by_their_thai_names(sanya: Run) -> None:
    shown = sanya("herbs", "check", "ยาถ่ายดีเกลือฝรั่ง", "--drug", "digoxin", "--lang", "th")
    assert shown.code == 3
    assert "ห้ามใช้ · ยาถ่ายดีเกลือฝรั่ง + ดิจอกซิน" in shown.out
    assert "ผ่าน: ยาดำ" in shown.out
    said = SOURCES.sub("", shown.out).replace("digoxin (ดิจอกซิน)", "")
    assert re.findall("[a-z]{3,}", said) == []


def test_what_is_doubtful_about_a_herb_is_told_in_thai_with_candidates_told_apart(sanya: Run) -> None:
    shown = sanya("herbs", "check", "ว่านชักมดลูก", "--drug", "warfarin", "--lang", "th")
    assert "ว่านชักมดลูก (curcuma-comosa): หมายเหตุ: C. latifolia และ C. xanthorrhiza ก็ขายในชื่อว่านชักมดลูก" in shown.out
    assert "ว่านชักมดลูก (curcuma-latifolia): ไม่มีข้อมูลความปลอดภัยเลย" in shown.out


def test_a_name_that_was_not_checked_is_not_said_to_be_without_warning(sanya: Run) -> None:
    shown = sanya("herbs", "check", "fish oil", "--drug", "simvastatin", "--lang", "en")
    assert shown.code == 1
    assert "name it among the drugs" in shown.out + shown.err
    assert "no warning recorded" not in shown.out
