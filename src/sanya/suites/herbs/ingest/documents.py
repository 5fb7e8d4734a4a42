"""What the ingest asks of whoever reads documents: pages of text, and how each was come by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

DocumentType = Literal["pdf", "txt", "html", "docx"]
PageWay = Literal["text", "ocr"]
PagesRead = Callable[[int, int], None]
"""Told after each page: how many are read, of how many."""


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """`doc_type` and `provider` are None where the caller leaves the choice to the reader."""

    uri: str
    lang: Literal["th", "en", "auto"] = "auto"
    doc_type: DocumentType | None = None
    provider: str | None = None
    params: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ReadPage:
    """`note` says why the page went through OCR, or what of it could not be read; `certainty` is the recogniser's own,
    0 to 1, and None where nothing had to be recognised."""

    number: int
    text: str
    way: PageWay = "text"
    note: str | None = None
    certainty: float | None = None


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """`digest` is SHA-256 of the file's bytes: the same bytes are the same document, whatever their name."""

    uri: str
    digest: str
    doc_type: DocumentType
    title: str | None
    pages: tuple[ReadPage, ...]


class DocumentReader(Protocol):
    """Refuses with a fault that says what to do: Forbidden outside the roots, InvalidArgument for what cannot be read,
    TooLarge over a limit, Unavailable where a program that it needs is not installed."""

    async def read(self, request: ReadRequest, read: PagesRead) -> ReadDocument: ...
