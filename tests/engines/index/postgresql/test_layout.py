"""Tables of former versions are dropped when the index is opened, and nothing is lost."""

from __future__ import annotations

from pathlib import Path

from sanya.engines.database import open_database
from sanya.engines.index.postgresql.index import open_postgresql_index
from sanya.engines.index.store import IndexStore
from tests.engines.index.conftest import SPACES, make_entry, make_vector, probe_words, read_answer, read_words

FORMER = (
    """
CREATE TABLE retrieval_postings (
    namespace TEXT NOT NULL, partition_name TEXT NOT NULL, way TEXT NOT NULL, term BYTEA NOT NULL,
    position BIGINT NOT NULL, frequency INTEGER NOT NULL, length INTEGER NOT NULL,
    PRIMARY KEY (namespace, partition_name, way, term, position))""",
    """
CREATE TABLE retrieval_derived (
    namespace TEXT NOT NULL, partition_name TEXT NOT NULL, position BIGINT NOT NULL, words_total BIGINT NOT NULL,
    grams_total BIGINT NOT NULL, sounds_total BIGINT NOT NULL, PRIMARY KEY (namespace, partition_name, position))""",
    "CREATE TABLE retrieval_space_0123456789abcdef (position BIGINT PRIMARY KEY)",
    "INSERT INTO retrieval_derived VALUES ('notes', 'en', 2, 4, 0, 0)",
)
TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename LIKE 'retrieval%'"


async def test_tables_of_the_earlier_layout_are_dropped_and_search_answers_from_the_store(
    home: Path, postgresql_url: str
) -> None:
    rows = [make_entry("a", "red apple"), make_entry("b", "green apple tree"), make_entry("c", "stone")]
    probe = probe_words("apple stone", vectors={"meaning": make_vector(4)})
    async with open_database(postgresql_url, home) as database:
        store = IndexStore(database)
        await store.declare("notes", SPACES)
        async with database.transaction() as transaction:
            await store.write(transaction, "notes", rows, ())
            for statement in FORMER:
                await transaction.execute(statement)
        async with open_postgresql_index(database, read_words) as index:
            found = await read_answer(await index.search(probe))
            await index.rebuild("notes")
            assert await read_answer(await index.search(probe)) == found
            assert [(document_id, score > 0) for document_id, score, _ in found] == [
                ("a", True),
                ("b", True),
                ("c", True),
            ]
        left = {str(name) for (name,) in await database.fetch(TABLES)}
    assert left & {"retrieval_postings", "retrieval_derived", "retrieval_space_0123456789abcdef"} == set()
    assert left >= {"retrieval_spaces", "retrieval_documents", "retrieval_terms", "retrieval_rows"}
