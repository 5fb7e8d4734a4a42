from __future__ import annotations

from sanya.retrieval.answers import AnswerPassage, AnswerSelector
from sanya.retrieval.explain import explain
from sanya.retrieval.language_search import MULTILINGUAL
from sanya.retrieval.search import Library, SearchQuery
from sanya.retrieval.terms import TermReader
from tests.retrieval.conftest import WordVectors
from tests.retrieval.test_search import DOCUMENTS

PASSAGES = [
    AnswerPassage("p1", "Turmeric is yellow. Andrographis lowers fever within three days. Soup is warm.", 1.0),
    AnswerPassage("p2", "Andrographis lowers fever within three days, a second trial found.", 0.8),
    AnswerPassage("p3", "Ginger helps digestion. Fever returns when treatment stops early.", 0.5),
]


async def test_the_sentence_that_answers_comes_first_with_its_span(
    reader: TermReader, embedders: dict[str, WordVectors]
) -> None:
    chosen = await AnswerSelector(reader, embedders[MULTILINGUAL]).choose("does andrographis lower fever?", PASSAGES, 2)
    first = chosen[0]
    passage = next(candidate for candidate in PASSAGES if candidate.id == first.passage_id)
    assert passage.text[first.start : first.end] == first.text
    assert "Andrographis lowers fever" in first.text
    assert set(first.corroborated_by) == {"p1", "p2"} - {first.passage_id}
    assert 0 < first.relevance <= first.support <= 1


async def test_what_was_said_already_is_not_said_again(reader: TermReader, embedders: dict[str, WordVectors]) -> None:
    chosen = await AnswerSelector(reader, embedders[MULTILINGUAL]).choose("andrographis lowers fever", PASSAGES, 2)
    assert sum("Andrographis" in sentence.text for sentence in chosen) == 1


async def test_an_answer_is_the_same_each_time_and_nothing_comes_of_nothing(
    reader: TermReader, embedders: dict[str, WordVectors]
) -> None:
    answers = AnswerSelector(reader, embedders[MULTILINGUAL])
    assert await answers.choose("fever", PASSAGES) == await answers.choose("fever", PASSAGES)
    assert await answers.choose("fever", []) == []
    assert await answers.choose("fever", [AnswerPassage("x", "... !!", 1.0)]) == []


async def test_an_explanation_shows_terms_translations_and_what_each_way_brought(library: Library) -> None:
    await library.add("herbs", DOCUMENTS)
    explained = await explain(await library.search(SearchQuery("ขมิ้นชันกับหัวใจ", "herbs")), library.reader)
    english = next(leg for leg in explained.legs if leg.language == "en")
    assert english.by_translation and english.translations["ขมิ้นชัน"][0] == "turmeric"
    assert "turmer" in english.terms["words"]
    assert english.best_by_words[0][0] == "heart-en"
    assert english.weights == {"words": 0.4, "meaning": 0.6}
    assert explained.hits[0].id == "heart-th"
