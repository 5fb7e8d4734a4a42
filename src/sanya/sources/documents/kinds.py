"""What a document is, by its content: a name may say anything."""

from __future__ import annotations

import io
import zipfile

from sanya.kernel.faults import InvalidArgument
from sanya.suites.herbs.ingest.documents import DocumentType

_PDF_WITHIN = 1024
_HTML_WITHIN = 4096
_HTML_STARTS = (b"<!doctype html", b"<html", b"<head", b"<body")
_BYTE_ORDERS = (b"\xff\xfe", b"\xfe\xff")
_TEXT_SUFFIXES = {".txt", ".text", ".md", ""}
_HTML_SUFFIXES = {".html", ".htm", ".xhtml"}


def kind_of(data: bytes, suffix: str, said: DocumentType | None) -> DocumentType:
    """`said` is what the caller takes it for: text may be read as .html or .txt as they say, the others must agree."""
    found = _found(data, suffix)
    if said is None or said == found or {said, found} == {"txt", "html"}:
        return said or found
    raise InvalidArgument(
        f"This is no .{said} but looks like .{found}: leave doc_type out, or correct it.", field="doc_type"
    )


def _found(data: bytes, suffix: str) -> DocumentType:
    if not data:
        raise InvalidArgument("This document is empty.", field="uri")
    if b"%PDF-" in data[:_PDF_WITHIN]:
        return "pdf"
    if data.startswith(b"PK"):
        return _archive(data)
    if b"\x00" in data[:_HTML_WITHIN] and not data.startswith(_BYTE_ORDERS):
        raise InvalidArgument("This is neither .pdf, .docx, .html nor text. Convert it to one of them.", field="uri")
    head = data[:_HTML_WITHIN].lower()
    if suffix in _HTML_SUFFIXES or any(start in head for start in _HTML_STARTS):
        return "html"
    if suffix not in _TEXT_SUFFIXES:
        raise InvalidArgument(
            f"This is neither .pdf, .docx nor .html, and {suffix} is not read as text. Convert it, or name it .txt.",
            field="uri",
        )
    return "txt"


def _archive(data: bytes) -> DocumentType:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if "word/document.xml" in archive.namelist():
                return "docx"
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        raise InvalidArgument("This .docx is damaged and cannot be opened. Save it anew.", field="uri") from None
    raise InvalidArgument("This archive is no .docx. Unpack it and give the documents.", field="uri")
