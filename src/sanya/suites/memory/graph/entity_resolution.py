"""Who is who: which node of the graph a name means. Names are merged only when they are surely one; otherwise they are
linked as possibly the same. A merge moves links and keeps every id, so that it can be taken back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from sanya.suites.memory.parsing.names import drop_middle_initials, make_name_key, split_name, take_initials
from sanya.text.characters import has_thai
from sanya.text.spelling import make_spelling_key

EntityKind = Literal["person", "organisation", "place", "artifact", "thing"]

_UNNAMED = re.compile(
    r"^(?:un(?:named|known|identified)|anonymous|n/?a\b|passenger [a-z0-9]\b|female\b|male\b|ไม่ทราบชื่อ|ไม่ระบุ)",
    re.IGNORECASE,
)
_INITIALS = re.compile(r"^(?:[A-Z]\.?\s?){2,4}$")
_MOST_NAMES = 8


@dataclass(frozen=True, slots=True)
class EntityReference:
    """A name as a memory uses it."""

    name: str
    kind: EntityKind
    role: str | None = None
    listed: bool = False
    """Whether it stands in a list of people, where letters alone are somebody's initials."""

    @property
    def key(self) -> str:
        return make_name_key(self.name)

    @property
    def is_unnamed(self) -> bool:
        return _UNNAMED.match(self.name.strip()) is not None

    @property
    def is_initials(self) -> bool:
        return self.listed and _INITIALS.match(self.name.strip()) is not None


@dataclass(frozen=True, slots=True)
class KnownEntity:
    """An entity of the graph, with those that appear in the same memories as it."""

    id: str
    kind: EntityKind
    keys: frozenset[str]
    """The keys of its name and of its aliases."""
    companions: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class EntityMatch:
    """`same` is whom a name surely means; `possibly` are those whom it may mean, each with a share of certainty."""

    entity_id: str | None = None
    candidates: tuple[tuple[str, float], ...] = ()
    reason: str = ""


_NO_MATCH = EntityMatch()


def resolve_entity(named: EntityReference, known: Sequence[KnownEntity], companions: Iterable[str] = ()) -> EntityMatch:
    """Which of the known entities a name means. `companions` are the entities that the same memory names."""
    if named.is_unnamed:
        return _NO_MATCH
    alike = [one for one in known if _is_compatible_kind(one.kind, named.kind)]
    exact = [one for one in alike if named.key in one.keys]
    if len(exact) == 1:
        return EntityMatch(exact[0].id, reason="the same name")
    if len(exact) > 1:
        return EntityMatch(candidates=tuple((one.id, 0.5) for one in exact))
    if named.kind != "person" and not named.is_initials:
        return _NO_MATCH
    together = frozenset(companions)
    for rule in (_match_middle_initial, _match_initials, _match_sound):
        found = rule(named, alike, together)
        if found.entity_id or found.candidates:
            return found
    return _match_short_form(named, alike)


def _is_compatible_kind(one: EntityKind, other: EntityKind) -> bool:
    people = ("person", "thing")
    return one == other or (one in people and other in people) or "thing" in (one, other)


def _match_middle_initial(named: EntityReference, known: Sequence[KnownEntity], _: frozenset[str]) -> EntityMatch:
    """Jeffrey E. Epstein is Jeffrey Epstein, if no other middle initial of that name is known."""
    bare = drop_middle_initials(named.key)
    if len(bare.split()) < 2:
        return _NO_MATCH
    found = [one for one in known if any(drop_middle_initials(key) == bare for key in one.keys)]
    full = {key for one in found for key in one.keys if key != bare and drop_middle_initials(key) == bare}
    if len(found) == 1 and (named.key == bare or not full):
        return EntityMatch(found[0].id, reason="the same name but for a middle initial")
    return EntityMatch(candidates=tuple((one.id, 0.5) for one in found))


