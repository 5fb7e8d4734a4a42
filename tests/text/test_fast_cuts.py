"""The compiled search for cuts finds what the Python modules find, whatever the text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanya.text import windows
from sanya.text.fast_cuts import IS_COMPILED, find_cuts
from sanya.text.quantities import find_quantities
from sanya.text.windows import WindowSizes, split_windows
from tests.long_form import often
from tests.text.strings import anything

pytestmark = pytest.mark.skipif(not IS_COMPILED, reason="it was not compiled here")

WORDS = "the cells of Mice, which. β-blockers café IL-6 H2O Ω² “Yes. No.” ‘so’ «it» O’Neil - – • * # 😀 e\u0301"
STOPS = (
    ". ; .) .” ! ?! … % ) ] , : .' ( [ “ (a (b) [c. D] (see e.g. A. et al. J. min. 1. vitamin|C. (X. Y.) ( (a. B) c. D)"
)
NUMBERS = (
    "5 10 4.5 12,000 .5 -5 ±2 < = ≤ ~ ∼ ≪5 × x10^5 mg µg/ml per kg body weight cent about less than at least or to"
)
ODD = ".12 a.12 !12|Hz a.3,5|M a.[3,4] vs.|<5 vs.|∼5 www.a.B a@b.cd doi:|10.1 https://x(y.|Z ก พ.ศ. 。 \n \xa0 \x1b"
PIECES = [piece.replace("|", " ") for piece in f"{WORDS} {STOPS} {NUMBERS}".split(" ")]
SPARSE = ["word " * 80, "x" * 200]

usual = st.lists(st.sampled_from(PIECES), max_size=60)
odd = st.lists(st.sampled_from([*PIECES, *SPARSE, *(piece.replace("|", " ") for piece in ODD.split(" "))]), max_size=30)
texts = usual.map(" ".join) | usual.map("".join) | odd.map(" ".join) | anything


def check(text: str, longest: int) -> None:
    found = find_cuts(text, longest)
    if found is None or not text:
        return
    places, sentence_ends, sure = found
    inside = {place for span in find_quantities(text) for place in range(span.start + 1, span.end)}
    plain, plain_ends, _ = windows._find_cuts(text, longest)
    assert [places[index] for index in sentence_ends] == [plain[index] for index in plain_ends]
    assert [place for place in places if place not in inside] == plain
    assert not inside.intersection(sure)


@given(texts, st.sampled_from([20, 60, 325]))
@settings(max_examples=often(250, 1000), deadline=None)
def test_places_and_sentences_are_the_same_in_both_ways(text: str, longest: int) -> None:
    check(text, longest)


@pytest.mark.parametrize("around", ["(%s. B) c.", "((%s). B) c.", "[%s. B] c.", "“%s. B” c."])
def test_brackets_of_any_length_are_the_same_in_both_ways(around: str) -> None:
    for length in range(410):
        check("A " + around % ("x" * length), 325)


@given(texts, st.sampled_from([WindowSizes(20, 30, 5), WindowSizes(10, 30, 9), WindowSizes(40, 40, 39)]))
@settings(max_examples=often(125, 500), deadline=None)
def test_windows_are_the_same_in_both_ways(text: str, sizes: WindowSizes) -> None:
    compiled = split_windows(text, sizes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(windows, "find_cuts", lambda *_: None)
        assert split_windows(text, sizes) == compiled


@pytest.mark.parametrize(
    "text", ["It rose (p < 0.05). Most got 5 mg.", "5.1 ± 0.2 µM of β-carotene; it’s “safe”.", "x"]
)
def test_a_usual_text_is_read(text: str) -> None:
    assert find_cuts(text, 325) is not None


@pytest.mark.parametrize(
    "text",
    [
        "ขนาด 500 มก.",
        "One.\nTwo.",
        "See www.a.org.",
        "doi:(a. B) c",
        "It was shown.12 Later, more.",
        "So.[3] On.",
        "a " * 400,
    ],
)
def test_others_are_left_to_the_way_in_python(text: str) -> None:
    assert find_cuts(text, 325) is None
