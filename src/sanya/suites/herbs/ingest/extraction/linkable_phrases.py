"""Which phrases of a name may stand for it in a document, where nobody is there to ask back.

A use or a condition is often named by a list. All of its parts serve a question; of a document only those do that mean
the whole when they stand alone: not the "fresh" of "fresh and chronic wounds", nor the afterthoughts of an alias."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sanya.suites.herbs.graph.model import Name
from sanya.text.characters import has_thai
from sanya.text.normalisation import search_form

_LISTED = ("indication", "condition")
_BRACKETS = re.compile(r"\s*\([^()]*\)")
_COMMAS = re.compile(r"\s*[,;/]\s*")
_JOINED = re.compile(r"\s+(?:and|or)\s+")
# "To relieve fever" names a fever; the verb is a cue of its own.
_VERB = re.compile("^(?:แก้|บรรเทา|รักษา)(?:อาการ)?")
_NUMBERED = re.compile("[0-9a-z]")
_LEAST_THAI, _LEAST_LATIN = 2, 3
# They say how far or how badly, not what.
_NO_NAMES = frozenset(["palliative", "severe", "mild", "acute", "chronic", "ache", "fresh", "topical"])


def dependable_phrases(name: Name) -> list[str]:
    """A genus alone is no species, so its name counts for none."""
    if name.kind == "genus":
        return []
    whole = _VERB.sub("", search_form(name.name)) if name.node_type in _LISTED else search_form(name.name)
    if name.node_type not in _LISTED or name.kind == "code":
        return [whole]
    return list(dict.fromkeys(one for one in (whole, *_parts(name, _BRACKETS.sub("", whole))) if _is_name(one)))


def _parts(name: Name, bare: str) -> Iterator[str]:
    yield bare
    if has_thai(bare):
        # "under 25 years", "stage 2": what stands before a number is nothing without it.
        parts = [] if _NUMBERED.search(bare) else [_VERB.sub("", part) for part in bare.split()]
    else:
        parts = [one for part in _COMMAS.split(bare) for one in _unjoined(part)]
    yield from parts if name.kind == "main" and name.node_type == "indication" else parts[:1]


def _unjoined(part: str) -> list[str]:
    """Both of "nausea and vomiting", but only the whole of "back and waist pain"."""
    pieces = _JOINED.split(part)
    shares_its_noun = any(" " not in piece for piece in pieces[:-1]) and " " in pieces[-1]
    return [part] if shares_its_noun else pieces


def _is_name(phrase: str) -> bool:
    return len(phrase) >= (_LEAST_THAI if has_thai(phrase) else _LEAST_LATIN) and phrase not in _NO_NAMES
