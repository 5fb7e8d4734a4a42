"""Results and verdicts of one graph in one language, formatted, validated and serialised once.

Most of a request about many herbs and drugs repeats what earlier ones held: the same herb with the same drug has the
same statements. Each part is kept under all that its words depend on, so a kept part is what would be made anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from sanya.suite import Shape
from sanya.suite.runtime import LruCache, PartMaker, PreparedPart
from sanya.suites.herbs.graph.model import HerbSource
from sanya.suites.herbs.safety.check import WarningGroup
from sanya.suites.herbs.safety.contract import Contraindication, ContraindicationPage, PairVerdict, SourceReference
from sanya.suites.herbs.safety.entry import Entry
from sanya.suites.herbs.safety.result_shapes import ResultFormatter, format_reference
from sanya.suites.herbs.safety.verdicts import PairJudge

S = TypeVar("S", bound=Shape)
_MAX_KEPT_RESULTS = 2_000
_MAX_KEPT_PAIRS = 10_000
_RESULTS = PartMaker(ContraindicationPage, "results")
_PAIRS = PartMaker(ContraindicationPage, "pairs")
_REFERENCES = PartMaker(ContraindicationPage, "references")


@dataclass(frozen=True, slots=True)
class PreparedShape(Generic[S]):
    """A shape of an answer and the part of the body that it becomes."""

    shape: S
    part: PreparedPart


PreparedResult = PreparedShape[Contraindication]
PreparedPair = PreparedShape[PairVerdict]
PreparedReference = PreparedShape[SourceReference]


def _prepare(shape: S, maker: PartMaker) -> PreparedShape[S]:
    return PreparedShape(shape, maker.make_part(shape))


@dataclass(frozen=True, slots=True)
class PreparedResults:
    judge: PairJudge
    _results: LruCache[tuple[object, ...], PreparedResult] = field(default_factory=lambda: LruCache(_MAX_KEPT_RESULTS))
    _pairs: LruCache[tuple[tuple[str, ...], tuple[str, ...]], tuple[PreparedPair, ...]] = field(
        default_factory=lambda: LruCache(_MAX_KEPT_PAIRS)
    )
    _references: dict[str, PreparedReference] = field(default_factory=dict)

    def judge_pairs(self, entities: Sequence[Entry], objects: Sequence[Entry]) -> list[PreparedPair]:
        keyed = [(object, object.key) for object in objects]
        return [
            pair
            for entity in entities
            for entity_key in (entity.key,)
            for object, object_key in keyed
            for pair in self._pairs.get((entity_key, object_key))
            or self._judge(entity, object, (entity_key, object_key))
        ]

    def _judge(
        self, entity: Entry, object: Entry, key: tuple[tuple[str, ...], tuple[str, ...]]
    ) -> tuple[PreparedPair, ...]:
        pairs = tuple(_prepare(verdict, _PAIRS) for verdict in self.judge.judge_entries(entity, object))
        self._pairs.put(key, pairs)
        return pairs

    def format_group(self, formatter: ResultFormatter, group: WarningGroup) -> PreparedResult:
        key = formatter.make_key(group)
        result = self._results.get(key)
        if result is None:
            result = _prepare(formatter.format_group(group), _RESULTS)
            self._results.put(key, result)
        formatter.mark_shown(group)
        return result

    def format_reference(self, source: HerbSource) -> PreparedReference:
        reference = self._references.get(source.id)
        if reference is None:
            reference = self._references[source.id] = _prepare(format_reference(source), _REFERENCES)
        return reference
