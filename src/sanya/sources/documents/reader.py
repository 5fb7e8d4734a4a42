"""The one door to documents: a `file://` address below the owner's folders comes back as pages of text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sanya.kernel.faults import Unavailable
from sanya.sources.documents.limits import Limits
from sanya.suites.herbs.ingest.documents import DocumentReader, PagesRead, ReadDocument, ReadRequest


def open_reader(roots: Sequence[Path], limits: Limits | None = None, closed: Sequence[Path] = ()) -> DocumentReader:
    """Reads documents below `roots` and nothing else; what lies in `closed` (the home: it holds keys) is read only if
    a root lies deeper still. Costs nothing until a document is read, and needs no closing."""
    return Reader(tuple(roots), limits or Limits(), tuple(closed))


class Reader:
    def __init__(self, roots: tuple[Path, ...], limits: Limits, closed: tuple[Path, ...]) -> None:
        self._roots, self._limits, self._closed = roots, limits, closed

    async def read(self, request: ReadRequest, read: PagesRead) -> ReadDocument:
        raise Unavailable("Documents cannot be read yet.")
