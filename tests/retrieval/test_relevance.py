"""Absolute relevance: what fits badly is told from what fits well, whatever else was found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanya.engines.embedders.offline import GRANITE, USE
from sanya.retrieval.documents import Document, DocumentText
from sanya.retrieval.relevance import (
    Advice,
    CorpusSize,
    Fit,
    RelevanceModel,
    describe_fit,
    find_model,
    judge_fit,
    rate_relevance,
)
from sanya.retrieval.search import Library, SearchQuery

SIZE = CorpusSize(1200, "papers", "บทความ")
ADVICE = Advice("Sync more.", "ดึงเพิ่ม")
shares = st.floats(0, 1)


@pytest.mark.parametrize(("spoken", "documents"), [("en", "en"), ("th", "th"), ("th", "en"), ("en", "th")])
@given(shares, shares, shares)
def test_more_words_or_a_nearer_vector_never_lower_the_relevance(
    spoken: str, documents: str, low: float, high: float, other: float
) -> None:
    model = find_model(spoken, documents, (GRANITE if spoken == documents == "en" else USE).digest)
    low, high = sorted((low, high))
    for less, more in [((low, other), (high, other)), ((other, low), (other, high)), ((low, None), (high, None))]:
        below, above = model.estimate(*less), model.estimate(*more)
        assert below is not None and above is not None
        assert 0 <= below <= above <= 1


def test_a_vector_of_a_model_that_was_not_calibrated_says_nothing() -> None:
    model = find_model("en", "en", "another model")
    assert model.estimate(0.5, 0.9) is None
    assert model.estimate(0.5, None) is not None
    assert RelevanceModel().estimate(None, None) is None


def test_the_best_hit_decides_and_an_unjudged_one_counts_as_good() -> None:
    assert judge_fit([]) == Fit("none", None)
    assert judge_fit([0.0, 0.99, 0.0]) == Fit("good", 0.99)
    assert judge_fit([0.0, 0.001]).level == "none"
    assert judge_fit([0.0, 0.001], by_words_alone=True) == Fit("weak", 0.001)
    assert judge_fit([0.0, None]) == Fit("good", 0.0)
    assert [rate_relevance(value) for value in (0.0, 1.0)] == ["none", "good"]


def test_a_poor_fit_is_told_with_the_size_and_the_advice_in_the_language_of_the_query() -> None:
    english = describe_fit(Fit("weak", 0.05), SIZE, ADVICE, "en")
    assert (
        english
        == "Nothing here fits the question well (best relevance 0.05 of 1). 1,200 papers were searched. Sync more."
    )
    thai = describe_fit(Fit("none", None), SIZE, ADVICE, "th")
    assert thai == "ไม่พบสิ่งที่ตรงกับคำถาม ค้นจากบทความ 1,200 รายการ ดึงเพิ่ม"


async def test_a_hit_by_words_is_more_relevant_the_more_of_the_query_it_has(library: Library) -> None:
    texts = {"all": "fever of the heart in spring", "some": "fever of the lung in autumn", "none": "nothing alike"}
    documents = [Document(id, (DocumentText(text),)) for id, text in texts.items()]
    await library.add("herbs", documents, embed=False)

    async def ask(text: str) -> dict[str, float | None]:
        return {hit.id: hit.relevance for hit in (await library.search(SearchQuery(text, "herbs"))).hits}

    found = await ask("fever heart spring")
    assert set(found) == {"all", "some"}
    assert (found["all"] or 0) > (found["some"] or 0)
    # The same word of a query that asks for things that no document has: the best hit is best still, but fits less.
    elsewhere = await ask("fever quantum chromodynamics lattice")
    assert max(value or 0 for value in elsewhere.values()) < (found["some"] or 0)
