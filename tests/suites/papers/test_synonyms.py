from __future__ import annotations

import pytest

from sanya.suites.papers.names import folded_name
from sanya.suites.papers.synonyms import Synonyms, extended, house_concepts, read_concepts


@pytest.fixture(scope="module")
def synonyms() -> Synonyms:
    return Synonyms(extended(house_concepts(), ()))


def test_the_table_has_hundreds_of_things_each_named_once() -> None:
    concepts = house_concepts()
    assert len(concepts) > 450
    preferred = [folded_name(concept[0]) for concept in concepts]
    assert len(set(preferred)) == len(preferred)


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("heart attack in older women", "Myocardial Infarction"),
        ("HEART ATTACKS", "Myocardial Infarction"),
        ("T2DM and CKD", "chronic kidney disease"),
        ("Ozempic", "Semaglutide"),
        ("ฟ้าทะลายโจรกับไข้หวัด", "Andrographis paniculata"),
        ("โรคเบาหวานชนิดที่ 2", "Diabetes Mellitus, Type 2"),
        ("non-small cell lung cancer", "NSCLC"),
    ],
)
def test_a_thing_is_known_by_its_other_names(synonyms: Synonyms, query: str, name: str) -> None:
    assert name in synonyms.others(query)


@pytest.mark.parametrize("query", ["ms per call", "first aids", "nothing known here", "", "cap or all", "SCD"])
def test_common_words_and_names_of_two_things_bring_none(synonyms: Synonyms, query: str) -> None:
    assert synonyms.others(query) == ()


def test_the_longest_name_counts(synonyms: Synonyms) -> None:
    names = synonyms.others("type 2 diabetes")
    assert "Diabetes Mellitus, Type 2" in names
    assert "เบาหวาน" not in names


def test_what_the_query_says_is_not_said_again(synonyms: Synonyms) -> None:
    assert "heart attack" not in synonyms.others("heart attack")


def test_a_file_adds_names_and_things() -> None:
    more = read_concepts("# ours\n\nMyocardial Infarction|coronary occlusion\nSanya Disease|SD1|sanyaitis\n")
    synonyms = Synonyms(extended(house_concepts(), more))
    assert "Myocardial Infarction" in synonyms.others("coronary occlusion")
    assert "heart attack" in synonyms.others("coronary occlusion")
    assert "Sanya Disease" in synonyms.others("Sanyaitis")


def test_a_line_with_one_name_is_refused_by_number() -> None:
    with pytest.raises(ValueError, match="line 2"):
        list(read_concepts("a|b\nalone\n"))


def test_the_words_of_questions_are_not_remembered(synonyms: Synonyms) -> None:
    synonyms.others("heart attack")
    before = folded_name.cache_info().currsize
    for number in range(50):
        synonyms.others(f"heart attack of case{number} number {number}")
    assert folded_name.cache_info().currsize == before
