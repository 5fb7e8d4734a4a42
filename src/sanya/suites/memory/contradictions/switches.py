"""Somebody does as before with something else: "we heat with oil", "since the renovation we heat with a heat pump".

A verb and the preposition behind it show what is compared, and a word that announces a change ("now", "switched",
เปลี่ยนไป) shows that the new takes the place of the old. A passive with "by" is compared with its active form: "Mr Roe
supervises my thesis", "my thesis is supervised by Ms Lam".

Everything here is a pure function.
"""

from __future__ import annotations

from itertools import pairwise

from sanya.suite.text import has_thai, stem_english
from sanya.suites.memory.contradictions.alignment import Alignment
from sanya.suites.memory.contradictions.statements import SELF, MemoryStatement
from sanya.suites.memory.word_lists import open_word_file

_WORDS = open_word_file(__file__)
_PREPOSITIONS = _WORDS.read_set("prepositions")
_SWITCHES = _WORDS.read_set("switches")
_GENERAL = _WORDS.read_set("general_verbs")
_AGENT_VERBS = frozenset(map(stem_english, _WORDS.read_words("single_agent_verbs")))
_MAX_VALUE_WORDS = 2
_DEFINITE = _WORDS.read_set("definite")


def is_switched(newer: MemoryStatement, older: MemoryStatement, pair: Alignment) -> bool:
    """Tell whether the newer one says that the same is now done with something else."""
    if not newer.announces or newer.negated or older.negated or older.is_event or newer.adds:
        return False
    if not _SWITCHES.intersection(newer.sequence):
        return False
    shared = _list_pairs(older.sequence) & _list_pairs(newer.sequence)
    if not shared or not (pair.own or pair.own_values) or not (pair.other or pair.other_values):
        return False
    subject = _list_before(older.sequence, next(iter(shared)))
    known = set(newer.sequence)
    return all(word in known or _is_speaker(word, pair) for word in subject)


def _list_pairs(words: tuple[str, ...]) -> set[tuple[str, str]]:
    return {
        (stem_english(verb), preposition)
        for verb, preposition in pairwise(words)
        if preposition in _PREPOSITIONS and verb not in _GENERAL and (len(verb) > 2 or has_thai(verb))
    }


def _list_before(words: tuple[str, ...], pair: tuple[str, str]) -> list[str]:
    """Return the words before the verb, without articles."""
    at = next(at for at in range(len(words)) if (stem_english(words[at]), words[at + 1]) == pair)
    return [word for word in words[:at] if word not in _DEFINITE]


def _is_speaker(word: str, pair: Alignment) -> bool:
    return word in ("we", "i", "เรา", "ผม", "ฉัน") and any(term.startswith(SELF) for term in pair.shared)


def is_replaced(newer: MemoryStatement, older: MemoryStatement, pair: Alignment) -> bool:
    """Tell whether the newer one says that what the older one speaks of was changed to something else."""
    thing = newer.replaced_thing
    if not thing or not thing <= pair.shared or older.is_event or older.negated or newer.negated:
        return False
    return bool(pair.own or pair.own_values) and 0 < len(pair.other) + len(pair.other_values) <= _MAX_VALUE_WORDS


def is_done_by_another(newer: MemoryStatement, older: MemoryStatement, pair: Alignment) -> bool:
    """Tell whether one is active and the other passive, and each names another who does the same."""
    active, passive = (older, newer) if "by" in newer.sequence else (newer, older)
    if "by" in active.sequence or "by" not in passive.sequence or newer.negated or older.negated:
        return False
    if pair.own or pair.other or not newer.verbs & older.verbs & _AGENT_VERBS:
        return False
    values = (*pair.own_values, *pair.other_values)
    return (
        len(pair.own_values) == len(pair.other_values) == 1
        and all(value.kind == "name" for value in values)
        and bool(_DEFINITE.intersection(passive.sequence))
    )
