"""One partition of one namespace in the embedded index: its words, its vector spaces, and which rows are valid when.

A `ShelfState` is what a search sees: it never changes, a newer one replaces it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sanya.engines.index.bm25 import Statistics, rarity
from sanya.engines.index.embedded.columns import Columns, Mark, Numbers
from sanya.engines.index.embedded.filter_cache import Passes, Passing
from sanya.engines.index.embedded.vector_space import VectorSpace
from sanya.engines.index.embedded.word_index import Floats, Positions, WordIndex, WordSnapshot
from sanya.engines.index.filterable_fields import Fields, FieldsMark, holds
from sanya.engines.index.rows import FOREVER, Version
from sanya.retrieval.documents import Filter
from sanya.retrieval.embedding import Matrix, Model
from sanya.retrieval.index import WAYS, Probe, ReadTerms, Terms
from sanya.retrieval.scoring import merged_rows

# With a filter, rows are compared one by one, which is exact, or the graph is asked for more than is wanted. To compare
# one row costs about a fifth of what the graph takes to propose one; so they cost the same where the filter lets
# through the root of this many times all rows.
_BREAK_EVEN = 200
SELECTIVE_ROWS = 2000
_SLACK = 1.25
_MOST_ASKED = 20_000
_SPREADS = 1.6
_REMEMBERED_FILTERS = 64
# Of so many rows that are no more, it is asked one by one which of them the filters would let through.
_FEW_ENDED = 500

Vectors = Mapping[str, Mapping[int, Matrix]]
"""By space and position."""
Found = tuple[Positions, Floats, dict[str, Matrix]]
"""Candidates of all ways in the order of positions, their BM25 scores, their vectors."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A state of the shelf: the number of its last change and of its last row."""

    seq: int
    last_position: int


class Shelf:
    def __init__(self, folder: Path, models: Mapping[str, Model]) -> None:
        self._folder = folder
        self._words = WordIndex(folder / "words")
        self._arrivals = Columns(folder / "arrivals", 1)
        self._lengths = Columns(folder / "lengths", len(WAYS))
        self._mark = Mark(folder / "derived")
        self._fields = FieldsMark(folder / "fields")
        self._spaces = {space: VectorSpace(folder, space, model.dim) for space, model in models.items()}
        nothing = np.empty(0, np.int64)
        rows = Rows(nothing, nothing, nothing.reshape(0, len(WAYS)), none_ended=True, all_embedded=True)
        self._passing = Passing()
        self.state = ShelfState(self._words.snapshot(), self._spaces, rows, Moment(0, 0), self._passing)
        self._held = self._held_by(self.state.words)

    def holds(self, fields: Fields) -> bool:
        """Whether the rows that are shown can be filtered by these fields."""
        return holds(self._held, fields)

    def add(
        self, versions: Sequence[Version], vectors: Vectors, read: Callable[[Version], ReadTerms], filtered: Fields
    ) -> None:
        """Vectors first, words last: the commit of the words is what makes the rows count."""
        if self._fields.read() != filtered:
            self._fields.write(filtered)
        first, last = versions[0].position, versions[-1].position
        for name, space in self._spaces.items():
            if vectors.get(name):
                space.write(first, vectors[name], last)
        self._arrivals.write(first, np.array([version.vectors_since for version in versions]))
        with ThreadPoolExecutor(len(self._spaces) or 1) as beside:
            growing = self._grow_beside(beside, last)
            lengths: list[list[int]] = []
            terms = _measured(map(read, versions), lengths)
            self._words.add(versions, terms, filtered, lambda: self._lengths.write(first, np.array(lengths)))
            for one in growing:
                one.result()

    def _grow_beside(self, beside: ThreadPoolExecutor, last: int) -> list[Future[None]]:
        """Lets the graphs grow while words are read: to rows that count a little later, which is no harm. A graph grows
        in the order in which vectors came, so this waits for `show` where that is not the order of the rows."""
        arrivals = self._arrivals.load(last)[:, 0]
        if arrivals[-1] == FOREVER or bool((np.diff(arrivals) < 0).any()):
            return []
        seq = int(arrivals[-1])
        return [beside.submit(space.load, last, arrivals, seq, keep=True) for space in self._spaces.values()]

    def give(self, arrived: Mapping[int, int], vectors: Vectors) -> None:
        """Vectors of rows that awaited them: the change of each position. What they are stands before since when."""
        for name, space in self._spaces.items():
            if vectors.get(name):
                space.put(vectors[name])
        self._arrivals.put(arrived)

    def committed(self) -> WordSnapshot:
        return self._words.snapshot()

    @property
    def derived(self) -> int:
        """The change up to which everything is derived, by whichever process."""
        return self._mark.read()

    def set_derived(self, seq: int) -> None:
        self._mark.write(seq)

    def show(self, words: WordSnapshot, moment: Moment, ends: Sequence[tuple[int, int]], *, deriving: bool) -> None:
        """Makes the rows up to `moment` searchable. `ends` has the rows that ended since the last time. Only who is
        `deriving` writes."""
        until = np.full(words.count, FOREVER, dtype=np.int64)
        known = self.state.rows.until[: words.count]
        until[: len(known)] = known
        for position, seq in ends:
            if position <= words.count:
                until[position - 1] = seq
        # These may change while they are read, but only from FOREVER to a change that no moment shown has reached.
        arrivals = self._arrivals.load(words.count)[:, 0]
        for space in self._spaces.values():
            space.load(words.count, arrivals, moment.seq, keep=deriving)
        self._held = self._held_by(words)
        none_ended = bool((until == FOREVER).all())
        all_embedded = bool((arrivals[: moment.last_position] <= moment.seq).all())
        rows = Rows(until, arrivals, self._lengths.load(words.count), none_ended, all_embedded)
        self.state = ShelfState(words, self._spaces, rows, moment, self._passing)

    def _held_by(self, words: WordSnapshot) -> Fields:
        return self._fields.read() if words.count else None

    def close(self) -> None:
        self._words.close()


