"""The check understands what people type, on every surface's own data, and never goes silent."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from benchmarks.herb_safety.sets import judge_pair, load_cases
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.safety.ages import find_age_years, find_population_id
from tests.suites.herbs.graph_harness import CHECK, GraphHarness


@pytest.mark.parametrize(
    ("text", "population"),
    [
        ("4 year old", "condition:children-under-6"),
        ("my 4-year-old", "condition:children-under-6"),
        ("ลูก 5 ขวบ", "condition:children-under-6"),
        ("ลูก ๓ เดือน", "condition:infants"),
        ("8 months", "condition:infants"),
        ("14 yo", "condition:under-16"),
        ("อายุ 70 ปี", "condition:older-adults"),
        ("อายุ 80", "condition:older-adults"),
        ("20 years old", "condition:under-25-years"),
        ("over 65", "condition:older-adults"),
        ("65+", "condition:older-adults"),
        ("อายุเกิน 60 ปี", "condition:older-adults"),
        ("kids under 12", "condition:children-under-12"),
        ("เด็กต่ำกว่า 6 ขวบ", "condition:children-under-6"),
        ("ไม่เกิน ๒ ขวบ", "condition:children-under-2"),
    ],
)
def test_an_age_becomes_the_narrowest_population(text: str, population: str) -> None:
    years = find_age_years(text)
    assert years is not None
    assert find_population_id(years) == population


@pytest.mark.parametrize(
    "text",
    [
        "for 3 days",
        "กินนาน 7 วัน",
        "pregnant",
        "CYP3A4",
        "vitamin B12",
        "400 years old",
        "ใช้เกิน 7 วัน",
        "over 3 days",
        "กินไม่เกิน 2 เดือน",
    ],
)
def test_a_time_of_use_is_no_age(text: str) -> None:
    assert find_age_years(text) is None


@pytest.mark.parametrize(
    "arguments",
    [
        {"herb_ids": ["ขิง"], "drugs": ["Coumadin", "metformin"]},
        {"herb_ids": ["กัญชา"], "drugs": ["warfarin"]},
        {"herb_ids": ["ชะเอมเทศ"], "conditions": ["ความดันสูง"]},
        {"herb_ids": ["มะระขี้นก"], "conditions": ["เบาหวาน"]},
        {"formulation_ids": ["ยาถ่ายดีเกลือฝรั่ง"], "drugs": ["digoxin"]},
        {"herb_ids": ["ยาถ่ายดีเกลือฝรั่ง"], "drugs": ["digoxin"]},
        {"herb_ids": ["รางจืด"], "drugs": ["ritonavir"]},
        {"herb_ids": ["บอระเพ็ด"], "conditions": ["โรคตับ"]},
        {"herb_ids": ["กระท่อม"], "drugs": ["diazepam"]},
        {"herb_ids": ["ยี่โถ"], "conditions": ["pregnancy"]},
        {"herb_ids": ["senna"], "conditions": ["4 year old"]},
        {"herb_ids": ["ขิง"], "drugs": ["blood thinner"]},
    ],
)
async def test_ordinary_questions_get_their_warning(starter: GraphHarness, arguments: dict[str, Any]) -> None:
    body = await starter.call(CHECK, **arguments)
    (first, *_) = body["pairs"]
    assert first["verdict"] == "warned", first
    assert first["statement_ids"]
    assert all(statement["sources"] for result in body["results"] for statement in result["statements"])


@pytest.mark.parametrize("text", ["ท้อง 3 เดือน", "ตั้งครรภ์ 20 สัปดาห์", "20 weeks pregnant", "pregnant 3 months"])
async def test_the_length_of_a_pregnancy_is_a_pregnancy(starter: GraphHarness, text: str) -> None:
    (pair,) = (await starter.call(CHECK, herb_ids=["ฟ้าทะลายโจร"], conditions=[text]))["pairs"]
    assert (pair["verdict"], pair["object_ids"]) == ("warned", ["condition:pregnancy"])


async def test_a_condition_is_never_read_by_its_sound(starter: GraphHarness) -> None:
    (pair,) = (await starter.call(CHECK, herb_ids=["ฟ้าทะลายโจร"], conditions=["ท้องเดือน"]))["pairs"]
    assert pair["object_ids"] != ["condition:diarrhoea"]


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("ท้อง", "condition:pregnancy"),
        ("surgery next week", "condition:surgery"),
        ("เด็กทารก", "condition:infants"),
        ("Crohn's", "condition:inflammatory-bowel-disease"),
        ("เด็กซาเมทาโซน", "drug:dexamethasone"),
        ("ฟูโรซีมายด์", "drug:furosemide"),
        ("ยาละลายลิ่มเลือด", "drug:antithrombotics"),
        ("โรคไตวาย", "condition:kidney-failure"),
        ("ภาวะไตวายเฉียบพลัน", "condition:acute-kidney-injury"),
        ("ตับ", "condition:hepatic-impairment"),
        ("หัวใจ", "condition:heart-disease"),
        ("kidney", "condition:renal-impairment"),
        ("Diane", "drug:ethinylestradiol-cyproterone"),
        ("ยาฝัง", "drug:etonogestrel"),
        ("ซิมวา", "drug:simvastatin"),
    ],
)
async def test_an_entry_is_read_as_people_mean_it(starter: GraphHarness, text: str, id: str) -> None:
    body = await starter.call(CHECK, herb_ids=["ฟ้าทะลายโจร"], drugs=[text], limit=1)
    assert {object_id for pair in body["pairs"] for object_id in pair["object_ids"]} == {id}
    assert not any(pair["is_ambiguous"] for pair in body["pairs"])


@pytest.mark.parametrize("text", ["menthol", "เมนทอล", "น้ำมันปลา", "มะขามเทศ", "กระเจี๊ยบเขียว", "star anise", "หมาก"])
async def test_another_plant_is_never_checked_as_the_one_it_sounds_like_or_contains(
    sqlite_starter: GraphHarness, text: str
) -> None:
    body = await sqlite_starter.call(CHECK, herb_ids=[text], drugs=["amoxicillin"], limit=1)
    assert [pair["verdict"] for pair in body["pairs"]] == ["not_checked"]


async def test_words_that_are_not_understood_leave_no_pair_without_a_warning(sqlite_starter: GraphHarness) -> None:
    body = await sqlite_starter.call(
        CHECK, herb_ids=["horny goat weed"], drugs=["warfarin"], conditions=["heat stroke"]
    )
    by_object = {pair["object"]: pair for pair in body["pairs"]}
    assert by_object["warfarin"]["is_ambiguous"]
    assert "'horny goat weed' = " in by_object["warfarin"]["message"]
    assert "no_warning_recorded" not in {pair["verdict"] for pair in body["pairs"]}
    assert body["unknown_ids"] == ["horny goat weed"]


@pytest.mark.parametrize("name", ["อบเชย", "cinnamon", "ชะเอม", "กวาวเครือ"])
async def test_a_name_of_several_plants_is_checked_for_each(sqlite_starter: GraphHarness, name: str) -> None:
    pairs = (await sqlite_starter.call(CHECK, herb_ids=[name], drugs=["warfarin"], limit=1))["pairs"]
    assert len({pair["entity_id"] for pair in pairs}) > 1
    assert all(pair["is_ambiguous"] for pair in pairs)


async def test_a_class_is_never_silent_where_one_of_its_drugs_is_warned_about(sqlite_starter: GraphHarness) -> None:
    names = {"herb_ids": ["ฟ้าทะลายโจร"], "drugs": ["ciclosporin", "ยากดภูมิคุ้มกัน", "immunosuppressants"]}
    pairs = (await sqlite_starter.call(CHECK, **names, lang="en", limit=1))["pairs"]
    assert [pair["verdict"] for pair in pairs] == ["warned"] * 3
    assert "for a part of it: " in pairs[2]["message"]


async def test_the_populations_of_ages_are_in_the_graph(sqlite_starter: GraphHarness) -> None:
    nodes = (await sqlite_starter.store.load_graph()).nodes
    assert {find_population_id(years) for years in range(25)} | {find_population_id(70)} <= set(nodes)


async def test_names_joined_in_one_entry_are_judged_apart(starter: GraphHarness) -> None:
    body = await starter.call(CHECK, herb_ids=["ขิง"], drugs=["Coumadin and flubberol", "วาร์ฟารินกับพารา"], limit=1)
    verdicts = {pair["object"]: pair["verdict"] for pair in body["pairs"]}
    assert verdicts == {
        "Coumadin": "warned",
        "flubberol": "not_checked",
        "วาร์ฟาริน": "warned",
        "พารา": "no_warning_recorded",
    }
    combined = await starter.call(CHECK, herb_ids=["ขิง"], drugs=["amoxicillin and clavulanic acid"], limit=1)
    assert all(pair["verdict"] != "not_checked" for pair in combined["pairs"])


async def test_a_look_alike_drug_and_a_plant_are_never_suggested(starter: GraphHarness) -> None:
    body = await starter.call(CHECK, herb_ids=["ขิง"], drugs=["Tenormim", "Prografx", "gingerol tea"], limit=1)
    for name in body["unresolved"]:
        assert {candidate["type"] for candidate in name["candidates"]} <= {"drug"}
        assert not {candidate["id"] for candidate in name["candidates"]} & {"drug:metformin", "drug:propranolol"}


@pytest.mark.parametrize("name", ["bai zhu", "huang qin", "huangqin"])
async def test_a_plant_that_is_not_here_is_not_guessed_as_one_that_sounds_like_it(
    starter: GraphHarness, name: str
) -> None:
    """Bai zhu is another plant than bai zhi, and huang qin than huang qi."""
    body = await starter.call(CHECK, herb_ids=[name], drugs=["warfarin"], limit=1)
    assert [pair["verdict"] for pair in body["pairs"]] == ["not_checked"]
    assert not body["unresolved"][0]["candidates"]


async def test_every_pair_of_the_development_cases_has_a_verdict_and_most_are_right(starter: GraphHarness) -> None:
    outcomes: list[str] = []
    for case in load_cases("development"):
        names = {name: case[name] for name in ("herb_ids", "formulation_ids", "drugs", "conditions")}
        body = await starter.call(CHECK, **names, limit=1)
        for pair in case["pairs"]:
            rows = [row for row in body["pairs"] if (row["entity"], row["object"]) == (pair["entity"], pair["object"])]
            outcomes.append(judge_pair(pair["expected"], rows))
    assert "silent" not in outcomes
    assert outcomes.count("right") >= 0.95 * len(outcomes)


async def test_adding_a_name_never_removes_a_warning(starter: GraphHarness) -> None:
    drugs = ["warfarin", "metformin", "unobtainium", "Lasix", "ยาความดัน"]
    seen: set[tuple[str, str]] = set()
    for count in range(1, len(drugs) + 1):
        body = await starter.call(CHECK, herb_ids=["ขิง", "licorice"], drugs=drugs[:count], limit=500)
        found = {(result["entity_id"], result["object_id"]) for result in body["results"]}
        assert seen <= found
        seen = found
        assert len(body["pairs"]) == 2 * count


async def test_a_topical_medicine_does_not_inherit_warnings_about_swallowing(starter: GraphHarness) -> None:
    graph = await starter.store.load_graph()
    topical = next(
        node.id
        for node in graph.nodes.values()
        if node.type == "formulation" and node.data.get("routes") == ["topical"]
    )
    body = await starter.call(CHECK, formulation_ids=[topical], limit=500)
    routes = {statement["route"] for result in body["results"] for statement in result["statements"]}
    assert "oral" not in routes


@pytest.mark.parametrize(
    ("field", "text", "id"),
    [
        ("drugs", "วาร์ฟาลิน", "drug:warfarin"),
        ("drugs", "อีนาลาพิล", "drug:enalapril"),
        ("drugs", "อมโลดิปีน", "drug:amlodipine"),
        ("drugs", "ดีแลนติน", "drug:phenytoin"),
        ("drugs", "เอฟาวิเรนซ์", "drug:efavirenz"),
        ("conditions", "migraines", "condition:migraine"),
        ("conditions", "stomach ulcer", "condition:peptic-ulcer"),
        ("conditions", "ความดัน", "condition:hypertension"),
        ("conditions", "กำลังทำคีโม", "condition:receiving-chemotherapy"),
        ("conditions", "recent heart attack", "condition:myocardial-infarction"),
        ("conditions", "คนเฒ่า", "condition:older-adults"),
        ("drugs", "Warfarin Orion", "drug:warfarin"),
        ("drugs", "Amlodipine Sandoz 5 mg", "drug:amlodipine"),
        ("drugs", "Ambien", "drug:zolpidem"),
        ("drugs", "ไวอาก้า", "drug:sildenafil"),
        ("conditions", "แพ้ยาพารา", "condition:drug-allergy"),
        ("conditions", "แพ้ไอบูโพรเฟน", "condition:drug-allergy"),
        ("conditions", "allergic to ibuprofen", "condition:drug-allergy"),
        ("conditions", "allergic to aspirin", "condition:aspirin-allergy"),
    ],
)
async def test_other_spellings_and_lay_words_are_understood(
    starter: GraphHarness, field: str, text: str, id: str
) -> None:
    body = await starter.call(CHECK, herb_ids=["ginger"], **{field: [text]})
    assert body["unresolved"] == []
    assert body["pairs"][0]["object_ids"] == [id]


@pytest.mark.parametrize("text", ["วานิลลิน", "มาลาริน", "ดีแลนโต", "ยาลูกกลอน", "เด็กโต", "ทำคลอด", "ยาหยอดตา", "คอนเสิร์ต"])
async def test_a_word_that_only_resembles_a_drug_is_not_read_as_one(starter: GraphHarness, text: str) -> None:
    body = await starter.call(CHECK, herb_ids=["ginger"], drugs=[text])
    assert [name["given"] for name in body["unresolved"]] == [text]


async def test_who_asks_for_the_graph_at_once_shares_one_reading(starter: GraphHarness) -> None:
    store = HerbStore(starter.store.database)
    first, second = await asyncio.gather(store.load_graph(), store.load_graph())
    assert first is second


async def test_a_plant_is_known_by_its_form_and_a_doubtful_relative_warns(starter: GraphHarness) -> None:
    aloe = await starter.call(CHECK, herb_ids=["aloe juice"], drugs=["Lanoxin"])
    assert {pair["entity_id"] for pair in aloe["pairs"]} == {"aloe-vera", "aloe-latex"}
    gynura = await starter.call(CHECK, herb_ids=["แปะตำปึง"], conditions=["ตับแข็ง"])
    assert gynura["pairs"][0]["verdict"] == "warned"
    assert gynura["results"][0]["review"] == "needs_review"
    cinnamon = await starter.call(CHECK, herb_ids=["อบเชย"], drugs=["warfarin"])
    assert len({pair["entity_id"] for pair in cinnamon["pairs"] if pair["is_ambiguous"]}) > 1


@pytest.mark.parametrize("field", ["herb_ids", "formulation_ids"])
@pytest.mark.parametrize("name", ["น้ำมันกัญชา", "cannabis oil"])
async def test_an_oil_that_may_be_any_of_several_is_checked_as_each(
    starter: GraphHarness, field: str, name: str
) -> None:
    body = await starter.call(CHECK, **{field: [name]}, drugs=["warfarin"])
    (unresolved,) = body["unresolved"]
    oils = {pair["entity_id"] for pair in body["pairs"]}
    assert unresolved["reason"] == "ambiguous"
    assert oils >= {"cannabis-thc-oil", "cannabis-cbd-20-1", "ya-nam-man-kancha-thang-ha"}
    assert all(pair["verdict"] == "warned" and pair["is_ambiguous"] for pair in body["pairs"])


async def test_a_guessed_name_is_never_called_unchecked_beside_its_warning(starter: GraphHarness) -> None:
    body = await starter.call(CHECK, herb_ids=["ginsengg"], drugs=["Xarelto", "paracetamol"])
    verdicts = {pair["object"]: pair["verdict"] for pair in body["pairs"]}
    assert verdicts == {"Xarelto": "warned", "paracetamol": "not_checked"}
    said = body["summary"].partition(". ")[0]
    assert said == "'ginsengg' is not a known name"
    assert "not understood and not checked" not in body["summary"]
    assert "not understood and not checked" in body["pairs"][1]["message"]


@pytest.mark.parametrize(
    ("field", "name", "read"),
    [
        ("herb_ids", "tumeric pills", "curcuma-longa"),
        ("herb_ids", "weed gummies", "cannabis-sativa"),
        ("drugs", "warfrin 5 mg tablets", "drug:warfarin"),
    ],
)
async def test_the_form_of_a_medicine_hides_no_name(starter: GraphHarness, field: str, name: str, read: str) -> None:
    other = {"drugs": ["warfarin"]} if field == "herb_ids" else {"herb_ids": ["ginger"]}
    body = await starter.call(CHECK, **{field: [name]}, **other)
    meant = {candidate["id"] for entry in body["unresolved"] for candidate in entry["candidates"]}
    assert read in meant | {pair["entity_id"] for pair in body["pairs"]}
    assert body["pairs"][0]["verdict"] == "warned"


async def test_drugs_joined_by_strokes_are_checked_apart(starter: GraphHarness) -> None:
    body = await starter.call(CHECK, herb_ids=["rang jued"], drugs=["TDF/3TC/DTG", "morphine 10 mg/ml"])
    read = [pair["object_ids"] for pair in body["pairs"]]
    assert read == [["drug:tenofovir"], ["drug:lamivudine"], ["drug:dolutegravir"], ["drug:morphine"]]


async def test_a_herb_among_the_drugs_is_told_so(starter: GraphHarness) -> None:
    body = await starter.call(CHECK, herb_ids=["ขิง"], drugs=["turmeric"], lang="en")
    assert body["pairs"][0]["verdict"] == "not_checked"
    assert "it is on record as a herb, so name it among the herbs" in body["summary"]


@pytest.mark.parametrize(
    ("name", "plant"),
    [
        ("andrographolide", "andrographis-paniculata"),
        ("capsaicin gel", "capsicum-annuum"),
        ("แอนโดรกราโฟไลด์", "andrographis-paniculata"),
    ],
)
async def test_a_substance_is_checked_as_its_plant_and_the_answer_says_so(
    sqlite_starter: GraphHarness, name: str, plant: str
) -> None:
    body = await sqlite_starter.call(CHECK, herb_ids=[name], drugs=["enalapril", "allopurinol"], lang="en")
    (unresolved,) = body["unresolved"]
    assert [candidate["id"] for candidate in unresolved["candidates"]] == [plant]
    assert "is a substance of" in body["summary"]
    assert "not a known name" not in body["summary"]
    assert {pair["verdict"] for pair in body["pairs"]} <= {"warned", "not_checked"}


@pytest.mark.parametrize(("field", "name"), [("conditions", "โรคหูด"), ("drugs", "ยาเดีย")])
async def test_a_word_for_the_kind_of_thing_does_not_make_a_name_look_alike(
    sqlite_starter: GraphHarness, field: str, name: str
) -> None:
    body = await sqlite_starter.call(CHECK, herb_ids=["ขิง"], **{field: [name]}, limit=1)
    assert body["unresolved"][0]["candidates"] == []


async def test_alcohol_is_no_medicine_that_is_taken_for_long(sqlite_starter: GraphHarness) -> None:
    body = await sqlite_starter.call(CHECK, herb_ids=["รางจืด"], drugs=["เหล้า", "losartan"])
    assert [pair["verdict"] for pair in body["pairs"]] == ["no_warning_recorded", "warned"]


async def test_names_that_blanks_part_are_checked_together(sqlite_starter: GraphHarness) -> None:
    body = await sqlite_starter.call(CHECK, herb_ids=["ชะเอมเทศ"], conditions=["ความดัน เบาหวาน"])
    (pair,) = body["pairs"]
    assert (pair["object"], pair["object_ids"]) == (
        "ความดัน เบาหวาน",
        ["condition:hypertension", "condition:diabetes"],
    )
    assert pair["severity"] == "contraindicated"


async def test_a_longer_plant_name_is_no_spelling_of_a_shorter(sqlite_starter: GraphHarness) -> None:
    body = await sqlite_starter.call(CHECK, herb_ids=["ผักชีลาว", "ว่านมหากาฬ"], drugs=["warfarin"])
    assert body["pairs"][0]["entity_id"] == "anethum-graveolens"
    assert [name["given"] for name in body["unresolved"]] == ["ว่านมหากาฬ"]
