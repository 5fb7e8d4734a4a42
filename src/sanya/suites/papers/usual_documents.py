"""Stands in for `usual_documents.pyx` where that was not compiled, and declines every paper: `documents` makes them."""

from __future__ import annotations

from sanya.suites.papers.record import Record

IS_COMPILED = False


def documents_of_usual(record: Record, namespace: bytes) -> None: ...
