"""A model's text is checked against the spans it cites."""

from __future__ import annotations

import pytest

from sanya.suites.herbs.answers.phrasing import is_supported

SPANS = [
    "turmeric (Curcuma longa) interacts with warfarin; effect: bleeding (strength high, basis: source).",
    "turmeric (Curcuma longa) is used for flatulence, bloating (evidence: NLEM-listed).",
]
THAI = ["ขมิ้นชันมีปฏิกิริยากับยาวาร์ฟาริน (warfarin) ผล: bleeding (ระดับความรุนแรง สูง ตามแหล่งข้อมูล)"]


@pytest.mark.parametrize(
    "written",
    [
        "Turmeric interacts with warfarin, with bleeding as effect; strength high [1]. It is used for flatulence [2].",
        "Turmeric (Curcuma longa) interacts with warfarin, strength high. [1]",
    ],
)
def test_what_the_spans_say_is_supported(written: str) -> None:
    assert is_supported(written, SPANS)


def test_thai_is_held_against_thai() -> None:
    assert is_supported("ขมิ้นชันมีปฏิกิริยากับวาร์ฟาริน (warfarin) ระดับความรุนแรง สูง [1]", THAI)
    assert not is_supported("ขมิ้นชันกินกับวาร์ฟารินได้อย่างปลอดภัย [1]", THAI)


@pytest.mark.parametrize(
    "written",
    [
        "",
        "[1]",
        "Turmeric interacts with warfarin.",
        "Turmeric interacts with warfarin [3].",
        "Turmeric is safe with warfarin [1].",
        "Turmeric with warfarin: strength low, interacts [1].",
        "Turmeric interacts with warfarin and aspirin, digoxin, ibuprofen and metformin alike [1].",
        "Turmeric 500 mg interacts with warfarin [1].",
        "Turmeric is used for flatulence, bloating [2].",
        "Turmeric interacts with warfarin, strength high [1]. Take it anyway.",
        "Turmeric, warfarin, bleeding, high [1].",
    ],
)
def test_what_they_do_not_say_or_a_warning_left_out_is_not(written: str) -> None:
    assert not is_supported(written, SPANS)
