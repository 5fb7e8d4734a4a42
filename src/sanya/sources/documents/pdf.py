"""Reads PDF pages through PDFium: letters with their positions, and an image where letters are missing or wrong.

It calls the plain functions of PDFium rather than the Python objects: a page has thousands of letters, and the process
starts in half the time.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from dataclasses import dataclass

import pypdfium2_raw as pdfium

from sanya.kernel.faults import InvalidArgument, TooLarge
from sanya.sources.documents.glyphs import Glyph, group_glyphs
from sanya.sources.documents.layout import arrange_pieces
from sanya.sources.documents.limits import DocumentLimits
from sanya.sources.documents.text_checks import count_visible, judge_text
from sanya.text.normalisation import normalise

# Called for every letter: raw addresses take half the time. A box is four floats, 16 bytes.
_get_char_box = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)(
    ctypes.cast(pdfium.FPDFText_GetLooseCharBox, ctypes.c_void_p).value or 0
)

_POINTS_PER_INCH = 72
_COARSEST_DPI = 70
_MAX_LETTERS = 400_000
# Only every 16th letter is checked for its mapping: a check costs as much as reading the letter.
_EACH = 16
# A page with few letters over an image of the whole page is a scan: they are a stamp or a page number.
_FEW_LETTERS = 120
_MOST_OF_PAGE = 0.5


@dataclass(frozen=True, slots=True)
class Picture:
    """The image of a page in grey, one byte for each pixel."""

    width: int
    height: int
    dpi: int
    pixels: bytes


@dataclass(frozen=True, slots=True)
class PdfPage:
    """A page. `wanting` says why its text cannot be trusted; then `picture` is set where one was requested."""

    text: str
    note: str | None = None
    wanting: str | None = None
    picture: Picture | None = None


class Pdf:
    """An open PDF. Its memory is freed with the process, which reads only this document."""

    def __init__(self, data: bytes, limits: DocumentLimits) -> None:
        self._data, self._limits = data, limits
        pdfium.FPDF_InitLibrary()
        self._document = pdfium.FPDF_LoadMemDocument64(data, len(data), None)
        if not self._document:
            raise _make_refusal(pdfium.FPDF_GetLastError())
        self.page_count = int(pdfium.FPDF_GetPageCount(self._document))
        if self.page_count < 1:
            raise InvalidArgument("This PDF has no pages.", field="uri")
        if self.page_count > limits.max_pages:
            raise TooLarge(
                f"This PDF has {self.page_count} pages, more than the {limits.max_pages} that are allowed.",
                hint="Split it, or raise the setting ingest_max_pages.",
            )

    @property
    def title(self) -> str | None:
        size = pdfium.FPDF_GetMetaText(self._document, b"Title", None, 0)
        if not 2 < size < 4096:
            return None
        buffer = ctypes.create_string_buffer(size)
        pdfium.FPDF_GetMetaText(self._document, b"Title", buffer, size)
        return normalise(buffer.raw[: size - 2].decode("utf-16-le", "replace")) or None

    def read_pages(self, dpi: int | None, *, all_drawn: bool = False) -> Iterator[PdfPage]:
        """Yield the pages. `dpi` is None where no image is needed, whatever the text is like."""
        for index in range(self.page_count):
            page = pdfium.FPDF_LoadPage(self._document, index)
            if not page:
                yield PdfPage("", note="this page is damaged and could not be read")
                continue
            try:
                yield self._read(page, index, dpi, all_drawn)
            finally:
                pdfium.FPDF_ClosePage(page)

    def _read(self, page: pdfium.FPDF_PAGE, index: int, dpi: int | None, all_drawn: bool) -> PdfPage:
        groups, unmapped = _read_letters(page, index)
        verdict = judge_text("\n\n".join(arrange_pieces(group_glyphs(letters)) for letters in groups), unmapped)
        wanting = (
            "every page is to be recognised" if all_drawn else verdict.problem or _explain_scan(page, verdict.text)
        )
        picture = self._draw(page, index, dpi) if wanting and dpi is not None else None
        return PdfPage(verdict.text, verdict.note, wanting, picture)

    def _draw(self, page: pdfium.FPDF_PAGE, index: int, dpi: int) -> Picture:
        width, height = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
        inches = max(width * height, 1.0) / _POINTS_PER_INCH**2
        dpi = min(dpi, int((self._limits.max_pixels / inches) ** 0.5))
        if dpi < _COARSEST_DPI:
            raise TooLarge(
                f"Page {index + 1} is {width / 72:.0f} by {height / 72:.0f} inches, too large to be recognised.",
                hint="Remove the page, or raise the setting ingest_max_pixels.",
            )
        columns, rows = max(int(width * dpi / 72), 1), max(int(height * dpi / 72), 1)
        bitmap = pdfium.FPDFBitmap_CreateEx(columns, rows, pdfium.FPDFBitmap_Gray, None, 0)
        if not bitmap:
            raise TooLarge(f"Page {index + 1} needs more memory to be drawn than there is.")
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, columns, rows, 0xFFFFFFFF)
        flags = pdfium.FPDF_ANNOT | pdfium.FPDF_GRAYSCALE
        pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, columns, rows, 0, flags)
        pixels = _read_pixels(bitmap, columns, rows)
        pdfium.FPDFBitmap_Destroy(bitmap)
        return Picture(columns, rows, dpi, pixels)


def _read_pixels(bitmap: pdfium.FPDF_BITMAP, columns: int, rows: int) -> bytes:
    """Return the pixels without the padding that PDFium leaves between rows."""
    stride = pdfium.FPDFBitmap_GetStride(bitmap)
    whole = ctypes.string_at(pdfium.FPDFBitmap_GetBuffer(bitmap), stride * rows)
    if stride == columns:
        return whole
    return b"".join(whole[start : start + columns] for start in range(0, stride * rows, stride))


def _make_refusal(error: int) -> InvalidArgument:
    if error == pdfium.FPDF_ERR_PASSWORD:
        return InvalidArgument("This PDF is encrypted. Remove its password first.", field="uri")
    if error == pdfium.FPDF_ERR_SECURITY:
        return InvalidArgument("This PDF has a protection that cannot be read. Export it again.", field="uri")
    return InvalidArgument("This PDF is damaged and cannot be opened. Export or scan it again.", field="uri")


def _read_letters(page: pdfium.FPDF_PAGE, index: int) -> tuple[list[list[Glyph]], int]:
    """Return the letters in drawing order, grouped by rotation, and the number of letters without a mapping."""
    text = pdfium.FPDFText_LoadPage(page)
    if not text:
        return [], 0
    try:
        count = pdfium.FPDFText_CountChars(text)
        if count > _MAX_LETTERS:
            raise TooLarge(f"Page {index + 1} has {count} letters, more than the {_MAX_LETTERS} that are allowed.")
        asked = range(0, count, _EACH)
        unmapped = _EACH * sum(pdfium.FPDFText_HasUnicodeMapError(text, number) == 1 for number in asked)
        return _collect_glyphs(text, count), unmapped
    finally:
        pdfium.FPDFText_ClosePage(text)


def _collect_glyphs(text: pdfium.FPDF_TEXTPAGE, count: int) -> list[list[Glyph]]:
    boxes = (ctypes.c_float * (4 * count))()
    first, page = ctypes.addressof(boxes), ctypes.cast(text, ctypes.c_void_p).value
    for number in range(count):
        _get_char_box(page, number, first + 16 * number)
    edges = list(boxes)
    codes = _read_codes(text, count)
    if not any(_count_quarter_turns(text, number) for number in range(0, count, _EACH)):
        return [_rotate_upright(codes, [edges[start::4] for start in range(4)], 0)]
    by_turn: dict[int, list[int]] = {}
    for number in range(count):
        by_turn.setdefault(_count_quarter_turns(text, number), []).append(number)
    return [
        _rotate_upright(
            "".join(codes[letter] for letter in some),
            [[edges[4 * letter + start] for letter in some] for start in range(4)],
            turn,
        )
        for turn, some in sorted(by_turn.items(), key=lambda group: -len(group[1]))
    ]


def _count_quarter_turns(text: pdfium.FPDF_TEXTPAGE, number: int) -> int:
    """Return the counter-clockwise quarter turns of a letter. PDFium counts clockwise."""
    angle = float(pdfium.FPDFText_GetCharAngle(text, number))
    return -round(angle / (math.pi / 2)) % 4


def _rotate_upright(codes: str, edges: list[list[float]], turn: int) -> list[Glyph]:
    """Rotate the boxes until the letters stand upright, with the origin at the top. PDF counts from the bottom."""
    lefts, tops, rights, bottoms = edges
    if turn == 0:
        return list(zip(codes, lefts, rights, _negate(tops), _negate(bottoms), strict=True))
    if turn == 1:
        return list(zip(codes, bottoms, tops, lefts, rights, strict=True))
    if turn == 2:
        return list(zip(codes, _negate(rights), _negate(lefts), bottoms, tops, strict=True))
    return list(zip(codes, _negate(tops), _negate(bottoms), _negate(rights), _negate(lefts), strict=True))


def _negate(edges: list[float]) -> list[float]:
    return [-edge for edge in edges]


def _read_codes(text: pdfium.FPDF_TEXTPAGE, count: int) -> str:
    """Return one character for each letter.

    The whole text of PDFium is that, unless a letter has no code or two units.
    """
    units = (ctypes.c_ushort * (count + 1))()
    written = pdfium.FPDFText_GetText(text, 0, count, units)
    whole = bytes(units)[: 2 * max(written - 1, 0)].decode("utf-16-le", "replace")
    if len(whole) == count and written == count + 1:
        return whole
    codes = (pdfium.FPDFText_GetUnicode(text, number) for number in range(count))
    return "".join(chr(code) if 0 < code < 0x110000 else "\ufffd" for code in codes)


def _explain_scan(page: pdfium.FPDF_PAGE, text: str) -> str | None:
    """Return why a page with little or no text needs recognition, or None."""
    seen = count_visible(text)
    if seen >= _FEW_LETTERS:
        return None
    shares, others = _measure_drawing(page)
    if seen:
        return "the page is a picture with little text over it" if max(shares, default=0.0) > _MOST_OF_PAGE else None
    return "the page has no text layer" if shares or others else None


def _measure_drawing(page: pdfium.FPDF_PAGE) -> tuple[list[float], int]:
    """Return the share of the page that each image covers, and the number of other objects."""
    area = max(pdfium.FPDF_GetPageWidthF(page) * pdfium.FPDF_GetPageHeightF(page), 1.0)
    shares, others = [], 0
    edges = [ctypes.c_float() for _ in range(4)]
    for number in range(min(pdfium.FPDFPage_CountObjects(page), 1000)):
        drawn = pdfium.FPDFPage_GetObject(page, number)
        if pdfium.FPDFPageObj_GetType(drawn) != pdfium.FPDF_PAGEOBJ_IMAGE:
            others += 1
        elif pdfium.FPDFPageObj_GetBounds(drawn, *edges):
            left, bottom, right, top = (edge.value for edge in edges)
            shares.append(abs((right - left) * (top - bottom)) / area)
    return shares, others
