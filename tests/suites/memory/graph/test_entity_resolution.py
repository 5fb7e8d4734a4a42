from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanya.suites.memory.graph.entity_resolution import (
    EntityReference,
    KnownEntity,
    make_lookup_names,
    make_stored_names,
    resolve_entity,
)
from sanya.suites.memory.parsing.names import make_name_key
from tests.long_form import often

JEFFREY = KnownEntity("jeffrey", "person", frozenset({"jeffrey epstein"}), frozenset({"ghislaine", "bill"}))
GHISLAINE = KnownEntity("ghislaine", "person", frozenset({"ghislaine maxwell"}), frozenset({"jeffrey", "bill"}))
SOMCHAI = KnownEntity("somchai", "person", frozenset({make_name_key("นายสมชาย ใจดี")}), frozenset({"acme"}))
EVERYBODY = [JEFFREY, GHISLAINE, SOMCHAI]


@pytest.mark.parametrize(
    "name",
    [
        "Jeffrey Epstein",
        "Epstein, Jeffrey",
        "Jeff Epstein",
        "Mr. Jeffrey Epstein",
        "JEFFREY EPSTEIN",
        "Jeffrey E. Epstein",
    ],
)
def test_writings_of_one_name_are_one_person(name: str) -> None:
    assert resolve_entity(EntityReference(name, "person"), EVERYBODY).entity_id == "jeffrey"


@pytest.mark.parametrize("name", ["Mark Epstein", "Epstein, Mark", "Dr. Paula Epstein", "Robert Maxwell"])
def test_a_family_name_alone_makes_nobody_the_same(name: str) -> None:
    found = resolve_entity(EntityReference(name, "person"), EVERYBODY)
    assert found.entity_id is None
    assert found.candidates == ()


def test_an_initial_or_a_lone_name_may_be_somebody() -> None:
    assert resolve_entity(EntityReference("J. Epstein", "person"), EVERYBODY).candidates == (("jeffrey", 0.7),)
    assert resolve_entity(EntityReference("Epstein", "person"), EVERYBODY).candidates == (("jeffrey", 0.4),)


def test_initials_in_a_list_are_sure_only_in_the_same_company() -> None:
    initials = EntityReference("GM", "person", "passenger", listed=True)
    assert resolve_entity(initials, EVERYBODY, ["jeffrey"]).entity_id == "ghislaine"
    assert resolve_entity(initials, EVERYBODY, ["stranger"]).entity_id is None
    other = KnownEntity("george", "person", frozenset({"george marsh"}), frozenset({"jeffrey"}))
    assert resolve_entity(initials, [*EVERYBODY, other], ["jeffrey"]).entity_id is None
    assert resolve_entity(EntityReference("GM", "thing"), EVERYBODY, ["jeffrey"]).entity_id is None


def test_two_scripts_are_one_name_only_with_something_else_that_agrees() -> None:
    latin = EntityReference("Somchai Jaidee", "person")
    alone = resolve_entity(latin, EVERYBODY)
    assert alone.entity_id is None
    assert alone.candidates == (("somchai", 0.8),)
    assert resolve_entity(latin, EVERYBODY, ["acme"]).entity_id == "somchai"


def test_who_is_not_named_is_nobody_known() -> None:
    known = KnownEntity("unnamed", "person", frozenset({"unnamed female"}))
    assert resolve_entity(EntityReference("Unnamed Female", "person"), [known]).entity_id is None


def test_two_middle_initials_are_two_people() -> None:
    first = KnownEntity("first", "person", frozenset({"john a smith"}))
    assert resolve_entity(EntityReference("John B. Smith", "person"), [first]).entity_id is None


@given(st.text(max_size=60), st.booleans())
@settings(max_examples=often(75, 300), deadline=None)
def test_any_name_can_be_resolved_and_finds_itself_again(name: str, listed: bool) -> None:
    named = EntityReference(name, "person", listed=listed)
    resolve_entity(named, EVERYBODY, ["jeffrey"])
    if named.key and not named.is_unnamed:
        assert set(make_lookup_names(named)) & set(make_stored_names(named))
        assert resolve_entity(named, [KnownEntity("self", "person", frozenset({named.key}))]).entity_id == "self"
