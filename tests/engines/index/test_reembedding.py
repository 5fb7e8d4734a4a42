"""A namespace changes its model: vectors of the two are never compared, and no word is lost."""

from __future__ import annotations

import pytest

from sanya.engines.index.reembedding import reset_embeddings
from sanya.kernel.faults import InvalidArgument
from sanya.kernel.storage.database import Database
from sanya.retrieval.embedding import Model
from sanya.retrieval.index import EmbeddedRow, Index
from tests.engines.index.conftest import list_ids, make_entry, make_vector, probe_vector, probe_words, rank_ids

OTHER = {"meaning": Model("eight numbers", 8, "digest-of-eight")}


async def test_another_model_embeds_what_is_current_and_words_stay(index: Index, index_database: Database) -> None:
    await index.upsert("notes", [make_entry("a", "ginger"), make_entry("b", "galangal")])
    before = await index.upsert("notes", [make_entry("c", "rice")._replace(vectors={}, awaits_vectors=True)])
    await index.upsert("notes", [make_entry("b", "galangal soup")])
    with pytest.raises(InvalidArgument, match="sanya search embed notes"):
        await index.declare("notes", OTHER)

    await reset_embeddings(index_database, "notes")
    await index.declare("notes", OTHER)
    await index.rebuild("notes")
    waiting = await index.list_unembedded("notes", 10)
    assert [row.document.id for row in waiting] == ["a", "c", "b"]
    assert await rank_ids(await index.search(probe_words("ginger"))) == ["a"]
    await index.give_vectors(
        "notes", [EmbeddedRow(row, {"meaning": make_vector(n, 8)}) for n, row in enumerate(waiting)]
    )

    found = await index.search(probe_vector(make_vector(1, 8), pool=1))
    assert await list_ids(found) == ["c"] and found.vectors["meaning"].shape == (1, 8)
    assert await index.count_unembedded("notes") == 0
    earlier = await index.search(probe_words("galangal", as_of=before))
    assert await list_ids(earlier) == ["b"]


async def test_a_namespace_that_holds_nothing_may_change_its_model_too(index: Index, index_database: Database) -> None:
    await reset_embeddings(index_database, "notes")
    await index.declare("notes", OTHER)
    assert await index.count_unembedded("notes") == 0
