"""The port to the document reader: a request, and a document as pages of text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

DocumentType = Literal["pdf", "txt", "html", "docx"]
PageOrigin = Literal["text", "ocr"]
PageProgress = Callable[[int, int], None]
"""Called after each page with the number of pages read and the total."""


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """A document to read. With None for `doc_type` or `provider`, the reader chooses."""

    uri: str
    lang: Literal["th", "en", "auto"] = "auto"
    doc_type: DocumentType | None = None
    provider: str | None = None
    params: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page of text. `note` says why the page went through OCR or what could not be read. `certainty` is that of the
    OCR, 0 to 1, and None where the page had a text layer."""

    number: int
    text: str
    origin: PageOrigin = "text"
    note: str | None = None
    certainty: float | None = None


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document that was read. `digest` is SHA-256 of its bytes, so equal bytes under two names are one document."""

    uri: str
    digest: str
    doc_type: DocumentType
    title: str | None
    pages: tuple[ReadPage, ...]


class DocumentReader(Protocol):
    """Reads documents. Raises Forbidden outside the allowed folders, InvalidArgument for what cannot be read, TooLarge
    over a limit, and Unavailable where a program that it needs is not installed."""

    async def read(self, request: ReadRequest, read: PageProgress) -> ReadDocument: ...
