"""Stands in for `pubmed_usual.pyx` where that was not compiled, and declines every record: `pubmed_xml` reads it."""

from __future__ import annotations

IS_COMPILED = False


def read_usual_record(xml: bytes) -> None: ...


def cut_usual_articles(text: bytes, at: int) -> tuple[list[bytes], int]:  # noqa: ARG001
    return [], at
