from sanya.suite.search import Document
from sanya.suites.papers.pubmed.record import PaperRecord

IS_COMPILED: bool

def build_usual_documents(record: PaperRecord, namespace: bytes) -> list[Document] | None: ...