@dataclass(frozen=True, slots=True)
class Rows:
    """What is known of each row: when it is valid, how long it is."""

    until: Numbers
    """The change that ended it."""
    arrivals: Numbers
    """The change that brought its vectors."""
    lengths: Numbers
    """The number of its terms of each way."""
    none_ended: bool
    all_embedded: bool
    """Whether every row that is shown has its vectors."""


@dataclass(frozen=True, slots=True)
class ShelfState:
    words: WordSnapshot
    spaces: Mapping[str, VectorSpace]
    rows: Rows
    moment: Moment
    passing: Passing
    chosen: dict[tuple[tuple[Filter, ...], Moment], Positions | int] = field(default_factory=dict)
    """What filters let through, remembered: a state does not change, and the same filters come again and again."""
    sizes: dict[tuple[int, tuple[Filter, ...]], tuple[int, Numbers]] = field(default_factory=dict)
    """Up to a position, how many rows filters let through and how long those are."""

    def search(self, probe: Probe, moment: Moment) -> Found:
        return self._gathered(probe, moment, self._by_words(probe, moment), self._by_meaning(probe, moment))

    def search_exactly(self, probe: Probe, moment: Moment, words: tuple[Positions, Floats]) -> Found:
        """With the best by words given, and by meaning all rows of the moment compared: later rows change nothing."""
        asked = {name: vector for name, vector in probe.vectors.items() if name in self.spaces}
        rows = self._of_moment(probe.filters, moment) if asked else np.empty(0, dtype=np.int64)
        near = [self.spaces[name].nearest_for_ever(one, rows, probe.meaning_pool) for name, one in asked.items()]
        return self._gathered(probe, moment, words, near)

    def _gathered(self, probe: Probe, moment: Moment, words: tuple[Positions, Floats], near: list[Positions]) -> Found:
        positions, scores = merged_rows(*words, near) or _merged(*words, near)
        spaces = {**probe.vectors, **probe.compared}
        vectors = {name: self.spaces[name].vectors(positions) for name in spaces if name in self.spaces}
        if not self._all_embedded(moment):
            lacking = self.rows.arrivals[positions - 1] > moment.seq
            for rows in vectors.values():
                rows[lacking] = 0
        return positions, scores, vectors

    def _of_moment(self, filters: tuple[Filter, ...], moment: Moment) -> Positions:
        """The rows that were valid at the moment, had vectors and pass the filters."""
        if filters:
            rows = self._valid(self._matching(filters, moment.last_position), moment)
        else:
            rows = np.flatnonzero(self.rows.until[: moment.last_position] > moment.seq) + 1
        return self._embedded(rows, moment)

    def roughly_best(
        self, terms: Terms, filters: tuple[Filter, ...], moment: Moment, limit: int
    ) -> tuple[Positions, float | None]:
        """The best by today's statistics of the rows valid at the moment, and the most that another may score."""
        rows, rest = self.words.rough(terms, filters, moment.last_position, limit)
        return self._valid(rows, moment), rest

    def statistics(self, terms: Terms, most: int, among: tuple[Filter, ...] = ()) -> Statistics:
        """Of the rows up to position `most`, or of those that the filters let through."""
        count, totals = self._size(most, among)
        averages = {way: int(total) / count for way, total in zip(WAYS, totals, strict=True) if total}
        spread = {
            way: {term: n for term in weights if (n := self.words.spread(way, term, most, among))}
            for way, weights in terms.items()
        }
        rare = {way: {term: rarity(count, n) for term, n in found.items()} for way, found in spread.items()}
        return Statistics(averages, rare)

    def _size(self, most: int, among: tuple[Filter, ...]) -> tuple[int, Numbers]:
        """How many rows those are, and the number of their terms of each way."""
        if not among:
            return most, self.rows.lengths[:most].sum(axis=0)
        if (most, among) not in self.sizes:
            while len(self.sizes) >= _REMEMBERED_FILTERS:
                self.sizes.pop(next(iter(self.sizes)), None)
            lengths = self.rows.lengths[self._matching(among, most) - 1]
            self.sizes[most, among] = len(lengths), lengths.sum(axis=0)
        return self.sizes[most, among]

    def has_others(self, among: tuple[Filter, ...]) -> bool:
        """Whether there are rows that the filters do not let through."""
        if not among:
            return False
        passing = self.passing.again(among, self.words)
        return self._how_many(passing, among, self.words.count) < self.words.count

    def _how_many(self, passing: Passes | None, filters: tuple[Filter, ...], most: int) -> int:
        return self.words.how_many(filters, most) if passing is None else int(np.count_nonzero(passing[:most]))

    def _matching(self, filters: tuple[Filter, ...], most: int) -> Positions:
        """All rows up to a position that filters let through, valid or not."""
        passing = self.passing.again(filters, self.words)
        if passing is None:
            return self.words.matching(filters, most, self.words.count)
        return _positions(passing[:most])

    def count(self, filters: tuple[Filter, ...], moment: Moment) -> int:
        last = moment.last_position
        ended = np.flatnonzero(self.rows.until[:last] <= moment.seq) + 1
        if not filters:
            return last - len(ended)
        passing = self._few(filters, moment)
        if not isinstance(passing, int):
            return len(passing)
        if not len(ended):
            return passing
        if len(ended) <= _FEW_ENDED and self.passing.known(filters, self.words) is None:
            return passing - len(self.words.among(ended, filters))
        return len(self._valid(self._matching(filters, last), moment))

    def _valid(self, positions: Positions, moment: Moment) -> Positions:
        """Those of the rows that are valid at the moment."""
        valid = self._is_valid(positions, moment)
        return positions if valid is np.True_ else positions[valid]

    def _is_valid(self, positions: Positions, moment: Moment) -> NDArray[np.bool_] | np.bool_:
        if self.rows.none_ended and moment.last_position == self.words.count:
            return np.True_
        inside = positions <= moment.last_position
        valid = np.zeros(len(positions), dtype=np.bool_)
        valid[inside] = self.rows.until[positions[inside] - 1] > moment.seq
        return valid

    def _embedded(self, positions: Positions, moment: Moment) -> Positions:
        """Those of the rows that have vectors at the moment."""
        if self._all_embedded(moment):
            return positions
        return positions[self.rows.arrivals[positions - 1] <= moment.seq]

    def _all_embedded(self, moment: Moment) -> bool:
        return self.rows.all_embedded and moment.seq >= self.moment.seq

    def _by_words(self, probe: Probe, moment: Moment) -> tuple[Positions, Floats]:
        chosen = self._few(probe.filters, moment) if probe.filters else 0
        if not isinstance(chosen, int) or not chosen:
            return self._by_filtered_words(probe, moment, probe.pool)
        wanted = probe.pool
        found = self._by_words_then_filter(probe, moment, wanted, chosen / self.words.count)
        return found or self._by_filtered_words(probe, moment, wanted)

    def _by_words_then_filter(
        self, probe: Probe, moment: Moment, wanted: int, share: float
    ) -> tuple[Positions, Floats] | None:
        """For broad filters: the best rows of all, less those that do not pass, if that leaves enough. tantivy finds
        the best of all without scoring every match; with a filter it scores them all."""
        asked = math.ceil(wanted / share * _SLACK)
        positions, scores = self.words.search(probe.terms, (), moment.last_position, asked)
        kept = self._lets_through(positions, probe.filters) & self._is_valid(positions, moment)
        if np.count_nonzero(kept) < wanted and len(positions) >= asked / 2:
            return None
        return positions[kept][:wanted], scores[kept][:wanted]

    def _by_filtered_words(self, probe: Probe, moment: Moment, wanted: int) -> tuple[Positions, Floats]:
        asked = wanted
        while True:
            positions, scores = self.words.search(probe.terms, probe.filters, moment.last_position, asked)
            valid = self._is_valid(positions, moment)
            if valid is np.True_:
                return positions, scores
            if np.count_nonzero(valid) >= wanted / 2 or len(positions) < asked / 2:
                return positions[valid][:wanted], scores[valid][:wanted]
            asked *= 4

    def _by_meaning(self, probe: Probe, moment: Moment) -> list[Positions]:
        asked = {name: vector for name, vector in probe.vectors.items() if name in self.spaces}
        if not asked:
            return []
        share = 1.0
        if probe.filters:
            chosen = self._few(probe.filters, moment)
            if isinstance(chosen, int):
                share = chosen / self.words.count
            else:
                chosen = self._embedded(chosen, moment)
                return [self.spaces[name].nearest_of(one, chosen, probe.meaning_pool) for name, one in asked.items()]
        return [self._nearest(self.spaces[name], one, probe, moment, share) for name, one in asked.items()]

    def _few(self, filters: tuple[Filter, ...], moment: Moment) -> Positions | int:
        """The valid rows that filters let through when comparing them all is the cheaper way, else their number."""
        key = filters, moment
        if key not in self.chosen:
            while len(self.chosen) >= _REMEMBERED_FILTERS:
                self.chosen.pop(next(iter(self.chosen)), None)
            passing, last = self.passing.known(filters, self.words), moment.last_position
            number = self._how_many(passing, filters, last)
            if number <= max(SELECTIVE_ROWS, math.isqrt(_BREAK_EVEN * self.words.count)):
                asked = self.words.matching(filters, last, number) if passing is None else _positions(passing[:last])
                self.chosen[key] = self._valid(asked, moment)
            else:
                self.chosen[key] = number
        return self.chosen[key]

    def _lets_through(self, positions: Positions, filters: tuple[Filter, ...]) -> NDArray[np.bool_]:
        passing = self.passing.again(filters, self.words)
        if passing is None:
            return np.isin(positions, self.words.among(positions, filters))
        return passing[positions - 1]

    def _nearest(self, space: VectorSpace, vector: Matrix, probe: Probe, moment: Moment, share: float) -> Positions:
        """Asks for more until enough are left of what filters and validity let through."""
        wanted = probe.meaning_pool
        enough = min(wanted, probe.least) if probe.terms else wanted
        # Beside words what is missing is brought by them, so enough is enough.
        mean = max(wanted, _asked_for(enough)) if probe.terms else wanted * _SLACK
        asked = math.ceil(mean / share) if probe.filters else wanted
        while True:
            near = space.nearest(vector, asked, in_order=asked > wanted)
            # Rows that are taken in at this very moment may be among them.
            left = self._embedded(self._valid(near[near <= moment.last_position], moment), moment)
            if probe.filters and len(left):
                left = left[self._lets_through(left, probe.filters)]
            if len(left) >= enough or len(near) < asked or asked >= _MOST_ASKED:
                return left[:wanted]
            asked = min(asked * 4, _MOST_ASKED)


