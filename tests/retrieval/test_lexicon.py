from __future__ import annotations

import gzip
from importlib.resources import files

from sanya.retrieval.lexicon import Lexicon, general_lexicon, stem_phrase


def test_common_words_are_translated_both_ways() -> None:
    lexicon = general_lexicon()
    assert "cancer" in dict(lexicon.from_thai("มะเร็ง"))
    assert "มะเร็ง" in dict(lexicon.from_english("cancer"))


def test_the_english_side_is_the_thai_one_turned_round() -> None:
    """It is packaged, because stemming it takes seconds; after a change of the words or of stemming, write it anew."""
    turned: dict[str, dict[str, float]] = {}
    for line in (
        gzip.decompress((files("sanya.retrieval") / "lexicon.tsv.gz").read_bytes()).decode("utf-8").splitlines()
    ):
        word, *pairs = line.split("\t")
        for text, _, weight in (pair.partition("|") for pair in pairs):
            if stems := stem_phrase(text):
                known = turned.setdefault(stems, {})
                known[word] = max(float(weight), known.get(word, 0.0))
    english = general_lexicon().english
    assert set(english) == set(turned)
    for stems, words in turned.items():
        best = sorted(words.items(), key=lambda one: (-one[1], one[0]))[:10]
        assert english[stems] == tuple((word, weight / best[0][1]) for word, weight in best)


def test_translations_come_best_first_and_the_best_weighs_one() -> None:
    for translations in list(general_lexicon().thai.values())[:2000]:
        weights = [weight for _, weight in translations]
        assert weights == sorted(weights, reverse=True) and weights[0] == 1.0 and len(weights) <= 10


def test_a_noun_made_from_a_verb_borrows_its_translation() -> None:
    lexicon = Lexicon({"รักษา": (("treat", 1.0),)}, {})
    assert lexicon.from_thai("การรักษา") == (("treat", 1.0),)


def test_names_of_the_caller_come_first_and_leave_the_lexicon_as_it_was() -> None:
    plain = general_lexicon()
    named = plain.extended([("ฟ้าทะลายโจร", "Andrographis paniculata")])
    assert named.from_thai("ฟ้าทะลายโจร")[0][0] == "andrographis paniculata"
    assert named.from_english("andrographi paniculata")[0][0] == "ฟ้าทะลายโจร"
    assert plain.from_thai("ฟ้าทะลายโจร") != named.from_thai("ฟ้าทะลายโจร")


def test_the_longest_known_phrase_is_taken() -> None:
    lexicon = Lexicon({"น้ำ": (("water", 1.0),), "น้ำมัน": (("oil", 1.0),)}, {"heart attack": (("หัวใจวาย", 1.0),)})
    assert lexicon.thai_phrases(["น้ำ", "มัน", "ดี"]) == ["น้ำมัน", "ดี"]
    assert lexicon.english_phrases(["a", "heart", "attack"]) == ["a", "heart attack"]
