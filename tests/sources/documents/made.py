"""Documents made for the tests: Thai and English, born digital, scanned, mixed, broken and hostile."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from fpdf import FPDF
from fpdf.enums import EncryptionMethod

_FONT_FOLDERS = ("/usr/share/fonts/truetype/tlwg", "/usr/share/fonts/truetype/thai-tlwg", "/usr/share/fonts/tlwg")

THAI = (
    "ฟ้าทะลายโจรเป็นสมุนไพรที่ใช้บรรเทาอาการหวัดและเจ็บคอ ไม่ควรใช้ร่วมกับยาละลายลิ่มเลือด เช่น วาร์ฟาริน "
    "เพราะอาจเสริมฤทธิ์กัน ผู้ที่ตั้งครรภ์และให้นมบุตรควรหลีกเลี่ยง น้ำคั้นจากใบใช้ทาแผลได้ตามตำรา"
)
ENGLISH = (
    "Ginger (Zingiber officinale Roscoe) contains gingerol and has been used for nausea. "
    "Turmeric may interact with warfarin, and people who take anticoagulants should ask a pharmacist first."
)


@cache
def thai_font() -> Path | None:
    places = [Path(folder) / name for folder in _FONT_FOLDERS for name in ("Garuda.ttf", "Garuda.otf", "Loma.ttf")]
    return next((place for place in places if place.is_file()), None)


def has_tesseract() -> bool:
    program = shutil.which("tesseract")
    if program is None:
        return False
    listed = subprocess.run([program, "--list-langs"], capture_output=True, text=True, check=False)
    return "tha" in listed.stdout.split()


needs_thai_font = pytest.mark.skipif(thai_font() is None, reason="no Thai font here (fonts-thai-tlwg)")
needs_tesseract = pytest.mark.skipif(
    not has_tesseract(), reason="no Tesseract with Thai here (tesseract-ocr tesseract-ocr-tha)"
)


def blank_pdf(*, title: str = "", size: float = 14, font: Path | None = None, shaped: bool = False) -> FPDF:
    """An empty document whose font has Thai, or the standard one where there is none. `shaped` draws Thai signs where
    they look well, which leaves a text layer in disorder: for pages that will be scanned."""
    pdf = FPDF(format="A4")
    pdf.set_title(title)
    pdf.set_margin(20)
    chosen = font or thai_font()
    if chosen is None:
        pdf.set_font("helvetica", size=size)
    else:
        pdf.add_font("thai", fname=str(chosen))
        pdf.set_font("thai", size=size)
        pdf.set_text_shaping(shaped)
    return pdf


def finished(pdf: FPDF) -> bytes:
    return bytes(pdf.output())


def pdf_of(
    pages: Iterable[str], *, title: str = "", size: float = 14, font: Path | None = None, shaped: bool = False
) -> bytes:
    """One page for each text, one line below the other."""
    pdf = blank_pdf(title=title, size=size, font=font, shaped=shaped)
    for text in pages:
        pdf.add_page()
        pdf.multi_cell(0, size * 0.6, text, align="L")
    return finished(pdf)


def two_columns(left: str, right: str, *, heading: str = "") -> bytes:
    """The columns are drawn line by line in turns, as some programs do, so that only their places part them."""
    pdf = blank_pdf(size=11)
    pdf.add_page()
    if heading:
        pdf.multi_cell(0, 8, heading, new_x="LMARGIN", new_y="NEXT")
    lines = [_wrapped(pdf, text, 78) for text in (left, right)]
    top = pdf.get_y() + 4
    for number in range(max(map(len, lines))):
        for column, x in zip(lines, (20, 112), strict=True):
            if number < len(column):
                pdf.text(x, top + 6 * number, column[number])
    return finished(pdf)


def _wrapped(pdf: FPDF, text: str, width: float) -> list[str]:
    lines = pdf.multi_cell(width, 6, text, dry_run=True, output="LINES", align="L")
    assert isinstance(lines, list)
    return lines


def table(rows: Sequence[Sequence[str]]) -> bytes:
    """Drawn cell by cell, column after column: the worst order."""
    pdf = blank_pdf(size=12)
    pdf.add_page()
    for column in range(len(rows[0])):
        for number, row in enumerate(rows):
            pdf.text(20 + 58 * column, 30 + 9 * number, row[column])
    return finished(pdf)


_LATE_MARK = re.compile("([\u0e31\u0e34-\u0e3a]?)([\u0e47-\u0e4c])([\u0e01-\u0e2e])")


def late_marks(lines: Iterable[str]) -> bytes:
    """Each letter is drawn at its place, but upper marks are drawn after the next consonant: the page looks right, and
    its text layer reads "ตัง้ครรภ์" and "ขมิน้"."""
    pdf = blank_pdf()
    pdf.add_page()
    for number, line in enumerate(lines):
        places, x = [], 20.0
        for letter in line:
            places.append((letter, x))
            x += pdf.get_string_width(letter) if pdf.get_string_width(letter) > 0.1 else 0.0
        for match in reversed(list(_LATE_MARK.finditer(line))):
            places.insert(match.end(2), places.pop(match.start(2)))
        for letter, left in places:
            pdf.text(left, 30 + 10 * number, letter)
    return finished(pdf)


def misplaced_marks(text: str) -> str:
    """The text as faulty exports write it: every upper mark behind the next consonant."""
    return _LATE_MARK.sub(r"\1\3\2", text)


def turned(text: str, angle: int, foot: str) -> bytes:
    """Text that stands askew on the sheet, and the page turned so that it reads upright; the foot is left behind."""
    import pypdfium2

    pdf = blank_pdf()
    pdf.add_page()
    with pdf.rotation(angle, x=105, y=148):
        pdf.multi_cell(0, 8, text, align="L")
    pdf.set_xy(20, 250)
    pdf.cell(0, 8, foot)
    document = pypdfium2.PdfDocument(finished(pdf))
    document[0].set_rotation(angle)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def scanned(document: bytes, *, dpi: int = 300, only: Iterable[int] | None = None) -> bytes:
    """The same pages as pictures; with `only`, just those numbers (from 1) are, the others stay as they were."""
    import pypdfium2

    source = pypdfium2.PdfDocument(document)
    made = pypdfium2.PdfDocument.new()
    for index in range(len(source)):
        if only is not None and index + 1 not in only:
            made.import_pages(source, [index])
            continue
        picture = io.BytesIO()
        source[index].render(scale=dpi / 72, grayscale=True).to_pil().save(picture, "PDF", resolution=dpi, quality=90)
        made.import_pages(pypdfium2.PdfDocument(picture.getvalue()))
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def stamped(document: bytes, words: str) -> bytes:
    """A picture of the first page with a few letters over it, as scanners and archives put them there."""
    import pypdfium2

    pdf = blank_pdf()
    pdf.add_page()
    pdf.image(pypdfium2.PdfDocument(document)[0].render(scale=1, grayscale=True).to_pil(), 0, 0, 210, 297)
    pdf.text(20, 285, words)
    return finished(pdf)


def wrong_glyph_map(document: bytes, *, shift: int = 7) -> bytes:
    """The same look, but the font says wrong letters: each Thai sign is said to be another one further on."""

    def moved(found: re.Match[bytes]) -> bytes:
        code = int(found[2], 16)
        if 0x0E01 <= code <= 0x0E4E:
            code = 0x0E01 + (code - 0x0E01 + shift) % 0x4E
        elif 0x41 <= code <= 0x7A:
            code = 0x41 + (code - 0x41 + shift) % 0x3A
        return found[1] + b"<%04X>" % code

    return _with_maps(document, lambda found: re.sub(rb"(<[0-9A-Fa-f]+>\s*)<([0-9A-Fa-f]{4})>", moved, found))


def private_glyph_map(document: bytes) -> bytes:
    """Tone marks as old Thai fonts have them: in the private area (F70A and on), where they can be put right."""

    def moved(found: re.Match[bytes]) -> bytes:
        code = int(found[2], 16)
        return found[1] + b"<%04X>" % (0xF70A + code - 0x0E48 if 0x0E48 <= code <= 0x0E4C else code)

    return _with_maps(document, lambda found: re.sub(rb"(<[0-9A-Fa-f]+>\s*)<([0-9A-Fa-f]{4})>", moved, found))


def without_glyph_map(document: bytes) -> bytes:
    """The fonts do not say at all which letters their glyphs are."""
    return document.replace(b"/ToUnicode ", b"/NoUnicode ")


def _with_maps(document: bytes, change: object) -> bytes:
    """The streams of the document that map glyphs to letters, changed; offsets are left to the reader's repair."""
    assert callable(change)

    def repacked(found: re.Match[bytes]) -> bytes:
        data = found[2]
        try:
            plain = zlib.decompress(data)
        except zlib.error:
            plain = data
        if b"beginbfchar" not in plain and b"beginbfrange" not in plain:
            return found[0]
        packed = change(plain) if plain is data else zlib.compress(change(plain))
        head = re.sub(rb"/Length \d+", b"/Length %d" % len(packed), found[1])
        return head + b"stream\n" + packed + b"\nendstream"

    return re.sub(rb"(<<(?:(?!>>).)*>>\s*)stream\r?\n(.*?)\r?\nendstream", repacked, document, flags=re.DOTALL)


