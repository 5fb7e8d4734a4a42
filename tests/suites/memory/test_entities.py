from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanya.suites.memory.graph.entity_resolution import Known, Named, kept_names, resolve, sought_names
from sanya.suites.memory.parsing.names import name_key

JEFFREY = Known("jeffrey", "person", frozenset({"jeffrey epstein"}), frozenset({"ghislaine", "bill"}))
GHISLAINE = Known("ghislaine", "person", frozenset({"ghislaine maxwell"}), frozenset({"jeffrey", "bill"}))
SOMCHAI = Known("somchai", "person", frozenset({name_key("นายสมชาย ใจดี")}), frozenset({"acme"}))
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
    assert resolve(Named(name, "person"), EVERYBODY).same == "jeffrey"


@pytest.mark.parametrize("name", ["Mark Epstein", "Epstein, Mark", "Dr. Paula Epstein", "Robert Maxwell"])
def test_a_family_name_alone_makes_nobody_the_same(name: str) -> None:
    found = resolve(Named(name, "person"), EVERYBODY)
    assert found.same is None
    assert found.possibly == ()


def test_an_initial_or_a_lone_name_may_be_somebody() -> None:
    assert resolve(Named("J. Epstein", "person"), EVERYBODY).possibly == (("jeffrey", 0.7),)
    assert resolve(Named("Epstein", "person"), EVERYBODY).possibly == (("jeffrey", 0.4),)


def test_initials_in_a_list_are_sure_only_in_the_same_company() -> None:
    initials = Named("GM", "person", "passenger", listed=True)
    assert resolve(initials, EVERYBODY, ["jeffrey"]).same == "ghislaine"
    assert resolve(initials, EVERYBODY, ["stranger"]).same is None
    other = Known("george", "person", frozenset({"george marsh"}), frozenset({"jeffrey"}))
    assert resolve(initials, [*EVERYBODY, other], ["jeffrey"]).same is None
    assert resolve(Named("GM", "thing"), EVERYBODY, ["jeffrey"]).same is None


def test_two_scripts_are_one_name_only_with_something_else_that_agrees() -> None:
    latin = Named("Somchai Jaidee", "person")
    alone = resolve(latin, EVERYBODY)
    assert alone.same is None
    assert alone.possibly == (("somchai", 0.8),)
    assert resolve(latin, EVERYBODY, ["acme"]).same == "somchai"


def test_who_is_not_named_is_nobody_known() -> None:
    known = Known("unnamed", "person", frozenset({"unnamed female"}))
    assert resolve(Named("Unnamed Female", "person"), [known]).same is None


def test_two_middle_initials_are_two_people() -> None:
    first = Known("first", "person", frozenset({"john a smith"}))
    assert resolve(Named("John B. Smith", "person"), [first]).same is None


@given(st.text(max_size=60), st.booleans())
@settings(max_examples=300, deadline=None)
def test_any_name_can_be_resolved_and_finds_itself_again(name: str, listed: bool) -> None:
    named = Named(name, "person", listed=listed)
    resolve(named, EVERYBODY, ["jeffrey"])
    if named.key and not named.is_unnamed:
        assert set(sought_names(named)) & set(kept_names(named))
        assert resolve(named, [Known("self", "person", frozenset({named.key}))]).same == "self"
