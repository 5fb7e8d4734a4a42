"""A namespace changes its model: nothing of the old one is compared with the new one, and no word is lost."""

from __future__ import annotations

import pytest

from sanya.engines.index.reembedding import reset_embeddings
from sanya.kernel.database import Database
from sanya.kernel.faults import InvalidArgument
from sanya.retrieval.embedding import Model
from sanya.retrieval.index import Embedded, Index
from tests.engines.index.conftest import entry, ids_of, meaning_probe, ranked, unit, words_probe

OTHER = {"meaning": Model("eight numbers", 8, "digest-of-eight")}


async def test_another_model_embeds_what_is_current_and_words_stay(index: Index, index_database: Database) -> None:
    await index.upsert("shelf", [entry("a", "ginger"), entry("b", "galangal")])
    before = await index.upsert("shelf", [entry("c", "rice")._replace(vectors={}, awaits_vectors=True)])
    await index.upsert("shelf", [entry("b", "galangal soup")])
    with pytest.raises(InvalidArgument, match="sanya search embed shelf"):
        await index.declare("shelf", OTHER)

    await reset_embeddings(index_database, "shelf")
    await index.declare("shelf", OTHER)
    await index.rebuild("shelf")
    waiting = await index.unembedded("shelf", 10)
    assert [one.document.id for one in waiting] == ["a", "c", "b"]
    assert await ranked(await index.search(words_probe("ginger"))) == ["a"]
    await index.give_vectors("shelf", [Embedded(one, {"meaning": unit(n, 8)}) for n, one in enumerate(waiting)])

    found = await index.search(meaning_probe(unit(1, 8), pool=1))
    assert await ids_of(found) == ["c"] and found.vectors["meaning"].shape == (1, 8)
    assert await index.missing("shelf") == 0
    earlier = await index.search(words_probe("galangal", as_of=before))
    assert await ids_of(earlier) == ["b"]


async def test_a_namespace_that_holds_nothing_may_change_its_model_too(index: Index, index_database: Database) -> None:
    await reset_embeddings(index_database, "shelf")
    await index.declare("shelf", OTHER)
    assert await index.missing("shelf") == 0
