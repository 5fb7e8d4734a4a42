"""Entity resolution: the node of the graph that a name means.

A wrong merge does more harm than a missing one, because it mixes what is known of two people. So a name is resolved
to a known entity only where it surely means that one: the same key, the same name but for a middle initial that
nobody else has, initials in a list of people together with the same companions, or the same sound in the other script
together with the same companions. Everything else that fits (J. Epstein, Epstein, initials of two people) becomes a
`possibly_same` edge with a share of certainty, and both nodes stay.

Names are stored in the graph under several folded names (`make_stored_names`: key, sound, parts, initials), so that a
new name finds its candidates by a few lookups (`make_lookup_names`). A merge moves edges and keeps every id, so it
can be undone when another person with the same initials appears (`entity_merging`).

Everything here is a pure function.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sanya.suite.text import has_thai, make_spelling_key
from sanya.suites.memory.parsing.mentions import EntityKind
from sanya.suites.memory.parsing.names import drop_middle_initials, make_name_key, split_name, take_initials

_UNNAMED = re.compile(
    r"^(?:un(?:named|known|identified)|anonymous|n/?a\b|passenger [a-z0-9]\b|female\b|male\b|ไม่ทราบชื่อ|ไม่ระบุ)",
    re.IGNORECASE,
)
_INITIALS = re.compile(r"^(?:[A-Z]\.?\s?){2,4}$")
_MAX_NAME_PARTS = 8


@dataclass(frozen=True, slots=True)
class EntityReference:
    """A name as a memory uses it."""

    name: str
    kind: EntityKind
    role: str | None = None
    listed: bool = False
    """True in a list of people, where capitals alone are somebody's initials."""

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
    """An entity of the graph. Its companions appear in the same memories."""

    id: str
    kind: EntityKind
    keys: frozenset[str]
    """The keys of its name and of its aliases."""
    companions: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class EntityMatch:
    """The entity that a name surely means, or those that it may mean, each with a share of certainty."""

    entity_id: str | None = None
    candidates: tuple[tuple[str, float], ...] = ()
    reason: str = ""


_NO_MATCH = EntityMatch()


def resolve_entity(
    reference: EntityReference, known: Sequence[KnownEntity], companions: Iterable[str] = ()
) -> EntityMatch:
    """Return the known entity that a name means. `companions` are other entities of the same memory."""
    if reference.is_unnamed:
        return _NO_MATCH
    compatible = [entity for entity in known if _is_compatible_kind(entity.kind, reference.kind)]
    exact = [entity for entity in compatible if reference.key in entity.keys]
    if len(exact) == 1:
        return EntityMatch(exact[0].id, reason="the same name")
    if len(exact) > 1:
        return EntityMatch(candidates=tuple((entity.id, 0.5) for entity in exact))
    if reference.kind != "person" and not reference.is_initials:
        return _NO_MATCH
    companion_ids = frozenset(companions)
    for rule in (_match_middle_initial, _match_initials, _match_sound):
        match = rule(reference, compatible, companion_ids)
        if match.entity_id or match.candidates:
            return match
    return _match_short_form(reference, compatible)


def _is_compatible_kind(kind: EntityKind, other: EntityKind) -> bool:
    people = ("person", "thing")
    return kind == other or (kind in people and other in people) or "thing" in (kind, other)


def _match_middle_initial(reference: EntityReference, known: Sequence[KnownEntity], _: frozenset[str]) -> EntityMatch:
    """Match Jeffrey E. Epstein with Jeffrey Epstein if no other middle initial of that name is known."""
    bare = drop_middle_initials(reference.key)
    if len(bare.split()) < 2:
        return _NO_MATCH
    found = [entity for entity in known if any(drop_middle_initials(key) == bare for key in entity.keys)]
    full = {key for entity in found for key in entity.keys if key != bare and drop_middle_initials(key) == bare}
    if len(found) == 1 and (reference.key == bare or not full):
        return EntityMatch(found[0].id, reason="the same name but for a middle initial")
    return EntityMatch(candidates=tuple((entity.id, 0.5) for entity in found))


