"""Ingest rate of a born-digital Thai document, from the file to the graph diff: two hundred pages of about two thousand
characters, made from sentences of the shipped graph.

`ours` is pages per CPU second over all processes, against the goal of fifty. The run also prints the rate of extraction
alone, which may take at most half of the time. The fastest round counts, because other processes only add CPU time.
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

from benchmarks.ingest_ocr import find_thai_fonts, load_shipped_graph, make_page_texts
from benchmarks.result import Result, judge_ratio
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
    graph = load_shipped_graph()
    linker = EntityLinker(graph)
    with tempfile.TemporaryDirectory(prefix="sanya-bench-") as folder:
        path = Path(folder) / "written.pdf"
        path.write_bytes(make_text_pdf(list(make_page_texts(graph, pages, _LETTERS_A_PAGE))))
        # Warm up: the dictionaries are loaded once for all documents.
        propose(asyncio.run(_read(path)), linker, "warm")
        rounds = [_run_round(path, linker) for _ in range(ROUNDS)]
    whole, alone = (min(each) for each in zip(*((times[0], times[1]) for times in rounds), strict=True))
    document, diff = rounds[0][2:]
    letters = sum(len(page.text) for page in document.pages) / pages
    print(
        f"{pages} pages of {letters:.0f} characters: {pages / whole:.0f} per CPU second in total, extraction alone "
        f"{pages / alone:.0f} (goal {GOAL_UNDERSTOOD:g}: {'holds' if pages / alone >= GOAL_UNDERSTOOD else 'NO'}); "
        f"{diff.linked:,} mentions, {len(diff.edges):,} edges",
        file=sys.stderr,
    )
    return judge_ratio(NAME, pages / whole, GOAL, (">=", 1.0))


def _run_round(path: Path, linker: EntityLinker) -> tuple[float, float, ReadDocument, GraphDiff]:
    """Return the CPU seconds in total and of extraction alone, with the document and its diff."""
    began = _measure_cpu()
    document = asyncio.run(_read(path))
    understood = process_time()
    diff = propose(document, linker, "benchmark")
    return _measure_cpu() - began, process_time() - understood, document, diff


def make_text_pdf(texts: Sequence[str]) -> bytes:
    """Make a PDF with embedded text, like that of a word processor."""
    pdf = FPDF(format="A4")
    pdf.set_margin(15)
    pdf.add_font("thai", fname=str(find_thai_fonts()[0]))
    pdf.set_font("thai", size=10)
    for text in texts:
        pdf.add_page()
        pdf.multi_cell(0, 6, text, align="L")
    return bytes(pdf.output())


async def _read(path: Path) -> ReadDocument:
    return await open_reader([path.parent]).read(ReadRequest(path.as_uri(), lang="th"), lambda done, of: None)


def _measure_cpu() -> float:
    """Return the CPU seconds of this process and its finished children."""
    usages = (resource.getrusage(reader) for reader in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(chain.from_iterable((usage.ru_utime, usage.ru_stime) for usage in usages))
