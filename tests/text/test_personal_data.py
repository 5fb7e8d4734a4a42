"""Personal data is found by its form and redacted whole; what only looks like it stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanya.text.personal_data import find_personal_data, is_thai_id, redact_personal

_WEIGHTS = range(13, 1, -1)


def thai_id(first: str) -> str:
    """Return the twelve digits with their check digit."""
    total = sum(int(digit) * weight for digit, weight in zip(first, _WEIGHTS, strict=True))
    return first + str((11 - total % 11) % 10)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("ติดต่อ 081-234-5678 ได้ทุกวัน", "phone"),
        ("โทร. 02 123 4567", "phone"),
        ("โทร 0-2123-4567 ต่อ 12", "phone"),
        ("+66 81 234 5678", "phone"),
        ("+66(0)81-234-5678", "phone"),
        ("มือถือ ๐๘๑-๒๓๔-๕๖๗๘", "phone"),
        ("โรงพยาบาล 053-123456", "phone"),
        ("Tel: 1234 5678", "phone"),
        ("เขียนถึง somchai.j@example.co.th นะ", "email"),
        (f"เลขประจำตัว {thai_id('110170023070')}", "thai_national_id"),
        ("Passport no. AA1234567", "passport"),
        ("ผู้ป่วย HN 123456/60 อายุ 40 ปี", "hospital_number"),
        ("บัตร 4111 1111 1111 1111", "card_number"),
    ],
)
def test_personal_data_is_taken_out_and_named(text: str, kind: str) -> None:
    redacted = redact_personal(text)
    assert redacted.found == {kind: 1}
    assert f"[redacted: {kind}]" in redacted.text


@pytest.mark.parametrize(
    "text",
    [
        "ครั้งละ 500 มก. วันละ 3 ครั้ง",
        "พ.ศ. 2566 หน้า 120-145",
        "PMID 37696679 and 8043997",
        "ISBN 978-974-04-1234-5",
        "doi:10.1016/j.jep.2020.112345",
        "1234567890123",
        "0.08123456789",
        "p < 0.001, n = 1,024",
    ],
)
def test_other_numbers_stay(text: str) -> None:
    assert redact_personal(text).text == text


@given(st.text(alphabet="0123456789๐๑๒๓๔ +-()@.aกHN:", max_size=60))
def test_nothing_personal_is_left_after_one_redaction(text: str) -> None:
    assert list(find_personal_data(redact_personal(text).text)) == []


@given(st.text(alphabet="12345678", min_size=12, max_size=12), st.sampled_from(["", " ", "-"]))
def test_every_valid_id_is_found_however_it_is_parted(first: str, sign: str) -> None:
    whole = thai_id(first)
    assert is_thai_id(whole)
    parted = sign.join((whole[0], whole[1:5], whole[5:10], whole[10:12], whole[12]))
    assert parted not in redact_personal(f"เลข {parted} ครับ").text
