from __future__ import annotations

import pytest

from sanya.suites.papers.indexing.name_folding import fold_name_cached
from sanya.suites.papers.search.synonyms import Synonyms, load_concepts, merge_concepts, read_concepts


@pytest.fixture(scope="module")
def synonyms() -> Synonyms:
    return Synonyms(merge_concepts(load_concepts(), ()))


def test_the_table_has_hundreds_of_things_each_named_once() -> None:
    concepts = load_concepts()
    assert len(concepts) > 450
    preferred = [fold_name_cached(concept[0]) for concept in concepts]
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
    assert name in synonyms.find_other_names(query)


@pytest.mark.parametrize("query", ["ms per call", "first aids", "nothing known here", "", "cap or all", "SCD"])
def test_common_words_and_names_of_two_things_bring_none(synonyms: Synonyms, query: str) -> None:
    assert synonyms.find_other_names(query) == ()


def test_the_longest_name_counts(synonyms: Synonyms) -> None:
    names = synonyms.find_other_names("type 2 diabetes")
    assert "Diabetes Mellitus, Type 2" in names
    assert "เบาหวาน" not in names


def test_what_the_query_says_is_not_said_again(synonyms: Synonyms) -> None:
    assert "heart attack" not in synonyms.find_other_names("heart attack")


def test_a_file_adds_names_and_things() -> None:
    more = read_concepts("# ours\n\nMyocardial Infarction|coronary occlusion\nSanya Disease|SD1|sanyaitis\n")
    synonyms = Synonyms(merge_concepts(load_concepts(), more))
    assert "Myocardial Infarction" in synonyms.find_other_names("coronary occlusion")
    assert "heart attack" in synonyms.find_other_names("coronary occlusion")
    assert "Sanya Disease" in synonyms.find_other_names("Sanyaitis")


def test_a_line_with_one_name_is_refused_by_number() -> None:
    with pytest.raises(ValueError, match="line 2"):
        list(read_concepts("a|b\nalone\n"))


def test_the_words_of_questions_are_not_remembered(synonyms: Synonyms) -> None:
    synonyms.find_other_names("heart attack")
    before = fold_name_cached.cache_info().currsize
    for number in range(50):
        synonyms.find_other_names(f"heart attack of case{number} number {number}")
    assert fold_name_cached.cache_info().currsize == before
