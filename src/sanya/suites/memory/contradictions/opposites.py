"""Opposites: states that exclude each other, verbs that undo each other, roles that only one holder can have."""

from __future__ import annotations

from sanya.suite.text import stem_english
from sanya.suites.memory.word_lists import open_word_file

_WORDS = open_word_file(__file__)


def _load_exclusive_groups() -> dict[str, frozenset[int]]:
    """Return the numbers of the groups that each stem is in."""
    groups: dict[str, frozenset[int]] = {}
    for number, line in enumerate(_WORDS.read_lines("exclusive")):
        for word in line.split():
            groups[stem_english(word)] = groups.get(stem_english(word), frozenset()) | {number}
    return groups


def _load_stems(section: str) -> frozenset[str]:
    return frozenset(map(stem_english, _WORDS.read_words(section)))


EXCLUSIVE_GROUPS = _load_exclusive_groups()
OPPOSITE_VERBS = frozenset(frozenset(line.split()) for line in _WORDS.read_lines("opposite_verbs"))
VERB_FAMILY = {verb: line.split()[0] for line in _WORDS.read_lines("verb_families") for verb in line.split()}
SINGLE_HOLDER_ROLES = _load_stems("single_holder_roles")
PERMANENT_ROLES = _load_stems("permanent_roles")
ONE_TIME_VERBS = _WORDS.read_set("one_time_verbs")
RECURRING_SUBJECTS = _load_stems("recurring_subjects")
VERBS_OF_THE_LIVING = _WORDS.read_set("verbs_of_the_living")
MEASURING_VERBS = _WORDS.read_set("measuring_verbs")
MEASURE_WORDS = _load_stems("measure_words")


def is_opposite(word: str, other: str) -> bool:
    """Tell whether two stems are different states of one group."""
    return word != other and bool(EXCLUSIVE_GROUPS.get(word, frozenset()) & EXCLUSIVE_GROUPS.get(other, frozenset()))
