"""Detects the type of a document by its content, since its name may be wrong."""

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


def detect_type(data: bytes, suffix: str, declared: DocumentType | None) -> DocumentType:
    """Return the type.

    `declared` is what the caller declared: text may be read as .html or .txt, the others must match.
    """
    found = _detect_by_content(data, suffix)
    if declared is None or declared == found or {declared, found} == {"txt", "html"}:
        return declared or found
    raise InvalidArgument(
        f"doc_type is .{declared}, but the content is .{found}. Correct doc_type, or leave it out.", field="doc_type"
    )


def _detect_by_content(data: bytes, suffix: str) -> DocumentType:
    if not data:
        raise InvalidArgument("This document is empty.", field="uri")
    if b"%PDF-" in data[:_PDF_WITHIN]:
        return "pdf"
    if data.startswith(b"PK"):
        return _check_archive(data)
    if b"\x00" in data[:_HTML_WITHIN] and not data.startswith(_BYTE_ORDERS):
        raise InvalidArgument("The document is not .pdf, .docx, .html or text. Convert it to one of them.", field="uri")
    head = data[:_HTML_WITHIN].lower()
    if suffix in _HTML_SUFFIXES or any(start in head for start in _HTML_STARTS):
        return "html"
    if suffix not in _TEXT_SUFFIXES:
        raise InvalidArgument(
            f"This is neither .pdf, .docx nor .html, and {suffix} is not read as text. Convert it, or name it .txt.",
            field="uri",
        )
    return "txt"


def _check_archive(data: bytes) -> DocumentType:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if "word/document.xml" in archive.namelist():
                return "docx"
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        raise InvalidArgument("This .docx is damaged and cannot be opened. Save it again.", field="uri") from None
    raise InvalidArgument("This archive is not a .docx. Unpack it and ingest its documents.", field="uri")
