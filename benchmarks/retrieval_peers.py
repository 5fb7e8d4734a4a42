"""Bare search engines on the same rows, the peers of our search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import tantivy
from usearch.index import Index as Graph

from benchmarks.retrieval_corpus import DIM, ROWS_AT_ONCE, Corpus
from sanya.retrieval.embedding import Matrix

DEPTH = 10
RECALL = 0.95
"""Minimum recall of the ten nearest rows on both sides, so that their times are comparable."""
_WIDTHS = range(64, 1025, 32)


def time_call(work: Callable[[Any], Any], argument: object) -> float:
    """Return the CPU seconds of a call."""
    begun = process_time()
    work(argument)
    return process_time() - begun


class BareEngines:
    """Word query on the tantivy files and vector query on a plain usearch graph."""

    def __init__(self, corpus: Corpus, home: Path) -> None:
        index = tantivy.Index.open(str(home / "index" / "speed" / "en" / "words"))
        self._searcher, self._schema = index.searcher(), index.schema
        self._graph = load_bare_graph(corpus, home / "bare.graph")

    def search_words(self, terms: list[str]) -> None:
        queries = [tantivy.Query.term_query(self._schema, "words", term, "freq") for term in terms]
        query = tantivy.Query.boolean_query([(tantivy.Occur.Should, clause) for clause in queries])
        found = self._searcher.search(query, DEPTH, count=False)
        self._searcher.fast_field_values("position", [address for _, address in found.hits])

    def search_vectors(self, vector: Matrix) -> list[int]:
        return [int(key) for key in self._graph.search(vector, DEPTH, threads=1).keys]

    def widen(self, vectors: Sequence[Matrix], best: Sequence[Sequence[int]]) -> None:
        """Widen the search until it reaches the recall. By default, a graph of a million rows misses a fifth."""
        graph: Any = self._graph  # the type stubs declare the width read-only
        for width in _WIDTHS:
            graph.expansion_search = width
            found = [
                len(set(self.search_vectors(vector)) & set(rows)) for vector, rows in zip(vectors, best, strict=True)
            ]
            recall = sum(found) / sum(map(len, best))
            took = [time_call(self.search_vectors, vector) * 1000 for vector in vectors]
            print(f"Bare vector query, width {width}: recall@{DEPTH} {recall:.3f}, {np.median(took):.2f} CPU ms at p50")
            if recall >= RECALL:
                return


def load_bare_graph(corpus: Corpus, file: Path) -> Graph:
    graph = Graph(ndim=DIM, metric="cos", dtype="f16")
    if file.exists():
        graph.load(str(file))
        return graph
    for start in range(0, corpus.size, ROWS_AT_ONCE):
        end = min(start + ROWS_AT_ONCE, corpus.size)
        graph.add(np.arange(start, end), corpus.make_vectors(start, end))
    graph.save(str(file))
    return graph
