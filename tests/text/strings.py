"""Strategies for difficult strings: Thai marks in any order, mixed scripts, invisible characters, numbers and signs."""

from __future__ import annotations

from hypothesis import strategies as st

THAI_CHARACTERS = "".join(map(chr, [*range(0x0E01, 0x0E3B), *range(0x0E3F, 0x0E5C)]))
THAI_SIGNS = "ะัาำิีึืฺุู็่้๊๋์ํ๎"
UNSEEN_CHARACTERS = "\u200b\u200c\u200d\u00ad\ufeff\u2060\u202e\x00\x1b\x85\U000e0041"
THAI_WORDS = ["ฟ้าทะลายโจร", "ขมิ้นชัน", "ผู้ป่วย", "น้ำ", "เปลี่ยน", "มก.", "พ.ศ.", "๒๕๖๖", "ประมาณ", "ดร.", "และ"]
LATIN_WORDS = [
    "et al.",
    "A. paniculata",
    "3.14",
    "e.g.",
    "mg/kg",
    "1,000",
    "Fig. 2",
    "IL-6",
    "p < 0.05",
    "vs.",
    "(n = 17)",
]

thai = st.text(alphabet=THAI_CHARACTERS, max_size=60)
mixed = st.text(
    alphabet=st.one_of(
        st.sampled_from(THAI_CHARACTERS),
        st.sampled_from(UNSEEN_CHARACTERS),
        st.sampled_from(" \n\t\r.,;:!?()[]%<>=~-–/0123456789๐๑๒aAbBzZ"),
        st.sampled_from("é\u0301ßıİſ😀👩\u200d🔬漢字αµΩ½²ﬁＡ１\uf70a\ud800\udfff"),
    ),
    max_size=80,
)
phrases = st.lists(
    st.one_of(st.sampled_from(THAI_WORDS), st.sampled_from(LATIN_WORDS), st.just("\n"), mixed), max_size=30
).map(" ".join)
anything = st.one_of(st.text(max_size=80), thai, mixed, phrases)
"""Any str that Python can represent, lone surrogates included."""
