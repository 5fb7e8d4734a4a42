"""The compiled reader of plain text gives what the Python modules give, whatever the text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanya.retrieval import terms
from sanya.retrieval.documents import DocumentText
from sanya.retrieval.lexicon import Lexicon
from sanya.retrieval.sounds import PIECE, compute_sound
from sanya.retrieval.terms import TermReader
from sanya.text import token_count
from sanya.text.english import STOP_WORDS, compute_stem
from sanya.text.plain_text import IS_COMPILED, PlainTerms
from sanya.text.segmentation import get_default_segmenter
from tests.long_form import often
from tests.text.strings import anything

pytestmark = pytest.mark.skipif(not IS_COMPILED, reason="it was not compiled here")

signs = st.text("aAbBcCdgGhHkKnNpsStTwxXyY0125..,,''--  ()/;:%_~!&", max_size=40)
printable = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=200)
latin = st.text(st.characters(max_codepoint=0x250), max_size=60)
texts = signs | printable | latin | anything


class Declines:
    def exceed(self, text: str, parts: int) -> None: ...

    def read(self, texts: object) -> None: ...

    def count(self, text: str) -> None: ...

    def count_before(self, text: str, places: list[int]) -> None: ...


@given(st.lists(st.tuples(texts, st.integers(1, 3)), max_size=3))
@settings(max_examples=often(125, 500), deadline=None)
def test_terms_are_the_same_compiled_and_in_python(parts: list[tuple[str, int]]) -> None:
    reader = TermReader(get_default_segmenter(), Lexicon({}, {}))
    document = [DocumentText(value, weight) for value, weight in parts]
    compiled = reader.read_document(document, "en")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(terms, "_compiled", Declines())
        plain = reader.read_document(document, "en")
    read, other = (
        {kind: (joined.text, joined.term_count) for kind, joined in found.items()} for found in (compiled, plain)
    )
    assert read == other
    assert all(count == text.count(" ") for text, count in read.values())


@pytest.mark.parametrize("way", ["compiled", "plain"])
def test_long_numbers_are_not_remembered(monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    compiled, plain = PlainTerms(STOP_WORDS, compute_stem, compute_sound, PIECE), terms._KnownParts()
    monkeypatch.setattr(terms, "_compiled", compiled if way == "compiled" else Declines())
    monkeypatch.setattr(terms, "_known_parts", plain)
    reader = TermReader(get_default_segmenter(), Lexicon({}, {}))
    for number in range(10_000_000, 10_000_050):
        read = reader.read_document([DocumentText(f"in 2024 was {number}")], "en")
        assert read["words"].split() == ["2024", str(number)]
    assert len(compiled if way == "compiled" else plain) == len(("in", "2024", "was"))


@given(
    texts | st.integers(1, 300).map(lambda length: "a" * length) | st.integers(1, 300).map(lambda length: "7" * length)
)
@settings(max_examples=often(125, 500), deadline=None)
def test_tokens_are_counted_the_same_in_both_ways(text: str) -> None:
    parts = token_count.count_token_parts(text)
    limits = (0, parts - 1, parts, parts + 1, 200)
    compiled = [token_count.has_more_parts(text, limit) for limit in limits]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(token_count, "_plain_costs", Declines())
        assert token_count.count_token_parts(text) == parts
        assert [token_count.has_more_parts(text, limit) for limit in limits] == compiled


@given(signs | printable | anything, st.lists(st.integers(0, 200), max_size=6))
def test_pieces_are_counted_the_same_in_both_ways(text: str, cuts: list[int]) -> None:
    places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    compiled = token_count.count_parts_before(text, places)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(token_count, "_plain_costs", Declines())
        assert compiled == token_count.count_parts_before(text, places)


def test_words_are_read_again_as_they_were_read_first() -> None:
    reader = TermReader(get_default_segmenter(), Lexicon({}, {}))
    document = [DocumentText("Interleukin-6 (IL-6), 1,000.5 mg of Warfarin's effects... not 5-HT.")]
    first, second = (reader.read_document(document, "en") for _ in range(2))
    assert (
        first["words"].text
        == second["words"].text
        == " interleukin 6 interleukin6 il 6 il6 1000.5 mg warfarin effect not 5 ht 5ht"
    )
    assert first["sounds"].text == second["sounds"].text


def test_more_words_than_are_remembered_are_read_as_well() -> None:
    reader = TermReader(get_default_segmenter(), Lexicon({}, {}))
    words = [f"x{number}" for number in range(160_000)]
    document = [DocumentText(" ".join(words))]
    for _ in range(2):
        assert reader.read_document(document, "en")["words"].split() == words