def _match_initials(
    reference: EntityReference, known: Sequence[KnownEntity], companions: frozenset[str]
) -> EntityMatch:
    """Match initials in a list with the only person who has them, if that person has appeared with the same others."""
    if not reference.is_initials:
        return _NO_MATCH
    letters = re.sub(r"[^a-z]", "", reference.name.lower())
    found = [entity for entity in known if any(" " in key and take_initials(key) == letters for key in entity.keys)]
    accompanied = [entity for entity in found if entity.companions & companions]
    if len(accompanied) == 1 and len(found) == 1:
        return EntityMatch(accompanied[0].id, reason="initials in a list with the same companions")
    return EntityMatch(candidates=tuple((entity.id, 0.6 if entity in accompanied else 0.3) for entity in found))


def _match_sound(reference: EntityReference, known: Sequence[KnownEntity], companions: frozenset[str]) -> EntityMatch:
    """Match สมชาย ใจดี with Somchai Jaidee: surely if they share a companion, otherwise possibly."""
    other_script = [entity for entity in known if any(has_thai(key) != has_thai(reference.key) for key in entity.keys)]
    sound = make_spelling_key(reference.key)
    found = [entity for entity in other_script if sound and any(make_spelling_key(key) == sound for key in entity.keys)]
    if len(found) == 1 and len(reference.key.split()) > 1 and found[0].companions & companions:
        return EntityMatch(found[0].id, reason="the same name in the other script, in the same company")
    return EntityMatch(
        candidates=tuple((entity.id, 0.8 if len(reference.key.split()) > 1 else 0.5) for entity in found)
    )


def _match_short_form(reference: EntityReference, known: Sequence[KnownEntity]) -> EntityMatch:
    """Match J. Epstein or Epstein possibly with Jeffrey Epstein. Different given names never match."""
    given, family = split_name(reference.key)
    links: list[tuple[str, float]] = []
    for entity in known:
        for key in entity.keys:
            other_given, other_family = split_name(key)
            if (
                family
                and other_family == family
                and 1 in (len(given), len(other_given))
                and given[:1] == other_given[:1]
            ):
                links.append((entity.id, 0.7))
            elif (
                bool(family) != bool(other_family)
                and (given or other_given)
                and _is_part_of(given, family, other_given, other_family)
            ):
                links.append((entity.id, 0.4))
    best: dict[str, float] = {}
    for entity_id, share in links:
        best[entity_id] = max(share, best.get(entity_id, 0.0))
    return EntityMatch(candidates=tuple(sorted(best.items())))


def _is_part_of(given: str, family: str, other_given: str, other_family: str) -> bool:
    single, full = (given, (other_given, other_family)) if not family else (other_given, (given, family))
    return single in full


def make_lookup_names(reference: EntityReference) -> list[str]:
    """Return the folded names under which the candidates of a name are stored."""
    key = reference.key
    if not key or reference.is_unnamed:
        return []
    names = [key, drop_middle_initials(key)]
    if reference.kind in ("person", "thing") or reference.is_initials:
        names += [f"sound|{make_spelling_key(key)}", *(f"part|{word}" for word in key.split() if len(word) > 1)]
    if reference.is_initials:
        names.append(f"initials|{re.sub(r'[^a-z]', '', reference.name.lower())}")
    return list(dict.fromkeys(names))


def make_stored_names(reference: EntityReference) -> list[str]:
    """Return the folded names under which an entity with this name is stored."""
    key = reference.key
    if reference.is_unnamed:
        return []
    names = [key, drop_middle_initials(key)]
    if reference.kind == "person":
        names += [f"sound|{make_spelling_key(key)}", *(f"part|{word}" for word in key.split()[:_MAX_NAME_PARTS])]
        if " " in key:
            names.append(f"initials|{take_initials(key)}")
    return list(dict.fromkeys(filter(None, names)))


def format_name(reference: EntityReference) -> str:
    """Return a name for display, the given name first."""
    last, comma, first = reference.name.partition(",")
    name = (
        f"{first.strip()} {last.strip()}" if comma and reference.kind == "person" and first.strip() else reference.name
    )
    return " ".join(name.split())[:300]


@dataclass(frozen=True, slots=True)
class EntityCandidates:
    """Known entities that the names of one memory may mean, by folded name."""

    by_name: Mapping[str, Sequence[KnownEntity]] = field(default_factory=dict)

    def list_for(self, reference: EntityReference) -> list[KnownEntity]:
        entities = {entity.id: entity for name in make_lookup_names(reference) for entity in self.by_name.get(name, ())}
        return [entities[key] for key in sorted(entities)]
