"""The word side of the embedded index: tantivy over terms that are already read, parted by blanks.

Rows are only ever added, in the order of their positions, and a commit is atomic: so the number of rows in it says how
far it got, and the statistics are the same however it came to be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import tantivy
from numpy.typing import NDArray
from tantivy import Occur, Query

from sanya.engines.index.filterable_fields import Fields
from sanya.engines.index.rows import Version, as_json, picking
from sanya.kernel.faults import InvalidArgument, StoreUnavailable
from sanya.retrieval.documents import AnyOf, Between, Equals, Filter
from sanya.retrieval.index import WAYS, ReadTerms, Terms

Positions = NDArray[np.int64]
Floats = NDArray[np.float32]

_BLANKS = "blanks"
_HEAP_BYTES = 128_000_000
_MOST_TIED = 4096
_MOST_NUMBER = 2.0**53


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("position", indexed=True, fast=True)
    for way in WAYS:
        builder.add_text_field(way, tokenizer_name=_BLANKS, index_option="freq")
    builder.add_json_field("fields", fast=True, tokenizer_name="raw", index_option="basic")
    return builder.build()


class WordIndex:
    """One folder. Any number of processes read it; the one that holds the writer adds."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._schema = _schema()
        try:
            self._index = tantivy.Index(self._schema, str(folder))
        except ValueError as error:
            raise StoreUnavailable(
                f"the index {folder.name} cannot be opened; run `sanya search rebuild` to make it anew"
            ) from error
        self._index.register_tokenizer(_BLANKS, _blanks())
        self._index.config_reader("manual")
        self._writer: tantivy.IndexWriter | None = None

    def snapshot(self) -> WordSnapshot:
        """The rows committed by now, by whichever process."""
        self._index.reload()
        return WordSnapshot(self._index, self._schema, self._index.searcher())

    def add(
        self,
        versions: Iterable[Version],
        terms: Iterable[ReadTerms],
        filtered: Fields,
        before_commit: Callable[[], None] = lambda: None,
    ) -> None:
        """Adds rows with the terms of each and commits them, all or none. Of the fields, those enter that filters may
        name. Terms are taken one by one: each goes on while it is at hand, and no more than one is held."""
        pick = picking(filtered)
        try:
            if self._writer is None:
                self._writer = self._index.writer(_HEAP_BYTES, 1)
            for version, read in zip(versions, terms, strict=True):
                self._writer.add_json(_row(version.position, pick(version.stored_fields), read))
            before_commit()
            self._writer.commit()
        except BaseException as error:
            # What it took would be committed with the next rows; and a writer that failed takes rows from then on and
            # keeps none of them, without a word. Nobody else may hold it: it keeps others out until it is gone.
            self._writer = None
            if not isinstance(error, ValueError):
                raise
            raise StoreUnavailable(
                "the files of the search cannot be written; free some space or check the disk, and it goes on by itself"
            ) from error

    def close(self) -> None:
        if self._writer is not None:
            writer, self._writer = self._writer, None
            writer.wait_merging_threads()


