"""Ages, allergies, doses and ordinary words among what people type, and what the answer says of guesses."""

from __future__ import annotations

import re

import pytest

from tests.suites.herbs.graph_harness import CHECK, GraphHarness


@pytest.mark.parametrize(("age", "is_warned"), [("เด็กอายุ 11 ปี", False), ("4 year old", True), ("kids under 12", True)])
async def test_a_warning_about_younger_children_does_not_hold_for_an_age_above_theirs(
    sqlite_starter: GraphHarness, age: str, is_warned: bool
) -> None:
    body = await sqlite_starter.call(CHECK, herb_ids=["ขิง"], conditions=[age], limit=500)
    (pair,) = body["pairs"]
    assert (pair["verdict"] == "warned") == is_warned
    assert any(result["object_id"] == "condition:children-under-6" for result in body["results"]) == is_warned


@pytest.mark.parametrize("age", ["ลูก 1 ขวบ", "my 2-year-old"])
async def test_a_warning_about_infants_is_shown_for_a_toddler(sqlite_starter: GraphHarness, age: str) -> None:
    """Sources are loose about who is an infant, and camphor has poisoned toddlers."""
    body = await sqlite_starter.call(CHECK, herb_ids=["การบูร"], conditions=[age])
    assert [pair["verdict"] for pair in body["pairs"]] == ["warned"]


async def test_an_age_and_a_group_that_it_belongs_to_are_told_apart(sqlite_starter: GraphHarness) -> None:
    body = await sqlite_starter.call(CHECK, herb_ids=["ขิง"], conditions=["11 years old", "children under 12"])
    assert [pair["verdict"] for pair in body["pairs"]] == ["no_warning_recorded", "warned"]
    assert any(result["object_id"] == "condition:children-under-6" for result in body["results"])


async def test_each_candidate_of_a_guess_is_named_alone(sqlite_starter: GraphHarness) -> None:
    body = await sqlite_starter.call(CHECK, formulation_ids=["น้ำมันกัญชาเดชา"], drugs=["warfarin"], lang="th")
    assert len(body["pairs"]) > 1
    for pair in body["pairs"]:
        assert pair["message"].count(pair["entity_label"]) == 2
        others = {other["entity_label"] for other in body["pairs"]} - {pair["entity_label"]}
        assert not any(f"{label}," in pair["message"] for label in others)


async def test_what_other_sources_say_is_told_in_the_language_of_the_answer(sqlite_starter: GraphHarness) -> None:
    body = await sqlite_starter.call(CHECK, formulation_ids=["ya-khamin-chan"], lang="th", limit=500)
    told = [text for result in body["results"] for each in result["statements"] for text in each["differences"]]
    assert told
    assert not [text for text in told if re.search("minor|moderate|major|contraindicated|_", text)]


@pytest.mark.parametrize(
    ("herb", "allergy", "verdict"),
    [
        ("ยาฟ้าทะลายโจร", "แพ้ฟ้าทะลายโจร", "warned"),
        ("ขมิ้นชัน", "allergic to turmeric", "warned"),
        ("ขมิ้นชัน", "แพ้มะรุม", "no_warning_recorded"),
        ("มะรุม", "moringa allergy", "no_warning_recorded"),
    ],
)
async def test_an_allergy_to_a_plant_is_met_by_the_warning_about_allergies_to_ingredients(
    starter: GraphHarness, herb: str, allergy: str, verdict: str
) -> None:
    body = await starter.call(CHECK, herb_ids=[herb], conditions=[allergy], limit=500, lang="en")
    (pair,) = body["pairs"]
    assert pair["verdict"] == verdict
    shown = {result["object_id"] for result in body["results"] if result["narrowed"]}
    assert ("condition:hypersensitivity-to-ingredients" in shown) == (verdict == "warned")
    assert ("do not take it" in pair["message"]) == (herb == "มะรุม")


async def test_ephedra_is_known_by_its_chinese_name_and_no_mango(starter: GraphHarness) -> None:
    body = await starter.call(CHECK, herb_ids=["ma huang", "หมาหวง"], drugs=["Nardil"], lang="en")
    assert [(pair["entity_id"], pair["severity"]) for pair in body["pairs"]] == [
        ("ephedra-sinica", "contraindicated")
    ] * 2


@pytest.mark.parametrize("word", ["ยาเก่า", "ยาไทย", "ยาบ่าย", "ยาอะไร", "ยาประจุ", "ยาสลับ", "ยาคุ้ม", "ยาเม็ดสีฟ้า"])
async def test_an_ordinary_word_for_a_medicine_is_not_read_as_a_class_of_drugs(
    sqlite_starter: GraphHarness, word: str
) -> None:
    body = await sqlite_starter.call(CHECK, herb_ids=["ฟ้าทะลายโจร"], drugs=[word], limit=1)
    assert [name["given"] for name in body["unresolved"]] == [word]
    assert all(pair["verdict"] == "not_checked" or "หาก" in pair["message"] for pair in body["pairs"])


@pytest.mark.parametrize(
    ("written", "id"),
    [
        ("metformin 500 2x1", "metformin"),
        ("amlodipine 5 1*1 pc", "amlodipine"),
        ("warfarin 3 mg hs จ-ศ", "warfarin"),
        ("MTX 2.5 mg/wk", "methotrexate"),
        ("ASA gr V", "aspirin"),
        ("วาร์ฟารินสีฟ้า", "warfarin"),
        ("ยาแอสไพรินเม็ดเล็ก 81", "aspirin"),
    ],
)
async def test_a_dose_beside_a_name_leaves_no_doubt_about_it(
    sqlite_starter: GraphHarness, written: str, id: str
) -> None:
    body = await sqlite_starter.call(CHECK, herb_ids=["ขิง"], drugs=[written], limit=1)
    assert not body["unresolved"]
    assert body["pairs"][0]["object_ids"] == [f"drug:{id}"]
