"""A warning about a known plant from which nothing could be read is listed, so that none is lost in silence."""

from __future__ import annotations

import pytest

from tests.suites.herbs.ingest.proposals import proposed


def list_unread(text: str) -> list[str]:
    return [mention.text for mention in proposed(text).unlinked if mention.kind == "warning"]


@pytest.mark.parametrize(
    "sentence",
    [
        "ขมิ้นชัน ห้ามใช้ติดต่อกันเกิน 5 วัน",
        "ขมิ้นชัน ไม่ควรใช้ในผู้ที่มีภาวะกรุบกรับผิดปกติ",
        "Do not use turmeric in people with flibbertosis.",
        "Ginger should be used with caution in zworkemia.",
    ],
)
def test_a_warning_without_a_known_object_is_listed_whole(sentence: str) -> None:
    assert list_unread(f"ขมิ้นชันแก้ท้องอืด\n\n{sentence}") == [sentence]


def test_a_warning_below_a_heading_is_listed() -> None:
    assert list_unread("ขมิ้นชัน\n\nห้ามใช้ในผู้ที่มีภาวะกรุบกรับผิดปกติ") == ["ห้ามใช้ในผู้ที่มีภาวะกรุบกรับผิดปกติ"]


@pytest.mark.parametrize(
    "text",
    [
        "ขมิ้นชัน ห้ามใช้ในผู้ที่มีท่อน้ำดีอุดตัน",
        "Turmeric must not be used in pregnancy.",
        "ขมิ้นชัน\n\nข้อห้ามใช้\n\nข้อควรระวัง\n\nContraindications",
        "ขมิ้นชันแก้ท้องอืด",
        "ห้ามจอดรถขวางประตู",
    ],
)
def test_what_was_read_and_headings_are_not_listed(text: str) -> None:
    assert list_unread(text) == []
