"""Terms of facts: the words of a clause in the form in which two statements of one property agree.

A name becomes `@key`, a code `#code`, a weekday `day:name`, a month without a day `month:name`. Verbs and nouns that
name one property have one term, so that "weighs" and "the weight" meet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from sanya.suite.text import ENGLISH_STOP_WORDS, stem_english
from sanya.suites.memory.parsing import cues
from sanya.suites.memory.parsing.mentions import EntityMention
from sanya.suites.memory.parsing.names import make_name_key
from sanya.suites.memory.parsing.tokens import WordToken, tokenize
from sanya.suites.memory.word_lists import invert_table, open_word_file

_WORDS = open_word_file(__file__)


def _load_predicates(section: str) -> dict[str, str]:
    return {stem_english(verb): key for verb, key in invert_table(_WORDS.read_table(section)).items()}


_SINGLE_PREDICATES = _load_predicates("predicates")
_MEASURED_PREDICATES = _load_predicates("measured_predicates")
_TIMED_PREDICATES = _load_predicates("timed_predicates")
PREDICATES = _SINGLE_PREDICATES | _MEASURED_PREDICATES | _TIMED_PREDICATES
SINGLE = frozenset(_SINGLE_PREDICATES.values())
MEASURED = frozenset(_MEASURED_PREDICATES.values())
TIMED = frozenset(_TIMED_PREDICATES.values())
ROLES = frozenset(map(stem_english, _WORDS.read_words("roles")))
PROPERTIES = frozenset(map(stem_english, _WORDS.read_words("attributes")))
ATTRIBUTES = PROPERTIES | ROLES
MOVABLE = frozenset(map(stem_english, _WORDS.read_words("movable")))
TEXT_ATTRIBUTES = frozenset(map(stem_english, _WORDS.read_words("text_attributes")))
WORDED = TEXT_ATTRIBUTES | ROLES | frozenset(map(stem_english, _WORDS.read_words("worded_attributes")))
_SYNONYMS = invert_table(_WORDS.read_table("synonyms"))
_ORDINALS = invert_table(_WORDS.read_table("ordinals"))
WEEKDAYS = invert_table(_WORDS.read_table("weekdays"))
_MONTHS = invert_table(_WORDS.read_table("months"))
_IGNORED = _WORDS.read_set("ignored")
NEGATIONS = cues.NEGATIONS - {"failed", "refused"}
CODE = re.compile(r"\d|[@#]|\w-\w")
_TYPED = ("#", "day:", "month:", "@")


def make_term(word: WordToken, mentions: Iterable[EntityMention]) -> str | None:
    """Return the term of a word, or None if it does not tell one fact from another."""
    if word.form in WEEKDAYS:
        return f"day:{WEEKDAYS[word.form]}"
    if word.form in _MONTHS:
        return f"month:{_MONTHS[word.form]}"
    if word.form in _ORDINALS:
        return f"#{_ORDINALS[word.form]}"
    if CODE.search(word.text):
        return f"#{word.form}"
    if word.text.isupper() and word.stem in ROLES:
        return word.stem  # my GP, the CFO
    for mention in mentions:
        if mention.span.start <= word.span.start and word.span.end <= mention.span.end:
            return f"@{make_name_key(mention.name)}"
    if (
        word.form in ENGLISH_STOP_WORDS
        or word.form in _IGNORED
        or word.form in NEGATIONS
        or word.form in cues.NEGATION_PARTS
    ):
        return None
    if word.is_adverb:
        return None
    term = stem_english(strip_negation(_SYNONYMS.get(word.form, word.form)))
    return PREDICATES.get(term, term)


def has_attribute(text: str) -> bool:
    return any(word.stem in ATTRIBUTES for word in tokenize(text))


def is_typed(term: str) -> bool:
    """Tell names, codes, weekdays and months from ordinary words."""
    return term.startswith(_TYPED)


def strip_negation(form: str) -> str:
    """Return ต้องการ for ไม่ต้องการ, which the segmenter takes for one word."""
    return form[3:] if form.startswith("ไม่") and len(form) > 5 else form