def _match_initials(named: EntityReference, known: Sequence[KnownEntity], together: frozenset[str]) -> EntityMatch:
    """Letters in a list of people are whoever has these initials and travels with the same others, if that is one."""
    if not named.is_initials:
        return _NO_MATCH
    letters = re.sub(r"[^a-z]", "", named.name.lower())
    found = [one for one in known if any(" " in key and take_initials(key) == letters for key in one.keys)]
    beside = [one for one in found if one.companions & together]
    if len(beside) == 1 and len(found) == 1:
        return EntityMatch(beside[0].id, reason="initials in a list with the same companions")
    return EntityMatch(candidates=tuple((one.id, 0.6 if one in beside else 0.3) for one in found))


def _match_sound(named: EntityReference, known: Sequence[KnownEntity], together: frozenset[str]) -> EntityMatch:
    """สมชาย ใจดี and Somchai Jaidee: sure only if something else of them agrees as well."""
    across = [one for one in known if any(has_thai(key) != has_thai(named.key) for key in one.keys)]
    sound = make_spelling_key(named.key)
    found = [one for one in across if sound and any(make_spelling_key(key) == sound for key in one.keys)]
    if len(found) == 1 and len(named.key.split()) > 1 and found[0].companions & together:
        return EntityMatch(found[0].id, reason="the same name in the other script, in the same company")
    return EntityMatch(candidates=tuple((one.id, 0.8 if len(named.key.split()) > 1 else 0.5) for one in found))


def _match_short_form(named: EntityReference, known: Sequence[KnownEntity]) -> EntityMatch:
    """J. Epstein or Epstein may be Jeffrey Epstein; two given names with one family name never are one."""
    given, family = split_name(named.key)
    links: list[tuple[str, float]] = []
    for one in known:
        for key in one.keys:
            other_given, other_family = split_name(key)
            if (
                family
                and other_family == family
                and 1 in (len(given), len(other_given))
                and given[:1] == other_given[:1]
            ):
                links.append((one.id, 0.7))
            elif (
                bool(family) != bool(other_family)
                and (given or other_given)
                and _is_part_of(given, family, other_given, other_family)
            ):
                links.append((one.id, 0.4))
    best: dict[str, float] = {}
    for entity, share in links:
        best[entity] = max(share, best.get(entity, 0.0))
    return EntityMatch(candidates=tuple(sorted(best.items())))


def _is_part_of(given: str, family: str, other_given: str, other_family: str) -> bool:
    alone, pair = (given, (other_given, other_family)) if not family else (other_given, (given, family))
    return alone in pair


def make_lookup_names(named: EntityReference) -> list[str]:
    """The folded names under which entities that a name could mean are found in the graph."""
    key = named.key
    if not key or named.is_unnamed:
        return []
    sought = [key, drop_middle_initials(key)]
    if named.kind in ("person", "thing") or named.is_initials:
        sought += [f"sound|{make_spelling_key(key)}", *(f"part|{word}" for word in key.split() if len(word) > 1)]
    if named.is_initials:
        sought.append(f"initials|{re.sub(r'[^a-z]', '', named.name.lower())}")
    return list(dict.fromkeys(sought))


def make_stored_names(named: EntityReference) -> list[str]:
    """The folded names under which a new entity, or one that has a new name, is to be found."""
    key = named.key
    if named.is_unnamed:
        return []
    kept = [key, drop_middle_initials(key)]
    if named.kind == "person":
        kept += [f"sound|{make_spelling_key(key)}", *(f"part|{word}" for word in key.split()[:_MOST_NAMES])]
        if " " in key:
            kept.append(f"initials|{take_initials(key)}")
    return list(dict.fromkeys(filter(None, kept)))


def format_name(named: EntityReference) -> str:
    """As people say it: the given name first, no title."""
    last, comma, first = named.name.partition(",")
    turned = f"{first.strip()} {last.strip()}" if comma and named.kind == "person" and first.strip() else named.name
    return " ".join(turned.split())[:300]


@dataclass(frozen=True, slots=True)
class EntityCandidates:
    """The entities that were found for the names of one memory, by the folded name that found them."""

    by_name: Mapping[str, Sequence[KnownEntity]] = field(default_factory=dict)

    def list_for(self, named: EntityReference) -> list[KnownEntity]:
        found = {one.id: one for name in make_lookup_names(named) for one in self.by_name.get(name, ())}
        return [found[one] for one in sorted(found)]
