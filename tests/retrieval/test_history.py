"""A search as of a change answers the same for ever, also when another language comes later."""

from __future__ import annotations

import pytest

from sanya.retrieval.documents import Document, Text
from sanya.retrieval.search import Library, Mode, Query
from tests.retrieval.test_search import DOCUMENTS

QUERIES = ("andrographis fever", "ไข้ หัวใจ", "heart trial of turmeric", "อัลเลน นอร์แมน")


@pytest.mark.parametrize("mode", ["bm25", "semantic", "hybrid"])
async def test_an_earlier_state_answers_the_same_to_the_last_bit(library: Library, mode: Mode) -> None:
    seqs = [await library.add("herbs", DOCUMENTS[:3])]
    seqs.append(await library.add("herbs", [Document("late", (Text("Fever of the late heart"),))], embed=False))
    recorded = {seq: await hits(library, mode, seq) for seq in seqs}
    await library.add("herbs", DOCUMENTS[3:])
    await library.embed_missing("herbs")
    await library.add("herbs", [Document(f"more{n}", (Text(f"Fever fever heart {n} " * (n + 1)),)) for n in range(20)])
    await library.remove("herbs", ["heart-en", "more3"])
    assert await hits(library, mode, None) != recorded[seqs[-1]]
    for seq, before in recorded.items():
        assert await hits(library, mode, seq) == before


async def hits(library: Library, mode: Mode, seq: int | None) -> list[str]:
    found = [await library.search(Query(text, "herbs", mode=mode, as_of=seq)) for text in QUERIES]
    return [repr(one.hits) for one in found]