def _measured(terms: Iterable[ReadTerms], lengths: list[list[int]]) -> Iterator[ReadTerms]:
    """The terms as they are, the number of those of each way added to the lengths."""
    for one in terms:
        lengths.append([one[way].size if way in one else 0 for way in WAYS])
        yield one


def _asked_for(enough: int) -> float:
    """How many must be left on average for enough to be left nearly always: chance makes the number vary by the root
    of it, and to ask a second time costs more than to ask for some more at once."""
    return ((_SPREADS + math.sqrt(_SPREADS**2 + 4 * enough)) / 2) ** 2


def _positions(passing: Passes) -> Positions:
    return np.flatnonzero(passing) + 1


def _merged(words: Positions, scores: Floats, near: Sequence[Positions]) -> tuple[Positions, Floats]:
    positions = _distinct(np.concatenate([words, *near]))
    found = np.zeros(len(positions), dtype=np.float32)
    found[np.searchsorted(positions, words)] = scores
    return positions, found


def _distinct(positions: Positions) -> Positions:
    """In their order, each once: what np.unique gives, in a third of its time for so few."""
    positions.sort()
    first = np.empty(len(positions), dtype=np.bool_)
    first[:1] = True
    np.not_equal(positions[1:], positions[:-1], out=first[1:])
    return positions[first]
