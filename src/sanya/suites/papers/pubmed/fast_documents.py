"""Stands in for `usual_documents.pyx` where that was not compiled, and declines every paper: `documents` makes them."""

from __future__ import annotations

from sanya.suites.papers.pubmed.record import PaperRecord

IS_COMPILED = False


def build_usual_documents(record: PaperRecord, namespace: bytes) -> None: ...
