from __future__ import annotations

from sanya.suites.papers.corpus import Corpus
from sanya.suites.papers.indexing.embedding import embed_since
from tests.suites.papers.harness import PapersHarness, pmids, record


async def test_a_server_brings_meaning_to_what_was_stored_by_words(harness: PapersHarness) -> None:
    await harness.index.prepare()
    corpus = Corpus(harness.database)
    seen = await embed_since(-1, corpus, harness.index)
    for number, word in enumerate(("salt", "rice"), start=1):
        async with harness.database.transaction() as transaction:
            await harness.store.upsert_pubmed_docs([record(number, word, f"{word}.")], transaction)
        await harness.index.refresh()
        assert all(document["sim"] == 0 for document in await harness.search(word) if document["pmid"] == str(number))
        assert pmids(await harness.search(word, search_mode="bm25")) == [str(number)]
        seen = await embed_since(seen, corpus, harness.index)
        found = await harness.search(word, search_mode="semantic")
        assert found[0]["pmid"] == str(number) and found[0]["sim"] > 0
    assert await embed_since(seen, corpus, harness.index) == seen


async def test_a_home_without_papers_is_left_alone(harness: PapersHarness) -> None:
    assert await embed_since(-1, Corpus(harness.database), harness.index) == -1
    await harness.search("placebo")
    assert await embed_since(-1, Corpus(harness.database), harness.index) == -1
