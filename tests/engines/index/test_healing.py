"""After a crash at any step between store and index, the next start repairs it: nothing missing, nothing twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from sanya.engines.index.embedded.index import EmbeddedIndex, open_embedded
from sanya.engines.index.embedded.partition import Partition
from sanya.engines.index.embedded.vector_space import VectorSpace
from sanya.engines.index.embedded.word_index import WordIndex
from sanya.kernel.storage.database import Database
from sanya.retrieval.documents import DocumentText
from sanya.retrieval.index import DocumentTerms, Probe
from tests.engines.index.conftest import SPACES, make_entry, make_vector, read_answer, read_words

FIRST = [make_entry(f"d{n}", f"w{n % 5} common", number=n) for n in range(20)]
SECOND = [make_entry(f"d{n}", f"w{n % 4} changed common", number=n) for n in range(10, 30)]
PROBE = Probe("notes", "en", {"words": {"common": 1.0, "w1": 1.0}}, {"meaning": make_vector(7)}, pool=50)


class Crash(BaseException):
    """Stands for the end of the process."""


def fail_before(owner: type, name: str) -> tuple[type, str, Callable[..., None]]:
    def crash(*arguments: Any, **more: Any) -> None:
        raise Crash

    return owner, name, crash


def fail_after(owner: type, name: str) -> tuple[type, str, Callable[..., None]]:
    real = getattr(owner, name)

    def crash(*arguments: Any, **more: Any) -> None:
        real(*arguments, **more)
        raise Crash

    return owner, name, crash


STEPS = {
    "after the transaction": fail_before(Partition, "add"),
    "before the vectors": fail_before(VectorSpace, "write"),
    "between vectors and words": fail_before(WordIndex, "add"),
    "after the words": fail_after(WordIndex, "add"),
    "before it is marked": fail_before(Partition, "set_derived_seq"),
    "after it is marked": fail_after(Partition, "set_derived_seq"),
    "before it is shown": fail_before(Partition, "publish"),
    "after it is shown": fail_after(Partition, "publish"),
}


async def rebuild_answer(database: Database, folder: Path, probe: Probe = PROBE) -> list[tuple[str, float, bytes]]:
    """Return the answer of an index built from scratch from the same store."""
    async with open_embedded(database, folder, read_words) as anew:
        return await read_answer(await anew.search(probe))


def kill_index(index: EmbeddedIndex) -> None:
    """Do what the end of a process does: release the lock, finish nothing."""
    index._lock.release()
    for notes in index._partitions.values():
        notes._words._writer = None


@pytest.mark.parametrize("step", STEPS)
async def test_a_crash_heals_on_the_next_start(
    step: str, database: Database, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crashing = EmbeddedIndex(database, folder, read_words)
    await crashing.declare("notes", SPACES)
    await crashing.upsert("notes", FIRST)
    with monkeypatch.context() as patch:
        owner, name, crash = STEPS[step]
        patch.setattr(owner, name, crash)
        with pytest.raises(Crash):
            await crashing.upsert("notes", SECOND)
    kill_index(crashing)
    async with open_embedded(database, folder, read_words) as healed:
        assert await healed.count("notes") == 30
        found = await read_answer(await healed.search(PROBE))
        assert len(found) == len({document_id for document_id, _, _ in found}) == 30
        assert found == await rebuild_answer(database, tmp_path / "anew")


async def test_rows_that_are_not_shown_yet_are_not_found(
    database: Database, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = EmbeddedIndex(database, folder, read_words)
    await index.declare("notes", SPACES)
    await index.upsert("notes", FIRST)
    before = await read_answer(await index.search(PROBE))
    with monkeypatch.context() as patch:
        owner, name, crash = STEPS["before it is shown"]
        patch.setattr(owner, name, crash)
        with pytest.raises(Crash):
            await index.upsert("notes", [make_entry(f"new{n}", f"w1 common {n}") for n in range(40)])
    assert await read_answer(await index.search(PROBE)) == before
    await index.refresh()
    assert len(await read_answer(await index.search(PROBE))) > len(before)
    await index.close()


async def test_a_crash_while_a_document_is_read_leaves_nothing_of_its_batch(database: Database, folder: Path) -> None:
    def reads_half(texts: Sequence[DocumentText], partition: str) -> DocumentTerms:
        if "w3" in texts[0].value:
            raise Crash
        return read_words(texts, partition)

    crashing = EmbeddedIndex(database, folder, reads_half)
    await crashing.declare("notes", SPACES)
    with pytest.raises(Crash):
        await crashing.upsert("notes", FIRST)
    kill_index(crashing)
    async with open_embedded(database, folder, read_words) as healed:
        assert await healed.count("notes") == 20
        assert len(await read_answer(await healed.search(PROBE))) == 20


async def test_half_a_row_at_the_end_of_the_vectors_is_written_anew(database: Database, folder: Path) -> None:
    async with open_embedded(database, folder, read_words) as index:
        await index.declare("notes", SPACES)
        await index.upsert("notes", FIRST)
        before = await read_answer(await index.search(PROBE))
    vectors = folder / "notes" / "en" / "meaning.vectors"
    vectors.write_bytes(vectors.read_bytes() + b"torn row")
    async with open_embedded(database, folder, read_words) as index:
        assert await read_answer(await index.search(PROBE)) == before
        await index.upsert("notes", SECOND)
        assert await index.count("notes") == 30
        assert len(await read_answer(await index.search(PROBE))) == 30


async def test_a_lost_index_is_made_anew_from_the_store(database: Database, folder: Path, tmp_path: Path) -> None:
    async with open_embedded(database, folder, read_words) as index:
        await index.declare("notes", SPACES)
        await index.upsert("notes", FIRST)
        await index.upsert("notes", SECOND)
        before = await read_answer(await index.search(PROBE))
    folder.rename(tmp_path / "elsewhere")
    assert await rebuild_answer(database, folder) == before
