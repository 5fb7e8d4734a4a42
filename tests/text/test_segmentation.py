from __future__ import annotations

import pytest
from hypothesis import given

from sanya.text.characters import has_thai
from sanya.text.dictionary import load_domain_words
from sanya.text.segmentation import Segmenter, get_default_segmenter, segment
from tests.text.strings import anything

CONTEXTS = ["{}", "สรรพคุณของ{}คือแก้ไข้", "ผู้ป่วยรับประทาน{}ร่วมกับยา", "พบว่า{}มีฤทธิ์", "มี{}อยู่ในตำรับ", "{}เป็นสมุนไพรไทย"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ฟ้าทะลายโจรเป็นสมุนไพร", ["ฟ้าทะลายโจร", "เป็น", "สมุนไพร"]),
        ("ยาฟ้าทะลายโจรลดไข้", ["ยา", "ฟ้าทะลายโจร", "ลด", "ไข้"]),
        ("กินยาหอมเทพจิตรแก้ลม", ["กิน", "ยาหอมเทพจิตร", "แก้", "ลม"]),
        ("ใช้วาร์ฟารินร่วมกับแอนโดรกราโฟไลด์", ["ใช้", "วาร์ฟาริน", "ร่วมกับ", "แอนโดรกราโฟไลด์"]),
        ("ยา paracetamol 500 มก.", ["ยา", " ", "paracetamol", " ", "500", " ", "มก."]),
    ],
)
def test_names_of_herbs_and_drugs_stay_whole(text: str, words: list[str]) -> None:
    assert segment(text) == words


@pytest.mark.parametrize("context", CONTEXTS)
def test_every_name_that_comes_with_the_house_stays_whole_in_a_sentence(context: str) -> None:
    cut = [name for name in load_domain_words() if name not in segment(context.format(name))]
    assert cut == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("รากว่านหางจระเข้", ["ราก", "ว่านหางจระเข้"]),
        ("ส้มโอวันนี้", ["ส้มโอ", "วันนี้"]),
        ("มีเคอร์คูมินอยู่", ["มี", "เคอร์คูมิน", "อยู่"]),
        ("เพกาต้มน้ำ", ["เพกา", "ต้ม", "น้ำ"]),
    ],
)
def test_a_name_is_whole_though_its_edge_makes_a_word_with_its_neighbour(text: str, words: list[str]) -> None:
    assert segment(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("การบูรณาการ", ["การ", "บูรณาการ"]),
        ("สะเดาะเคราะห์", ["สะเดาะเคราะห์"]),
        ("ประเทศแคนาดา", ["ประเทศ", "แคนาดา"]),
        ("ภาษาฝรั่งเศส", ["ภาษา", "ฝรั่งเศส"]),
    ],
)
def test_letters_of_a_name_inside_another_word_are_no_name(text: str, words: list[str]) -> None:
    assert segment(text) == words


def test_names_can_be_added_and_the_first_segmenter_stays_as_it_was() -> None:
    text = "ศึกษาสารมะกอกฟ้าคะนองในหนู"
    extended = get_default_segmenter().extend(["มะกอกฟ้าคะนอง"])
    assert "มะกอกฟ้าคะนอง" in extended.segment(text)
    assert "มะกอกฟ้าคะนอง" not in segment(text)
    assert "ฟ้าทะลายโจร" in extended.segment("ใช้ฟ้าทะลายโจร")


def test_a_segmenter_of_no_names_parts_by_the_dictionary_alone() -> None:
    assert Segmenter().segment("ดื่มน้ำสะอาด") == ["ดื่ม", "น้ำสะอาด"]


@given(anything)
def test_joined_the_words_are_the_text_again(text: str) -> None:
    words = segment(text)
    assert "".join(words) == text
    assert "" not in words


@pytest.mark.parametrize("piece", ["ก", "ตากลม", "่", "เ", "a", " ", "๑", "😀", "\x00", "ฟ้าทะลาย", "รากว่านน้ำ", "\ud800"])
def test_ten_thousand_characters_are_read(piece: str) -> None:
    text = piece * (10_000 // len(piece))
    assert "".join(segment(text)) == text


@given(anything)
def test_text_without_thai_is_segmented_as_it_is_beside_thai(text: str) -> None:
    other = "".join(character for character in text if not has_thai(character))
    # A line break keeps the word before it apart from all that follows.
    assert segment(f"ยา\n{other}")[2:] == segment(f"\n{other}")[1:]
