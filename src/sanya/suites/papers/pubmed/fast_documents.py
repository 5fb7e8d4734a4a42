"""Replaces `fast_documents.pyx` where that is not compiled. It declines every paper, and `documents` builds them."""

from __future__ import annotations

from sanya.suites.papers.pubmed.record import PaperRecord

IS_COMPILED = False


def build_usual_documents(record: PaperRecord, namespace: bytes) -> None: ...
