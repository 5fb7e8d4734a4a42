"""A folder to read from, and a reader that reads from it and nowhere else."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from sanya.sources.documents.limits import DocumentLimits
from sanya.sources.documents.reader import open_reader
from sanya.suites.herbs.ingest.documents import ReadDocument, ReadRequest

Read = Callable[..., Awaitable[ReadDocument]]


@pytest.fixture
def inbox(tmp_path: Path) -> Path:
    folder = tmp_path / "inbox"
    folder.mkdir()
    return folder


@pytest.fixture
def read(inbox: Path) -> Read:
    """Puts bytes into the folder and reads them."""

    async def put_and_read(
        data: bytes, name: str = "document.pdf", *, limits: DocumentLimits | None = None, **more: object
    ) -> ReadDocument:
        path = inbox / name
        path.write_bytes(data)
        request = ReadRequest(path.as_uri(), **more)  # type: ignore[arg-type]
        return await open_reader([inbox], limits).read(request, lambda done, of: None)

    return put_and_read
