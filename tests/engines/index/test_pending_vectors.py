"""Vectors that arrive after their documents: words find a document at once, vectors once they are there, and an earlier
state stays as it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from sanya.engines.database import open_database
from sanya.engines.home import DATABASE_NAME
from sanya.engines.index import pending_vectors
from sanya.engines.index.embedded.index import EmbeddedIndex, open_embedded
from sanya.engines.index.embedded.partition import Partition
from sanya.engines.index.embedded.vector_space import VectorSpace
from sanya.engines.index.embedding_work import EmbeddingWork
from sanya.engines.sqlite.database import SqliteDatabase
from sanya.kernel.clock import read_clock
from sanya.kernel.faults import InvalidArgument
from sanya.kernel.storage.database import Database, Row, Value
from sanya.retrieval.index import EmbeddedRow, Index, IndexEntry, Probe
from tests.engines.index.conftest import (
    SPACES,
    list_ids,
    make_entry,
    make_vector,
    probe_vector,
    read_answer,
    read_words,
)
from tests.engines.index.test_healing import Crash, fail_after, fail_before, kill_index, rebuild_answer

BOTH = Probe("notes", "en", {"words": {"common": 1.0}}, {"meaning": make_vector(7)}, pool=50)


def make_pending(document_id: str, text: str) -> IndexEntry:
    return make_entry(document_id, text)._replace(vectors={}, awaits_vectors=True)


async def embed_some(index: Index, limit: int) -> int:
    rows = await index.list_unembedded("notes", limit)
    vectors = [{"meaning": make_vector(sum(row.document.text.encode()))} for row in rows]
    return await index.give_vectors("notes", list(map(EmbeddedRow, rows, vectors)))


async def test_words_find_it_at_once_and_meaning_when_its_vector_has_come(index: Index) -> None:
    await index.upsert(
        "notes", [make_entry("a", "common ginger"), make_pending("b", "common rice"), make_pending("c", "khing")]
    )
    assert await index.count_unembedded("notes") == 2
    assert await list_ids(await index.search(probe_vector(make_vector(1)))) == ["a"]
    found = await index.search(BOTH)
    assert await list_ids(found) == ["a", "b"]
    by_id = dict(zip(await found.fetch_ids([0, 1]), found.vectors["meaning"], strict=True))
    assert by_id["a"].any() and not by_id["b"].any()
    assert await embed_some(index, 1) == 1
    assert await index.count_unembedded("notes") == 1
    assert await list_ids(await index.search(probe_vector(make_vector(1)))) == ["a", "b"]
    assert await embed_some(index, 10) == 1
    assert await index.count_unembedded("notes") == 0
    assert await list_ids(await index.search(probe_vector(make_vector(1)))) == ["a", "b", "c"]


async def test_the_oldest_come_first_whatever_their_partition_and_their_neighbours(index: Index) -> None:
    thai = {
        document_id: make_pending(document_id, f"common {document_id}")._replace(partition="th")
        for document_id in ("b", "e")
    }
    await index.upsert(
        "notes", [make_pending("a", "common a"), thai["b"], make_entry("x", "common x"), make_pending("c", "common c")]
    )
    await index.upsert("notes", [make_entry("y", "common y"), make_pending("d", "common d")])
    await index.upsert("notes", [thai["e"], make_pending("f", "common f")])
    assert await index.count_unembedded("notes") == 6
    waiting = [row.document.id for row in await index.list_unembedded("notes", 10)]
    assert waiting == ["a", "c", "b", "d", "f", "e"]
    assert [row.document.id for row in await index.list_unembedded("notes", 4)] == waiting[:4]


async def test_nobody_looks_at_all_that_ever_waited(home: Path) -> None:
    asked: list[str] = []

    class Recorded(SqliteDatabase):
        async def fetch(self, sql: str, params: Sequence[Value] = (), *, touches: int | None = None) -> list[Row]:
            asked.append(sql)
            return await super().fetch(sql, params, touches=touches)

    async with open_database("", home):
        recorded = Recorded(home / DATABASE_NAME)
        async with open_embedded(recorded, home / "index", read_words) as index:
            await index.declare("notes", SPACES)
            await index.upsert("notes", [make_pending("a", "common a")])
            asked.clear()
            assert (await index.count_unembedded("notes"), len(await index.list_unembedded("notes", 1))) == (1, 1)
        looks = [sql for sql in asked if "retrieval_late_vectors" in sql]
        plans = [await recorded.fetch(f"EXPLAIN QUERY PLAN {sql}", [0] * sql.count("?")) for sql in looks]
        await recorded.close()
    steps = [[str(step[3]) for step in plan] for plan in plans]
    assert len(steps) == 2
    assert all("retrieval_late_vectors_awaited" in plan[0] and len(plan) == 2 for plan in steps), steps


async def test_late_and_timely_vectors_give_the_same_answer(index: Index) -> None:
    await index.declare("timely", SPACES)
    texts = {f"d{n}": f"common w{n % 4} text{n}" for n in range(30)}
    await index.upsert("notes", [make_pending(document_id, text) for document_id, text in texts.items()])
    await index.upsert("timely", [make_entry(document_id, text) for document_id, text in texts.items()])
    while await embed_some(index, 7):
        continue
    assert await read_answer(await index.search(BOTH)) == await read_answer(
        await index.search(replace(BOTH, namespace="timely"))
    )


async def test_a_state_before_the_vectors_came_stays_without_them(index: Index) -> None:
    then = await index.upsert("notes", [make_entry("a", "common ginger"), make_pending("b", "common rice")])
    before = await read_answer(await index.search(replace(BOTH, as_of=then)))
    await embed_some(index, 10)
    await index.upsert("notes", [make_entry("c", "common other")])
    assert await read_answer(await index.search(replace(BOTH, as_of=then))) == before
    assert await list_ids(await index.search(probe_vector(make_vector(1), as_of=then))) == ["a"]
    assert await list_ids(await index.search(probe_vector(make_vector(1), as_of=then + 1))) == ["a", "b"]


async def test_vectors_that_somebody_else_brought_first_change_nothing(index: Index) -> None:
    await index.upsert("notes", [make_pending("a", "common ginger"), make_pending("b", "common rice")])
    rows = await index.list_unembedded("notes", 10)
    given = [EmbeddedRow(row, {"meaning": make_vector(1)}) for row in rows]
    assert await index.give_vectors("notes", given[:1]) == 1
    other = [EmbeddedRow(row, {"meaning": make_vector(2)}) for row in rows]
    assert await index.give_vectors("notes", other) == 1
    assert await index.give_vectors("notes", given) == 0
    found = await index.search(probe_vector(make_vector(1)))
    by_id = dict(zip(await found.fetch_ids([0, 1]), found.vectors["meaning"], strict=True))
    assert float(by_id["a"] @ make_vector(1)) > 0.99 and float(by_id["b"] @ make_vector(2)) > 0.99


async def test_a_document_that_was_replaced_or_removed_awaits_nothing(index: Index) -> None:
    await index.upsert(
        "notes", [make_pending("a", "common ginger"), make_pending("b", "common rice"), make_pending("c", "common")]
    )
    await index.upsert("notes", [make_entry("a", "common water")])
    await index.delete("notes", ["b"])
    assert await index.count_unembedded("notes") == 1
    assert [row.document.id for row in await index.list_unembedded("notes", 10)] == ["c"]


async def test_a_rebuilt_index_has_the_late_vectors_and_their_times(index: Index) -> None:
    then = await index.upsert("notes", [make_pending(f"d{n}", f"common {n}") for n in range(20)])
    await embed_some(index, 12)
    now, earlier = [await read_answer(await index.search(replace(BOTH, as_of=seq))) for seq in (None, then)]
    assert now != earlier
    await index.rebuild("notes")
    assert await read_answer(await index.search(BOTH)) == now
    assert await read_answer(await index.search(replace(BOTH, as_of=then))) == earlier


async def test_a_state_that_is_still_to_come_is_refused(index: Index) -> None:
    seq = await index.upsert("notes", [make_entry("a", "common")])
    with pytest.raises(InvalidArgument, match="no change"):
        await index.search(replace(BOTH, as_of=seq + 1))


STEPS = {
    "after the transaction": fail_before(Partition, "put_vectors"),
    "before the vectors": fail_before(VectorSpace, "put"),
    "between the vectors and since when they are": fail_after(VectorSpace, "put"),
    "after the vectors": fail_after(Partition, "put_vectors"),
    "before it is marked": fail_before(Partition, "set_derived_seq"),
    "after it is marked": fail_after(Partition, "set_derived_seq"),
    "before it is shown": fail_before(Partition, "publish"),
    "after it is shown": fail_after(Partition, "publish"),
}


@pytest.mark.parametrize("step", STEPS)
async def test_a_crash_while_late_vectors_are_taken_in_heals(
    step: str, database: Database, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crashing = EmbeddedIndex(database, folder, read_words)
    await crashing.declare("notes", SPACES)
    await crashing.upsert(
        "notes", [make_entry("a", "common"), *(make_pending(f"d{n}", f"common {n}") for n in range(20))]
    )
    with monkeypatch.context() as patch:
        owner, name, crash = STEPS[step]
        patch.setattr(owner, name, crash)
        with pytest.raises(Crash):
            await embed_some(crashing, 15)
    kill_index(crashing)
    async with open_embedded(database, folder, read_words) as healed:
        assert await healed.count_unembedded("notes") == 5
        assert len(await healed.search(probe_vector(make_vector(3)))) == 16
        assert await read_answer(await healed.search(BOTH)) == await rebuild_answer(database, tmp_path / "anew", BOTH)


async def test_who_asks_what_is_missing_does_not_go_through_all_that_is_there(home: Path) -> None:
    async with open_database("", home) as database:
        plan = await database.fetch(f"EXPLAIN QUERY PLAN SELECT count(*) {pending_vectors.FROM_PENDING}", ("notes",))
    first, then = (str(step[-1]) for step in plan)
    assert first.startswith("SEARCH l ")
    assert then.startswith("SEARCH d ") and "position=?" in then


async def test_two_processes_claim_different_rows_and_release_what_they_do_not_embed(
    index: Index, index_database: Database
) -> None:
    await index.upsert("notes", [make_pending(f"d{at}", f"common {at}") for at in range(6)])
    beside = EmbeddingWork(index_database, claimant="elsewhere 1 a")
    own, other = await index.claim_unembedded("notes", 4), await beside.claim("notes", 4)
    assert [row.document.id for row in own] == ["d5", "d4", "d3", "d2"]
    assert [row.document.id for row in other] == ["d1", "d0"]
    assert await EmbeddingWork(index_database, claimant="elsewhere 2 b").claim("notes", 4) == []
    await beside.release("notes", other)
    await index.release_unembedded("notes", own[:1])
    again = await EmbeddingWork(index_database, claimant="elsewhere 2 b").claim("notes", 4)
    assert [row.document.id for row in again] == ["d5", "d1", "d0"]


async def test_a_claim_ends_after_a_minute(index: Index, index_database: Database) -> None:
    await index.upsert("notes", [make_pending("a", "common")])
    assert len(await index.claim_unembedded("notes", 4)) == 1
    for seconds, rows in ((59, 0), (61, 1)):
        later = EmbeddingWork(index_database, lambda: read_clock() + timedelta(seconds=seconds), "elsewhere 1 a")  # noqa: B023
        assert len(await later.claim("notes", 4)) == rows


async def test_the_time_that_is_left_follows_from_the_rate_of_all_who_embed(
    index: Index, index_database: Database
) -> None:
    await index.upsert("notes", [make_pending(f"d{at}", f"common {at}") for at in range(6)])
    status = await index.read_embedding_status("notes")
    assert (status.awaiting, status.per_second, status.seconds_left) == (6, 0, None)
    seconds = iter((0, 2, 2))
    begun = read_clock()
    work = EmbeddingWork(index_database, lambda: begun + timedelta(seconds=next(seconds)))
    rows = await work.claim("notes", 4)
    async with index_database.transaction() as transaction:
        await work.finish(transaction, "notes", rows)
    status = await work.read_status("notes", 6)
    assert (status.awaiting, status.per_second, status.seconds_left) == (6, 2.0, 3)
