from __future__ import annotations

from datetime import UTC, datetime

from sanya.suites.papers.corpus import Corpus
from sanya.suites.papers.fulltext.jats import parse_articles
from sanya.suites.papers.fulltext.store import FullTextStore
from sanya.suites.papers.indexing.embedding import embed_since
from tests.suites.papers.fulltext.articles import make_article
from tests.suites.papers.harness import PapersHarness, pmids, record


def open_texts(harness: PapersHarness) -> FullTextStore:
    return FullTextStore(harness.database, harness.index.open_library)


async def test_full_texts_that_an_interrupted_import_left_get_their_vectors(harness: PapersHarness) -> None:
    texts = open_texts(harness)
    (article,) = parse_articles(make_article())
    await texts.put(article, datetime(2026, 1, 1, tzinfo=UTC))
    library = await texts.prepare()
    assert await library.count_unembedded("papers.fulltext") > 0
    await embed_since(-1, Corpus(harness.database), harness.index, texts)
    assert await library.count_unembedded("papers.fulltext") == 0


async def test_a_server_brings_meaning_to_what_was_stored_by_words(harness: PapersHarness) -> None:
    await harness.index.prepare()
    corpus, texts = Corpus(harness.database), open_texts(harness)
    seen = await embed_since(-1, corpus, harness.index, texts)
    for number, word in enumerate(("salt", "rice"), start=1):
        async with harness.database.transaction() as transaction:
            await harness.store.upsert_pubmed_docs([record(number, word, f"{word}.")], transaction)
        await harness.index.refresh()
        assert all(document["sim"] == 0 for document in await harness.search(word) if document["pmid"] == str(number))
        assert pmids(await harness.search(word, search_mode="bm25")) == [str(number)]
        seen = await embed_since(seen, corpus, harness.index, texts)
        found = await harness.search(word, search_mode="semantic")
        assert found[0]["pmid"] == str(number) and found[0]["sim"] > 0
    assert await embed_since(seen, corpus, harness.index, texts) == seen


async def test_a_home_without_papers_is_left_alone(harness: PapersHarness) -> None:
    assert await embed_since(-1, Corpus(harness.database), harness.index, open_texts(harness)) == -1
    await harness.search("placebo")
    assert await embed_since(-1, Corpus(harness.database), harness.index, open_texts(harness)) == -1