def encrypted(password: str = "secret") -> bytes:
    pdf = blank_pdf()
    pdf.set_encryption(owner_password=password, user_password=password, encryption_method=EncryptionMethod.RC4)
    pdf.add_page()
    pdf.multi_cell(0, 8, ENGLISH)
    return finished(pdf)


def raw_pdf(objects: Sequence[bytes], *, trailer: bytes = b"") -> bytes:
    """A document of the objects as they are; the first is its catalogue."""
    out, places = bytearray(b"%PDF-1.7\n"), []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R %b >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, trailer, start)
    return bytes(out)


def stream(data: bytes, more: bytes = b"") -> bytes:
    return b"<< /Length %d %b >>\nstream\n%b\nendstream" % (len(data), more, data)


def one_page(
    content: bytes, *, box: str = "0 0 595 842", resources: bytes = b"<< >>", more: Sequence[bytes] = ()
) -> bytes:
    """A page whose content is object 4; `more` are objects 5 and on, for its resources."""
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [%b] /Contents 4 0 R /Resources %b >>" % (box.encode(), resources)
    pages = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
    return raw_pdf([b"<< /Type /Catalog /Pages 2 0 R >>", pages, page, content, *more])


def many_pages(count: int) -> bytes:
    kids = b" ".join(b"%d 0 R" % (3 + number) for number in range(count))
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>"
    pages = b"<< /Type /Pages /Kids [%b] /Count %d >>" % (kids, count)
    return raw_pdf([b"<< /Type /Catalog /Pages 2 0 R >>", pages, *[page] * count])


