"""The order in which pieces of a page are read."""

from __future__ import annotations

from sanya.sources.documents.layout import Piece, arrange_pieces


def line(text: str, left: float, top: float, width: float = 200) -> Piece:
    return Piece(text, left, left + width, top, top + 10)


def test_lines_of_a_paragraph_are_joined_and_paragraphs_stay_apart() -> None:
    page = [line("ขมิ้น", 0, 0), line("ชันแก้ท้องอืด", 0, 14, 90), line("A new one that", 0, 50), line("goes on", 0, 64, 60)]
    assert arrange_pieces(page) == "ขมิ้นชันแก้ท้องอืด\n\nA new one that goes on"


def test_a_word_parted_at_the_end_of_a_line_is_whole_again() -> None:
    assert arrange_pieces([line("anti\x02", 0, 0), line("coagulant", 0, 14, 90)]) == "anticoagulant"
    assert arrange_pieces([line("anti-", 0, 0), line("inflammatory", 0, 14, 90)]) == "anti-inflammatory"


def test_columns_whose_lines_do_not_stand_level_are_still_parted() -> None:
    left = [line(f"left{number}", 0, 14 * number) for number in range(8)]
    right = [line(f"right{number}", 230, 14 * number + 6) for number in range(8)]
    mixed = [piece for pair in zip(left, right, strict=True) for piece in pair]
    assert arrange_pieces(mixed) == " ".join(piece.text for piece in left) + "\n\n" + " ".join(
        piece.text for piece in right
    )


def test_a_heading_above_and_a_foot_below_two_columns_keep_their_place() -> None:
    columns = [line(f"{side}{row}", left, 40 + 14 * row) for row in range(8) for side, left in (("l", 0), ("r", 230))]
    found = arrange_pieces([line("foot", 150, 200, 130), *columns, line("heading", 0, 0, 430)])
    assert found.startswith("heading")
    assert found.endswith("foot")
    assert found.index("l7") < found.index("r0")


def test_three_columns_are_read_one_after_the_other() -> None:
    rows = [
        line(f"{name}{row}", left, 14 * row, 180)
        for row in range(9)
        for name, left in (("a", 0), ("b", 200), ("c", 400))
    ]
    assert arrange_pieces(rows).split() == [f"{name}{row}" for name in "abc" for row in range(9)]


def test_cells_are_told_apart_from_words() -> None:
    row = [line("ขิง", 0, 0, 30), line("2", 100, 0, 6), line("g", 110, 0, 6), line("gallstones", 200, 0, 60)]
    assert arrange_pieces(row) == "ขิง | 2 g | gallstones"


def test_an_empty_page_has_no_text() -> None:
    assert arrange_pieces([]) == arrange_pieces([line("  ", 0, 0)]) == ""


def test_paragraphs_close_together_stay_apart() -> None:
    """Both end at the margin, and the gap between them is a fifth larger than between their lines."""
    first = [line("ขิงห้ามใช้ในผู้ที่เป็นนิ่ว", 0, 14 * row) for row in range(3)]
    second = [line("ขมิ้นชันใช้แก้ท้องอืด", 0, 45 + 14 * row) for row in range(3)]
    assert arrange_pieces([*first, *second]).count("\n\n") == 1
    short = [line(f"ย่อหน้า {row}", 0, top) for row, top in enumerate((0, 14, 31, 45, 62, 76))]
    assert arrange_pieces(short).count("\n\n") == 2


def test_an_item_of_a_list_begins_a_line_even_after_a_full_one() -> None:
    items = [line("1. ขิงห้ามใช้ในผู้ที่เป็นนิ่ว", 0, 0), line("2. ขมิ้นชันห้ามใช้ในผู้ที่ท่อน้ำดีอุดตัน", 0, 14)]
    assert arrange_pieces(items).split("\n") == [item.text for item in items]
