"""Deferred embedding: documents are searchable by words at once, and embedding can be interrupted anywhere."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from sanya.engines.database import open_database
from sanya.engines.index.embedded.index import open_embedded
from sanya.kernel.calls.call import Progress
from sanya.retrieval.documents import Document, DocumentText
from sanya.retrieval.embedding import Matrix
from sanya.retrieval.language_search import ENGLISH, MULTILINGUAL
from sanya.retrieval.search import Library, SearchQuery
from sanya.retrieval.terms import TermReader
from tests.retrieval.conftest import WordVectors
from tests.retrieval.test_search import DOCUMENTS, ids

MANY = [Document(f"d{n:04}", (DocumentText(f"Fever number{n} of the heart"),)) for n in range(600)]
LIMIT_S = 120


async def test_words_find_documents_before_they_are_embedded(
    library: Library, embedders: dict[str, WordVectors]
) -> None:
    await library.add("herbs", DOCUMENTS, embed=False)
    assert embedders[ENGLISH].asked == embedders[MULTILINGUAL].asked == []
    assert await library.count_unembedded("herbs") == 5
    assert (await ids(library, "andrographis fever", mode="bm25"))[0] == "fever-en"
    assert (await ids(library, "andrographis fever"))[0] == "fever-en"
    assert await ids(library, "andrographis fever", mode="semantic") == []


async def test_what_is_not_embedded_yet_is_judged_by_words_on_the_same_scale(library: Library) -> None:
    await library.add("herbs", DOCUMENTS[:3])
    before = await library.search(SearchQuery("fever of the heart", "herbs", mode="semantic"))
    await library.add("herbs", [Document("late", (DocumentText("fever of the heart"),))], embed=False)
    found = await library.search(SearchQuery("fever of the heart", "herbs"))
    assert found.hits[0].id == "late"
    assert found.hits[0].parts == {"words": 1.0, "meaning": 0.0}
    after = await library.search(SearchQuery("fever of the heart", "herbs", mode="semantic"))
    assert after.hits == before.hits


async def test_embedding_later_gives_the_answers_of_embedding_at_once(library: Library) -> None:
    await library.declare("later")
    await library.add("herbs", DOCUMENTS)
    await library.add("later", DOCUMENTS, embed=False)
    seen: list[Progress] = []
    assert await library.embed_missing("later", progress=seen.append) == 5
    assert (seen[-1].done, seen[-1].total) == (5, 5)
    assert await library.embed_missing("later") == 0
    for text in ("heart trial", "ไข้", "Allen Norman"):
        at_once, later = [await library.search(SearchQuery(text, name)) for name in ("herbs", "later")]
        assert at_once.hits == later.hits


async def test_a_limit_embeds_no_more_than_it_says(library: Library) -> None:
    await library.add("herbs", MANY, embed=False)
    assert await library.embed_missing("herbs", limit=300) == 300
    assert await library.count_unembedded("herbs") == 300


class Stopping(WordVectors):
    """Waits for ever in its second batch."""

    def __init__(self) -> None:
        super().__init__("english", 32, {})
        self.waiting = asyncio.Event()

    async def embed(self, texts: Sequence[str]) -> Matrix:
        if self.asked:
            self.waiting.set()
            await asyncio.Event().wait()
        return await super().embed(texts)


async def test_a_cancelled_embedding_keeps_its_finished_batches(home: Path, reader: TermReader) -> None:
    async with (
        open_database("", home) as database,
        open_embedded(database, home / "index", reader.read_document) as index,
    ):
        stopping = Stopping()
        library = Library(index, reader, {ENGLISH: stopping})
        await library.declare("herbs")
        await library.add("herbs", MANY, embed=False)
        embedding = asyncio.create_task(library.embed_missing("herbs"))
        async with asyncio.timeout(LIMIT_S):
            await stopping.waiting.wait()
        embedding.cancel()
        with pytest.raises(asyncio.CancelledError):
            await embedding
        assert 0 < (left := await library.count_unembedded("herbs")) < 600
        resumed = WordVectors("english", 32, {})
        assert await Library(index, reader, {ENGLISH: resumed}).embed_missing("herbs") == left == len(resumed.asked)


async def test_several_at_once_embed_everything_once(library: Library, embedders: dict[str, WordVectors]) -> None:
    await library.add("herbs", MANY, embed=False)
    done = await asyncio.gather(*(library.embed_missing("herbs") for _ in range(3)))
    assert sum(done) == 600 == len(embedders[ENGLISH].asked)
    assert await library.count_unembedded("herbs") == 0


EMBEDS = """
import asyncio, sys
from pathlib import Path
from sanya.engines.database import open_database
from sanya.engines.index.embedded.index import open_embedded
from sanya.retrieval.language_search import ENGLISH
from sanya.retrieval.lexicon import Lexicon
from sanya.retrieval.search import Library
from sanya.retrieval.terms import TermReader
from sanya.text.segmentation import get_default_segmenter
from tests.retrieval.conftest import WordVectors
from tests.retrieval.test_deferred import MANY

