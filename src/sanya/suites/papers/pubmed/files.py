"""Reads files of PubMed records as a stream: a file of any size takes the memory of a few records.

A file is cut into records before any XML is parsed. Whatever else it holds is checked: it declares no entities, is in
UTF-8, has nothing between the records, and ends properly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from gzip import BadGzipFile
from hashlib import file_digest
from pathlib import Path
from typing import BinaryIO, NamedTuple

from isal.igzip import GzipFile
from isal.isal_zlib import IsalError

from sanya.suites.papers.pubmed.fast_reader import cut_usual_articles, read_usual_record
from sanya.suites.papers.pubmed.record import PaperRecord
from sanya.suites.papers.pubmed.xml_reader import BadRecord, parse_element, parse_record

# A block of this size stays in the processor's cache while it is unpacked, cut and read.
_BLOCK_BYTES = 256 * 1024
_MAX_ITEM_BYTES = 32 * 1024 * 1024
_MAX_TAG_BYTES = 100
_GZIP = b"\x1f\x8b"
_PROLOGUE = re.compile(
    rb"\s*(?:<\?xml[^<>]*?(?:encoding\s*=\s*[\"'](?P<encoding>[\w.-]+)[\"'][^<>]*)?\?>\s*)?"
    rb"(?P<doctype><!DOCTYPE\s[^<>\[]*>\s*)?<(?P<root>[\w:-]+)(?P<attributes>\s[^<>]*)?>"
)
_ROOTS = (b"PubmedArticleSet", b"PubmedBookArticleSet")
_HTML = re.compile(rb"\s*(?:<!doctype\s+html|<html)", re.IGNORECASE)
_ITEM = re.compile(rb"\s*<(PubmedArticle|PubmedBookArticle|DeleteCitation|DeleteDocument)(?=[\s>])")
_EMPTY_SET = re.compile(rb"<(?:PubmedArticleSet|PubmedBookArticleSet)[^<>]*/>\s*$")
_END = re.compile(rb"\s*</(?:PubmedArticleSet|PubmedBookArticleSet)>\s*")
_TAGS = (b"<PubmedArticle", b"<PubmedBookArticle", b"<Delete", b"</PubmedArticleSet>", b"</PubmedBookArticleSet>")
_CODINGS = (None, b"utf-8", b"us-ascii", b"ascii")


class BadFile(ValueError):
    """A file that cannot be read; the message says what it is and what to do."""


class Deletion(NamedTuple):
    """Records that PubMed has withdrawn."""

    pmids: tuple[str, ...]


FileItem = PaperRecord | Deletion


def read_items(blocks: Iterable[bytes], *, skip: int = 0) -> Iterator[FileItem]:
    """Yield the records and deletions in the order of the file, after the first `skip` of them."""
    for number, xml in enumerate(cut_items(blocks), start=1):
        if number > skip:
            yield _read_item(xml, number)


def cut_items(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the XML of each record and each deletion."""
    cutter = _Cutter()
    for block in blocks:
        yield from cutter.feed(block)
    yield from cutter.finish()


