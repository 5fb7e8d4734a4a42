"""Papers as documents of the shared search: one for each chunk, with the fields that all chunks of a paper share."""

from __future__ import annotations

from uuid import UUID

from sanya.retrieval.documents import Document, FieldValue, Text
from sanya.suites.papers.chunks import Chunk, chunk_uuid, chunks_of
from sanya.suites.papers.fields import shared_fields
from sanya.suites.papers.record import Record
from sanya.suites.papers.usual_documents import documents_of_usual

TITLE_WEIGHT = 2


def documents_of(record: Record, namespace: UUID) -> list[Document]:
    return documents_of_usual(record, namespace.bytes) or documents_of_any(record, namespace)


def documents_of_any(record: Record, namespace: UUID) -> list[Document]:
    """Of any paper; `usual_documents` makes those of most, in a fraction of the time."""
    chunks = chunks_of(record)
    shared = shared_fields(record)
    if len(chunks) > 1:
        shared["chunks"] = " ".join(chunk.chunk_id for chunk in chunks)
    title = Text(title_of(record), TITLE_WEIGHT)
    return [
        Document(chunk_uuid(namespace, record.pmid, chunk.chunk_id), (title, Text(chunk.text)), _own(chunk) | shared)
        for chunk in chunks
    ]


def _own(chunk: Chunk) -> dict[str, FieldValue]:
    own: dict[str, FieldValue] = {"chunk_id": chunk.chunk_id, "section": chunk.section}
    if chunk.start:
        own["start"] = chunk.start
    return own


def title_of(record: Record) -> str:
    """What the paper is called; something to be found by even where it has no title."""
    return record.title or record.vernacular_title or f"PMID {record.pmid}"
