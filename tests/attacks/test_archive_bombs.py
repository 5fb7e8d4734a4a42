"""Archives that unpack into far more than they are: .docx, packages of full texts, and pictures in a PDF.

Each is refused or read within its limits, and the next honest document is read.
"""

from __future__ import annotations

import gzip
import io
import tarfile
import tracemalloc
import zipfile
import zlib
from pathlib import Path

import pytest

from sanya.suites.papers.fulltext import file_import
from sanya.suites.papers.fulltext.file_import import read_article_files
from sanya.suites.papers.fulltext.jats import BadArticle
from tests.attacks.case_counts import count_case
from tests.attacks.conftest import AttackedServer
from tests.attacks.raw_http import RawConnection
from tests.sources.documents import made

MB = 1024 * 1024
WORD = b"<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'>"
HONEST = f"{WORD.decode()}<w:body><w:p><w:r><w:t>An honest text.</w:t></w:r></w:p></w:body></w:document>"
LARGE_MB = 48
# The others may also be read within their limits: entries that no reader needs are never unpacked, and a picture that
# is too large is not drawn, so a page without text is recognised as empty where Tesseract is installed.
REFUSED = ("nested.docx", "gzip.txt", "gzip.pdf")


def _docx(**parts: bytes) -> bytes:
    """Build a .docx of parts named like word__document."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(f"{name.replace('__', '/')}.xml", data)
    return out.getvalue()


def _with_false_size(data: bytes) -> bytes:
    """Say in both headers that the entry unpacks into ten bytes."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        size = archive.infolist()[0].file_size.to_bytes(4, "little")
    return data.replace(size, (10).to_bytes(4, "little"))


def _with_shared_body(count: int) -> bytes:
    """Thousands of entries in the directory that all mean the same packed bytes."""
    data = _docx(word__document=HONEST.encode(), x=b" " * MB)
    start = data.index(b"PK\x01\x02")
    end = data.index(b"PK\x05\x06")
    second = data.index(b"PK\x01\x02", start + 4)
    directory = data[start:second] + data[second:end] * count
    tail = b"PK\x05\x06" + bytes(4) + (count + 1).to_bytes(2, "little") * 2
    return (
        data[:start] + directory + tail + len(directory).to_bytes(4, "little") + start.to_bytes(4, "little") + bytes(2)
    )


def _archive_in_archive(levels: int) -> bytes:
    data = b"x" * MB
    for _ in range(levels):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for number in range(10):
                archive.writestr(f"{number}.zip", data)
        data = out.getvalue()
    return data


def _picture(filter: bytes, data: bytes, side: int) -> bytes:
    picture = made.stream(
        data,
        b"/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter %b"
        % (side, side, filter),
    )
    drawn = made.stream(b"q 595 0 0 842 0 0 cm /I Do Q")
    return made.one_page(drawn, resources=b"<< /XObject << /I 5 0 R >> >>", more=[picture])


def _twice(data: bytes) -> bytes:
    return zlib.compress(zlib.compress(data, 9), 9)


def _build_bombs() -> dict[str, bytes]:
    return {
        "footnotes.docx": _docx(
            word__document=HONEST.encode(), word__footnotes=WORD + b" " * 20 * MB + b"</w:document>"
        ),
        "properties.docx": _docx(word__document=HONEST.encode(), docProps__core=b"<a>" + b" " * 20 * MB + b"</a>"),
        "false-size.docx": _with_false_size(made.docx_bomb(40)),
        "attribute.docx": _docx(word__document=WORD[:-1] + b" a='" + b"x" * 20 * MB + b"'></w:document>"),
        "shared.docx": _with_shared_body(60_000),
        "nested.docx": _archive_in_archive(4),
        "gzip.txt": gzip.compress(bytes(20 * MB)),
        "gzip.pdf": gzip.compress(b"%PDF-1.7\n" + bytes(20 * MB)),
        "picture-twice.pdf": _picture(b"[/FlateDecode /FlateDecode]", _twice(bytes(64 * MB)), 60_000),
    }


async def test_every_archive_and_picture_bomb_ends_in_the_report(
    unguarded: AttackedServer, open_connection: RawConnection
) -> None:
    inbox = unguarded.home / "inbox"
    inbox.mkdir(exist_ok=True)
    honest = made.docx_of(["An honest text of turmeric, which stands behind the bombs."])
    bombs = _build_bombs()
    for name, data in {**bombs, "honest.docx": honest}.items():
        assert len(data) < 8 * MB, name
        (inbox / name).write_bytes(data)
    for name in (*bombs, "honest.docx"):
        batch = [{"uri": (inbox / name).as_uri()}]
        reply = await open_connection.call_tool("tool.ingest.run", {"batch": batch, "wait_s": 25, "dry_run": True})
        assert reply.status == 200, (name, reply.body)
        assert reply.json["data"]["status"] in ("error" if name in REFUSED else "done", "error"), (name, reply.body)
    assert reply.json["data"]["status"] == "done", "the honest document is read after the bombs"
    assert (await open_connection.call_tool("get_projects", {})).status == 200


def _package(path: Path, header: bytes, body_mb: int) -> Path:
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(header)
        for _ in range(body_mb):
            file.write(bytes(MB))
        file.write(bytes(1024))
    return path


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK])
def test_a_package_whose_names_unpack_without_end_is_refused(tmp_path: Path, kind: bytes) -> None:
    """Names and attributes of a member are read into memory as a whole."""
    header = tarfile.TarInfo("x.nxml")
    header.type, header.size = kind, LARGE_MB * MB
    package = _package(tmp_path / "a.tar.gz", header.tobuf(), LARGE_MB)
    tracemalloc.start()
    try:
        with pytest.raises(tarfile.TarError):
            list(read_article_files(package))
        assert tracemalloc.get_traced_memory()[1] < 16 * MB
    finally:
        tracemalloc.stop()


def test_a_member_that_unpacks_without_end_is_left_out(tmp_path: Path) -> None:
    header = tarfile.TarInfo("x.nxml")
    header.size = file_import.MAX_ARTICLE_BYTES + MB
    package = _package(tmp_path / "a.tar.gz", header.tobuf(), header.size // MB)
    (file,) = read_article_files(package)
    assert file.data is None
    with pytest.raises(BadArticle, match="larger than"):
        file_import.parse_article_file(file)
    count_case()
