from __future__ import annotations

import pytest
from hypothesis import given

from sanya.text.quantities import find_quantities
from sanya.text.sentences import split_sentences
from tests.text.strings import anything, phrases


def read(text: str) -> list[str]:
    return [span.slice(text).strip() for span in split_sentences(text)]


@pytest.mark.parametrize(
    "sentence",
    [
        "The extract of A. paniculata (Acanthaceae) was given.",
        "Smith et al. (2019) found no effect, e.g. in Fig. 2, i.e. none.",
        "A dose of 3.14 mg/kg vs. 1,000.5 mg was given at 10 a.m. on day 1.",
        "We saw Dr. J. G. Thomson of St. Vincent and Prof. Lee.",
        "It held (see Table 1. Left) and (p < 0.05; n = 17).",
        "See https://example.org/a.B?c=D for No. 5, Vol. 3, pp. 10.",
        "The growth of Aspergillus sp. Strain B was less than 5 % vs. Controls.",
        "Read it at doi: 10.1000/xyz.ABC today.",
        "ขนาด 500 มก. วันละ 3 ครั้ง",
        "เมื่อ พ.ศ. 2566 ถึง ค.ศ. 2024",
        "รศ.ดร. สมชาย ใจดี",
        "เวลา 10.30 น. ณ รพ. ศิริราช",
        "ต.บางพลัด อ. เมือง จ. เชียงใหม่",
        "มากกว่า 3.5 กก. ต่อวัน",
    ],
)
def test_abbreviations_numbers_units_and_citations_are_never_cut(sentence: str) -> None:
    assert read(sentence) == [sentence]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("It works. Does it? Yes! Good.", ["It works.", "Does it?", "Yes!", "Good."]),
        ("It rose to 5 mg. The rest fell.", ["It rose to 5 mg.", "The rest fell."]),
        ("We gave vitamin C. The rest got none.", ["We gave vitamin C.", "The rest got none."]),
        ("It took 90 min. The end.", ["It took 90 min.", "The end."]),
        ("It was shown.12 Later, more.[3,4] End.", ["It was shown.12", "Later, more.[3,4]", "End."]),
        ("He said “Go. Now.” Then left.", ["He said “Go. Now.”", "Then left."]),
        ("(It held. Well.) So did we.", ["(It held. Well.)", "So did we."]),
        ("1. Methods\nWe did. 2. Results\nNone.", ["1. Methods\nWe did.", "2. Results\nNone."]),
        ("A title\n\nA text", ["A title", "A text"]),
        ("Take:\n- one\n- two", ["Take:", "- one", "- two"]),
        ("漢方。薬だ。", ["漢方。", "薬だ。"]),
        ("สวัสดีครับ ผมชื่อสมชาย", ["สวัสดีครับ", "ผมชื่อสมชาย"]),
        (
            "ฟ้าทะลายโจรลดไข้ได้ดีในผู้ใหญ่ อย่างไรก็ตามควรระวังในผู้ป่วยโรคตับ นอกจากนี้ ห้ามใช้ในหญิงตั้งครรภ์",
            ["ฟ้าทะลายโจรลดไข้ได้ดีในผู้ใหญ่", "อย่างไรก็ตามควรระวังในผู้ป่วยโรคตับ", "นอกจากนี้ ห้ามใช้ในหญิงตั้งครรภ์"],
        ),
        ("ใช้ขนาด 500 มก. นอกจากนี้ยังใช้ได้", ["ใช้ขนาด 500 มก.", "นอกจากนี้ยังใช้ได้"]),
        ("", []),
    ],
)
def test_sentences_are_parted(text: str, sentences: list[str]) -> None:
    assert read(text) == sentences


@given(anything)
def test_the_sentences_cover_the_text_exactly(text: str) -> None:
    assert "".join(span.slice(text) for span in split_sentences(text)) == text


@given(phrases)
def test_no_sentence_ends_inside_a_quantity(text: str) -> None:
    ends = {span.end for span in split_sentences(text)}
    torn = [span.slice(text) for span in find_quantities(text) if any(span.start < end < span.end for end in ends)]
    assert [quantity for quantity in torn if "\n" not in quantity] == []


@pytest.mark.parametrize("piece", ["A. ", "(", "[", "1. ", "ก ", "a@", "www.", ". ", "“", "<1 ", "a.b-", "\n", "ก. "])
def test_ten_thousand_characters_are_parted(piece: str) -> None:
    text = piece * (10_000 // len(piece))
    assert sum(span.end - span.start for span in split_sentences(text)) == len(text)
