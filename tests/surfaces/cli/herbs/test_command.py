from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sanya.surfaces.cli.herbs.labels import choose_language, get_label
from sanya.surfaces.cli.output.tables import measure_width

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Run

pytestmark = pytest.mark.usefixtures("begun_home")


def test_a_herb_is_shown_in_the_language_it_was_named_in(sanya: Run) -> None:
    thai = sanya("herbs", "show", "ขมิ้นชัน")
    assert thai.code == 0
    assert "ขมิ้นชัน · turmeric · Curcuma longa" in thai.out
    assert "ท้องอืด ท้องเฟ้อ" in thai.out
    english = sanya("herbs", "show", "turmeric").out
    assert "flatulence, bloating" in english
    assert sanya("herbs", "show", "curcuma-longa", "--json").json["id"] == "curcuma-longa"


def test_another_node_is_shown_with_what_is_said_of_it(sanya: Run) -> None:
    shown = sanya("herbs", "show", "ยาขมิ้นชัน", "--type", "formulation").out
    assert "←part_of─" in shown
    assert "ขมิ้นชัน (curcuma-longa)" in shown
    assert "วาร์ฟาริน (drug:warfarin)" in shown


def test_the_columns_of_a_thai_table_stand_below_each_other(sanya: Run) -> None:
    lines = sanya("herbs", "show", "ขมิ้นชัน").out.splitlines()
    head = next(index for index, line in enumerate(lines) if line.startswith("ICD-10"))
    table = lines[head:]
    cells = ["หลักฐาน", "NLEM-listed (single-herb medicine)"]
    starts = [measure_width(line[: line.index(cell)]) for line, cell in zip(table, cells, strict=False)]
    assert len(set(starts)) == 1


def test_a_warning_is_shown_with_its_verdict_advice_and_sources(sanya: Run) -> None:
    ran = sanya("herbs", "check", "ขมิ้นชัน", "--drug", "Coumadin", "--drug", "metformin")
    assert ran.code == 3
    _, first, second, *_ = ran.out.splitlines()
    assert first.startswith("รุนแรง")
    assert "Coumadin (วาร์ฟาริน)" in first
    assert second.startswith("ไม่พบคำเตือน") or "metformin" in second
    assert "ควรทำอย่างไร: " in ran.out
    assert "tu-ddi-2566" in ran.out
    assert "https://" in ran.out
    assert "ไม่ใช่คำแนะนำทางการแพทย์" in ran.out


def test_the_exit_code_tells_a_warning_from_nothing_recorded_and_from_an_unknown_name(sanya: Run) -> None:
    assert sanya("herbs", "check", "ขิง", "--drug", "Coumadin", "--drug", "unobtainium").code == 3
    assert sanya("herbs", "check", "phyllanthus-urinaria", "--drug", "metformin").code == 0
    unknown = sanya("herbs", "check", "phyllanthus-urinaria", "--drug", "unobtainium")
    assert unknown.code == 1
    assert "unobtainium" in unknown.err


def test_a_name_of_several_species_is_checked_for_each_and_says_so(sanya: Run) -> None:
    ran = sanya("herbs", "check", "ลูกใต้ใบ", "--drug", "warfarin")
    assert "phyllanthus-urinaria" in ran.err
    assert "อาจหมายถึงหลายอย่าง" in ran.err
    assert all("ลูกใต้ใบ (phyllanthus-" in line for line in ran.out.splitlines()[1:4])


def test_silence_is_said_to_be_silence(sanya: Run) -> None:
    ran = sanya("herbs", "check", "phyllanthus-urinaria")
    assert "does NOT mean safe" in ran.out
    formula = sanya("herbs", "check", "--formulation", "ya-hom-nawakot", "--condition", "pregnancy").out
    assert "ingredients without any record" in formula


def test_paths_are_drawn_and_go_on(sanya: Run) -> None:
    ran = sanya("herbs", "path", "fa thalai chon", "herb->constituent->indication", "--limit", "2", "--lang", "th")
    assert ran.code == 0
    assert ran.out.splitlines()[0].startswith("ฟ้าทะลายโจร ─contains→ แอนโดรกราโฟไลด์ ─acts_on?→")
    # The hint is one word, since a cursor may begin with a dash.
    cursor = "--cursor=" + ran.err.split("--cursor=")[1].strip()
    more = sanya("herbs", "path", "fa thalai chon", "herb->constituent->indication", "--limit", "2", cursor)
    assert more.code == 0
    back = sanya("herbs", "path", "icd10:R14", "indication->herb", "--type", "indication").out
    assert "flatulence, bloating ←treats─ turmeric" in back


def test_a_pattern_that_cannot_be_read_is_shown_with_a_caret(sanya: Run) -> None:
    ran = sanya("herbs", "path", "turmeric", "herb->constitutent")
    assert ran.code == 1
    assert ran.err.splitlines()[-1].index("^") == ran.err.splitlines()[-2].index("constitutent")


@pytest.mark.parametrize("key", ["high", "none", "needs_review"])
def test_every_word_has_both_languages(key: str) -> None:
    assert get_label(key, "en") != get_label(key, "th")
    assert (choose_language(None, "ขิง"), choose_language(None, "ginger"), choose_language("en", "ขิง")) == (
        "th",
        "en",
        "en",
    )
