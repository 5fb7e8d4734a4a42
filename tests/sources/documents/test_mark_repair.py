"""Thai marks that a text layer holds behind the next consonant."""

from __future__ import annotations

import pytest

from sanya.sources.documents.limits import DocumentLimits
from sanya.sources.documents.mark_repair import repair_marks
from sanya.sources.documents.pdf import Pdf, PdfPage
from sanya.sources.documents.text_checks import judge_text
from tests.sources.documents import made
from tests.sources.documents.made import THAI, needs_thai_font

LINES = (
    "ห้ามใช้ในหญิงตั้งครรภ์และให้นมบุตร",
    "ขมิ้นชันห้ามใช้ในผู้ที่ท่อน้ำดีอุดตัน",
    "ไม่ควรใช้ร่วมกับยาละลายลิ่มเลือด เช่น วาร์ฟาริน",
    "ฟ้าทะลายโจรใช้บรรเทาอาการเจ็บคอ ต้องระวังเมื่อใช้นาน",
    "กลุ่มผู้ป่วยที่เป็นโรคเบาหวาน ส่วนเหง้าแห้ง เพื่อแก้ท้องอืด",
)


def read_page(data: bytes) -> PdfPage:
    return next(Pdf(data, DocumentLimits()).read_pages(None))


@needs_thai_font
def test_marks_drawn_after_the_next_letter_come_back_by_their_place() -> None:
    page = read_page(made.late_marks(LINES))
    assert page.wanting is None
    for line in LINES:
        assert line in page.text


@needs_thai_font
def test_marks_that_stand_over_the_next_letter_are_put_back_by_the_dictionary() -> None:
    page = read_page(made.pdf_of(["\n".join(map(made.misplaced_marks, LINES))]))
    assert page.wanting is None
    assert page.note == "marks behind the next letter were put back"
    for line in LINES:
        assert line in page.text


@pytest.mark.parametrize("line", LINES)
def test_a_misplaced_line_is_repaired_and_a_sound_one_stays(line: str) -> None:
    misplaced = made.misplaced_marks(line)
    assert misplaced != line
    assert repair_marks(misplaced).text == line
    assert repair_marks(line).text == line
    assert repair_marks(line).moved == 0


def test_the_words_of_the_report_are_repaired_alone() -> None:
    assert repair_marks("ตัง้ครรภ์").text == "ตั้งครรภ์"
    assert repair_marks("ขมิน้").text == "ขมิ้น"


def test_sound_loanwords_stay_as_they_are() -> None:
    for word in ("โบทูลินัมท็อกซิน", "อีโทริค็อกซิบ", "เด็กซ์โตรเมธอร์แฟน", "คลอร์ไดอะซีพ็อกไซด์", "กลูต้า", THAI):
        assert repair_marks(word).text == word


def test_a_faulty_text_that_no_word_explains_is_not_trusted() -> None:
    """It is sent to recognition, or told to be half-read: never read in silence."""
    verdict = judge_text("ห้ามใช้ในหญิงตัง้ครรภ์ หญ้าซพั้กฮื่ฬ ซอ้ฟค์ฆญฉ้ฌ")
    assert verdict.problem == "its text layer has Thai marks behind the next letter"
