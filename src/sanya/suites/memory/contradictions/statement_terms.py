"""Terms of statements: the words that say of what a sentence speaks, without those that arrange or announce."""

from __future__ import annotations

from collections.abc import Iterable

from sanya.suite.text import ENGLISH_STOP_WORDS, has_thai, stem_english
from sanya.suites.memory.contradictions.fact_terms import make_term
from sanya.suites.memory.contradictions.typed_values import find_values
from sanya.suites.memory.parsing.mentions import EntityMention, find_mentions
from sanya.suites.memory.parsing.tokens import WordToken, tokenize
from sanya.suites.memory.word_lists import open_word_file

_WORDS = open_word_file(__file__)
_MIN_DIRECTED = 5
_LIGHT = frozenset(map(stem_english, _WORDS.read_words("light"))) | _WORDS.read_set("light")
_THAI_LIGHT = _WORDS.read_set("thai_light")
_SYNONYMS = {stem_english(word): key for key, words in _WORDS.read_table("synonyms").items() for word in words}


def normalise_term(word: WordToken, mentions: Iterable[EntityMention]) -> str | None:
    """Return the word as statements compare it, or None if it only arranges or announces."""
    term = make_term(word, mentions)
    if term is None or word.form in _LIGHT or term in _LIGHT:
        return None
    if word.is_thai and (word.text in _THAI_LIGHT or len(word.text) == 1):
        return None
    return _SYNONYMS.get(term, term) if not has_thai(term) else _SYNONYMS.get(term) or _strip_direction(term)


def _strip_direction(term: str) -> str:
    """Return ปล่อย for ปล่อยไป, which the segmenter takes for one word."""
    return term[:-2] if len(term) > _MIN_DIRECTED and term.endswith(("ไป", "มา")) else term


def list_plain_terms(text: str) -> set[str]:
    values, masked = find_values(text, None)
    mentions = find_mentions(masked)
    words = tokenize(masked)
    terms = {normalise_term(word, mentions) for word in words}
    terms |= {word.form for word in words if word.is_capitalised and word.form not in ENGLISH_STOP_WORDS}
    return {term.lstrip("@#") for term in terms if term} | {value.text for value in values}
