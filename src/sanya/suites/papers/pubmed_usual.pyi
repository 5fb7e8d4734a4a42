from sanya.suites.papers.record import Record

IS_COMPILED: bool

def record_of_usual(xml: bytes) -> Record | None: ...
