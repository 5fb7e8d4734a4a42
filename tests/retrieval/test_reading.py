from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from sanya.retrieval.documents import Text
from sanya.retrieval.lexicon import Lexicon
from sanya.retrieval.sounds import sound_pieces
from sanya.retrieval.terms import Reader
from sanya.text.english import STOP_WORDS
from sanya.text.segmentation import default_segmenter
from tests.text.strings import anything

READER = Reader(default_segmenter(), Lexicon({}, {}))


@settings(deadline=None)
@given(anything | st.text(" .,;:'-()IiLl60theTHE", max_size=40))
def test_a_document_has_the_words_that_a_query_is_read_into(text: str) -> None:
    read = READER.read_document([Text(text)], "en")["words"]
    assert (read.each(), read.size) == (READER.words(text), len(READER.words(text)))


def test_a_text_of_weight_two_counts_twice() -> None:
    read = READER.read_document([Text("Ginger in TNF-alpha", 2), Text("ginger tea")], "en")
    words = Counter(READER.words("Ginger in TNF-alpha") * 2 + READER.words("ginger tea"))
    assert Counter(read["words"].each()) == words
    pieces = [piece for name in ("ginger", "tnf") if name not in STOP_WORDS for piece in sound_pieces(name)]
    assert read["sounds"].each() == pieces * 2


def test_thai_is_read_in_three_ways() -> None:
    read = READER.read_document([Text("ฟ้าทะลายโจร", 2)], "th")
    assert {way: found.size > 0 for way, found in read.items()} == {"words": True, "grams": True, "sounds": True}
