"""The process that reads one document: stdin is the document, stdout gets the pages.

Started as `python -I -m sanya.sources.documents.child TASK`; `parsing.py` is the other side.
"""

from __future__ import annotations

import gc
import hashlib
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import orjson

from sanya.kernel.faults import Fault, TooLarge, Unavailable
from sanya.sources.documents.confinement import confine
from sanya.sources.documents.frames import write_frame
from sanya.sources.documents.kinds import detect_type
from sanya.sources.documents.limits import DocumentLimits
from sanya.suites.herbs.ingest.documents import DocumentType


@dataclass(frozen=True, slots=True)
class ParseTask:
    """The task of the process. `dpi` is None where pages are not rendered."""

    limits: DocumentLimits
    suffix: str
    doc_type: DocumentType | None
    dpi: int | None
    all_drawn: bool


WriteMessage = Callable[[dict[str, Any], bytes], None]


def main() -> int:
    # The parsers make no reference cycles, and looking for them takes a fifth of the time.
    gc.disable()
    said = orjson.loads(sys.argv[1])
    task = ParseTask(**{**said, "limits": DocumentLimits(**said["limits"])})
    confine(task.limits.max_memory_mb, task.limits.max_seconds)
    out = sys.stdout.buffer

    def write_message(head: dict[str, Any], body: bytes = b"") -> None:
        write_frame(out, head, body)

    try:
        _read(task, write_message)
    except Fault as fault:
        write_message(
            {
                "is": "fault",
                "kind": fault.kind,
                "message": fault.message,
                "hint": fault.hint,
                "field": fault.details.get("field"),
            }
        )
    except MemoryError:
        message = f"This document needs more than {task.limits.max_memory_mb} MB of memory to be read."
        write_message({"is": "fault", "kind": TooLarge.kind, "message": message, "hint": None})
    except RecursionError:
        message = "This document is nested too deeply to be read."
        write_message({"is": "fault", "kind": TooLarge.kind, "message": message, "hint": None})
    except Exception:  # the border of the process: the server logs it under an id
        write_message({"is": "broken", "traceback": traceback.format_exc()})
    return 0


def _read(task: ParseTask, write_message: WriteMessage) -> None:
    data = sys.stdin.buffer.read(task.limits.max_bytes + 1)
    if len(data) > task.limits.max_bytes:
        raise TooLarge(f"This document is larger than the {task.limits.max_bytes} bytes that are allowed.")
    digest = hashlib.sha256(data).hexdigest()
    kind = detect_type(data, task.suffix, task.doc_type)

    def begin(title: str | None, pages: int) -> None:
        if pages > task.limits.max_pages:
            raise TooLarge(
                f"This document has {pages} pages, more than the {task.limits.max_pages} that are allowed.",
                hint="Split it, or raise the setting ingest_max_pages.",
            )
        write_message({"is": "document", "digest": digest, "doc_type": kind, "title": title, "pages": pages}, b"")

    _READERS[kind](data, task, begin, write_message)
    write_message({"is": "end"}, b"")


BeginDocument = Callable[[str | None, int], None]


def _read_pdf(data: bytes, task: ParseTask, begin: BeginDocument, write_message: WriteMessage) -> None:
    try:
        from sanya.sources.documents.pdf import Pdf
    except ImportError:
        raise Unavailable(
            "PDFs are read with pypdfium2, which is not installed. Run: pip install 'sanya[documents]'"
        ) from None
    document = Pdf(data, task.limits)
    begin(document.title, document.page_count)
    for number, page in enumerate(document.read_pages(task.dpi, all_drawn=task.all_drawn), 1):
        head = {"is": "page", "number": number, "text": page.text, "note": page.note, "wanting": page.wanting}
        if page.picture is None:
            write_message(head, b"")
        else:
            size = {"width": page.picture.width, "height": page.picture.height, "dpi": page.picture.dpi}
            write_message({**head, **size}, page.picture.pixels)


def _read_text(data: bytes, _: ParseTask, begin: BeginDocument, write_message: WriteMessage) -> None:
    from sanya.sources.documents.plain_text import read_text_pages

    pages = read_text_pages(data)
    begin(None, len(pages))
    for number, (text, note) in enumerate(pages, 1):
        write_message({"is": "page", "number": number, "text": text, "note": note, "wanting": None}, b"")


def _read_html(data: bytes, task: ParseTask, begin: BeginDocument, write_message: WriteMessage) -> None:
    from sanya.sources.documents.web_page import read_web_page

    title, text, note = read_web_page(data, task.limits.max_nesting)
    begin(title, 1)
    write_message({"is": "page", "number": 1, "text": text, "note": note, "wanting": None}, b"")


def _read_docx(data: bytes, task: ParseTask, begin: BeginDocument, write_message: WriteMessage) -> None:
    from sanya.sources.documents.word import read_word_pages

    title, pages = read_word_pages(data, task.limits)
    begin(title, len(pages))
    for number, text in enumerate(pages, 1):
        write_message({"is": "page", "number": number, "text": text, "note": None, "wanting": None}, b"")


_READERS = {"pdf": _read_pdf, "txt": _read_text, "html": _read_html, "docx": _read_docx}


if __name__ == "__main__":
    sys.exit(main())
