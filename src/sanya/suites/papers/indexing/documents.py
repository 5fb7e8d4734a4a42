"""Builds the documents that a paper has in the shared search index: one for each chunk."""

from __future__ import annotations

from uuid import UUID

from sanya.suite.search import Document, DocumentText, FieldValue
from sanya.suites.papers.indexing.chunks import Chunk, make_chunk_uuid, split_record
from sanya.suites.papers.indexing.fields import build_shared_fields
from sanya.suites.papers.pubmed.fast_documents import build_usual_documents
from sanya.suites.papers.pubmed.record import PaperRecord

TITLE_WEIGHT = 2


def build_documents(record: PaperRecord, namespace: UUID) -> list[Document]:
    return build_usual_documents(record, namespace.bytes) or build_any_documents(record, namespace)


def build_any_documents(record: PaperRecord, namespace: UUID) -> list[Document]:
    """Build the documents of any paper. `fast_documents` builds those of most papers in a fraction of the time."""
    chunks = split_record(record)
    shared = build_shared_fields(record)
    if len(chunks) > 1:
        shared["chunks"] = " ".join(chunk.chunk_id for chunk in chunks)
    title = DocumentText(choose_title(record), TITLE_WEIGHT)
    return [
        Document(
            make_chunk_uuid(namespace, record.pmid, chunk.chunk_id),
            (title, DocumentText(chunk.text)),
            _build_chunk_fields(chunk) | shared,
        )
        for chunk in chunks
    ]


def _build_chunk_fields(chunk: Chunk) -> dict[str, FieldValue]:
    fields: dict[str, FieldValue] = {"chunk_id": chunk.chunk_id, "section": chunk.section}
    if chunk.start:
        fields["start"] = chunk.start
    return fields


def choose_title(record: PaperRecord) -> str:
    """Return the title, or a replacement by which a paper without a title is found."""
    return record.title or record.vernacular_title or f"PMID {record.pmid}"
