from sanya.retrieval.documents import Document
from sanya.suites.papers.record import Record

IS_COMPILED: bool

def documents_of_usual(record: Record, namespace: bytes) -> list[Document] | None: ...
