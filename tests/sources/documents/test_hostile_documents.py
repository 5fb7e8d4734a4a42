"""Documents made to break their reader: each ends in a fault that says what is wrong, and the next one is read."""

from __future__ import annotations

import subprocess
import sys
import zlib
from typing import TYPE_CHECKING

import pytest

from sanya.kernel.faults import DeadlineExceeded, Fault, InvalidArgument, TooLarge
from sanya.sources.documents.limits import DocumentLimits
from tests.sources.documents import made

if TYPE_CHECKING:
    from tests.sources.documents.conftest import Read

TIGHT = DocumentLimits(
    max_bytes=2_000_000, max_pages=100, max_seconds=30, max_page_seconds=4, max_memory_mb=256, max_nesting=50
)
WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
DOUBLED = "".join(f'<!ENTITY {new} "&{old};&{old};">' for old, new in zip("abcdefgh", "bcdefghi", strict=True))
LAUGHS = f'<!DOCTYPE x [<!ENTITY a "ha">{DOUBLED}]><w:document {WORD}>&i;</w:document>'
OUTSIDE = f'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><w:document {WORD}>&a;</w:document>'
CONFINED = """
from sanya.sources.documents.confinement import confine
confine(256, 5)
import os, tempfile
found = [name for name in os.environ if name not in ("LC_ALL", "LC_CTYPE")]
try:
    with tempfile.TemporaryFile(buffering=0) as file:
        file.write(b"x")
    found.append("wrote")
except OSError:
    pass
try:
    bytearray(400_000_000)
    found.append("memory")
except MemoryError:
    pass
print(found)
"""


async def refused(read: Read, data: bytes, name: str = "a.pdf", limits: DocumentLimits = TIGHT) -> Fault:
    with pytest.raises(Fault) as fault:
        await read(data, name, limits=limits, provider="none")
    return fault.value


async def test_damaged_encrypted_and_endless_documents_are_refused_each_for_its_reason(read: Read) -> None:
    sound = made.pdf_of([made.ENGLISH])
    for data, kind, says in (
        (b"%PDF-1.7\n" + bytes(2000), InvalidArgument, "damaged"),
        (sound[:200], InvalidArgument, "damaged"),
        (made.encrypted(), InvalidArgument, "encrypted"),
        (made.many_pages(10_000), TooLarge, "10000 pages"),
        (b"x" * 2_000_001, TooLarge, "more than the limit of 2000000"),
    ):
        fault = await refused(read, data)
        assert isinstance(fault, kind)
        assert says in fault.message
    assert (await read(sound, limits=TIGHT)).pages[0].text


async def test_bombs_end_within_the_limits_and_the_reader_goes_on(read: Read) -> None:
    """Content that unpacks into gigabytes, and forms that draw each other without end: memory or time stops them."""
    for bomb in (made.decompression_bomb(), made.form_bomb(40)):
        assert isinstance(await refused(read, bomb), InvalidArgument | TooLarge | DeadlineExceeded)
    assert (await read(made.pdf_of([made.ENGLISH]), limits=TIGHT)).pages[0].text


async def test_a_page_that_takes_too_long_is_given_up(read: Read) -> None:
    path = b"0 0 m " + b"".join(b"%d %d l " % (i * 7 % 595, i * 13 % 842) for i in range(400_000)) + b"f*"
    drawing = made.stream(zlib.compress(path * 2), b"/Filter /FlateDecode")
    limits = DocumentLimits(max_page_seconds=1)
    with pytest.raises(DeadlineExceeded, match="more than 1 seconds"):
        await read(made.one_page(drawing), limits=limits, params={"dpi": "600"})


async def test_text_that_unpacks_into_more_than_a_document_may_hold_is_refused(read: Read) -> None:
    """One line of letters, drawn by the same small form again and again."""
    words = made.stream(b"BT /F1 4 Tf 9 9 Td (" + b"letters " * 200 + b") Tj ET")
    font = b"<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
    kids = b" ".join(b"%d 0 R" % number for number in range(4, 54))
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9000 842] /Contents 3 0 R /Resources %b >>" % font
    pages = b"<< /Type /Pages /Kids [%b] /Count 50 >>" % kids
    data = made.raw_pdf([b"<< /Type /Catalog /Pages 2 0 R >>", pages, words, *[page] * 50])
    assert "letters" in (await read(data)).pages[49].text
    fault = await refused(read, data, limits=DocumentLimits(max_bytes=20_000))
    assert isinstance(fault, TooLarge)
    assert "letters that are allowed" in fault.message


async def test_a_page_too_large_to_be_drawn_is_refused(read: Read) -> None:
    huge = made.one_page(made.stream(b"0 0 m 9 9 l S"), box="0 0 200000 200000")
    with pytest.raises(TooLarge, match="too large to be recognised"):
        await read(huge, limits=DocumentLimits(max_pixels=1_000_000))


async def test_pictures_and_nesting_that_promise_too_much_do_no_harm(read: Read) -> None:
    for data in (made.picture_bomb(), made.deep_pdf()):
        document = await read(data, limits=TIGHT, provider="none")
        assert document.pages[0].text == ""


async def test_word_files_neither_unpack_nor_nest_nor_include_without_end(read: Read) -> None:
    deep = f"<w:document {WORD}>" + "<w:p>" * 60 + "</w:p>" * 60 + "</w:document>"
    for data, kind, says in (
        (made.docx_bomb(16), TooLarge, "unpacks"),
        (made.docx_of([], document=deep), TooLarge, "deep"),
        (made.docx_of([], document=LAUGHS), InvalidArgument, "entities"),
        (made.docx_of([], document=OUTSIDE), InvalidArgument, "entities"),
        (made.docx_of([], document="<w:document"), InvalidArgument, "damaged"),
        (made.docx_of(["x"] * 50)[:-40], InvalidArgument, "damaged"),
    ):
        fault = await refused(read, data, "a.docx", DocumentLimits(max_bytes=1_000_000, max_nesting=50))
        assert isinstance(fault, kind), fault
        assert says in fault.message


async def test_pages_that_nest_too_deep_and_texts_of_too_many_pages_are_refused(read: Read) -> None:
    assert isinstance(await refused(read, b"<html>" + b"<div>" * 60, "a.html"), TooLarge)
    assert isinstance(await refused(read, b"x\f" * 101, "a.txt"), TooLarge)
    assert isinstance(await refused(read, b"", "a.txt"), InvalidArgument)


def test_the_process_that_reads_can_neither_write_nor_take_much_memory_nor_see_our_environment() -> None:
    ran = subprocess.run(
        [sys.executable, "-I", "-B", "-c", CONFINED],
        env={"LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.strip() == "[]"
