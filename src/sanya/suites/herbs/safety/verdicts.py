"""The verdict on every pair of an entity and an object of the request. No pair is left without one.

A pair is `warned` where a recorded statement covers it, `no_warning_recorded` where statements about the entity are on
record or not but none covers the object, and `not_checked` where a name was not understood. A statement that concerns
anyone (a poisonous plant) warns about every pair, if it is severe; a mild general remark does not. A name that was only
guessed can be warned about, under that name, but never be found without a warning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sanya.suite.runtime import LruCache
from sanya.suites.herbs.contract import EntityCandidate
from sanya.suites.herbs.graph.model import HerbNode
from sanya.suites.herbs.safety.check import AttributedWarning, ObjectRelation, SafetyCheck
from sanya.suites.herbs.safety.contract import PairVerdict
from sanya.suites.herbs.safety.entry import Entry
from sanya.suites.herbs.safety.messages import JudgedPair, MessageLanguage, format_pair_message, format_unknown
from sanya.suites.herbs.safety.severity import rank_severity
from sanya.suites.herbs.safety.source_notices import describe_notices, list_notices

_GENERAL = ("anyone", "any_drug")
# Warnings about members of a class concern some of the drugs that were asked for, and not others.
_PARTIAL = ("member", "member_class", "narrower", "usual_drug")
_LEAST_GENERAL_RANK = rank_severity("major")
_FoundWarnings = list[tuple[AttributedWarning, ObjectRelation]]
MAX_KEPT_PAIRS = 10_000
KeptWarnings = LruCache[tuple[str, ...], _FoundWarnings]


@dataclass(frozen=True, slots=True)
class PairJudge:
    """Judges pairs in one language."""

    check: SafetyCheck
    lang: MessageLanguage
    kept: KeptWarnings = field(default_factory=lambda: KeptWarnings(MAX_KEPT_PAIRS))
    """What earlier requests found about pairs of nodes on the same graph."""

    def judge_all(self, entities: Sequence[Entry], objects: Sequence[Entry]) -> list[PairVerdict]:
        return [verdict for entity in entities for object in objects for verdict in self.judge_entries(entity, object)]

    def judge_entries(self, entity: Entry, object: Entry) -> list[PairVerdict]:
        """Judge an ambiguous entity candidate by candidate. All nodes of an object count together."""
        if "unknown" in (entity.status, object.status):
            return [self._refuse(entity, object)]
        is_split = object.status == "ambiguous"
        apart = [replace(object, nodes=(node,)) for node in object.nodes] if is_split else [object]
        verdicts = [self._judge(entity, node, part) for node in entity.nodes for part in apart]
        if "unsure" in (entity.status, object.status):
            return [verdict for verdict in verdicts if verdict.severity] or [self._refuse(entity, object)]
        return verdicts

    def _judge(self, entity: Entry, node: HerbNode, object: Entry) -> PairVerdict:
        found = self._find_warnings(node, object)
        on_record = self.check.measure_coverage(node).total
        pair = JudgedPair(
            entity=entity,
            node=node,
            object=object,
            severity=found[0][0].severity if found else None,
            on_record=on_record,
            partial=self._list_partial(found),
            is_allergen=self.check.has_any(node, object.allergens),
        )
        edges = [warning.edge for warning, _ in found]
        notices = list_notices(edges, self.check.sources)
        said = describe_notices(notices, edges, self.check.sources, self.lang)
        return PairVerdict(
            entity=entity.given,
            entity_id=node.id,
            object=object.given,
            object_ids=[target.id for target in object.nodes],
            verdict="warned" if found else "no_warning_recorded",
            severity=pair.severity,
            statement_ids=list(dict.fromkeys(warning.edge.fact for warning, _ in found)),
            on_record=on_record,
            is_ambiguous=entity.status != "known" or object.status != "known",
            candidates=[],
            message=format_pair_message(pair, self.lang) + said,
            notices=notices,
            entity_label=node.get_label(self.lang),
            object_labels=[target.get_label(self.lang) for target in object.nodes],
        )

    def _refuse(self, entity: Entry, object: Entry) -> PairVerdict:
        unclear = [entry for entry in (entity, object) if not entry.is_understood]
        candidates = {node.id: node for entry in unclear for node in entry.offered}
        return PairVerdict(
            entity=entity.given,
            entity_id=entity.nodes[0].id if entity.status == "known" else None,
            object=object.given,
            object_ids=[target.id for target in object.nodes] if object.is_understood else [],
            verdict="not_checked",
            severity=None,
            statement_ids=[],
            on_record=0,
            is_ambiguous="ambiguous" in (entity.status, object.status),
            candidates=to_candidates(list(candidates.values()), self.lang),
            message=" ".join(format_unknown(entry, self.lang) for entry in unclear),
            entity_label=entity.nodes[0].get_label(self.lang) if entity.status == "known" else None,
            object_labels=[target.get_label(self.lang) for target in object.nodes] if object.is_understood else [],
        )

    def _find_warnings(self, entity: HerbNode, object: Entry) -> _FoundWarnings:
        """Return the warnings about the pair with their relation to the object, the most severe first."""
        key = (entity.id, *object.target_key)
        found = self.kept.get(key)
        if found is None:
            found = self._collect_warnings(entity, object)
            self.kept.put(key, found)
        return found

    def _collect_warnings(self, entity: HerbNode, object: Entry) -> _FoundWarnings:
        by_object = self.check.group_warnings(entity)
        found: dict[tuple[str, str | None], tuple[AttributedWarning, ObjectRelation]] = {}
        for target in object.nodes:
            related = self.check.relate(entity, target, is_exact=object.is_exact, allergens=object.allergens)
            for id in by_object.keys() & related.keys():
                for warning in by_object[id]:
                    if related[id] in _GENERAL and rank_severity(warning.severity) < _LEAST_GENERAL_RANK:
                        continue
                    found.setdefault((warning.edge.id, warning.via), (warning, related[id]))
        return sorted(found.values(), key=lambda item: item[0].sort_key)

    def _list_partial(self, found: _FoundWarnings) -> tuple[str, ...]:
        """Return what the warnings are about where they concern only a part of what was asked for."""
        if not found or any(relation not in _PARTIAL for _, relation in found):
            return ()
        ids = dict.fromkeys(warning.edge.to_id for warning, _ in found)
        return tuple(self.check.get_label(id, self.lang) for id in ids)


def to_candidates(nodes: Sequence[HerbNode], lang: MessageLanguage) -> list[EntityCandidate]:
    return [EntityCandidate(id=node.id, label=node.get_label(lang), type=node.type) for node in nodes]
