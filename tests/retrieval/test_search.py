from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sanya.kernel.faults import InvalidArgument
from sanya.retrieval.documents import Between, Document, DocumentText, Equals
from sanya.retrieval.language_search import ENGLISH
from sanya.retrieval.search import Library, SearchMode, SearchQuery, SearchResult
from tests.long_form import often
from tests.retrieval.conftest import WordVectors

DOCUMENTS = [
    Document("fever-en", (DocumentText("Andrographis paniculata lowers fever in adults."),), {"year": 2020}),
    Document("heart-en", (DocumentText("Turmeric and the heart: a trial of 200 patients."),), {"year": 2015}),
    Document("rice-en", (DocumentText("Rice is grown in the Denver valley by Allen Norman."),), {"year": 2010}),
    Document("fever-th", (DocumentText("ฟ้าทะลายโจรช่วยลดไข้ในผู้ใหญ่"),), {"year": 2021}),
    Document("heart-th", (DocumentText("ขมิ้นชันกับโรคหัวใจ"),), {"year": 2016}),
]


async def ids(library: Library, text: str, **more: object) -> list[str]:
    found = await library.search(SearchQuery(text, "herbs", **more))  # type: ignore[arg-type]
    return [hit.id for hit in found.hits]


async def test_each_language_finds_its_own_first_and_the_other_beside(library: Library) -> None:
    await library.add("herbs", DOCUMENTS)
    assert (await ids(library, "andrographis fever"))[:2] == ["fever-en", "fever-th"]
    assert (await ids(library, "ฟ้าทะลายโจรลดไข้"))[:2] == ["fever-th", "fever-en"]


async def test_words_alone_cross_the_languages_by_names_and_sounds(library: Library) -> None:
    await library.add("herbs", DOCUMENTS)
    assert (await ids(library, "ขมิ้นชัน", mode="bm25"))[:2] == ["heart-th", "heart-en"]
    assert await ids(library, "อัลเลน นอร์แมน", mode="bm25", languages=("en",)) == ["rice-en"]


@pytest.mark.parametrize("mode", ["bm25", "semantic", "hybrid"])
@pytest.mark.parametrize("alpha", [0.0, 0.3, 0.5, 1.0])
async def test_parts_sum_to_the_score_exactly_and_hits_are_in_order(
    library: Library, mode: SearchMode, alpha: float
) -> None:
    await library.add("herbs", DOCUMENTS)
    found = await library.search(SearchQuery("fever of the heart", "herbs", mode=mode, alpha=alpha))
    assert found.hits
    for hit in found.hits:
        assert sum(hit.parts.values()) == hit.score == sum(reversed(list(hit.parts.values())))
    order = [(-hit.score, hit.id) for hit in found.hits]
    assert order == sorted(order)


async def test_the_modes_use_what_they_say(library: Library, embedders: dict[str, WordVectors]) -> None:
    await library.add("herbs", DOCUMENTS)
    asked = len(embedders[ENGLISH].asked)
    words = await library.search(SearchQuery("fever", "herbs", mode="bm25"))
    assert {hit.parts["meaning"] for hit in words.hits} == {0.0}
    assert len(embedders[ENGLISH].asked) == asked
    meaning = await library.search(SearchQuery("fever", "herbs", mode="semantic"))
    assert {hit.parts["words"] for hit in meaning.hits} == {0.0}


async def test_the_same_query_on_the_same_state_gives_the_same_hits(library: Library) -> None:
    await library.add("herbs", DOCUMENTS)
    first, second = [await library.search(SearchQuery("heart trial", "herbs")) for _ in range(2)]
    assert repr(first.hits) == repr(second.hits)


async def test_equal_documents_are_ordered_by_id(library: Library) -> None:
    await library.add("herbs", [Document(id, (DocumentText("the same words"),)) for id in ("c", "a", "b")])
    assert await ids(library, "same words") == ["a", "b", "c"]


async def test_filters_and_earlier_states_reach_every_language(library: Library) -> None:
    then = await library.add("herbs", DOCUMENTS)
    await library.remove("herbs", ["fever-th"])
    assert set(await ids(library, "ไข้ fever", filters=(Between("year", 2018),))) == {"fever-en"}
    assert set(await ids(library, "ไข้ fever", filters=(Between("year", 2018),), as_of=then)) == {"fever-en", "fever-th"}
    assert await ids(library, "fever", filters=(Equals("year", 1900),)) == []


async def test_a_document_that_changes_its_language_is_found_once(library: Library) -> None:
    await library.add("herbs", DOCUMENTS)
    await library.add("herbs", [Document("fever-en", (DocumentText("ยาแก้ไข้ตัวใหม่"),))])
    hits = await ids(library, "ยาแก้ไข้")
    assert hits.count("fever-en") == 1
    assert await library.count("herbs") == 5


HOSTILE = [
    "",
    "   ",
    "\x00\x01\x1b",
    "???!!!",
    "AND OR NOT",
    'a:"b" -c +d (e',
    "*" * 50,
    "\ud800",
    "่้๊๋",
    "ก" * 10_000,
    "w " * 5000,
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("mode", ["bm25", "semantic", "hybrid"])
async def test_a_hostile_query_is_just_a_query(library: Library, text: str, mode: SearchMode) -> None:
    await library.add("herbs", DOCUMENTS)
    found = await library.search(SearchQuery(text, "herbs", mode=mode))
    assert isinstance(found, SearchResult)


@given(text=st.text(max_size=200))
@settings(max_examples=often(15, 60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_any_text_may_be_asked(library: Library, text: str) -> None:
    if not await library.count("herbs"):
        await library.add("herbs", DOCUMENTS)
    await library.search(SearchQuery(text, "herbs"))


@pytest.mark.parametrize(
    ("wrong", "field"),
    [({"limit": 0}, "limit"), ({"limit": 1001}, "limit"), ({"alpha": 1.5}, "alpha"), ({"text": "a" * 10_001}, "query")],
)
async def test_what_is_out_of_bounds_is_refused_by_name(library: Library, wrong: dict[str, object], field: str) -> None:
    given = {"text": "x", "namespace": "herbs", **wrong}
    with pytest.raises(InvalidArgument) as refused:
        await library.search(SearchQuery(**given))  # type: ignore[arg-type]
    assert refused.value.field == field


async def test_a_hostile_filter_is_refused_or_matches_nothing(library: Library) -> None:
    await library.add("herbs", DOCUMENTS)
    for value in ("*", "[0 TO 9]", "x OR y", "\x00", "ก" * 70_000):
        assert await ids(library, "fever", filters=(Equals("year", value),)) == []
    with pytest.raises(InvalidArgument):
        await ids(library, "fever", filters=(Equals("year:[0 TO 9] OR x", 1),))
    for bound in (float("nan"), float("inf"), 2**70):
        with pytest.raises(InvalidArgument):
            await ids(library, "fever", filters=(Between("year", bound),))
