from __future__ import annotations

from importlib.resources import files

from sanya.retrieval.lexicon import Lexicon, load_general_lexicon, pack_lines, read_packed, stem_phrase


def test_common_words_are_translated_both_ways() -> None:
    lexicon = load_general_lexicon()
    assert "cancer" in dict(lexicon.translate_thai("มะเร็ง"))
    assert "มะเร็ง" in dict(lexicon.translate_english("cancer"))


def test_the_english_side_is_the_thai_one_turned_round() -> None:
    """The packed file is shipped because stemming takes seconds; rebuild it after a change of words or stemming."""
    turned: dict[str, dict[str, float]] = {}
    packed = (files("sanya.retrieval") / "lexicon.tsv.gz").read_bytes()
    for word, pairs in read_packed(packed).items():
        for text, _, weight in (pair.partition("|") for pair in pairs.split("\t")):
            if stems := stem_phrase(text):
                known = turned.setdefault(stems, {})
                known[word] = max(float(weight), known.get(word, 0.0))
    english = load_general_lexicon().english
    assert set(english) == set(turned)
    for stems, thai in turned.items():
        best = sorted(thai.items(), key=lambda item: (-item[1], item[0]))[:10]
        assert english[stems] == tuple((word, weight / best[0][1]) for word, weight in best)


def test_a_packed_lexicon_reads_as_it_was() -> None:
    lines = {"กาแฟ": "café|1", "คิชิดะ": "岸田|1\tKishida|0.5", "ปกติ": "normal|0.33"}
    assert read_packed(pack_lines(lines)) == lines
    packed = (files("sanya.retrieval") / "lexicon.tsv.gz").read_bytes()
    assert read_packed(pack_lines(read_packed(packed))) == read_packed(packed)


def test_translations_come_best_first_and_the_best_weighs_one() -> None:
    for translations in list(load_general_lexicon().thai.values())[:2000]:
        weights = [weight for _, weight in translations]
        assert weights == sorted(weights, reverse=True) and weights[0] == 1.0 and len(weights) <= 10


def test_a_noun_made_from_a_verb_borrows_its_translation() -> None:
    lexicon = Lexicon({"รักษา": (("treat", 1.0),)}, {})
    assert lexicon.translate_thai("การรักษา") == (("treat", 1.0),)


def test_names_of_the_caller_come_first_and_leave_the_lexicon_as_it_was() -> None:
    plain = load_general_lexicon()
    named = plain.extend([("ฟ้าทะลายโจร", "Andrographis paniculata")])
    assert named.translate_thai("ฟ้าทะลายโจร")[0][0] == "andrographis paniculata"
    assert named.translate_english("andrographi paniculata")[0][0] == "ฟ้าทะลายโจร"
    assert plain.translate_thai("ฟ้าทะลายโจร") != named.translate_thai("ฟ้าทะลายโจร")


def test_the_longest_known_phrase_is_taken() -> None:
    lexicon = Lexicon({"น้ำ": (("water", 1.0),), "น้ำมัน": (("oil", 1.0),)}, {"heart attack": (("หัวใจวาย", 1.0),)})
    assert lexicon.find_thai_phrases(["น้ำ", "มัน", "ดี"]) == ["น้ำมัน", "ดี"]
    assert lexicon.find_english_phrases(["a", "heart", "attack"]) == ["a", "heart attack"]
