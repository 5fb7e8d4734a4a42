"""The pages of a PDF through PDFium: the letters with their places, and a picture where letters are wanting or wrong.

PDFium's plain functions are called rather than its Python objects: a page has thousands of letters, and the process
starts in half the time.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from dataclasses import dataclass

import pypdfium2_raw as pdfium

from sanya.kernel.faults import InvalidArgument, TooLarge
from sanya.sources.documents.glyphs import Glyph, pieces_of
from sanya.sources.documents.layout import arranged
from sanya.sources.documents.limits import Limits
from sanya.sources.documents.soundness import judged, visible_count
from sanya.text.normalisation import normalise

# Asked of every letter: with plain addresses it takes half the time. A place is four single numbers, 16 bytes.
_place_of = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)(
    ctypes.cast(pdfium.FPDFText_GetLooseCharBox, ctypes.c_void_p).value or 0
)

_POINTS_PER_INCH = 72
_COARSEST_DPI = 70
_MAX_LETTERS = 400_000
# Whether a letter is mapped is asked of one in so many: each question costs as much as the letter itself.
_EACH = 16
# A page whose letters are few beside a picture of the whole page was scanned: they are a stamp or a page number.
_FEW_LETTERS = 120
_MOST_OF_PAGE = 0.5


@dataclass(frozen=True, slots=True)
class Picture:
    """A page in grey, one byte for each pixel."""

    width: int
    height: int
    dpi: int
    pixels: bytes


@dataclass(frozen=True, slots=True)
class PdfPage:
    """`wanting` says why the text is not to be trusted; then `picture` is there if one was asked for."""

    text: str
    note: str | None = None
    wanting: str | None = None
    picture: Picture | None = None


class Pdf:
    """An opened document. Its memory is freed with the process, which lives for this document only."""

    def __init__(self, data: bytes, limits: Limits) -> None:
        self._data, self._limits = data, limits
        pdfium.FPDF_InitLibrary()
        self._document = pdfium.FPDF_LoadMemDocument64(data, len(data), None)
        if not self._document:
            raise _refusal(pdfium.FPDF_GetLastError())
        self.page_count = int(pdfium.FPDF_GetPageCount(self._document))
        if self.page_count < 1:
            raise InvalidArgument("This PDF has no pages.", field="uri")
        if self.page_count > limits.max_pages:
            raise TooLarge(
                f"This PDF has {self.page_count} pages, more than the {limits.max_pages} that are read.",
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

    def pages(self, dpi: int | None, *, all_drawn: bool = False) -> Iterator[PdfPage]:
        """`dpi` is None where no picture is wanted, whatever the text is like."""
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
        groups, unmapped = _letters(page, index)
        verdict = judged("\n\n".join(arranged(pieces_of(letters)) for letters in groups), unmapped)
        wanting = "every page is to be recognised" if all_drawn else verdict.problem or _scanned(page, verdict.text)
        picture = self._draw(page, index, dpi) if wanting and dpi is not None else None
        return PdfPage(verdict.text, verdict.note, wanting, picture)

    def _draw(self, page: pdfium.FPDF_PAGE, index: int, dpi: int) -> Picture:
        width, height = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
        inches = max(width * height, 1.0) / _POINTS_PER_INCH**2
        dpi = min(dpi, int((self._limits.max_pixels / inches) ** 0.5))
        if dpi < _COARSEST_DPI:
            raise TooLarge(
                f"Page {index + 1} is {width / 72:.0f} by {height / 72:.0f} inches, too large to be recognised.",
                hint="Take the page out, or raise the setting ingest_max_pixels.",
            )
        columns, rows = max(int(width * dpi / 72), 1), max(int(height * dpi / 72), 1)
        bitmap = pdfium.FPDFBitmap_CreateEx(columns, rows, pdfium.FPDFBitmap_Gray, None, 0)
        if not bitmap:
            raise TooLarge(f"Page {index + 1} needs more memory to be drawn than there is.")
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, columns, rows, 0xFFFFFFFF)
        flags = pdfium.FPDF_ANNOT | pdfium.FPDF_GRAYSCALE
        pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, columns, rows, 0, flags)
        pixels = _packed(bitmap, columns, rows)
        pdfium.FPDFBitmap_Destroy(bitmap)
        return Picture(columns, rows, dpi, pixels)


def _packed(bitmap: pdfium.FPDF_BITMAP, columns: int, rows: int) -> bytes:
    """The pixels without what PDFium leaves between the rows."""
    stride = pdfium.FPDFBitmap_GetStride(bitmap)
    whole = ctypes.string_at(pdfium.FPDFBitmap_GetBuffer(bitmap), stride * rows)
    if stride == columns:
        return whole
    return b"".join(whole[start : start + columns] for start in range(0, stride * rows, stride))


def _refusal(error: int) -> InvalidArgument:
    if error == pdfium.FPDF_ERR_PASSWORD:
        return InvalidArgument("This PDF is encrypted. Remove its password first.", field="uri")
    if error == pdfium.FPDF_ERR_SECURITY:
        return InvalidArgument("This PDF is protected in a way that cannot be read. Export it anew.", field="uri")
    return InvalidArgument("This PDF is damaged and cannot be opened. Export or scan it anew.", field="uri")


def _letters(page: pdfium.FPDF_PAGE, index: int) -> tuple[list[list[Glyph]], int]:
    """The letters in the order in which they were drawn, by the way they are turned, and how many of them the fonts do
    not map."""
    text = pdfium.FPDFText_LoadPage(page)
    if not text:
        return [], 0
    try:
        count = pdfium.FPDFText_CountChars(text)
        if count > _MAX_LETTERS:
            raise TooLarge(f"Page {index + 1} has {count} letters, more than the {_MAX_LETTERS} that are read.")
        asked = range(0, count, _EACH)
        unmapped = _EACH * sum(pdfium.FPDFText_HasUnicodeMapError(text, number) == 1 for number in asked)
        return _collected(text, count), unmapped
    finally:
        pdfium.FPDFText_ClosePage(text)


def _collected(text: pdfium.FPDF_TEXTPAGE, count: int) -> list[list[Glyph]]:
    boxes = (ctypes.c_float * (4 * count))()
    first, page = ctypes.addressof(boxes), ctypes.cast(text, ctypes.c_void_p).value
    for number in range(count):
        _place_of(page, number, first + 16 * number)
    edges = list(boxes)
    codes = _codes(text, count)
    if not any(_turned(text, number) for number in range(0, count, _EACH)):
        return [_upright(codes, [edges[start::4] for start in range(4)], 0)]
    by_turn: dict[int, list[int]] = {}
    for number in range(count):
        by_turn.setdefault(_turned(text, number), []).append(number)
    return [
        _upright(
            "".join(codes[one] for one in some), [[edges[4 * one + start] for one in some] for start in range(4)], turn
        )
        for turn, some in sorted(by_turn.items(), key=lambda group: -len(group[1]))
    ]


def _turned(text: pdfium.FPDF_TEXTPAGE, number: int) -> int:
    """By how many quarters a letter is turned against the clock; PDFium counts with it."""
    angle = float(pdfium.FPDFText_GetCharAngle(text, number))
    return -round(angle / (math.pi / 2)) % 4


def _upright(codes: str, edges: list[list[float]], turn: int) -> list[Glyph]:
    """PDF counts from below; a reader turns the page until the letters stand upright, and counts from above."""
    lefts, tops, rights, bottoms = edges
    if turn == 0:
        return list(zip(codes, lefts, rights, _negative(tops), _negative(bottoms), strict=True))
    if turn == 1:
        return list(zip(codes, bottoms, tops, lefts, rights, strict=True))
    if turn == 2:
        return list(zip(codes, _negative(rights), _negative(lefts), bottoms, tops, strict=True))
    return list(zip(codes, _negative(tops), _negative(bottoms), _negative(rights), _negative(lefts), strict=True))


def _negative(edges: list[float]) -> list[float]:
    return [-edge for edge in edges]


def _codes(text: pdfium.FPDF_TEXTPAGE, count: int) -> str:
    """One character for each letter. PDFium's whole text is that, unless a letter has no code or takes two units."""
    units = (ctypes.c_ushort * (count + 1))()
    written = pdfium.FPDFText_GetText(text, 0, count, units)
    whole = bytes(units)[: 2 * max(written - 1, 0)].decode("utf-16-le", "replace")
    if len(whole) == count and written == count + 1:
        return whole
    codes = (pdfium.FPDFText_GetUnicode(text, number) for number in range(count))
    return "".join(chr(code) if 0 < code < 0x110000 else "\ufffd" for code in codes)


