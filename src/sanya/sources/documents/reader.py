"""The one door to documents: a `file://` address below the owner's folders comes back as pages of text."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sanya.kernel.cores import cores
from sanya.kernel.faults import DeadlineExceeded, Fault
from sanya.sources.documents.addresses import Opened, open_document
from sanya.sources.documents.limits import Limits
from sanya.sources.documents.parsing import Order, ParsedPage, Parsing, parsing
from sanya.sources.documents.recognition import Recogniser, Wanted, chosen
from sanya.suites.herbs.ingest.documents import DocumentReader, PagesRead, ReadDocument, ReadPage, ReadRequest


def open_reader(roots: Sequence[Path], limits: Limits | None = None, closed: Sequence[Path] = ()) -> DocumentReader:
    """Reads documents below `roots` and nothing else; what lies in `closed` (the home: it holds keys) is read only if
    a root lies deeper still. Costs nothing until a document is read, and needs no closing."""
    return Reader(tuple(roots), limits or Limits(), tuple(closed))


class Reader:
    def __init__(self, roots: tuple[Path, ...], limits: Limits, closed: tuple[Path, ...]) -> None:
        self._roots, self._limits, self._closed = roots, limits, closed
        # Shared by all documents: recognising one page takes a whole core.
        self._slots = asyncio.Semaphore(cores())

    async def read(self, request: ReadRequest, read: PagesRead) -> ReadDocument:
        recogniser = chosen(request.provider, Wanted(request.lang, request.params, self._limits))
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
            raise _first(group) from None
        finally:
            os.close(opened.descriptor)

    async def _read(
        self, request: ReadRequest, opened: Opened, recogniser: Recogniser, read: PagesRead
    ) -> ReadDocument:
        order = Order(request.doc_type, recogniser.dpi, recogniser.every_page)
        async with parsing(opened, order, self._limits) as parsed:
            head = await parsed.head()
            pages = _Pages(head.pages, recogniser, self._slots, read)
            await pages.gather(parsed)
        return ReadDocument(request.uri, head.digest, head.doc_type, head.title, pages.in_order())


@dataclass(slots=True)
class _Pages:
    """The pages of one document as they come, those with pictures later than the others."""

    count: int
    recogniser: Recogniser
    slots: asyncio.Semaphore
    read: PagesRead
    done: dict[int, ReadPage] = field(default_factory=dict)

    async def gather(self, parsed: Parsing) -> None:
        async with asyncio.TaskGroup() as group:
            async for page in parsed.pages(self.count):
                if page.image is None:
                    self._keep(_without_picture(page))
                    continue
                # Until somebody is free to recognise it, no further page is drawn.
                await self.slots.acquire()
                task = group.create_task(self._recognise(page))
                task.add_done_callback(lambda _: self.slots.release())

    async def _recognise(self, page: ParsedPage) -> None:
        assert page.image is not None
        found = await self.recogniser.recognise(page.image)
        self._keep(ReadPage(page.number, found.text, "ocr", _recognised_because(page.wanting), found.certainty))

    def _keep(self, page: ReadPage) -> None:
        self.done[page.number] = page
        self.read(len(self.done), self.count)

    def in_order(self) -> tuple[ReadPage, ...]:
        return tuple(self.done[number] for number in sorted(self.done))


def _recognised_because(wanting: str | None) -> str:
    return f"recognised from the picture of the page: {wanting}"


def _without_picture(page: ParsedPage) -> ReadPage:
    if page.wanting is None:
        return ReadPage(page.number, page.text, "text", page.note)
    return ReadPage(page.number, page.text, "text", f"not to be trusted and not recognised: {page.wanting}")


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """A fault if there is one: what fails besides is mostly what the first failure stopped."""
    flat: list[BaseException] = []
    pending: list[BaseException] = [group]
    while pending:
        one = pending.pop()
        if isinstance(one, BaseExceptionGroup):
            pending.extend(one.exceptions)
        else:
            flat.append(one)
    return next((one for one in flat if isinstance(one, Fault)), flat[0])
