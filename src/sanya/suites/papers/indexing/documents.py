"""Papers as documents of the shared search: one for each chunk, with the fields that all chunks of a paper share."""

from __future__ import annotations

from uuid import UUID

from sanya.retrieval.documents import Document, FieldValue, Text
from sanya.suites.papers.indexing.chunks import Chunk, make_chunk_uuid, split_record
from sanya.suites.papers.indexing.fields import build_shared_fields
from sanya.suites.papers.pubmed.fast_documents import build_usual_documents
from sanya.suites.papers.pubmed.record import PaperRecord

TITLE_WEIGHT = 2


def build_documents(record: PaperRecord, namespace: UUID) -> list[Document]:
    return build_usual_documents(record, namespace.bytes) or build_any_documents(record, namespace)


def build_any_documents(record: PaperRecord, namespace: UUID) -> list[Document]:
    """Of any paper; `usual_documents` makes those of most, in a fraction of the time."""
    chunks = split_record(record)
    shared = build_shared_fields(record)
    if len(chunks) > 1:
        shared["chunks"] = " ".join(chunk.chunk_id for chunk in chunks)
    title = Text(choose_title(record), TITLE_WEIGHT)
    return [
        Document(
            make_chunk_uuid(namespace, record.pmid, chunk.chunk_id),
            (title, Text(chunk.text)),
            _build_chunk_fields(chunk) | shared,
        )
        for chunk in chunks
    ]


def _build_chunk_fields(chunk: Chunk) -> dict[str, FieldValue]:
    own: dict[str, FieldValue] = {"chunk_id": chunk.chunk_id, "section": chunk.section}
    if chunk.start:
        own["start"] = chunk.start
    return own


def choose_title(record: PaperRecord) -> str:
    """What the paper is called; something to be found by even where it has no title."""
    return record.title or record.vernacular_title or f"PMID {record.pmid}"
