"""Locations: "the stopcock is behind the washing machine", "the plumber moved the stopcock to under the sink".

Two sentences may name one place by two things beside it, so that other words for the place show nothing. It is another
place if somebody moved the thing there, or if both name a room.

Everything here is a pure function.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sanya.suites.memory.contradictions.statement_terms import list_plain_terms
from sanya.suites.memory.word_lists import open_word_file

_WORDS = open_word_file(__file__)
_LYING, _MOVING = (
    [re.compile(line, re.IGNORECASE) for line in _WORDS.read_lines(section)] for section in ("lying", "moving")
)
_ROOMS = _WORDS.read_set("rooms")
_ROOM = re.compile("|".join(sorted(_ROOMS, key=len, reverse=True)), re.IGNORECASE)
_BESIDE = re.compile(rf"^(?:(?:{'|'.join(_WORDS.read_phrases('beside'))})\s?)+", re.IGNORECASE)
_MAX_CHARS = 120


@dataclass(frozen=True, slots=True)
class ThingLocation:
    thing: frozenset[str]
    place: frozenset[str]
    rooms: frozenset[str]
    is_moved: bool


def read_location(sentence: str) -> ThingLocation | None:
    """Return which thing is where, or None if the sentence does not say so."""
    if len(sentence) > _MAX_CHARS:
        return None
    text = sentence.rstrip(" .!")
    for patterns, is_moved in ((_MOVING, True), (_LYING, False)):
        match = next((match for pattern in patterns if (match := pattern.match(text))), None)
        if match is not None:
            thing = frozenset(list_plain_terms(match["thing"]))
            place = frozenset(list_plain_terms(_BESIDE.sub("", match["place"])))
            rooms = frozenset(_ROOM.findall(match["place"].lower()))
            return ThingLocation(thing, place, rooms, is_moved) if thing and place else None
    return None


def find_other_location(newer: ThingLocation, older: ThingLocation) -> str | None:
    """Return why one thing cannot be in both places, or None."""
    if not _is_same_thing(newer, older) or newer.place & older.place:
        return None
    is_other_room = newer.thing == older.thing and bool(newer.rooms and older.rooms) and not newer.rooms & older.rooms
    return "one thing cannot be in two places" if newer.is_moved or is_other_room else None


def _is_same_thing(newer: ThingLocation, older: ThingLocation) -> bool:
    """Tell whether both name one thing. Thai words may be cut in two ways, and compounds are compared as texts."""
    return newer.thing == older.thing or "".join(sorted(newer.thing)) == "".join(sorted(older.thing))
