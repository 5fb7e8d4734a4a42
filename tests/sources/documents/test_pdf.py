"""Pages that are turned, stamped, empty or wider than they should be, read in this process."""

from __future__ import annotations

import pytest

from sanya.sources.documents.limits import DocumentLimits
from sanya.sources.documents.pdf import Pdf, PdfPage
from tests.sources.documents import made
from tests.sources.documents.made import ENGLISH, THAI, needs_thai_font


def pages(data: bytes, dpi: int | None = None) -> list[PdfPage]:
    return list(Pdf(data, DocumentLimits()).read_pages(dpi))


@needs_thai_font
@pytest.mark.parametrize("angle", [90, 180, 270])
def test_a_turned_page_is_read_as_it_is_seen_and_what_stands_askew_comes_last(angle: int) -> None:
    page = pages(made.turned(THAI, angle, "a foot"))[0]
    assert page.wanting is None
    assert "".join(page.text.split()) == "".join(THAI.split()) + "afoot"
    assert page.text.endswith("\n\na foot")


def test_an_empty_page_needs_no_recognition() -> None:
    assert pages(made.many_pages(1)) == [PdfPage("")]


@needs_thai_font
def test_a_scan_with_a_stamp_over_it_is_still_a_scan() -> None:
    """Its few letters are not the page; the same letters on a page without a picture are."""
    plain = made.pdf_of(["page 3 of 9"])
    assert pages(plain)[0].wanting is None
    stamped = made.stamped(made.pdf_of([ENGLISH]), "page 3 of 9")
    found = pages(stamped, dpi=100)[0]
    assert found.wanting == "the page is a picture with little text over it"
    assert found.picture is not None
    assert found.picture.width * found.picture.height == len(found.picture.pixels)


def test_a_large_page_is_drawn_coarser_rather_than_not_at_all() -> None:
    drawn = made.one_page(made.stream(b"0 0 m 9 9 l S"), box="0 0 3000 3000")
    picture = next(Pdf(drawn, DocumentLimits(max_pixels=16_000_000)).read_pages(300)).picture
    assert picture is not None
    assert picture.dpi < 100
    assert len(picture.pixels) <= 16_000_000
