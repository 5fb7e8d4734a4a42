"""The whole way from an address to pages, through the process that reads and, for scans, Tesseract."""

from __future__ import annotations

import asyncio
import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sanya.kernel.faults import InvalidArgument, Unavailable
from sanya.sources.documents import tesseract
from sanya.sources.documents.health import check_documents
from sanya.sources.documents.reader import open_reader
from sanya.suites.herbs.ingest.documents import ReadRequest
from tests.sources.documents import made
from tests.sources.documents.made import ENGLISH, THAI, needs_tesseract, needs_thai_font

if TYPE_CHECKING:
    from tests.sources.documents.conftest import Read


def letters(text: str) -> str:
    return "".join(text.split())


@needs_thai_font
async def test_a_thai_pdf_is_read_as_it_was_written(read: Read) -> None:
    data = made.pdf_of([THAI, ENGLISH, f"{ENGLISH}\n{THAI}"], title="ตำรายา")
    document = await read(data, lang="th")
    assert document.doc_type == "pdf"
    assert document.title == "ตำรายา"
    assert document.digest == hashlib.sha256(data).hexdigest()
    assert [page.number for page in document.pages] == [1, 2, 3]
    assert {(page.origin, page.note, page.certainty) for page in document.pages} == {("text", None, None)}
    assert [letters(page.text) for page in document.pages] == [letters(THAI), letters(ENGLISH), letters(ENGLISH + THAI)]
    assert ENGLISH in document.pages[1].text.replace("\n", " ")


@needs_thai_font
async def test_signs_that_a_program_drew_out_of_turn_come_back_to_their_letters(read: Read) -> None:
    words = "ผู้ที่ตั้งครรภ์และให้นมบุตร เสริมฤทธิ์กัน ขมิ้นชัน ฟ้าทะลายโจร"
    document = await read(made.pdf_of([words], shaped=True))
    assert document.pages[0].text == words


@needs_thai_font
async def test_signs_in_the_private_area_are_put_right_without_recognition(read: Read) -> None:
    document = await read(made.private_glyph_map(made.pdf_of([THAI])))
    assert (document.pages[0].origin, letters(document.pages[0].text)) == ("text", letters(THAI))


@needs_thai_font
async def test_two_columns_are_read_one_after_the_other(read: Read) -> None:
    document = await read(made.two_columns(THAI * 3, " ".join([ENGLISH] * 4), heading="Heading"))
    text = letters(document.pages[0].text)
    assert letters(THAI * 3) in text
    assert letters(ENGLISH * 4) in text
    assert text.index(letters(THAI)) < text.index(letters(ENGLISH))


@needs_thai_font
async def test_a_row_of_a_table_stays_on_one_line(read: Read) -> None:
    rows = [["สมุนไพร", "Dose", "ข้อห้าม"], ["ขิง", "2 g", "นิ่วในถุงน้ำดี"], ["ขมิ้นชัน", "500 mg", "ท่อน้ำดีอุดตัน"]]
    rows += [["กระเทียม", "300 mg", "ก่อนผ่าตัด"], ["ชุมเห็ดเทศ", "3 g", "ลำไส้อุดตัน"], ["บอระเพ็ด", "1 g", "โรคตับ"]]
    document = await read(made.table(rows))
    assert document.pages[0].text.split("\n") == [" | ".join(row) for row in rows]


@needs_thai_font
async def test_without_a_recogniser_a_wrong_glyph_map_is_told_and_the_text_is_not_trusted(read: Read) -> None:
    sound = made.pdf_of([THAI, ENGLISH])
    for broken in (made.wrong_glyph_map(sound), made.without_glyph_map(sound)):
        document = await read(broken, provider="none")
        assert all(page.note and page.note.startswith("not to be trusted") for page in document.pages)


@needs_thai_font
@needs_tesseract
async def test_scans_and_wrong_glyph_maps_are_recognised_and_say_why(read: Read) -> None:
    """A page that is sound, one that is a picture, and one whose letters are wrong: each in its own way."""
    mixed = made.scanned(made.pdf_of([ENGLISH, THAI], shaped=True), only=[2])
    document = await read(mixed)
    assert [page.origin for page in document.pages] == ["text", "ocr"]
    scan = document.pages[1]
    assert scan.note == "recognised from the picture of the page: the page has no text layer"
    assert scan.certainty is not None
    assert scan.certainty > 0.8
    for name in ("ฟ้าทะลายโจร", "สมุนไพร", "วาร์ฟาริน", "ตั้งครรภ์"):
        assert name in scan.text
    broken = await read(made.wrong_glyph_map(made.pdf_of([THAI])))
    assert broken.pages[0].origin == "ocr"
    assert "text layer" in str(broken.pages[0].note)
    assert "สมุนไพร" in broken.pages[0].text


@needs_thai_font
@needs_tesseract
async def test_columns_and_tables_of_a_scan_are_in_order_too(read: Read) -> None:
    columns = made.two_columns(THAI * 2, " ".join([ENGLISH] * 3))
    rows = [
        ["Herb", "Dose", "Avoid in"],
        ["Ginger", "200 mg", "gallstones"],
        ["Turmeric", "500 mg", "blocked bile duct"],
    ]
    first = (await read(made.scanned(columns, dpi=200), params={"dpi": "200"})).pages[0].text
    assert first.index("สมุนไพร") < first.index("Ginger")
    assert "pharmacist" not in first[: first.index("Ginger")]
    second = (await read(made.scanned(made.table(rows), dpi=200), lang="en", params={"dpi": "200"})).pages[0].text
    assert [line.replace(" | ", " ") for line in second.split("\n")] == [" ".join(row) for row in rows]


