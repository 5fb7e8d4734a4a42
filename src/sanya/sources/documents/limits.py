"""How much one document may cost before it is refused."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """`max_seconds` bounds a whole document, `max_page_seconds` the reading and the recognising of one page;
    `max_pixels` bounds the picture of a page, `max_nesting` how deep the elements of a .html or .docx may lie in each
    other, `max_memory_mb` the address space of the process that reads, and of each that recognises."""

    max_bytes: int = 64 * 1024 * 1024
    max_pages: int = 2000
    max_pixels: int = 40_000_000
    max_seconds: int = 1800
    max_page_seconds: int = 120
    max_nesting: int = 200
    max_memory_mb: int = 1024