class _Cutter:
    def __init__(self) -> None:
        self._rest = b""
        self._has_begun = False
        self._number = 0
        self._min_bytes = 0

    def feed(self, block: bytes) -> Iterator[bytes]:
        self._rest += block
        if not self._has_begun and not self._begin():
            return
        # An incomplete item is searched again only when the data has doubled, not with every block.
        if len(self._rest) >= self._min_bytes:
            yield from self._cut()
            self._check_rest()

    def finish(self) -> Iterator[bytes]:
        if not self._has_begun and not self._begin():
            raise BadFile(_describe_start(self._rest))
        yield from self._cut()
        if _END.fullmatch(self._rest) is None:
            raise BadFile(self._describe_rest())

    def _cut(self) -> Iterator[bytes]:
        at = 0
        while True:
            articles, at = cut_usual_articles(self._rest, at)
            self._number += len(articles)
            yield from articles
            if (opening := _ITEM.match(self._rest, at)) is None:
                break
            closing = b"</" + opening[1] + b">"
            end = self._rest.find(closing, opening.end())
            if end < 0:
                break
            end += len(closing)
            self._number += 1
            yield self._rest[opening.start(1) - 1 : end]
            at = end
        self._rest = self._rest[at:]
        self._min_bytes = 2 * len(self._rest) if opening is not None else 0

    def _begin(self) -> bool:
        """Skip the prologue; return False while it is incomplete."""
        if _EMPTY_SET.search(self._rest):
            self._rest = b"</PubmedArticleSet>"
            self._has_begun = True
            return True
        prologue = _PROLOGUE.match(self._rest.removeprefix(b"\xef\xbb\xbf"))
        if prologue is None or prologue["root"] not in _ROOTS:
            if prologue is not None or len(self._rest) > _BLOCK_BYTES or _HTML.match(self._rest):
                raise BadFile(_describe_start(self._rest))
            return False
        coding = prologue["encoding"]
        if coding is not None and coding.lower() not in _CODINGS:
            raise BadFile(f"is encoded in {coding.decode('ascii')}; PubMed's files are in UTF-8, fetch the file again")
        self._rest = self._rest.removeprefix(b"\xef\xbb\xbf")[prologue.end() :]
        self._has_begun = True
        return True

    def _check_rest(self) -> None:
        if len(self._rest) > _MAX_ITEM_BYTES:
            limit = f"{_MAX_ITEM_BYTES // 1024**2} MB"
            raise BadFile(f"record {self._number + 1:,} is larger than {limit}; check that this is a PubMed file")
        if not self._min_bytes and len(self._rest) > _MAX_TAG_BYTES and not _END.match(self._rest):
            raise BadFile(self._describe_rest())

    def _describe_rest(self) -> str:
        left = self._rest.strip()
        if self._min_bytes or any(tag.startswith(left[: len(tag)]) for tag in _TAGS):
            return f"breaks off after {self._number:,} records; fetch the file again"
        return f"has no record after record {self._number:,} but {_quote_start(left)}; fetch the file again"


def _describe_start(start: bytes) -> str:
    if not start.strip():
        return "is empty; fetch the file again"
    if _HTML.match(start):
        return "is an HTML page, perhaps of an error or a login; fetch the PubMed XML file again"
    if b"<!DOCTYPE" in start and b"[" in start.partition(b"<!DOCTYPE")[2].partition(b">")[0]:
        return "declares entities, which no PubMed file does and Sanya never reads; fetch the file from PubMed"
    prologue = _PROLOGUE.match(start)
    what = f"<{prologue['root'].decode('utf-8', 'replace')[:40]}>" if prologue else _quote_start(start)
    return f"is no PubMed XML but begins with {what}; give a file of PubMed's baseline or updates"


def _quote_start(content: bytes) -> str:
    return repr(content.strip()[:40].decode("utf-8", "replace"))


def _read_item(xml: bytes, number: int) -> FileItem:
    try:
        if xml.startswith(b"<Delete"):
            return Deletion(tuple(pmid.text or "" for pmid in parse_element(xml.decode("utf-8")).findall("PMID")))
        return read_usual_record(xml) or parse_record(xml.decode("utf-8"))
    except UnicodeDecodeError:
        raise BadFile(f"record {number:,} is not in UTF-8; fetch the file again") from None
    except BadRecord as problem:
        raise BadFile(f"record {number:,} cannot be read: {problem}") from None


@contextmanager
def open_file(path: Path) -> Iterator[tuple[BinaryIO, Iterator[bytes]]]:
    """Open the file. Yields it, for its position, and its unpacked content in blocks."""
    with path.open("rb") as file:
        is_packed = file.read(2) == _GZIP
        file.seek(0)
        yield file, _unpack(file) if is_packed else iter(lambda: file.read(_BLOCK_BYTES), b"")


def _unpack(file: BinaryIO) -> Iterator[bytes]:
    try:
        with GzipFile(fileobj=file) as unpacking:  # type: ignore[no-untyped-call]
            while block := unpacking.read(_BLOCK_BYTES):
                yield block
    except EOFError:
        raise BadFile("breaks off inside its compression; fetch the file again") from None
    except (BadGzipFile, IsalError) as error:  # type: ignore[misc]  # IsalError is an exception, though its stubs do not say so
        raise BadFile(f"is damaged ({error}); fetch the file again") from None


def hash_file(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