@needs_thai_font
async def test_without_tesseract_born_digital_works_and_a_scan_says_what_to_install(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    tesseract._find_program.cache_clear()
    sound = made.pdf_of([ENGLISH])
    assert (await read(sound)).pages[0].origin == "text"
    with pytest.raises(Unavailable) as refused:
        await read(made.scanned(sound, dpi=72))
    assert refused.value.hint == "Install it: apt-get install tesseract-ocr tesseract-ocr-tha"
    advice = {fact.name: fact.advice for fact in check_documents([])}
    assert advice["scanned pages"] == "Run: apt-get install tesseract-ocr tesseract-ocr-tha"


async def test_an_unknown_provider_or_parameter_is_refused_with_those_there_are(read: Read) -> None:
    for more, says in (
        ({"provider": "magic"}, "tesseract, none"),
        ({"params": {"speed": "fast"}}, "languages, dpi, psm, pages"),
        ({"provider": "none", "params": {"dpi": "300"}}, "takes none"),
        ({"params": {"dpi": "9000"}}, "from 100 to 600"),
        ({"params": {"dpi": "๓๐๐"}}, "from 100 to 600"),
        ({"params": {"psm": "0"}}, "one of 1, 3, 4"),
        ({"params": {"languages": "tha --user-words /etc/passwd"}}, "tha+eng"),
        ({"params": {"pages": "some"}}, "auto"),
    ):
        with pytest.raises(InvalidArgument) as refused:
            await read(b"text", "a.txt", **more)
        assert says in refused.value.message


@needs_tesseract
async def test_a_language_that_tesseract_lacks_is_named_with_its_package(read: Read) -> None:
    with pytest.raises(Unavailable) as refused:
        await read(made.scanned(made.pdf_of([ENGLISH]), dpi=72), params={"languages": "chi_sim"})
    assert "apt-get install tesseract-ocr-chi-sim" in str(refused.value.hint)


async def test_text_html_and_word_come_the_same_way(read: Read) -> None:
    text = await read(f"{THAI}\f{ENGLISH}".encode("cp874"), "a.txt")
    assert [letters(page.text) for page in text.pages] == [letters(THAI), letters(ENGLISH)]
    assert text.pages[0].note == "read as windows-874 (TIS-620)"
    page = await read(f"<html><title>ชื่อ</title><p>{THAI}</p></html>".encode(), "a.html")
    assert (page.doc_type, page.title, page.pages[0].text) == ("html", "ชื่อ", THAI)
    word = await read(made.docx_of([THAI], rows=[["ขิง", "2 g"]], title="ชื่อ"), "a.docx")
    assert (word.doc_type, word.title, word.pages[0].text) == ("docx", "ชื่อ", f"{THAI}\nขิง | 2 g")


async def test_a_type_that_the_content_belies_is_refused(read: Read) -> None:
    with pytest.raises(InvalidArgument, match=r"the content is \.txt") as refused:
        await read(b"plain", "a.txt", doc_type="pdf")
    assert refused.value.field == "doc_type"
    with pytest.raises(InvalidArgument, match="is no"):
        await read(made.docx_of(["x"]).replace(b"word/", b"wart/"), "a.docx")
    with pytest.raises(InvalidArgument, match=r"is not \.pdf, \.docx"):
        await read(b"\x7fELF\x00\x00", "a.bin")


async def test_every_page_is_told_as_it_is_read(inbox: Path) -> None:
    (inbox / "a.txt").write_text("one\ftwo\fthree", encoding="utf-8")
    told: list[tuple[int, int]] = []
    await open_reader([inbox]).read(ReadRequest((inbox / "a.txt").as_uri()), lambda *done: told.append(done))
    assert told == [(1, 3), (2, 3), (3, 3)]


def processes_below(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()]


@needs_thai_font
@needs_tesseract
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are counted in /proc")
async def test_cancelled_in_the_middle_it_leaves_no_process_behind(inbox: Path) -> None:
    (inbox / "a.pdf").write_bytes(made.scanned(made.pdf_of([ENGLISH, *[THAI * 4] * 3], shaped=True), only=[2, 3, 4]))
    before = processes_below(os.getpid())
    reader = open_reader([inbox])
    first_picture = asyncio.Event()

    def told(done: int, of: int) -> None:
        if done > 1:
            first_picture.set()

    reading = asyncio.create_task(reader.read(ReadRequest((inbox / "a.pdf").as_uri()), told))
    async with asyncio.timeout(120):
        await first_picture.wait()
    assert processes_below(os.getpid()) != before
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert processes_below(os.getpid()) == before
    (inbox / "a.txt").write_text("still here", encoding="utf-8")
    again = await reader.read(ReadRequest((inbox / "a.txt").as_uri()), lambda done, of: None)
    assert again.pages[0].text == "still here"
