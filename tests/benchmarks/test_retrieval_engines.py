"""The table of search engines. What speaks here is our stand-in for Weaviate: it shows that the benchmark works, its
figures are nobody's."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import page, retrieval_contestants, retrieval_engines, retrieval_library, retrieval_queries
from benchmarks.retrieval_corpus import DATA, Corpus
from sanya.retrieval.lexicon import Lexicon
from sanya.retrieval.terms import TermReader
from sanya.text.segmentation import get_default_segmenter
from tests.engines.index.weaviate_server.server import stand_in

ROWS = 120


@pytest.mark.skipif(not DATA.exists(), reason="the corpus is made of sentences in ../shared/data, which are not here")
async def test_weaviate_is_measured_on_whatever_server_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for module in (retrieval_library, retrieval_queries):
        monkeypatch.setattr(module, "CACHE", tmp_path)
    monkeypatch.setattr(retrieval_engines, "ROUNDS", 1)
    reader, corpus = TermReader(get_default_segmenter(), Lexicon({}, {})), Corpus(ROWS)
    queries = corpus.make_queries(2)
    async with stand_in() as server:
        monkeypatch.setenv("SANYA_WEAVIATE_URL", server.url)
        monkeypatch.setenv("SANYA_WEAVIATE_GRPC_PORT", str(server.grpc_port))
        assert retrieval_contestants.weaviate in retrieval_engines.list_contestants()
        async with retrieval_contestants.weaviate(ROWS, reader) as engine:
            times = await retrieval_engines.time_searches(engine, reader, queries)
            recall = await retrieval_queries.measure_recalls(engine.index, corpus, queries)
            memory = engine.measure_memory()
    measured = retrieval_engines.Measured(engine, times, recall, memory)
    assert set(recall) == set(retrieval_engines.KINDS) and recall["no filter"] == 1.0
    # The stand-in names no folder of its own, so its size is not told for one.
    assert (memory, engine.disk) == ("on its server", "on its server")
    assert len(retrieval_engines.format_row(ROWS, measured)) == len(retrieval_engines.COLUMNS)


def test_without_a_server_weaviate_is_no_contestant(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SANYA_WEAVIATE_URL", raising=False)
    assert retrieval_contestants.weaviate not in retrieval_engines.list_contestants()


def test_a_row_takes_the_place_of_its_former_and_others_stay(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(page, "ENGINES", tmp_path / "search.md")
    page.ENGINES.write_text("before\n<!-- engines: begin -->\n<!-- engines: end -->\nafter\n", "utf-8")
    columns = ("rows", "engine", "ms")
    page.keep_engines(columns, [["1,000,000", "one", "9"], ["100,000", "one", "2"]])
    page.keep_engines(columns, [["100,000", "one", "3"], ["100,000", "two", "4"]])
    written = page.ENGINES.read_text("utf-8").splitlines()
    assert [line for line in written if line.startswith("| 1")] == [
        "| 100,000 | one | 3 |",
        "| 100,000 | two | 4 |",
        "| 1,000,000 | one | 9 |",
    ]
    assert (written[0], written[-1]) == ("before", "after")