def _scanned(page: pdfium.FPDF_PAGE, text: str) -> str | None:
    """Why a page with little or no text should be looked at, if there is anything to see on it."""
    seen = visible_count(text)
    if seen >= _FEW_LETTERS:
        return None
    shares, others = _drawn(page)
    if seen:
        return "the page is a picture with little text over it" if max(shares, default=0.0) > _MOST_OF_PAGE else None
    return "the page has no text layer" if shares or others else None


def _drawn(page: pdfium.FPDF_PAGE) -> tuple[list[float], int]:
    """How much of the page each picture covers, and how many other things are drawn."""
    area = max(pdfium.FPDF_GetPageWidthF(page) * pdfium.FPDF_GetPageHeightF(page), 1.0)
    shares, others = [], 0
    edges = [ctypes.c_float() for _ in range(4)]
    for number in range(min(pdfium.FPDFPage_CountObjects(page), 1000)):
        one = pdfium.FPDFPage_GetObject(page, number)
        if pdfium.FPDFPageObj_GetType(one) != pdfium.FPDF_PAGEOBJ_IMAGE:
            others += 1
        elif pdfium.FPDFPageObj_GetBounds(one, *edges):
            left, bottom, right, top = (edge.value for edge in edges)
            shares.append(abs((right - left) * (top - bottom)) / area)
    return shares, others
