"""A failure of each kind gets its code, one of ten, in the contract's envelope, and discloses nothing internal."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from sanya.engines.database import open_database
from sanya.engines.home import DATABASE_NAME
from sanya.kernel.calls.call import Call, Caller, Outcome, Refused
from sanya.kernel.faults import UpstreamFailed
from sanya.retrieval.embedding import Matrix, Model
from sanya.retrieval.language_search import ENGLISH
from sanya.retrieval.terms import TermReader
from sanya.suites.papers.dialect import DIALECT
from sanya.suites.papers.sync.query_sync import PubMedSync
from tests.retrieval.conftest import WordVectors
from tests.suites.papers.contract_schemas import CODES, ERROR
from tests.suites.papers.harness import PapersHarness, open_harness, record


class Failing:
    """An embedder that does not answer, with the fault that the port prescribes."""

    def __init__(self, source: str) -> None:
        self.model = Model("failing", 32, "failing")
        self._source = source

    async def embed(self, texts: Sequence[str]) -> Matrix:
        raise UpstreamFailed(f"{self._source} does not answer", source=self._source)


@asynccontextmanager
async def opened(home: Path, reader: TermReader, embedder: Any) -> AsyncIterator[PapersHarness]:
    async with (
        open_database("", home) as database,
        open_harness(database, home, reader, {ENGLISH: embedder}) as harness,
    ):
        await harness.index.prepare()
        async with database.transaction() as transaction:
            await harness.store.upsert_pubmed_docs([record(1, "Salt", "Salt.")], transaction)
        await harness.index.refresh()
        yield harness


def code_of(outcome: Outcome) -> str:
    assert isinstance(outcome, Refused), outcome
    assert jsonschema_rs.validator_for(ERROR).is_valid(outcome.body)
    assert outcome.body["error"] == outcome.error
    return str(outcome.error["code"])


def test_the_vocabulary_is_the_contracts() -> None:
    assert sorted(DIALECT.codes) == sorted(CODES)


@pytest.mark.parametrize(
    ("source", "code"), [("embeddings", "EMBEDDINGS"), ("weaviate", "WEAVIATE"), ("proxy", "UPSTREAM")]
)
async def test_a_party_that_fails_is_named(home: Path, reader: TermReader, source: str, code: str) -> None:
    async with opened(home, reader, Failing(source)) as harness:
        assert code_of(await harness.kernel.call(Call("rag.search", {"query": "salt"}))) == code
        by_words = await harness.search("salt", search_mode="bm25")
        assert [document["pmid"] for document in by_words] == ["1"]
        assert code_of(await harness.kernel.call(Call("corpus.checkpoint.create", {"name": "now"}))) == code


async def test_pubmed_that_does_not_answer_is_entrez(home: Path, reader: TermReader) -> None:
    async def no_way() -> PubMedSync:
        raise UpstreamFailed("PubMed does not answer; try again later", source="entrez")

    async with open_database("", home) as database, open_harness(database, home, reader, {}, no_way) as harness:
        for tool, arguments in (
            ("pubmed.sync.incremental", {"query": "salt"}),
            ("pubmed.sync_delta", {"query_key": "salt", "term": "salt"}),
        ):
            assert code_of(await harness.kernel.call(Call(tool, arguments))) == "ENTREZ"


async def test_bad_arguments_and_missing_papers(harness: PapersHarness) -> None:
    assert code_of(await harness.kernel.call(Call("rag.get", {"doc_id": "12345"}))) == "VALIDATION"
    assert code_of(await harness.kernel.call(Call("rag.search", {"query": "x" * 10_001}))) == "VALIDATION"
    assert code_of(await harness.kernel.call(Call("rag.get", {"doc_id": "pmid:12345"}))) == "NOT_FOUND"


async def test_too_many_calls(harness: PapersHarness) -> None:
    hasty = Caller("hasty", frozenset({"*"}), calls_per_minute=1)
    outcomes = [await harness.kernel.call(Call("rag.get", {"doc_id": "pmid:1"}, caller=hasty)) for _ in range(3)]
    assert code_of(outcomes[-1]) == "RATE_LIMIT"


async def test_a_database_that_another_program_holds(
    home: Path, reader: TermReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(home, reader, WordVectors("english", 32, {})) as harness:
        await harness.index.embed_missing()
        monkeypatch.setattr("sanya.engines.sqlite.database._WRITER_WAIT_S", 0.1)
        with closing(sqlite3.connect(home / DATABASE_NAME, isolation_level=None)) as neighbour:
            neighbour.execute("BEGIN IMMEDIATE")
            assert code_of(await harness.kernel.call(Call("corpus.checkpoint.create", {"name": "now"}))) == "STORE"
            neighbour.execute("ROLLBACK")
        await harness.call("corpus.checkpoint.create", name="now")


async def test_a_record_under_a_wrong_id_breaks_an_invariant_and_rubbish_is_unknown(harness: PapersHarness) -> None:
    await harness.put(record(1, "Salt", "Salt."), record(2, "Pepper", "Pepper."))
    for content, code in (('{"pmid":"7"}', "INVARIANT_FAILURE"), ('["no", "record"]', "UNKNOWN")):
        async with harness.database.transaction() as transaction:
            await transaction.execute("UPDATE paper_versions SET content = ? WHERE pmid = '2'", (content,))
        outcome = await harness.kernel.call(Call("rag.get", {"doc_id": "pmid:2"}))
        assert code_of(outcome) == code
        assert isinstance(outcome, Refused)
        assert set(outcome.error["details"]) == {"error_id"}
        assert "JSON" not in outcome.error["message"]
