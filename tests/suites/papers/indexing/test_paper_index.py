"""The properties that the paper index gives to an engine: those of the contract, with their names and types."""

from __future__ import annotations

import pytest

from sanya.kernel.faults import InvariantBroken
from sanya.suites.papers.indexing.chunks import DEFAULT_NAMESPACE
from sanya.suites.papers.indexing.documents import build_documents
from tests.suites.papers.harness import PapersHarness, record


def test_a_chunk_carries_the_properties_of_the_contract() -> None:
    paper = record(
        384001,
        "Salt",
        {"METHODS": "Salt.", "RESULTS": "Less salt."},
        journal="The Lancet. Oncology",
        journal_abbreviation="Lancet Oncol",
        pub_types=("Randomized Controlled Trial",),
        mesh=("Humans",),
        pdat="2024-02",
        edat="2024-06-02T00:00:00Z",
        lr="2024-06-15T00:00:00Z",
    )
    first, second = build_documents(paper, DEFAULT_NAMESPACE)
    assert dict(second.fields) == {
        "pmid": "384001",
        "chunk_id": "s1",
        "section": "results",
        "chunks": "s0 s1",
        "journal": "The Lancet. Oncology",
        "journal_names": ("lancet oncology", "lancet oncol"),
        "pub_types": ("Randomized Controlled Trial",),
        "year": 2024,
        "date_first": 20240201,
        "date_last": 20240229,
        "design": 3,
        "journal_rank": 2,
        "human": 2,
        "quality_total": 9,
        "retracted": False,
        "edat": "2024-06-02T00:00:00Z",
        "lr": "2024-06-15T00:00:00Z",
        "source_url": "https://pubmed.ncbi.nlm.nih.gov/384001/",
    }
    assert [text.value for text in first.texts] == ["Salt", "METHODS: Salt."]
    assert first.texts[0].weight == 2


def test_what_is_not_known_is_left_out() -> None:
    (only,) = build_documents(record(1, "", pdat=None, edat=None), DEFAULT_NAMESPACE)
    assert only.text == "PMID 1"
    assert not {"journal", "year", "date_first", "date_last", "edat", "lr", "chunks", "start"} & set(only.fields)


async def test_an_index_that_was_not_prepared_says_so(harness: PapersHarness) -> None:
    async with harness.database.transaction() as transaction:
        with pytest.raises(InvariantBroken):
            await harness.index.put(transaction, [record(1, "Salt")], [])


async def test_the_same_batch_again_changes_nothing(harness: PapersHarness) -> None:
    papers = [record(number, "Salt", "Salt and pepper.") for number in range(1, 6)]
    await harness.put(*papers)
    before = await harness.search("salt", return_chunks=True)
    for _ in range(3):
        await harness.put(*papers)
    assert await harness.search("salt", return_chunks=True) == before
    library = await harness.index.prepare()
    assert await library.count("papers") == 5
