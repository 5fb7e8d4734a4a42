"""The process in which one document is read: the document is its input, the pages are its output, and it ends.

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
from sanya.sources.documents.kinds import kind_of
from sanya.sources.documents.limits import Limits
from sanya.suites.herbs.ingest.documents import DocumentType


@dataclass(frozen=True, slots=True)
class Task:
    """`dpi` is None where pages shall not be drawn."""

    limits: Limits
    suffix: str
    doc_type: DocumentType | None
    dpi: int | None
    all_drawn: bool


Say = Callable[[dict[str, Any], bytes], None]


def main() -> int:
    # What is read holds no circles, and to look for some takes a fifth of the time.
    gc.disable()
    said = orjson.loads(sys.argv[1])
    task = Task(**{**said, "limits": Limits(**said["limits"])})
    confine(task.limits.max_memory_mb, task.limits.max_seconds)
    out = sys.stdout.buffer

    def say(head: dict[str, Any], body: bytes = b"") -> None:
        write_frame(out, head, body)

    try:
        _read(task, say)
    except Fault as fault:
        say(
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
        say({"is": "fault", "kind": TooLarge.kind, "message": message, "hint": None})
    except RecursionError:
        message = "The parts of this document lie too deep in each other to be read."
        say({"is": "fault", "kind": TooLarge.kind, "message": message, "hint": None})
    except Exception:  # the border of the process: the other side logs it under an id
        say({"is": "broken", "traceback": traceback.format_exc()})
    return 0


def _read(task: Task, say: Say) -> None:
    data = sys.stdin.buffer.read(task.limits.max_bytes + 1)
    if len(data) > task.limits.max_bytes:
        raise TooLarge(f"This document is larger than the {task.limits.max_bytes} bytes that are read.")
    digest = hashlib.sha256(data).hexdigest()
    kind = kind_of(data, task.suffix, task.doc_type)

    def begin(title: str | None, pages: int) -> None:
        if pages > task.limits.max_pages:
            raise TooLarge(
                f"This document has {pages} pages, more than the {task.limits.max_pages} that are read.",
                hint="Split it, or raise the setting ingest_max_pages.",
            )
        say({"is": "document", "digest": digest, "doc_type": kind, "title": title, "pages": pages}, b"")

    _READERS[kind](data, task, begin, say)
    say({"is": "end"}, b"")


Begin = Callable[[str | None, int], None]


def _read_pdf(data: bytes, task: Task, begin: Begin, say: Say) -> None:
    try:
        from sanya.sources.documents.pdf import Pdf
    except ImportError:
        raise Unavailable(
            "PDFs are read with pypdfium2, which is not installed. Run: pip install 'sanya[documents]'"
        ) from None
    document = Pdf(data, task.limits)
    begin(document.title, document.page_count)
    for number, page in enumerate(document.pages(task.dpi, all_drawn=task.all_drawn), 1):
        head = {"is": "page", "number": number, "text": page.text, "note": page.note, "wanting": page.wanting}
        if page.picture is None:
            say(head, b"")
        else:
            size = {"width": page.picture.width, "height": page.picture.height, "dpi": page.picture.dpi}
            say({**head, **size}, page.picture.pixels)


def _read_text(data: bytes, _: Task, begin: Begin, say: Say) -> None:
    from sanya.sources.documents.plain_text import pages_of

    pages = pages_of(data)
    begin(None, len(pages))
    for number, (text, note) in enumerate(pages, 1):
        say({"is": "page", "number": number, "text": text, "note": note, "wanting": None}, b"")


def _read_html(data: bytes, task: Task, begin: Begin, say: Say) -> None:
    from sanya.sources.documents.web_page import page_of

    title, text, note = page_of(data, task.limits.max_nesting)
    begin(title, 1)
    say({"is": "page", "number": 1, "text": text, "note": note, "wanting": None}, b"")


def _read_docx(data: bytes, task: Task, begin: Begin, say: Say) -> None:
    from sanya.sources.documents.word import pages_of

    title, pages = pages_of(data, task.limits)
    begin(title, len(pages))
    for number, text in enumerate(pages, 1):
        say({"is": "page", "number": number, "text": text, "note": None, "wanting": None}, b"")


_READERS = {"pdf": _read_pdf, "txt": _read_text, "html": _read_html, "docx": _read_docx}


if __name__ == "__main__":
    sys.exit(main())
