"""Runs a process that reads one document, with timeouts, and ends it whatever happens."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from typing import Any

import orjson

from sanya.kernel.faults import DeadlineExceeded, Fault, Internal, InvalidArgument, TooLarge, list_fault_kinds
from sanya.sources.documents.addresses import OpenDocument
from sanya.sources.documents.frames import BadFrame, read_frame
from sanya.sources.documents.limits import DocumentLimits
from sanya.sources.documents.recognition import PageImage
from sanya.suites.herbs.ingest.documents import DocumentType

_CHILD = "sanya.sources.documents.child"


class ReaderBroke(RuntimeError):
    """Our own bug in the other process. The message is its traceback."""


@dataclass(frozen=True, slots=True)
class DocumentHead:
    digest: str
    doc_type: DocumentType
    title: str | None
    pages: int


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """A parsed page. `wanting` says what is wrong with its text; `image` is set where it needs recognition."""

    number: int
    text: str
    note: str | None
    wanting: str | None
    image: PageImage | None


@dataclass(frozen=True, slots=True)
class ParseOrder:
    doc_type: DocumentType | None
    dpi: int | None
    all_drawn: bool


class ParserProcess:
    """The messages of the process, in order. It blocks while nobody reads, so at most one page is in flight."""

    def __init__(self, process: asyncio.subprocess.Process, limits: DocumentLimits) -> None:
        self._process, self._limits = process, limits

    async def read_head(self) -> DocumentHead:
        message, _ = await self._read_message("document")
        return DocumentHead(message["digest"], message["doc_type"], message["title"], message["pages"])

    async def read_pages(self, count: int) -> AsyncIterator[ParsedPage]:
        left = self._limits.max_bytes
        for number in range(1, count + 1):
            message, body = await self._read_message("page")
            left -= len(message["text"])
            if left < 0:
                raise TooLarge(
                    f"The text of this document is longer than the {self._limits.max_bytes} letters that are allowed.",
                    hint="Split it, or raise the setting ingest_max_bytes.",
                )
            image = PageImage(number, message["width"], message["height"], message["dpi"], body) if body else None
            yield ParsedPage(number, message["text"], message["note"], message["wanting"], image)
        await self._read_message("end")

    async def _read_message(self, expected: str) -> tuple[dict[str, Any], bytes]:
        assert self._process.stdout is not None
        try:
            async with asyncio.timeout(self._limits.max_page_seconds):
                message, body = await read_frame(self._process.stdout, self._limits.max_pixels)
        except TimeoutError:
            raise DeadlineExceeded(
                f"A page of this document took more than {self._limits.max_page_seconds} seconds to read.",
                hint="Remove the page, or raise the setting ingest_max_page_seconds.",
            ) from None
        except BadFrame:
            raise await self._explain_end() from None
        if message.get("is") == "fault":
            raise _rebuild_fault(message)
        if message.get("is") == "broken":
            raise ReaderBroke(message.get("traceback"))
        if message.get("is") != expected:
            raise InvalidArgument("The reader failed on this document. It is not accepted.", field="uri")
        return message, body

    async def _explain_end(self) -> Fault:
        """Return the fault that explains why the process ended."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        code = await self._process.wait()
        if code == -signal.SIGXCPU:
            return DeadlineExceeded(f"This document took more than {self._limits.max_seconds} seconds to read.")
        return InvalidArgument(
            "The reader failed on this document: it is damaged, or needs more than "
            f"{self._limits.max_memory_mb} MB of memory.",
            field="uri",
            hint="Export it again; if it opens elsewhere, raise the setting ingest_max_memory_mb.",
        )


@asynccontextmanager
async def start_parser(
    document: OpenDocument, order: ParseOrder, limits: DocumentLimits
) -> AsyncIterator[ParserProcess]:
    """Start the process. It gets the document as stdin, and neither a home nor our environment."""
    task = {"limits": asdict(limits), "suffix": document.suffix, **asdict(order)}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-I", "-B", "-m", _CHILD, orjson.dumps(task).decode(),
        stdin=document.descriptor,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={"LC_ALL": "C.UTF-8"},
        cwd="/",
    )  # fmt: skip
    try:
        yield ParserProcess(process, limits)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        # Drain the pipe too: a full one would hide the end of the process.
        await process.communicate()


def _rebuild_fault(message: dict[str, Any]) -> Fault:
    """Rebuild the fault that the other process raised, if it is one that it may raise."""
    kind = list_fault_kinds().get(str(message.get("kind")), Internal)
    if kind is Internal or not isinstance(message.get("message"), str):
        return InvalidArgument("The reader failed on this document. It is not accepted.", field="uri")
    text, hint = message["message"], message.get("hint")
    if kind is InvalidArgument:
        return InvalidArgument(text, hint=hint, field="doc_type" if message.get("field") == "doc_type" else "uri")
    return kind(text, hint=hint)
