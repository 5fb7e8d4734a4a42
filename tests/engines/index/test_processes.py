"""Other processes read while one writes, and each answer comes from one consistent state."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from sanya.engines.database import open_database
from sanya.engines.index.embedded import index as embedded
from sanya.engines.index.embedded.index import open_embedded
from sanya.engines.index.folder_lock import FolderLock
from sanya.kernel.faults import Unavailable
from tests.engines.index.conftest import SPACES, make_entry, read_words
from tests.engines.index.test_pending_vectors import embed_some, make_pending

ROUNDS = 12
SIZE = 25
LIMIT_S = 120

# A round replaces all documents at once: a reader must see all documents of exactly one round.
READER = """
import asyncio, sys
from pathlib import Path
from sanya.engines.database import open_database
from sanya.engines.index.embedded.index import open_embedded
from sanya.retrieval.documents import Equals
from sanya.retrieval.index import Probe
from tests.engines.index.conftest import read_words

async def main(home, rounds, size):
    seen = set()
    async with open_database("", home) as database, open_embedded(database, home / "index", read_words) as index:
        print("ready", flush=True)
        while rounds - 1 not in seen:
            await index.refresh()
            found = await index.search(Probe("notes", "en", {"words": {"common": 1.0}}, pool=200))
            ids = await found.fetch_ids(range(len(found)))
            texts = await index.fetch_documents("notes", ids, as_of=index.get_visible_seq("notes"))
            numbers = {document.fields["round"] for document in texts.values()}
            assert len(found) in (0, size), len(found)
            assert len(numbers) <= 1, numbers
            seen |= numbers
            await asyncio.sleep(0.002)
    print("saw", len(seen))

asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
"""


async def test_two_readers_beside_a_writer_see_whole_states(home: Path) -> None:
    async with open_database("", home) as database, open_embedded(database, home / "index", read_words) as index:
        await index.declare("notes", SPACES)
        arguments = [sys.executable, "-c", READER, str(home), str(ROUNDS), str(SIZE)]
        readers = [
            await asyncio.create_subprocess_exec(
                *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
            )
            for _ in range(2)
        ]
        async with asyncio.timeout(LIMIT_S):
            for reader in readers:
                assert reader.stdout is not None and (await reader.stdout.readline()) == b"ready\n"
            for number in range(ROUNDS):
                await index.upsert(
                    "notes", [make_entry(f"d{n}", f"common {number} {n}", round=number) for n in range(SIZE)]
                )
            for reader in readers:
                out, errors = await reader.communicate()
                assert reader.returncode == 0, errors.decode()[-2000:]
                assert out.startswith(b"saw")


async def test_a_change_of_another_process_is_derived_by_the_one_that_holds_the_lock(home: Path) -> None:
    async with open_database("", home) as database, open_embedded(database, home / "index", read_words) as first:
        await first.declare("notes", SPACES)
        async with open_database("", home) as other, open_embedded(other, home / "index", read_words) as second:
            for round_number, document_id in enumerate("ab", 1):
                await second.upsert("notes", [make_entry(document_id, "common")])
                async with asyncio.timeout(LIMIT_S):
                    while await second.await_searchable("notes"):  # `first` does it, and is not asked to
                        pass
                assert await second.count("notes") == round_number
                await first.refresh()
                assert await first.count("notes") == round_number


async def test_documents_that_no_process_indexes_are_counted_and_never_silently_missing(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "_NOTHING_SHOWN_S", 0.1)
    stopped = FolderLock(home / "index")
    async with open_database("", home) as database, open_embedded(database, home / "index", read_words) as index:
        await index.declare("notes", SPACES)
        assert await index.await_searchable("notes") == 0
    assert stopped.try_acquire()
    async with open_database("", home) as database, open_embedded(database, home / "index", read_words) as index:
        await index.upsert("notes", [make_entry("a", "common"), make_entry("b", "common")])
        with pytest.raises(Unavailable, match="texts of notes are still being indexed"):
            await index.await_searchable("notes")
        stopped.release()
        monkeypatch.setattr(embedded, "_NOTHING_SHOWN_S", LIMIT_S)
        assert await index.await_searchable("notes") == 0
        assert await index.count("notes") == 2
        monkeypatch.setattr(embedded, "_NOTHING_SHOWN_S", 0.1)
    assert stopped.try_acquire()
    async with open_database("", home) as database, open_embedded(database, home / "index", read_words) as index:
        seq = await index.upsert("notes", [make_entry("c", "common")])
        assert await index.await_searchable("notes") == 1, "others are seen, so the search need not wait"
        assert await index.await_searchable("notes", as_of=seq - 1) == 0
        with pytest.raises(Unavailable, match="still being indexed"):
            await index.await_searchable("notes", as_of=seq)
    stopped.release()


# Vectors arrive in batches: a reader must see whole batches only, and all words all the time.
READS_MEANING = """
import asyncio, sys
from pathlib import Path
from sanya.engines.database import open_database
from sanya.engines.index.embedded.index import open_embedded
from sanya.retrieval.index import Probe
from tests.engines.index.conftest import make_vector, probe_vector, read_words

async def main(home, size, batch):
    seen = set()
    async with open_database("", home) as database, open_embedded(database, home / "index", read_words) as index:
        print("ready", flush=True)
        while size not in seen:
            await index.refresh()
            found = await index.search(probe_vector(make_vector(1), pool=2 * size))
            assert len(found) % batch == 0, len(found)
            assert found.vectors["meaning"].any(axis=1).all()
            words = await index.search(Probe("notes", "en", {"words": {"common": 1.0}}, pool=2 * size))
            assert len(words) == size, len(words)
            seen.add(len(found))
            await asyncio.sleep(0.002)
    print("saw", len(seen))

asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
"""


async def test_a_reader_beside_an_embedding_sees_whole_batches(home: Path) -> None:
    batch, size = 20, 160
    async with open_database("", home) as database, open_embedded(database, home / "index", read_words) as index:
        await index.declare("notes", SPACES)
        await index.upsert("notes", [make_pending(f"d{n}", f"common {n}") for n in range(size)])
        reader = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", READS_MEANING, str(home), str(size), str(batch)),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(LIMIT_S):
            assert reader.stdout is not None and (await reader.stdout.readline()) == b"ready\n"
            while await embed_some(index, batch):
                continue
            out, errors = await reader.communicate()
        assert reader.returncode == 0, errors.decode()[-2000:]
        assert out.startswith(b"saw")
