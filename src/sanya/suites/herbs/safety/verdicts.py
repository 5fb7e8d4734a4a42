"""The verdict on every pair of an entity and an object of the request. No pair is left without one.

A pair is `warned` where a recorded statement covers it, `no_warning_recorded` where statements about the entity are on
record or not but none covers the object, and `not_checked` where a name was not understood. A statement that concerns
anyone (a poisonous plant) warns about every pair, if it is severe; a mild general remark does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sanya.suites.herbs.contract import EntityCandidate
from sanya.suites.herbs.graph.model import HerbNode
from sanya.suites.herbs.safety.check import AttributedWarning, SafetyCheck
from sanya.suites.herbs.safety.contract import PairVerdict
from sanya.suites.herbs.safety.entries import Entry
from sanya.suites.herbs.safety.messages import MessageLanguage, format_pair_message
from sanya.suites.herbs.safety.severity import Severity, rank_severity

_GENERAL = ("anyone", "any_drug")
_LEAST_GENERAL_RANK = rank_severity("major")


@dataclass(frozen=True, slots=True)
class PairJudge:
    """Judges pairs in one language."""

    check: SafetyCheck
    lang: MessageLanguage

    def judge_all(self, entities: Sequence[Entry], objects: Sequence[Entry]) -> list[PairVerdict]:
        return [verdict for entity in entities for object in objects for verdict in self._judge_entries(entity, object)]

    def _judge_entries(self, entity: Entry, object: Entry) -> list[PairVerdict]:
        """Judge an ambiguous entity candidate by candidate. All nodes of an object count together."""
        if entity.status == "unknown" or object.status == "unknown":
            return [self._refuse(entity, object)]
        if object.status == "ambiguous":
            apart = [Entry(object.given, object.field, "ambiguous", (node,)) for node in object.nodes]
        else:
            apart = [object]
        return [self._judge(entity, node, part) for node in entity.nodes for part in apart]

    def _judge(self, entity: Entry, node: HerbNode, object: Entry) -> PairVerdict:
        warnings = self._find_warnings(node, object)
        severity: Severity | None = warnings[0].severity if warnings else None
        on_record = self.check.measure_coverage(node).total
        is_ambiguous = "ambiguous" in (entity.status, object.status)
        return PairVerdict(
            entity=entity.given,
            entity_id=node.id,
            object=object.given,
            object_ids=[target.id for target in object.nodes],
            verdict="warned" if warnings else "no_warning_recorded",
            severity=severity,
            statement_ids=list(dict.fromkeys(warning.edge.fact for warning in warnings)),
            on_record=on_record,
            is_ambiguous=is_ambiguous,
            candidates=[],
            message=format_pair_message(node, object, severity, on_record, self.lang),
        )

    def _refuse(self, entity: Entry, object: Entry) -> PairVerdict:
        unknown = entity if entity.status == "unknown" else object
        return PairVerdict(
            entity=entity.given,
            entity_id=entity.nodes[0].id if entity.status == "known" else None,
            object=object.given,
            object_ids=[target.id for target in object.checked_nodes],
            verdict="not_checked",
            severity=None,
            statement_ids=[],
            on_record=0,
            is_ambiguous="ambiguous" in (entity.status, object.status),
            candidates=to_candidates(unknown.nodes, self.lang),
            message=format_pair_message(None, unknown, None, 0, self.lang),
        )

    def _find_warnings(self, entity: HerbNode, object: Entry) -> list[AttributedWarning]:
        found: dict[tuple[str, str | None], AttributedWarning] = {}
        for target in object.nodes:
            related = self.check.expand_object(target)
            for warning in self.check.list_warnings(entity):
                relation = related.get(warning.edge.to_id)
                if relation is None or (relation in _GENERAL and rank_severity(warning.severity) < _LEAST_GENERAL_RANK):
                    continue
                found.setdefault((warning.edge.id, warning.via), warning)
        return sorted(found.values(), key=lambda warning: warning.sort_key)


def to_candidates(nodes: Sequence[HerbNode], lang: MessageLanguage) -> list[EntityCandidate]:
    return [EntityCandidate(id=node.id, label=node.get_label(lang), type=node.type) for node in nodes]
