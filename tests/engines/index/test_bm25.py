"""Our BM25 equals tantivy's: with today's statistics, a row gets the score that the index gives it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from sanya.engines.database import open_database
from sanya.engines.index.bm25 import round_length
from sanya.engines.index.embedded.index import open_embedded
from sanya.engines.index.weaviate.index import WeaviateIndex
from sanya.retrieval.documents import Document, DocumentText, Equals
from sanya.retrieval.index import Index, IndexEntry, Probe
from tests.engines.index.conftest import SPACES, make_entry, probe_words, read_answer, read_words


async def test_a_row_scored_by_us_gets_what_the_index_gives_it(home: Path) -> None:
    chooser = random.Random(4)
    texts = [" ".join(chooser.choices("abcdefgh", k=chooser.randint(1, 900))) for _ in range(300)]
    async with open_database("", home) as database, open_embedded(database, home / "index", read_words) as index:
        await index.declare("notes", SPACES)
        seq = await index.upsert(
            "notes", [IndexEntry(Document(f"d{n}", (DocumentText(text),)), "en") for n, text in enumerate(texts)]
        )
        terms = {"words": {"a": 1.0, "h": 2.5, "unknown": 1.0}}
        now, then = [await index.search(Probe("notes", "en", terms, as_of=seq, pool=400)) for seq in (None, seq)]
        assert len(now) == len(then) > 250
        assert then.bm25 == pytest.approx(now.bm25, rel=1e-5)


@pytest.mark.parametrize(
    ("length", "kept"), [(0, 0), (24, 24), (40, 40), (41, 40), (42, 42), (57, 56), (103, 96), (104, 104), (1000, 984)]
)
def test_lengths_are_kept_as_coarsely_as_tantivy_does(length: int, kept: int) -> None:
    assert round_length(length) == kept


async def test_words_of_others_do_not_show_in_the_scores_of_some(index: Index) -> None:
    if isinstance(index, WeaviateIndex):
        pytest.skip("Weaviate counts words over all objects of a class")
    own = Equals("owner", "anna")
    texts = ["quokka sleeps here", "garden is green", "garden and quokka", "nothing else at all in here"]
    await index.upsert("notes", [make_entry(f"a{n}", text, owner="anna") for n, text in enumerate(texts)])
    await index.upsert("notes", [make_entry("b", "unrelated", owner="ben")])
    probe = probe_words("quokka garden", filters=(own,), statistics_filters=(own,))
    before = await read_answer(await index.search(probe))
    assert [score > 0 for _, score, _ in before] == [True] * 3
    await index.upsert("notes", [make_entry(f"b{n}", "quokka quokka and so on", owner="ben") for n in range(9)])
    assert await read_answer(await index.search(probe)) == before
    shared = await read_answer(await index.search(probe_words("quokka garden", filters=(own,))))
    assert [document_id for document_id, _, _ in shared] == [document_id for document_id, _, _ in before]
    assert shared != before
