"""`sanya herbs search` and `sanya herbs ask`."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Run


def test_people_search_and_ask_in_both_languages(sanya: Run, indexed_home: Path, home: Path) -> None:
    shutil.copytree(indexed_home, home)
    found = sanya("herbs", "search", "แก้ท้องผูก", "--type", "herb", "--limit", "3")
    assert found.code == 0
    assert "ชุมเห็ดเทศ" in found.out
    assert len(found.out.splitlines()) == 4

    asked = sanya("herbs", "ask", "คนไข้กิน warfarin อยู่ กินขมิ้นชันได้ไหม")
    assert asked.code == 0
    assert asked.out.index("ความรุนแรง: รุนแรง") < asked.out.index("คำเตือนที่บันทึกไว้")
    assert "และอีก" in asked.out
    assert "→" in asked.out
    assert "curcuma-longa ×" not in asked.out
    assert "ไม่ใช่คำแนะนำทางการแพทย์" in asked.out

    withheld = sanya("herbs", "ask", "Who won the 2018 World Cup? เหงือกปลาหมอ", "--lang", "en")
    assert withheld.code == 0
    assert withheld.out.startswith("The answer is withheld.")
    assert "minimum 0.60" in withheld.out
    assert "acanthus-ilicifolius" in withheld.err
