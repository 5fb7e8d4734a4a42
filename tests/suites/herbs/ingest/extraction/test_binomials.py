"""Latin names with their authors, abbreviated and in full."""

from __future__ import annotations

import pytest

from sanya.suites.herbs.ingest.extraction.binomials import find_binomials
from tests.suites.herbs.ingest.proposals import proposed


@pytest.mark.parametrize(
    "text",
    [
        "Curcuma longa Linnaeus",
        "Boesenbergia rotunda (Linnaeus) Mansfeld",
        "Andrographis paniculata (Burman f.) Wallich ex Nees",
        "Tinospora crispa (Linnaeus) Hooker f. & Thomson",
        "Tinospora crispa (L.) Hook. f. & Thomson",
        "Clinacanthus nutans (Burm.f.) Lindau",
        "Zingiber montanum (J. Koenig) Link ex A. Dietrich",
    ],
)
def test_an_author_in_full_belongs_to_the_name(text: str) -> None:
    found = list(find_binomials(f"{text} ห้ามใช้ในหญิงตั้งครรภ์"))
    assert [binomial.read_from(text) for binomial in found] == [" ".join(text.split()[:2])]
    assert found[0].is_certain
    assert found[0].end == len(text)


def test_an_everyday_word_is_no_author() -> None:
    assert not any(binomial.is_certain for binomial in find_binomials("Curcuma longa Extract was given."))


def test_an_unknown_plant_with_its_author_in_full_is_proposed_with_its_warning() -> None:
    diff = proposed("Melastoma malabathricum Linnaeus ห้ามใช้ในหญิงตั้งครรภ์")
    assert [node.id for node in diff.nodes if node.type == "herb"] == ["melastoma-malabathricum"]


def test_an_unknown_plant_with_a_warning_is_listed() -> None:
    diff = proposed("ว่านพระฉิมยักษ์ ห้ามใช้ในหญิงตั้งครรภ์\n\nFlubberwort must not be used in pregnancy.")
    assert {"ว่านพระฉิมยักษ์", "Flubberwort"} <= {mention.text for mention in diff.unlinked}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Do not use krazelbloom with warfarin.", "krazelbloom"),
        ("ห้ามใช้ต้นหญ้าไฟนรกร่วมกับยาวาร์ฟาริน", "ต้นหญ้าไฟนรก"),
        ("หลีกเลี่ยงการใช้ว่านพญากระทิงไฟในหญิงตั้งครรภ์", "ว่านพญากระทิงไฟ"),
    ],
)
def test_an_unknown_plant_behind_its_warning_is_listed(text: str, name: str) -> None:
    assert [mention.text for mention in proposed(text).unlinked] == [name]


@pytest.mark.parametrize(
    "text", ["Do not use alone during pregnancy.", "ห้ามใช้ติดต่อกันนานในหญิงตั้งครรภ์", "ห้ามรับประทานยานี้ร่วมกับวาร์ฟาริน"]
)
def test_how_a_medicine_is_taken_is_no_plant(text: str) -> None:
    assert proposed(text).unlinked == ()


def test_a_sentence_that_only_goes_on_lists_nothing() -> None:
    assert proposed("ขิงแก้ท้องอืด\n\nข้อห้ามใช้ ห้ามใช้ในหญิงตั้งครรภ์").unlinked == ()
