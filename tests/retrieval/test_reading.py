from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from sanya.retrieval.documents import DocumentText
from sanya.retrieval.lexicon import Lexicon
from sanya.retrieval.sounds import split_sound
from sanya.retrieval.terms import TermReader
from sanya.text.english import STOP_WORDS
from sanya.text.segmentation import get_default_segmenter
from tests.text.strings import anything

READER = TermReader(get_default_segmenter(), Lexicon({}, {}))


@settings(deadline=None)
@given(anything | st.text(" .,;:'-()IiLl60theTHE", max_size=40))
def test_a_document_has_the_words_that_a_query_is_read_into(text: str) -> None:
    read = READER.read_document([DocumentText(text)], "en")["words"]
    assert (read.split(), read.term_count) == (READER.extract_words(text), len(READER.extract_words(text)))


def test_a_text_of_weight_two_counts_twice() -> None:
    read = READER.read_document([DocumentText("Ginger in TNF-alpha", 2), DocumentText("ginger tea")], "en")
    words = Counter(READER.extract_words("Ginger in TNF-alpha") * 2 + READER.extract_words("ginger tea"))
    assert Counter(read["words"].split()) == words
    pieces = [piece for name in ("ginger", "tnf") if name not in STOP_WORDS for piece in split_sound(name)]
    assert read["sounds"].split() == pieces * 2


def test_thai_is_read_in_three_ways() -> None:
    read = READER.read_document([DocumentText("ฟ้าทะลายโจร", 2)], "th")
    assert {way: found.term_count > 0 for way, found in read.items()} == {"words": True, "grams": True, "sounds": True}
