"""Reads documents: a `file://` URI below the owner's folders becomes pages of text."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sanya.kernel.cores import count_cores
from sanya.kernel.faults import DeadlineExceeded, Fault
from sanya.sources.documents.addresses import OpenDocument, open_document
from sanya.sources.documents.limits import DocumentLimits
from sanya.sources.documents.parsing import ParsedPage, ParseOrder, ParserProcess, start_parser
from sanya.sources.documents.recognition import OcrRequest, Recogniser, choose_recogniser
from sanya.suites.herbs.ingest.documents import DocumentReader, PageProgress, ReadDocument, ReadPage, ReadRequest


def open_reader(
    roots: Sequence[Path], limits: DocumentLimits | None = None, closed: Sequence[Path] = ()
) -> DocumentReader:
    """Return a reader for documents below `roots`. What lies in `closed` (the home, which holds keys) is read only
    where a root lies deeper. The reader costs nothing until it reads, and needs no closing."""
    return FileDocumentReader(tuple(roots), limits or DocumentLimits(), tuple(closed))


class FileDocumentReader:
    def __init__(self, roots: tuple[Path, ...], limits: DocumentLimits, closed: tuple[Path, ...]) -> None:
        self._roots, self._limits, self._closed = roots, limits, closed
        # Shared by all documents: recognising a page uses a whole core.
        self._slots = asyncio.Semaphore(count_cores())

    async def read(self, request: ReadRequest, read: PageProgress) -> ReadDocument:
        recogniser = choose_recogniser(request.provider, OcrRequest(request.lang, request.params, self._limits))
        opened = await asyncio.to_thread(open_document, request.uri, self._roots, self._closed, self._limits.max_bytes)
        try:
            async with asyncio.timeout(self._limits.max_seconds):
                return await self._read(request, opened, recogniser, read)
        except TimeoutError:
            raise DeadlineExceeded(
                f"This document took more than {self._limits.max_seconds} seconds to read.",
                hint="Split it, or raise the setting ingest_max_seconds.",
            ) from None
        except BaseExceptionGroup as group:
            raise _choose_error(group) from None
        finally:
            os.close(opened.descriptor)

    async def _read(
        self, request: ReadRequest, opened: OpenDocument, recogniser: Recogniser, read: PageProgress
    ) -> ReadDocument:
        order = ParseOrder(request.doc_type, recogniser.dpi, recogniser.every_page)
        async with start_parser(opened, order, self._limits) as parsed:
            head = await parsed.read_head()
            pages = _Pages(head.pages, recogniser, self._slots, read)
            await pages.gather(parsed)
        return ReadDocument(request.uri, head.digest, head.doc_type, head.title, pages.list_in_order())


@dataclass(slots=True)
class _Pages:
    """The pages of one document as they arrive. Recognised pages come later than the others."""

    count: int
    recogniser: Recogniser
    slots: asyncio.Semaphore
    read: PageProgress
    done: dict[int, ReadPage] = field(default_factory=dict)

    async def gather(self, parsed: ParserProcess) -> None:
        async with asyncio.TaskGroup() as group:
            async for page in parsed.read_pages(self.count):
                if page.image is None:
                    self._keep(_keep_text(page))
                    continue
                # No further page is rendered until a slot is free to recognise this one.
                await self.slots.acquire()
                task = group.create_task(self._recognise(page))
                task.add_done_callback(lambda _: self.slots.release())

    async def _recognise(self, page: ParsedPage) -> None:
        assert page.image is not None
        found = await self.recogniser.recognise(page.image)
        self._keep(ReadPage(page.number, found.text, "ocr", _explain_recognition(page.wanting), found.certainty))

    def _keep(self, page: ReadPage) -> None:
        self.done[page.number] = page
        self.read(len(self.done), self.count)

    def list_in_order(self) -> tuple[ReadPage, ...]:
        return tuple(self.done[number] for number in sorted(self.done))


def _explain_recognition(wanting: str | None) -> str:
    return f"recognised from the picture of the page: {wanting}"


def _keep_text(page: ParsedPage) -> ReadPage:
    if page.wanting is None:
        return ReadPage(page.number, page.text, "text", page.note)
    return ReadPage(page.number, page.text, "text", f"not to be trusted and not recognised: {page.wanting}")


def _choose_error(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the fault among the errors, if there is one. The others are mostly consequences of it."""
    flat: list[BaseException] = []
    pending: list[BaseException] = [group]
    while pending:
        error = pending.pop()
        if isinstance(error, BaseExceptionGroup):
            pending.extend(error.exceptions)
        else:
            flat.append(error)
    return next((error for error in flat if isinstance(error, Fault)), flat[0])
