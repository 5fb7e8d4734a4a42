"""Results and verdicts of one graph in one language, formatted, validated and serialised once.

Most of a request about many herbs and drugs repeats what earlier ones held: the same herb with the same drug has the
same statements. Each part is kept under all that its words depend on, so a kept part is what would be made anew. So are
the results of a herb with all drugs and conditions of a request: the next request mostly names them again, with another
herb.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Generic, TypeVar

from sanya.suite import Shape
from sanya.suite.runtime import LruCache, PartMaker, PreparedPart
from sanya.suites.herbs.graph.model import HerbNode, HerbSource
from sanya.suites.herbs.safety.check import WarningGroup
from sanya.suites.herbs.safety.contract import (
    Contraindication,
    ContraindicationPage,
    EntityCoverage,
    PairVerdict,
    SourceReference,
)
from sanya.suites.herbs.safety.entry import Entry
from sanya.suites.herbs.safety.result_shapes import ResultFormatter, format_coverage, format_reference
from sanya.suites.herbs.safety.verdicts import PairJudge

S = TypeVar("S", bound=Shape)
_MAX_KEPT_RESULTS = 2_000
_MAX_KEPT_PAIRS = 10_000
_MAX_KEPT_LISTS = 1_000
_RESULTS = PartMaker(ContraindicationPage, "results")
_PAIRS = PartMaker(ContraindicationPage, "pairs")
_REFERENCES = PartMaker(ContraindicationPage, "references")
_COVERAGE = PartMaker(ContraindicationPage, "coverage")


@dataclass(frozen=True, slots=True)
class PreparedShape(Generic[S]):
    """A shape of an answer and the part of the body that it becomes."""

    shape: S
    part: PreparedPart


PreparedResult = PreparedShape[Contraindication]
PreparedPair = PreparedShape[PairVerdict]
PreparedReference = PreparedShape[SourceReference]
PreparedCoverage = PreparedShape[EntityCoverage]


def _prepare(shape: S, maker: PartMaker) -> PreparedShape[S]:
    return PreparedShape(shape, maker.make_part(shape))


@dataclass(frozen=True, slots=True)
class EntityResults:
    """All that warns about an entity and what was asked, in the order of a page. Of it as many results are formatted as
    a page has had: a result names in `repeats` what earlier ones show."""

    entity_id: str
    groups: Sequence[WarningGroup]
    formatter: ResultFormatter
    _formatted: list[PreparedResult] = field(default_factory=list)

    def format_first(self, count: int, kept: PreparedResults) -> Sequence[PreparedResult]:
        done = len(self._formatted)
        self._formatted.extend(kept.format_group(self.formatter, group) for group in self.groups[done:count])
        return self._formatted


@dataclass(frozen=True, slots=True)
class PreparedResults:
    judge: PairJudge
    _results: LruCache[tuple[object, ...], PreparedResult] = field(default_factory=lambda: LruCache(_MAX_KEPT_RESULTS))
    _lists: LruCache[tuple[object, ...], EntityResults] = field(default_factory=lambda: LruCache(_MAX_KEPT_LISTS))
    _pairs: LruCache[tuple[tuple[str, ...], tuple[str, ...]], tuple[PreparedPair, ...]] = field(
        default_factory=lambda: LruCache(_MAX_KEPT_PAIRS)
    )
    _rows: LruCache[tuple[object, ...], list[PreparedPair]] = field(default_factory=lambda: LruCache(_MAX_KEPT_LISTS))
    _references: dict[str, PreparedReference] = field(default_factory=dict)
    _coverage: dict[str, PreparedCoverage] = field(default_factory=dict)

    def judge_pairs(self, entities: Sequence[Entry], objects: Sequence[Entry]) -> list[PreparedPair]:
        keys = tuple(object.key for object in objects)
        return list(chain.from_iterable(self._judge_row(entity, objects, keys) for entity in entities))

    def _judge_row(
        self, entity: Entry, objects: Sequence[Entry], object_keys: tuple[tuple[str, ...], ...]
    ) -> list[PreparedPair]:
        row = self._rows.get(key := (entity.key, object_keys))
        if row is None:
            row = [pair for object in objects for pair in self._judge(entity, object)]
            self._rows.put(key, row)
        return row

    def _judge(self, entity: Entry, object: Entry) -> tuple[PreparedPair, ...]:
        pairs = self._pairs.get(key := (entity.key, object.key))
        if pairs is None:
            pairs = tuple(_prepare(verdict, _PAIRS) for verdict in self.judge.judge_entries(entity, object))
            self._pairs.put(key, pairs)
        return pairs

    def find_lists(
        self, entities: Iterable[HerbNode], objects_key: tuple[object, ...], make: Callable[[HerbNode], EntityResults]
    ) -> list[EntityResults]:
        """Return the list of each entity with what was asked, which `objects_key` tells from anything else asked."""
        lists = []
        for entity in entities:
            kept = self._lists.get(key := (entity.id, objects_key))
            if kept is None:
                self._lists.put(key, kept := make(entity))
            lists.append(kept)
        return lists

    def format_page(self, page: Sequence[WarningGroup], lists: Iterable[EntityResults]) -> list[PreparedResult]:
        """Return the results of a first page, which begins the list of every entity on it."""
        counts = Counter(group.entity.id for group in page)
        results = {kept.entity_id: iter(kept.format_first(counts[kept.entity_id], self)) for kept in lists}
        return [next(results[group.entity.id]) for group in page]

    def format_group(self, formatter: ResultFormatter, group: WarningGroup) -> PreparedResult:
        key = formatter.make_key(group)
        result = self._results.get(key)
        if result is None:
            result = _prepare(formatter.format_group(group), _RESULTS)
            self._results.put(key, result)
        formatter.mark_shown(result.shape)
        return result

    def format_references(
        self, results: Iterable[PreparedResult], sources: Mapping[str, HerbSource]
    ) -> list[PreparedReference]:
        """Return the sources of what was asked, in the order in which the results cite them."""
        cited = (result.shape.sources for result in results if result.shape.narrowed)
        ids = dict.fromkeys(chain.from_iterable(cited))
        return [self._references.get(id) or self._format_reference(sources[id]) for id in ids if id in sources]

    def _format_reference(self, source: HerbSource) -> PreparedReference:
        reference = self._references[source.id] = _prepare(format_reference(source), _REFERENCES)
        return reference

    def format_coverage(self, entity: HerbNode, nodes: Mapping[str, HerbNode]) -> PreparedCoverage:
        coverage = self._coverage.get(entity.id)
        if coverage is None:
            record = self.judge.check.measure_coverage(entity)
            coverage = _prepare(format_coverage(record, nodes, self.judge.lang), _COVERAGE)
            self._coverage[entity.id] = coverage
        return coverage
