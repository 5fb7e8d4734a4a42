"""The words of the embedded index: tantivy over terms that our reader has already split, separated by spaces.

Rows are only added, in the order of their positions, and a commit is atomic. So the number of rows says how far the
index got, and its statistics do not depend on how it was built.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import tantivy
from tantivy import Occur, Query

from sanya.engines.disk import find_write_problem
from sanya.engines.index.arrays import Float32Array, Positions
from sanya.engines.index.filterable_fields import FieldNames
from sanya.engines.index.rows import Version, build_field_picker, encode_json
from sanya.kernel.faults import InvalidArgument, StoreUnavailable
from sanya.retrieval.documents import AnyOf, Between, Equals, Filter
from sanya.retrieval.index import TERM_KINDS, DocumentTerms, WeightedTerms

_TOKENIZER = "blanks"
_HEAP_BYTES = 128_000_000
_MAX_TIED = 4096
_MAX_NUMBER = 2.0**53


def _build_schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("position", indexed=True, fast=True)
    for kind in TERM_KINDS:
        builder.add_text_field(kind, tokenizer_name=_TOKENIZER, index_option="freq")
    builder.add_json_field("fields", fast=True, tokenizer_name="raw", index_option="basic")
    return builder.build()


def _explain_failure(folder: Path) -> str:
    """Return why the index cannot be opened. On a full disk nothing is gained by building it again."""
    if problem := find_write_problem(folder):
        return f"the search files cannot be written ({problem}); free disk space or check the disk, then search works"
    return f"the search index {folder.name} cannot be opened; run `sanya search rebuild` to build it again"


class WordIndex:
    """A folder of tantivy files. Any number of processes read it; the one that holds the writer adds rows."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._schema = _build_schema()
        try:
            self._index = tantivy.Index(self._schema, str(folder))
        except ValueError as error:
            raise StoreUnavailable(_explain_failure(folder)) from error
        self._index.register_tokenizer(_TOKENIZER, _build_analyzer())
        self._index.config_reader("manual")
        self._writer: tantivy.IndexWriter | None = None

    def open_snapshot(self) -> WordSnapshot:
        """Return a snapshot of the rows that any process has committed."""
        self._index.reload()
        return WordSnapshot(self._index, self._schema, self._index.searcher())

    def add(
        self,
        versions: Iterable[Version],
        terms: Iterable[DocumentTerms],
        filtered: FieldNames,
        before_commit: Callable[[], None] = lambda: None,
    ) -> None:
        """Add rows with their terms and commit them, all or none. Only the fields in `filtered` are indexed. `terms` is
        consumed row by row, so that no more than one row is held in memory."""
        pick = build_field_picker(filtered)
        try:
            if self._writer is None:
                self._writer = self._index.writer(_HEAP_BYTES, 1)
            for version, read in zip(versions, terms, strict=True):
                self._writer.add_json(_encode_row(version.position, pick(version.stored_fields), read))
            before_commit()
            self._writer.commit()
        except BaseException as error:
            # Drop the writer: the rows it took would be committed with the next ones, and a writer that failed accepts
            # further rows and silently loses them. It also holds tantivy's lock until it is gone.
            self._writer = None
            if not isinstance(error, ValueError):
                raise
            raise StoreUnavailable(
                "the search files cannot be written; free disk space or check the disk, then indexing continues"
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

    def search(
        self, terms: WeightedTerms, filters: Sequence[Filter], most: int, limit: int
    ) -> tuple[Positions, Float32Array]:
        """Return the best rows up to position `most`, best first, ties by position, scored by BM25 over all term
        kinds."""
        query = self._build_query(terms, filters, most)
        if query is None or limit <= 0:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        return self._rank(query, limit)

    def search_roughly(
        self, terms: WeightedTerms, filters: Sequence[Filter], most: int, limit: int
    ) -> tuple[Positions, float | None]:
        """Return the best rows up to position `most` in no order, and the most that another row may score, or None if
        there is no other."""
        query = self._build_query(terms, filters, most)
        hits = [] if query is None else self.searcher.search(query, limit, count=False).hits
        rows = self._read_positions([address for _, address in hits])
        return rows, (min(score for score, _ in hits) if len(hits) == limit else None)

    def count_term(self, kind: str, term: str, most: int, filters: Sequence[Filter] = ()) -> int:
        """Count the rows up to position `most` that contain the term and pass the filters."""
        total = self.searcher.doc_freq(kind, term)
        if (most >= self.count and not filters) or not total:
            return total
        occurs = Query.const_score_query(Query.term_query(self.schema, kind, term, "basic"), 0.0)
        restriction = self.build_restriction(filters, most)
        assert restriction is not None
        query = Query.boolean_query([(Occur.Must, occurs), (Occur.Must, Query.const_score_query(restriction, 0.0))])
        result: Any = self.searcher.search(query, 1, count=True)  # its type stubs leave out the count
        return int(result.count)

    def _build_query(self, terms: WeightedTerms, filters: Sequence[Filter], most: int) -> Query | None:
        lookups = [
            (Occur.Should, _apply_weight(Query.term_query(self.schema, kind, term, "freq"), weight))
            for kind, weights in terms.items()
            for term, weight in weights.items()
        ]
        if not lookups:
            return None
        query = Query.boolean_query(lookups)
        restriction = self.build_restriction(filters, most)
        if restriction is None:
            return query
        return Query.boolean_query([(Occur.Must, query), (Occur.Must, Query.const_score_query(restriction, 0.0))])

    def _rank(self, query: Query, limit: int) -> tuple[Positions, Float32Array]:
        requested = limit + 1
        while True:
            hits = self.searcher.search(query, requested, count=False).hits
            scores = np.array([score for score, _ in hits], dtype=np.float32)
            # Where equal scores lie across the edge, the choice among them must not depend on how tantivy laid out its
            # segments. So leave out all of them, unless that leaves too few.
            if len(hits) < requested or scores[-1] < scores[limit - 1]:
                break
            above = int(np.count_nonzero(scores > scores[-1]))
            if above >= limit / 2:
                hits, scores = hits[:above], scores[:above]
                break
            if requested > _MAX_TIED:
                break
            requested *= 4
        positions = self._read_positions([address for _, address in hits])
        if (scores[1:] < scores[:-1]).all():
            return positions[:limit], scores[:limit]
        order = np.lexsort((positions, -scores))[:limit]
        return positions[order], scores[order]

    def find_passing(self, filters: Sequence[Filter], most: int, limit: int) -> Positions:
        """Return the rows that pass the filters, in the order of positions; of more than `limit`, any `limit`."""
        query = self.build_restriction(filters, most) or Query.all_query()
        hits = self.searcher.search(query, max(1, limit), count=False).hits
        return np.sort(self._read_positions([address for _, address in hits]))

    def find_passing_after(self, after: int, filters: Sequence[Filter]) -> Positions:
        """Return the rows after a position that pass the filters."""
        beyond = Query.range_query(self.schema, "position", tantivy.FieldType.Unsigned, after + 1, self.count)
        query = Query.boolean_query([(Occur.Must, part) for part in (beyond, *map(self._build_filter, filters))])
        hits = self.searcher.search(query, self.count - after, count=False).hits
        return self._read_positions([address for _, address in hits])

    def count_passing(self, filters: Sequence[Filter], most: int) -> int:
        query = self.build_restriction(filters, most)
        if query is None:
            return self.count
        result: Any = self.searcher.search(query, 1, count=True)  # its type stubs leave out the count
        return int(result.count)

    def keep_passing(self, positions: Positions, filters: Sequence[Filter]) -> Positions:
        """Keep the given rows that pass the filters."""
        lookups = [Query.term_query(self.schema, "position", position, "basic") for position in positions.tolist()]
        rows = Query.boolean_query([(Occur.Should, lookup) for lookup in lookups])
        passing = [rows, *(map(self._build_filter, filters))]
        query = Query.boolean_query([(Occur.Must, Query.const_score_query(part, 1.0)) for part in passing])
        hits = self.searcher.search(query, max(1, len(positions)), count=False).hits
        return np.sort(self._read_positions([address for _, address in hits]))

    def build_restriction(self, filters: Sequence[Filter], most: int) -> Query | None:
        """Build a query for the rows up to `most` that pass the filters; None if that is every row."""
        parts = [self._build_filter(filter) for filter in filters]
        if most < self.count:
            parts.append(Query.range_query(self.schema, "position", tantivy.FieldType.Unsigned, 0, max(0, most)))
        if not parts:
            return None
        return parts[0] if len(parts) == 1 else Query.boolean_query([(Occur.Must, part) for part in parts])

    def _build_filter(self, filter: Filter) -> Query:
        path = f"fields.{filter.field}"
        match filter:
            case Equals(_, value):
                return Query.term_query(self.schema, path, value)
            case AnyOf(_, values):
                return Query.term_set_query(self.schema, path, list(values)) if values else Query.empty_query()
            case Between(_, least, most):
                return self._build_range(path, least, most)

    def _build_range(self, path: str, least: int | float | None, most: int | float | None) -> Query:
        """Build a range query. The field's name is checked and the bounds are numbers, so no foreign text is parsed."""
        low, high = ("*" if bound is None else _format_bound(bound) for bound in (least, most))
        # tantivy fails on a range from a whole number to a fraction, so each bound then has a query of its own.
        mixed = isinstance(least, float) or isinstance(most, float)
        sides = [f"[{low} TO *]", f"[* TO {high}]"] if mixed else [f"[{low} TO {high}]"]
        ranges = [self.index.parse_query(f"{path}:{side}", []) for side in sides]
        return ranges[0] if len(ranges) == 1 else Query.boolean_query([(Occur.Must, part) for part in ranges])

    def _read_positions(self, addresses: list[tantivy.DocAddress]) -> Positions:
        return np.array(self.searcher.fast_field_values("position", addresses), dtype=np.int64)


def _apply_weight(query: Query, weight: float) -> Query:
    return query if weight == 1.0 else Query.boost_query(query, weight)


def _format_bound(value: int | float) -> str:
    if isinstance(value, bool) or not abs(value) < _MAX_NUMBER:
        raise InvalidArgument(f"a range takes numbers up to {_MAX_NUMBER:.0f}, not {value}; narrow it")
    return str(value) if isinstance(value, int) else np.format_float_positional(value, trim="0")


def _build_analyzer() -> tantivy.TextAnalyzer:
    return tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()


def _encode_row(position: int, fields: msgspec.Raw | msgspec.Struct, terms: DocumentTerms) -> str:
    """Encode a row as JSON, which tantivy parses faster than it takes fields one by one."""
    row: dict[str, Any] = {kind: joined.text for kind, joined in terms.items()}
    row["position"] = position
    row["fields"] = fields
    return encode_json(row).decode("utf-8")
