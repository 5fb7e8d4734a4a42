"""A born-digital Thai document, from its file to the diff: two hundred pages of about two thousand letters, made here
from sentences of the shipped graph, read, linked and compared as the ingest does.

`ours` is pages a second of CPU, of all processes together, against the goal of fifty. Said beside it: the same for the
understanding alone, whose share is to be at most half. The quietest of some rounds counts: neighbours on the machine
only ever add to the CPU time of the same work.
"""

from __future__ import annotations

import asyncio
import resource
import sys
import tempfile
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from time import process_time

from fpdf import FPDF

from benchmarks.ingest_ocr import page_texts, shipped_graph, thai_fonts
from benchmarks.result import Result, judged
from sanya.sources.documents.reader import open_reader
from sanya.suites.herbs.ingest.documents import ReadDocument, ReadRequest
from sanya.suites.herbs.ingest.extraction.entity_linker import EntityLinker
from sanya.suites.herbs.ingest.proposals import GraphDiff
from sanya.suites.herbs.ingest.proposing import propose

NAME = "ingest_pages"
GOAL = 50.0
GOAL_UNDERSTOOD = 100.0
PAGES = 200
ROUNDS = 5
_LETTERS_A_PAGE = 2000


def run(pages: int = PAGES) -> Result:
    graph = shipped_graph()
    linker = EntityLinker(graph)
    with tempfile.TemporaryDirectory(prefix="sanya-bench-") as folder:
        path = Path(folder) / "written.pdf"
        path.write_bytes(written(list(page_texts(graph, pages, _LETTERS_A_PAGE))))
        # The dictionaries are loaded once for all documents.
        propose(asyncio.run(_read(path)), linker, "warm")
        rounds = [_round(path, linker) for _ in range(ROUNDS)]
    whole, alone = (min(each) for each in zip(*((times[0], times[1]) for times in rounds), strict=True))
    document, diff = rounds[0][2:]
    letters = sum(len(page.text) for page in document.pages) / pages
    print(
        f"{pages} pages of {letters:.0f} letters: {pages / whole:.0f} a second of CPU in all, understanding alone "
        f"{pages / alone:.0f} (goal {GOAL_UNDERSTOOD:g}: {'holds' if pages / alone >= GOAL_UNDERSTOOD else 'NO'}); "
        f"{diff.linked:,} mentions, {len(diff.edges):,} edges",
        file=sys.stderr,
    )
    return judged(NAME, pages / whole, GOAL, (">=", 1.0))


def _round(path: Path, linker: EntityLinker) -> tuple[float, float, ReadDocument, GraphDiff]:
    """CPU seconds in all and of the understanding alone, and what came of it."""
    began = _cpu()
    document = asyncio.run(_read(path))
    understood = process_time()
    diff = propose(document, linker, "benchmark")
    return _cpu() - began, process_time() - understood, document, diff


def written(texts: Sequence[str]) -> bytes:
    """With the letters in it, as a word processor makes it."""
    pdf = FPDF(format="A4")
    pdf.set_margin(15)
    pdf.add_font("thai", fname=str(thai_fonts()[0]))
    pdf.set_font("thai", size=10)
    for text in texts:
        pdf.add_page()
        pdf.multi_cell(0, 6, text, align="L")
    return bytes(pdf.output())


async def _read(path: Path) -> ReadDocument:
    return await open_reader([path.parent]).read(ReadRequest(path.as_uri(), lang="th"), lambda done, of: None)


def _cpu() -> float:
    """Of this process and those that it has ended."""
    usages = (resource.getrusage(reader) for reader in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(chain.from_iterable((usage.ru_utime, usage.ru_stime) for usage in usages))
