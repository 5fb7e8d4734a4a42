"""Tesseract's tables: blanks as its text has them, and Latin words that its Thai model misread."""

from __future__ import annotations

from sanya.sources.documents.layout import arrange_pieces
from sanya.sources.documents.ocr_words import correct_latin, has_latin, parse_lines

Row = tuple[str, int, int, float]
"""A word, where it begins and ends, and how sure Tesseract is of it."""


def said(plain: str, *lines: list[Row]) -> str:
    """As Tesseract says it: a head, the text, the table."""
    rows = [
        "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext",
        *plain.split("\n"),
    ]
    for number, line in enumerate(lines, 1):
        top = 100 * number
        rows.append(f"4\t1\t1\t1\t{number}\t0\t0\t{top}\t900\t60\t-1\t")
        for text, left, right, sure in line:
            rows.append(f"5\t1\t1\t1\t{number}\t1\t{left}\t{top + 9}\t{right - left}\t40\t{sure}\t{text}")
    return "\n".join(rows)


def read(table: str, english: str = "") -> str:
    lines = parse_lines(table)
    correct_latin(lines, parse_lines(english))
    return arrange_pieces([piece for line in lines for piece in line.split_pieces()])


def test_words_are_parted_where_the_text_parts_them_whatever_their_boxes_say() -> None:
    line = [("ขมิ้น", 0, 80, 96.0), ("ชัน", 130, 180, 96.0), ("แก้", 182, 220, 95.0), ("ท้อง", 222, 260, 95.0)]
    assert read(said("ขมิ้นชัน แก้ท้อง\n\f", line)) == "ขมิ้นชัน แก้ท้อง"


def test_latin_words_taken_for_thai_are_mended_where_the_english_model_is_sure() -> None:
    thai = [
        ("ชื่อ", 0, 60, 96.0),
        ("Aloe", 80, 180, 96.0),
        ("ง๕", 200, 240, 80.0),
        ("เล", 250, 290, 70.0),
        ("คือ", 310, 360, 95.0),
    ]
    english = [("do", 0, 60, 93.0), ("Aloe", 80, 180, 96.0), ("vera", 200, 290, 93.0), ("fia", 310, 360, 40.0)]
    table = said("ชื่อ Aloe ง๕เล คือ", thai)
    assert has_latin(parse_lines(table))
    assert read(table, said("do Aloe vera fia", [*english[1:]])) == "ชื่อ Aloe vera คือ"


def test_thai_stays_where_the_english_model_is_unsure_or_sees_no_word() -> None:
    table = said("ขิง ข่า", [("ขิง", 0, 60, 90.0), ("ข่า", 80, 140, 90.0)])
    assert read(table, said("vo U7", [("vo", 0, 60, 60.0), ("U7", 80, 140, 99.0)])) == "ขิง ข่า"
    assert not has_latin(parse_lines(table))


def test_a_page_without_words_is_empty() -> None:
    assert read(said("")) == ""