def decompression_bomb(megabytes: int = 4096) -> bytes:
    """A page whose content unpacks, twice over, into gigabytes of drawing."""
    packer = zlib.compressobj(9)
    chunk = b"0 0 m 9 9 l S " * 74899
    first = packer.compress(chunk) + packer.flush(zlib.Z_FULL_FLUSH)
    # Each part stands for itself, so the same packed bytes may follow each other as often as one likes.
    again = packer.compress(chunk) + packer.flush(zlib.Z_FULL_FLUSH)
    inner = first + again * (megabytes - 1) + packer.flush()
    return one_page(stream(zlib.compress(inner, 9), b"/Filter [/FlateDecode /FlateDecode]"))


def picture_bomb(side: int = 60_000) -> bytes:
    """A picture that says it has billions of pixels."""
    packed = zlib.compress(bytes(side) * 64, 9)
    picture = stream(
        packed,
        b"/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceRGB /BitsPerComponent 8 "
        b"/Filter /FlateDecode" % (side, side),
    )
    drawn = stream(b"q 595 0 0 842 0 0 cm /I Do Q")
    return one_page(drawn, resources=b"<< /XObject << /I 5 0 R >> >>", more=[picture])


def form_bomb(depth: int = 24) -> bytes:
    """Forms that draw each other twice, to a depth: millions of drawings from a few lines."""
    forms = []
    for level in range(depth):
        last = level == depth - 1
        content = b"0 0 m 9 9 l S" if last else b"/F Do /F Do"
        inner = b"" if last else b"/Resources << /XObject << /F %d 0 R >> >>" % (6 + level)
        forms.append(stream(content, b"/Type /XObject /Subtype /Form /BBox [0 0 595 842] " + inner))
    return one_page(stream(b"/F Do"), resources=b"<< /XObject << /F 5 0 R >> >>", more=forms)


def deep_pdf(depth: int = 200_000) -> bytes:
    """An array in an array in an array, where the page's size should be."""
    return one_page(stream(b""), box="[" * depth + "]" * depth)


def docx_of(
    paragraphs: Sequence[str], *, rows: Sequence[Sequence[str]] = (), title: str = "", document: str | None = None
) -> bytes:
    """`document` takes the place of the whole word/document.xml."""
    name = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    body = "".join(f"<w:p><w:r><w:t>{escape(paragraph)}</w:t></w:r></w:p>" for paragraph in paragraphs)
    cells = ["".join(f"<w:tc><w:p><w:r><w:t>{escape(cell)}</w:t></w:r></w:p></w:tc>" for cell in row) for row in rows]
    if rows:
        body += "<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in cells) + "</w:tbl>"
    core = (
        '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{escape(title)}</dc:title></cp:coreProperties>'
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", document or f"<w:document {name}><w:body>{body}</w:body></w:document>")
        archive.writestr("docProps/core.xml", core)
    return out.getvalue()


def docx_bomb(megabytes: int = 64) -> bytes:
    """A few kilobytes that unpack into a thousand times as many blanks."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("word/document.xml", "w") as entry:
        entry.write(b"<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'>")
        for _ in range(megabytes):
            entry.write(b" " * 1024 * 1024)
        entry.write(b"</w:document>")
    return out.getvalue()
