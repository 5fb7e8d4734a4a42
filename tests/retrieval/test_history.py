"""A search as of a change gives the same answer for ever, even if documents of another language come later."""

from __future__ import annotations

import pytest

from sanya.retrieval.documents import Document, DocumentText
from sanya.retrieval.search import Library, SearchMode, SearchQuery
from tests.retrieval.test_search import DOCUMENTS

QUERIES = ("andrographis fever", "ไข้ หัวใจ", "heart trial of turmeric", "อัลเลน นอร์แมน")


@pytest.mark.parametrize("mode", ["bm25", "semantic", "hybrid"])
async def test_an_earlier_state_answers_the_same_to_the_last_bit(library: Library, mode: SearchMode) -> None:
    seqs = [await library.add("herbs", DOCUMENTS[:3])]
    seqs.append(await library.add("herbs", [Document("late", (DocumentText("Fever of the late heart"),))], embed=False))
    recorded = {seq: await hits(library, mode, seq) for seq in seqs}
    await library.add("herbs", DOCUMENTS[3:])
    await library.embed_missing("herbs")
    await library.add(
        "herbs", [Document(f"more{n}", (DocumentText(f"Fever fever heart {n} " * (n + 1)),)) for n in range(20)]
    )
    await library.remove("herbs", ["heart-en", "more3"])
    assert await hits(library, mode, None) != recorded[seqs[-1]]
    for seq, before in recorded.items():
        assert await hits(library, mode, seq) == before


async def hits(library: Library, mode: SearchMode, seq: int | None) -> list[str]:
    found = [await library.search(SearchQuery(text, "herbs", mode=mode, as_of=seq)) for text in QUERIES]
    return [repr(result.hits) for result in found]
