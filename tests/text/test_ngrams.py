from __future__ import annotations

import pytest
from hypothesis import given

from sanya.text.characters import split_clusters
from sanya.text.ngrams import extract_ngrams
from sanya.text.normalisation import to_search_form
from tests.text.strings import anything, mixed


def test_a_gram_never_begins_or_ends_inside_a_cluster() -> None:
    assert extract_ngrams("ฟ้าใส") == [" ฟ้า", "ฟ้า", "ใส "]


def test_a_misspelt_name_shares_grams_with_the_right_one() -> None:
    assert len(set(extract_ngrams("ฟ้าทลายโจร")) & set(extract_ngrams("ฟ้าทะลายโจร"))) >= 4


@pytest.mark.parametrize("text", ["", " ", "!?", "ก"])
def test_what_is_too_short_has_few_grams_or_none(text: str) -> None:
    assert len(extract_ngrams(text)) <= 1


@given(anything)
def test_the_clusters_of_a_text_are_the_text(text: str) -> None:
    assert "".join(split_clusters(text)) == text


@given(mixed)
def test_grams_are_long_enough_and_the_same_for_the_search_form(text: str) -> None:
    grams = extract_ngrams(text)
    assert all(len(gram) >= 3 for gram in grams)
    assert grams == extract_ngrams(to_search_form(text))
