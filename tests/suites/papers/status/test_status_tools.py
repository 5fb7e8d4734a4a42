"""The state of the corpus and its checkpoints, through the kernel, on each engine."""

from __future__ import annotations

from tests.suites.papers.harness import PapersHarness, record


async def test_a_new_corpus_holds_only_samples_and_says_what_to_do(harness: PapersHarness) -> None:
    status = await harness.call("corpus.status")
    assert status["papers"] == 0
    assert status["samples"] > 0
    assert "pubmed.sync.incremental" in status["advice"]


async def test_papers_vectors_and_checkpoints_are_counted(harness: PapersHarness) -> None:
    await harness.put(record(1, "Ginger and nausea", "It helped."), record(2, "Salt and pressure", "It rose."))
    async with harness.database.transaction() as transaction:
        await harness.store.upsert_pubmed_docs([record(3, "Statins", "They lowered.")], transaction)
    status = await harness.call("corpus.status")
    assert (status["papers"], status["samples"], status["chunks_without_vectors"]) == (3, 0, 1)
    assert status["newest_entry"] == "2026-01-31"
    assert "embed" in status["advice"]


async def test_checkpoints_are_paged_newest_first_without_gap(harness: PapersHarness) -> None:
    await harness.put(record(1, "Ginger and nausea", "It helped."))
    made = {(await harness.call("corpus.checkpoint.create", name=f"Number {number}"))["name"] for number in range(5)}
    names: list[str] = []
    cursor = None
    while True:
        page = await harness.call("corpus.checkpoint.list", limit=2, **({"cursor": cursor} if cursor else {}))
        names += [checkpoint["name"] for checkpoint in page["checkpoints"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert made <= set(names)
    assert len(names) == len(set(names)) == page["total"]


async def test_a_foreign_cursor_is_refused(harness: PapersHarness) -> None:
    error = await harness.refusal("corpus.checkpoint.list", {"cursor": "abc"})
    assert error["code"] == "VALIDATION"
