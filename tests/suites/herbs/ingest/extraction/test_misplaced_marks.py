"""A single name whose marks a text layer holds behind the next consonant, on a page that is sound otherwise."""

from __future__ import annotations

import pytest

from sanya.sources.documents.limits import DocumentLimits
from sanya.sources.documents.pdf import Pdf
from sanya.suites.herbs.ingest.extraction.misplaced_marks import MarkRestorer
from tests.sources.documents import made
from tests.sources.documents.made import needs_thai_font
from tests.suites.herbs.ingest.proposals import proposed, starter_graph, starter_linker, stated

_SOUND = (
    "สมุนไพรชนิดนี้ใช้กันมานานในตำรายาไทย ควรเก็บไว้ในที่แห้งและเย็น ให้พ้นจากแสงแดด",
    "ก่อนใช้ควรอ่านฉลากให้ละเอียด ถ้าอาการไม่ดีขึ้นภายในสามวันควรไปพบแพทย์",
)


@needs_thai_font
@pytest.mark.parametrize(
    ("line", "statement"),
    [
        ("มะขามแขกไมค่วรใช้ในหญิงตั้งครรภ์", "senna-alexandrina contraindicated_in condition:pregnancy"),
        ("ห้ามใช้ขิงในผู้ที่ลำไสอุ้ดตัน", "zingiber-officinale contraindicated_in condition:bowel-obstruction"),
        ("ห้ามใช้เกก็ฮวยในหญิงตั้งครรภ์", "chrysanthemum"),
        ("ห้ามใช้ขมิ้นชันรว่มกับวาร์ฟาริน", "curcuma-longa interacts_with drug:warfarin"),
    ],
)
def test_a_warning_with_one_misplaced_mark_on_a_sound_page_is_read(line: str, statement: str) -> None:
    data = made.pdf_of(["\n".join((_SOUND[0], line, _SOUND[1]))])
    page = next(Pdf(data, DocumentLimits()).read_pages(None))
    diff = proposed(page.text)
    ambiguous = {node for mention in diff.ambiguous for node in mention.nodes}
    assert any(statement in found for found in stated(diff) | ambiguous)


def test_a_sound_text_stays_as_it_is() -> None:
    restorer: MarkRestorer = starter_linker().marks
    for name in starter_graph().names:
        assert restorer.restore(name.name) == name.name
    for edge in starter_graph().edges:
        effect = str(edge.data.get("effect_th") or "")
        assert restorer.restore(effect) == effect
