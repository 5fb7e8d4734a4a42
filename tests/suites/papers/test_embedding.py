from __future__ import annotations

from sanya.suites.papers.corpus import Corpus
from sanya.suites.papers.embedding import embed_since
from tests.suites.papers.room import Room, pmids, record


async def test_a_server_brings_meaning_to_what_was_stored_by_words(room: Room) -> None:
    await room.shelf.ready()
    corpus = Corpus(room.database)
    seen = await embed_since(-1, corpus, room.shelf)
    for number, word in enumerate(("salt", "rice"), start=1):
        async with room.database.transaction() as transaction:
            await room.store.upsert_pubmed_docs([record(number, word, f"{word}.")], transaction)
        await room.shelf.refresh()
        assert str(number) not in pmids(await room.search(word, search_mode="semantic"))
        assert pmids(await room.search(word, search_mode="bm25")) == [str(number)]
        seen = await embed_since(seen, corpus, room.shelf)
        assert pmids(await room.search(word, search_mode="semantic"))[0] == str(number)
    assert await embed_since(seen, corpus, room.shelf) == seen


async def test_a_home_without_papers_is_left_alone(room: Room) -> None:
    assert await embed_since(-1, Corpus(room.database), room.shelf) == -1
    await room.search("placebo")
    assert await embed_since(-1, Corpus(room.database), room.shelf) == -1
