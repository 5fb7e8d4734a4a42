"""Documents per second that are stored, indexed and visible, against the bare engines with the same batches.

`python -m benchmarks.retrieval_upsert 1000000` runs the long form and reports its peak memory.
"""

from __future__ import annotations

import asyncio
import resource
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np
import tantivy
from usearch.index import Index as Graph

from benchmarks.result import Result, judge_ratio
from benchmarks.retrieval_corpus import DIM, MODEL, Corpus
from sanya.engines.database import open_database
from sanya.engines.index.embedded.index import open_embedded
from sanya.retrieval.index import IndexEntry
from sanya.retrieval.language_search import ENGLISH
from sanya.retrieval.lexicon import Lexicon
from sanya.retrieval.terms import TermReader
from sanya.text.segmentation import get_default_segmenter

BATCH = 1000


def run(size: int = 30_000) -> Result:
    ours, bare = asyncio.run(measure(size))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{size:,} rows: ours {ours:,.0f} per second, bare engines {bare:,.0f}; peak memory of both {peak:,.0f} MB")
    return judge_ratio("retrieval_upsert", ours, bare, (">=", 0.6))


async def measure(size: int) -> tuple[float, float]:
    """Return the rows per second of both sides, whose batches alternate so that a busy moment slows both."""
    reader = TermReader(get_default_segmenter(), Lexicon({}, {}))
    reader.extract_words("warm")
    ours = bare = 0.0
    with TemporaryDirectory() as folder:
        home = Path(folder)
        engines = BareEngines(home / "bare")
        async with (
            open_database("", home) as database,
            open_embedded(database, home / "index", reader.read_document) as index,
        ):
            await index.declare("speed", {ENGLISH: MODEL})
            for batch in Corpus(size).make_batches(BATCH):
                begun = perf_counter()
                await index.upsert("speed", batch)
                middle = perf_counter()
                engines.add(batch)
                ours += middle - begun
                bare += perf_counter() - middle
            assert await index.count("speed") == size
    return size / ours, size / bare


class BareEngines:
    """Default tantivy with its English tokenizer and default usearch, without a store or a vector file."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        builder = tantivy.SchemaBuilder()
        builder.add_unsigned_field("position", indexed=True, fast=True)
        builder.add_text_field("words", tokenizer_name="en_stem", index_option="freq")
        builder.add_json_field("fields", fast=True, tokenizer_name="raw", index_option="basic")
        self._index = tantivy.Index(builder.build(), str(folder))
        self._writer = self._index.writer(128_000_000, 1)
        self._graph = Graph(ndim=DIM, metric="cos", dtype="f16")
        self._count = 0

    def add(self, batch: list[IndexEntry]) -> None:
        for at, entry in enumerate(batch):
            row = tantivy.Document()
            row.add_unsigned("position", self._count + at)
            row.add_text("words", entry.document.text)
            row.add_json("fields", dict(entry.document.fields))
            self._writer.add_document(row)
        self._writer.commit()
        self._index.reload()
        vectors = np.array([entry.vectors[ENGLISH] for entry in batch])
        self._graph.add(np.arange(self._count, self._count + len(batch)), vectors)
        self._count += len(batch)


if __name__ == "__main__":
    print(run(int(sys.argv[1]) if len(sys.argv) > 1 else 30_000))
