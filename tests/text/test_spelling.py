from __future__ import annotations

from collections import defaultdict

import pytest
from hypothesis import given

from sanya.text.dictionary import load_domain_words
from sanya.text.spelling import make_spelling_key
from tests.text.names import SPELLINGS
from tests.text.strings import anything


@pytest.mark.parametrize("name", SPELLINGS)
def test_every_spelling_that_people_use_leads_to_the_thai_name(name: str) -> None:
    assert {make_spelling_key(spelling) for spelling in SPELLINGS[name]} == {make_spelling_key(name)}


def test_other_names_have_other_keys() -> None:
    assert len({make_spelling_key(name) for name in SPELLINGS}) == len(SPELLINGS)


def test_few_names_of_the_domain_share_a_key() -> None:
    names = defaultdict(set)
    for name in load_domain_words():
        names[make_spelling_key(name)].add(name)
    alone = sum(len(sharing) == 1 for sharing in names.values())
    assert alone / len(load_domain_words()) > 0.9


@pytest.mark.parametrize("name", ["", "  ", "123", "漢方", "!?"])
def test_what_has_no_letters_to_go_by_has_an_empty_key(name: str) -> None:
    assert make_spelling_key(name) == ""


@given(anything)
def test_a_key_is_plain_and_does_not_hang_on_blanks_and_case(text: str) -> None:
    key = make_spelling_key(text)
    assert key.isascii() and (key == "" or key.isalpha())
    assert make_spelling_key(f"  {text} ") == key
