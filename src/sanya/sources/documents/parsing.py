"""The side of the server: a process for one document, watched, and ended whatever happens."""

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

from sanya.kernel.faults import DeadlineExceeded, Fault, Internal, InvalidArgument, TooLarge, fault_kinds
from sanya.sources.documents.addresses import Opened
from sanya.sources.documents.frames import BadFrame, read_frame
from sanya.sources.documents.limits import Limits
from sanya.sources.documents.recognition import PageImage
from sanya.suites.herbs.ingest.documents import DocumentType

_CHILD = "sanya.sources.documents.child"


class ReaderBroke(RuntimeError):
    """Our own mistake in the other process; the message is its traceback."""


@dataclass(frozen=True, slots=True)
class Head:
    digest: str
    doc_type: DocumentType
    title: str | None
    pages: int


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """`wanting` says what is wrong with the text; `image` is there if the page is to be recognised."""

    number: int
    text: str
    note: str | None
    wanting: str | None
    image: PageImage | None


@dataclass(frozen=True, slots=True)
class Order:
    doc_type: DocumentType | None
    dpi: int | None
    all_drawn: bool


class Parsing:
    """What the process has to say, one after the other. It waits while nobody listens, so no more than one page is on
    its way."""

    def __init__(self, process: asyncio.subprocess.Process, limits: Limits) -> None:
        self._process, self._limits = process, limits

    async def head(self) -> Head:
        said, _ = await self._next("document")
        return Head(said["digest"], said["doc_type"], said["title"], said["pages"])

    async def pages(self, count: int) -> AsyncIterator[ParsedPage]:
        left = self._limits.max_bytes
        for number in range(1, count + 1):
            said, body = await self._next("page")
            left -= len(said["text"])
            if left < 0:
                raise TooLarge(
                    f"The text of this document is longer than the {self._limits.max_bytes} letters that are read.",
                    hint="Split it, or raise the setting ingest_max_bytes.",
                )
            image = PageImage(number, said["width"], said["height"], said["dpi"], body) if body else None
            yield ParsedPage(number, said["text"], said["note"], said["wanting"], image)
        await self._next("end")

    async def _next(self, expected: str) -> tuple[dict[str, Any], bytes]:
        assert self._process.stdout is not None
        try:
            async with asyncio.timeout(self._limits.max_page_seconds):
                said, body = await read_frame(self._process.stdout, self._limits.max_pixels)
        except TimeoutError:
            raise DeadlineExceeded(
                f"A page of this document took more than {self._limits.max_page_seconds} seconds to read.",
                hint="Take the page out, or raise the setting ingest_max_page_seconds.",
            ) from None
        except BadFrame:
            raise await self._death() from None
        if said.get("is") == "fault":
            raise _fault(said)
        if said.get("is") == "broken":
            raise ReaderBroke(said.get("traceback"))
        if said.get("is") != expected:
            raise InvalidArgument("This document broke its reader, and is not accepted.", field="uri")
        return said, body

    async def _death(self) -> Fault:
        """Why it said no more."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        code = await self._process.wait()
        if code == -signal.SIGXCPU:
            return DeadlineExceeded(f"This document took more than {self._limits.max_seconds} seconds to read.")
        return InvalidArgument(
            "This document broke its reader: it is damaged, or needs more than "
            f"{self._limits.max_memory_mb} MB of memory.",
            field="uri",
            hint="Export it anew; if it is sound, raise the setting ingest_max_memory_mb.",
        )


@asynccontextmanager
async def parsing(opened: Opened, order: Order, limits: Limits) -> AsyncIterator[Parsing]:
    """The process has the document as its input, and neither a home nor an environment of ours."""
    task = {"limits": asdict(limits), "suffix": opened.suffix, **asdict(order)}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-I", "-B", "-m", _CHILD, orjson.dumps(task).decode(),
        stdin=opened.descriptor,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={"LC_ALL": "C.UTF-8"},
        cwd="/",
    )  # fmt: skip
    try:
        yield Parsing(process, limits)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        # Reads what is left, too: a full pipe would keep the end of the process from being seen.
        await process.communicate()


def _fault(said: dict[str, Any]) -> Fault:
    """The fault that the other process raised, if it is one of those that it may."""
    kind = fault_kinds().get(str(said.get("kind")), Internal)
    if kind is Internal or not isinstance(said.get("message"), str):
        return InvalidArgument("This document broke its reader, and is not accepted.", field="uri")
    message, hint = said["message"], said.get("hint")
    if kind is InvalidArgument:
        return InvalidArgument(message, hint=hint, field="doc_type" if said.get("field") == "doc_type" else "uri")
    return kind(message, hint=hint)