@dataclass(frozen=True, slots=True)
class WordSnapshot:
    index: tantivy.Index
    schema: tantivy.Schema
    searcher: tantivy.Searcher

    @property
    def count(self) -> int:
        return self.searcher.num_docs

    def search(self, terms: Terms, filters: Sequence[Filter], most: int, limit: int) -> tuple[Positions, Floats]:
        """The best rows up to position `most`, best first, ties by position. BM25 over all ways together."""
        query = self._asked(terms, filters, most)
        if query is None or limit <= 0:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        return self._ranked(query, limit)

    def rough(self, terms: Terms, filters: Sequence[Filter], most: int, limit: int) -> tuple[Positions, float | None]:
        """The best rows up to position `most` in no order, and the most that another one may score; None when there is
        no other."""
        query = self._asked(terms, filters, most)
        hits = [] if query is None else self.searcher.search(query, limit, count=False).hits
        rows = self._positions([address for _, address in hits])
        return rows, (min(score for score, _ in hits) if len(hits) == limit else None)

    def spread(self, way: str, term: str, most: int, among: Sequence[Filter] = ()) -> int:
        """In how many rows up to position `most` the term occurs, of those that the filters let through."""
        everywhere = self.searcher.doc_freq(way, term)
        if (most >= self.count and not among) or not everywhere:
            return everywhere
        occurs = Query.const_score_query(Query.term_query(self.schema, way, term, "basic"), 0.0)
        restriction = self.restriction(among, most)
        assert restriction is not None
        query = Query.boolean_query([(Occur.Must, occurs), (Occur.Must, Query.const_score_query(restriction, 0.0))])
        found: Any = self.searcher.search(query, 1, count=True)  # whose types leave out the count
        return int(found.count)

    def _asked(self, terms: Terms, filters: Sequence[Filter], most: int) -> Query | None:
        lookups = [
            (Occur.Should, _weighted(Query.term_query(self.schema, way, term, "freq"), weight))
            for way, weights in terms.items()
            for term, weight in weights.items()
        ]
        if not lookups:
            return None
        query = Query.boolean_query(lookups)
        restriction = self.restriction(filters, most)
        if restriction is None:
            return query
        return Query.boolean_query([(Occur.Must, query), (Occur.Must, Query.const_score_query(restriction, 0.0))])

    def _ranked(self, query: Query, limit: int) -> tuple[Positions, Floats]:
        asked = limit + 1
        while True:
            hits = self.searcher.search(query, asked, count=False).hits
            scores = np.array([score for score, _ in hits], dtype=np.float32)
            # Equal scores across the edge: which of them come in must not hang on how rows lie in segments. So none
            # does, unless that leaves too few.
            if len(hits) < asked or scores[-1] < scores[limit - 1]:
                break
            above = int(np.count_nonzero(scores > scores[-1]))
            if above >= limit / 2:
                hits, scores = hits[:above], scores[:above]
                break
            if asked > _MOST_TIED:
                break
            asked *= 4
        positions = self._positions([address for _, address in hits])
        if (scores[1:] < scores[:-1]).all():
            return positions[:limit], scores[:limit]
        order = np.lexsort((positions, -scores))[:limit]
        return positions[order], scores[order]

    def matching(self, filters: Sequence[Filter], most: int, limit: int) -> Positions:
        """The rows that filters let through, in the order of positions; with more than `limit`, any `limit` of them."""
        query = self.restriction(filters, most) or Query.all_query()
        hits = self.searcher.search(query, max(1, limit), count=False).hits
        return np.sort(self._positions([address for _, address in hits]))

    def matching_beyond(self, after: int, filters: Sequence[Filter]) -> Positions:
        """The rows behind position `after` that filters let through."""
        beyond = Query.range_query(self.schema, "position", tantivy.FieldType.Unsigned, after + 1, self.count)
        query = Query.boolean_query([(Occur.Must, part) for part in (beyond, *map(self._filter, filters))])
        hits = self.searcher.search(query, self.count - after, count=False).hits
        return self._positions([address for _, address in hits])

    def how_many(self, filters: Sequence[Filter], most: int) -> int:
        query = self.restriction(filters, most)
        if query is None:
            return self.count
        found: Any = self.searcher.search(query, 1, count=True)  # whose types leave out the count
        return int(found.count)

    def among(self, positions: Positions, filters: Sequence[Filter]) -> Positions:
        """Those of the given rows that filters let through."""
        each = [Query.term_query(self.schema, "position", one, "basic") for one in positions.tolist()]
        rows = Query.boolean_query([(Occur.Should, one) for one in each])
        passing = [rows, *(self._filter(one) for one in filters)]
        query = Query.boolean_query([(Occur.Must, Query.const_score_query(one, 1.0)) for one in passing])
        hits = self.searcher.search(query, max(1, len(positions)), count=False).hits
        return np.sort(self._positions([address for _, address in hits]))

    def restriction(self, filters: Sequence[Filter], most: int) -> Query | None:
        """A query for what filters and position let through; None when that is everything."""
        parts = [self._filter(one) for one in filters]
        if most < self.count:
            parts.append(Query.range_query(self.schema, "position", tantivy.FieldType.Unsigned, 0, max(0, most)))
        if not parts:
            return None
        return parts[0] if len(parts) == 1 else Query.boolean_query([(Occur.Must, part) for part in parts])

    def _filter(self, one: Filter) -> Query:
        path = f"fields.{one.field}"
        match one:
            case Equals(_, value):
                return Query.term_query(self.schema, path, value)
            case AnyOf(_, values):
                return Query.term_set_query(self.schema, path, list(values)) if values else Query.empty_query()
            case Between(_, least, most):
                return self._range(path, least, most)

    def _range(self, path: str, least: int | float | None, most: int | float | None) -> Query:
        """The field's name is checked and the bounds are numbers, so nothing foreign is parsed here."""
        low, high = ("*" if bound is None else _bound(bound) for bound in (least, most))
        # tantivy fails on a range from a whole number to a fraction, so then each bound has a query of its own.
        mixed = isinstance(least, float) or isinstance(most, float)
        sides = [f"[{low} TO *]", f"[* TO {high}]"] if mixed else [f"[{low} TO {high}]"]
        ranges = [self.index.parse_query(f"{path}:{side}", []) for side in sides]
        return ranges[0] if len(ranges) == 1 else Query.boolean_query([(Occur.Must, one) for one in ranges])

    def _positions(self, addresses: list[tantivy.DocAddress]) -> Positions:
        return np.array(self.searcher.fast_field_values("position", addresses), dtype=np.int64)


def _weighted(query: Query, weight: float) -> Query:
    return query if weight == 1.0 else Query.boost_query(query, weight)


def _bound(value: int | float) -> str:
    if isinstance(value, bool) or not abs(value) < _MOST_NUMBER:
        raise InvalidArgument(f"a range is between numbers of at most {_MOST_NUMBER:.0f}, not {value}")
    return str(value) if isinstance(value, int) else np.format_float_positional(value, trim="0")


def _blanks() -> tantivy.TextAnalyzer:
    return tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()


def _row(position: int, fields: msgspec.Raw | msgspec.Struct, terms: ReadTerms) -> str:
    """As one text: tantivy reads it in less time than it takes parts one by one."""
    row: dict[str, Any] = {way: found.text for way, found in terms.items()}
    row["position"] = position
    row["fields"] = fields
    return as_json(row).decode("utf-8")