async def main(home):
    reader = TermReader(get_default_segmenter(), Lexicon({}, {}))
    async with open_database("", home) as store, open_embedded(store, home / "index", reader.read_document) as index:
        library = Library(index, reader, {ENGLISH: WordVectors("english", 32, {})})
        await library.declare("herbs")
        await library.add("herbs", MANY, embed=False)
        await library.embed_missing("herbs", progress=lambda done: print("some", flush=True))

asyncio.run(main(Path(sys.argv[1])))
"""


async def test_a_killed_embedding_is_resumed_with_nothing_lost_and_nothing_twice(
    home: Path, reader: TermReader
) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", EMBEDS, str(home), stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    async with asyncio.timeout(LIMIT_S):
        assert await process.stdout.readline() == b"some\n"
        process.kill()
        await process.communicate()
    async with (
        open_database("", home) as database,
        open_embedded(database, home / "index", reader.read_document) as index,
    ):
        embedder = WordVectors("english", 32, {})
        library = Library(index, reader, {ENGLISH: embedder})
        left = await library.count_unembedded("herbs")
        assert left <= 600 - 128
        assert await library.embed_missing("herbs") == left == len(embedder.asked)
        assert await library.count("herbs") == 600
        found = await library.search(SearchQuery("Fever number77", "herbs", mode="semantic", limit=1000))
        assert found.hits[0].id == "d0077"


async def list_ids_by_mode(library: Library, text: str) -> tuple[list[str], list[str]]:
    words = await library.search(SearchQuery(text, "herbs", mode="bm25"))
    hybrid = await library.search(SearchQuery(text, "herbs"))
    return [hit.id for hit in words.hits], [hit.id for hit in hybrid.hits]


async def test_without_any_vector_the_order_is_that_of_words(library: Library) -> None:
    await library.add("herbs", MANY[:50], embed=False)
    for text in ("fever number7", "number12 heart fever", "heart"):
        words, hybrid = await list_ids_by_mode(library, text)
        assert hybrid == words


async def test_the_first_vectors_do_not_overtake_better_words(library: Library) -> None:
    await library.add("herbs", MANY[:200], embed=False)
    for embedded in (1, 10, 50):
        assert await library.embed_missing("herbs", limit=embedded) == embedded
        for number in (150, 170, 199):  # among the last to be embedded
            words, hybrid = await list_ids_by_mode(library, f"fever number{number}")
            assert words[0] == hybrid[0] == f"d{number:04}"


async def test_a_language_that_is_not_embedded_yet_is_not_put_last(library: Library) -> None:
    thai = Document("thai", (DocumentText("ฟ้าทะลายโจร แก้ไข้"),))
    await library.add("herbs", [Document("far", (DocumentText("a history of clocks"),))])
    await library.add("herbs", [thai], embed=False)
    found = await library.search(SearchQuery("ฟ้าทะลายโจร แก้ไข้", "herbs"))
    assert found.hits[0].id == "thai"
