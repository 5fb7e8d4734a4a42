"""Recognition of names inside questions."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from sanya.engines.database import open_database
from sanya.suites.herbs.graph.model import HerbGraph
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.questions.mentions import Gazetteer, NameMention
from sanya.suites.herbs.questions.prepared_names import decode_names, encode_names, hash_names
from sanya.suites.herbs.questions.question import parse_question


@pytest.fixture(scope="module")
def graph(starter_home: Path) -> HerbGraph:
    async def read() -> HerbGraph:
        async with open_database("", starter_home) as database:
            return await HerbStore(database).load_graph()

    return asyncio.run(read())


@pytest.fixture(scope="module")
def gazetteer(graph: HerbGraph) -> Gazetteer:
    return Gazetteer(graph.names)


@pytest.fixture(scope="module")
def gazetteer_read_again(graph: HerbGraph, gazetteer: Gazetteer) -> Gazetteer:
    return Gazetteer(graph.names, prepared=decode_names(encode_names(gazetteer.pack())))


def first(found: list[NameMention]) -> tuple[str, str]:
    return found[0].nodes[0], found[0].kind


@pytest.mark.parametrize(
    ("text", "node", "how"),
    [
        ("กินขมิ้นชันได้ไหม", "curcuma-longa", "name"),
        ("ขี้มิ้นเอาไปทำอะไร", "curcuma-longa", "alias"),
        ("ฟ้าทลายโจร", "andrographis-paniculata", "alias"),
        ("มะขามปอม แก้ไอ", "phyllanthus-emblica", "slip"),
        ("หญ้าหนวดเเมว", "orthosiphon-aristatus", "name"),
        ("เถาวัลเปรียง ปวดหลัง", "derris-scandens", "slip"),
        ("fah talai jone for a cold", "andrographis-paniculata", "romanised"),
        ("rang jeud", "thunbergia-laurifolia", "romanised"),
        ("ยาหอม Navakot", "ya-hom-nawakot", "romanised"),
        ("andrografis", "andrographis-paniculata", "slip"),
        ("Caesalpinia sappan", "biancaea-sappan", "alias"),
        ("hemorrhoids", "condition:haemorrhoids", "alias"),
        ("วาฟาริน", "drug:warfarin", "alias"),
        ("วาฟารีน", "drug:warfarin", "slip"),
        ("bloating", "condition:dyspepsia", "name"),
    ],
)
def test_a_name_is_found_however_it_is_written(gazetteer: Gazetteer, text: str, node: str, how: str) -> None:
    assert first(gazetteer.find(text)) == (node, how)


@pytest.mark.parametrize(
    ("text", "use"), [("hemorrhoids", "icd10:K64"), ("bloating", "icd10:R14"), ("ท้องผูก", "icd10:K59.0")]
)
def test_a_condition_that_is_also_a_use_is_found_as_both(gazetteer: Gazetteer, text: str, use: str) -> None:
    (mention,) = gazetteer.find(text)
    assert use in mention.nodes


@pytest.mark.parametrize(
    "text",
    [
        "What is the weather in Bangkok tomorrow?",
        "พรุ่งนี้อากาศที่เชียงใหม่เป็นอย่างไร",
        "อาติโชกกับยาชูกำลัง",
        "Who must not use it?",
        "artichoke leaf and memory",
        "",
        "!!!",
    ],
)
def test_plain_words_are_no_names(gazetteer: Gazetteer, text: str) -> None:
    assert gazetteer.find(text) == []


def test_the_longest_name_wins_and_none_overlap(gazetteer: Gazetteer) -> None:
    found = gazetteer.find("ยาขมิ้นชันกับขมิ้นชันและ warfarin")
    assert [mention.nodes[0] for mention in found] == ["ya-khamin-chan", "curcuma-longa", "drug:warfarin"]
    assert all(mention.end <= other.start for mention, other in pairwise(found))


def test_a_short_name_inside_another_word_is_no_name(gazetteer: Gazetteer) -> None:
    # ยอ is noni; ยอดเยี่ยม is excellent.
    assert gazetteer.find("ยอดเยี่ยมมาก") == []


def test_a_name_of_its_own_goes_before_one_by_kinship(gazetteer: Gazetteer) -> None:
    # Senna is also the genus of three others.
    assert gazetteer.find("senna")[0].nodes == ("senna-alexandrina",)


def test_a_word_is_no_plural_of_a_short_name_and_hides_no_name_inside_it(gazetteer: Gazetteer) -> None:
    # "wa" is jambolan, and "เป็นนิ่ว" any stones.
    assert gazetteer.find("what was it") == []
    found = gazetteer.find("คนเป็นนิ่วถุงน้ำดี")
    assert [mention.nodes[0] for mention in found] == ["condition:gallstones"]


@pytest.mark.parametrize(
    ("text", "intents"),
    [
        ("คนท้องกินกระเจี๊ยบแดงได้ไหม", {"safety", "allowed"}),
        ("Is turmeric safe with warfarin?", {"safety", "allowed"}),
        ("turmeric warfarin", {"safety"}),
        ("พยับเมฆมีสรรพคุณอะไร", {"uses"}),
        ("gotu kola active compounds", {"constituents"}),
        ("ยาเบญจกูลประกอบด้วยอะไรบ้าง", {"ingredients"}),
        ("effect of ginger on the pharmacokinetics of warfarin", {"papers"}),
        ("ขมิ้นชันกินวันละกี่แคปซูล", {"dosage"}),
    ],
)
def test_what_is_asked_is_recognised(graph: HerbGraph, gazetteer: Gazetteer, text: str, intents: set[str]) -> None:
    assert parse_question(text, "auto", graph, gazetteer).intents == intents


def test_a_gazetteer_that_is_read_again_finds_what_the_built_one_finds(
    gazetteer: Gazetteer, gazetteer_read_again: Gazetteer
) -> None:
    for index in ("phrases", "folds", "misspellings", "sounds", "phrases_by_node"):
        assert getattr(gazetteer_read_again, index) == getattr(gazetteer, index)
    for text in ("วาฟารีน กับ fah talai jone", "andrografis + ASA", "เถาวัลเปรียง ปวดหลัง", "bloating, 3 days"):
        assert gazetteer_read_again.find(text) == gazetteer.find(text) != []


def test_a_gazetteer_without_names_is_read_again() -> None:
    read = Gazetteer((), prepared=decode_names(encode_names(Gazetteer(()).pack())))
    assert read.phrases == [] and read.find("turmeric") == []


def test_indexes_belong_to_the_names_that_they_were_built_from(graph: HerbGraph) -> None:
    changed = (replace(graph.names[0], kind="alias"), *graph.names[1:])
    assert hash_names(changed) != hash_names(graph.names) == hash_names(list(graph.names))


@pytest.mark.parametrize(
    "text",
    ["น้ำตาลสูง ยาวๆ", "severe headache", "my back and feet", "a group of friends", "ลูก 8 ขวบ"],
)
def test_a_loose_part_of_a_name_is_no_name(gazetteer: Gazetteer, text: str) -> None:
    loose = {"สูง", "ยาว", "severe", "back", "feet", "group", "ขวบ"}
    assert loose.isdisjoint(mention.text for mention in gazetteer.find(text))
