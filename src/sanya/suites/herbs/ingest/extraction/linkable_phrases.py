"""The phrases of a name that may stand for it in a document.

Names of uses and conditions are often lists. In a question every part of the list may be meant, and the asker can be
asked back. In a document only parts count that mean the whole on their own: not "fresh" of "fresh and chronic wounds",
nor the later parts of an alias.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sanya.suite.text import has_thai, to_search_form
from sanya.suites.herbs.graph.model import HerbName

_LISTED_TYPES = ("indication", "condition")
_BRACKETS = re.compile(r"\s*\([^()]*\)")
_SEPARATOR = re.compile(r"\s*[,;/]\s*")
_CONJUNCTION = re.compile(r"\s+(?:and|or)\s+")
# "To relieve fever" names a fever; the verb is a cue of its own.
_LEADING_VERB = re.compile("^(?:แก้|บรรเทา|รักษา)(?:อาการ)?")
_NUMBER_OR_LATIN = re.compile("[0-9a-z]")
_MIN_THAI_LENGTH, _MIN_LATIN_LENGTH = 2, 3
# Words that say how far or how badly, not what.
_QUALIFIERS = frozenset(["palliative", "severe", "mild", "acute", "chronic", "ache", "fresh", "topical"])


def list_linkable_phrases(name: HerbName) -> list[str]:
    """Return the phrases that link to the name's node; none for a genus, which alone is no species, nor for a name that
    means its node only as a whole entry: "ท้อง" in a text is a belly."""
    if name.kind == "genus" or name.exact_only:
        return []
    form = to_search_form(name.name)
    whole = _LEADING_VERB.sub("", form) if name.node_type in _LISTED_TYPES else form
    if name.node_type not in _LISTED_TYPES or name.kind == "code":
        return [whole]
    phrases = (whole, *_split_list(name, _BRACKETS.sub("", whole)))
    return list(dict.fromkeys(phrase for phrase in phrases if _is_specific(phrase)))


def _split_list(name: HerbName, bare: str) -> Iterator[str]:
    yield bare
    if has_thai(bare):
        # "Under 25 years", "stage 2": the part before a number means nothing without it.
        parts = [] if _NUMBER_OR_LATIN.search(bare) else [_LEADING_VERB.sub("", part) for part in bare.split()]
    else:
        parts = [phrase for part in _SEPARATOR.split(bare) for phrase in _split_conjunction(part)]
    yield from parts if name.kind == "main" and name.node_type == "indication" else parts[:1]


def _split_conjunction(part: str) -> list[str]:
    """Split "nausea and vomiting", but not "back and waist pain", whose parts share a noun."""
    pieces = _CONJUNCTION.split(part)
    shares_noun = any(" " not in piece for piece in pieces[:-1]) and " " in pieces[-1]
    return [part] if shares_noun else pieces


def _is_specific(phrase: str) -> bool:
    return len(phrase) >= (_MIN_THAI_LENGTH if has_thai(phrase) else _MIN_LATIN_LENGTH) and phrase not in _QUALIFIERS
