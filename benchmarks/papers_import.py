"""Papers per second through the whole import (parsing, storing, chunking, keyword indexing), against `pubmed-parser`,
which only parses. Both read the same file on the same core, and the CPU time of all threads counts. The run also prints
the peak memory of the import.

`make bench` installs the peer. `python -m benchmarks.papers_import FILE` reads another file.
"""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from benchmarks.result import Result, judge_ratio
from sanya.engines.database import open_database
from sanya.engines.index.embedded.index import open_embedded
from sanya.retrieval.lexicon import Lexicon
from sanya.retrieval.search import Library
from sanya.retrieval.terms import TermReader
from sanya.suites.papers.file_import import import_file
from sanya.suites.papers.indexing.paper_index import NAMESPACE, PaperIndex
from sanya.suites.papers.store import PaperStore
from sanya.text.segmentation import get_default_segmenter

FILE = Path(__file__).parents[2] / "shared" / "data" / "papers" / "pubmed20n0014.xml.gz"
ROUNDS = 9
GOAL = 3.0
MOST_MB = 500
_PEER = """
import sys, time
import pubmed_parser
begun = time.process_time()
count = sum(1 for _ in pubmed_parser.parse_medline_xml(sys.argv[1]))
print(count / (time.process_time() - begun))
"""
_OURS = "import sys; from benchmarks.papers_import import import_once; import_once(sys.argv[1])"


def run(file: Path = FILE) -> Result:
    """Alternate rounds of both sides, each in its own process, and compare the fastest round of each."""
    if not file.is_file():
        raise SystemExit(f"PubMed file not found: {file}")
    ours, peers, peak = [], [], 0.0
    for _ in range(ROUNDS):
        speed, memory = _run_program(_OURS, file)
        ours.append(speed)
        peak = max(peak, memory)
        peers += _run_program(_PEER, file)
    print(f"Peak memory of the import: {peak:,.0f} MB (goal: under {MOST_MB})")
    return judge_ratio("papers_import", max(ours), max(peers), (">=", GOAL))


def _run_program(program: str, file: Path) -> list[float]:
    """Run a program on one core and return the numbers it prints."""
    command = [sys.executable, "-c", program, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=_pin_to_one_core)
    if "No module named 'pubmed_parser'" in done.stderr:
        raise SystemExit("pubmed-parser is not installed. Run `make bench ONLY=papers_import`")
    if done.returncode:
        raise SystemExit(done.stderr)
    return [float(figure) for figure in done.stdout.split()]


def _pin_to_one_core() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def import_once(file: str) -> None:
    """Import a file, and print the records per second and the peak memory in MB."""
    speed = asyncio.run(_import(Path(file)))
    print(speed, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


async def _import(file: Path) -> float:
    reader = TermReader(get_default_segmenter(), Lexicon({}, {}))
    reader.extract_words("warm")
    with TemporaryDirectory() as folder:
        home = Path(folder)
        async with (
            open_database("", home) as database,
            open_embedded(database, home / "index", reader.read_document) as index,
        ):
            library = Library(index, reader, {})

            async def open_library() -> Library:
                return library

            store = PaperStore(database, PaperIndex(open_library, database))
            await store.index.prepare()
            begun = process_time()
            report = await import_file(store, file, datetime.now(UTC))
            spent = process_time() - begun
            assert await library.count(NAMESPACE) >= report.stored.inserted
    return report.stored.processed / spent


if __name__ == "__main__":
    print(run(Path(sys.argv[1])) if len(sys.argv) > 1 else run())
