"""Limits on what reading one document may cost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DocumentLimits:
    """`max_seconds` limits a document, `max_page_seconds` the reading and the recognition of one page, `max_pixels` the
    image of a page, `max_nesting` the depth of elements in .html or .docx, `max_memory_mb` the address space of each
    process."""

    max_bytes: int = 64 * 1024 * 1024
    max_pages: int = 2000
    max_pixels: int = 40_000_000
    max_seconds: int = 1800
    max_page_seconds: int = 120
    max_nesting: int = 200
    max_memory_mb: int = 1024
