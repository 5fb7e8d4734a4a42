"""The materials of an answer: the facts of one revision, and the safety check on the same graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from sanya.suites.herbs.facts.fact import WARNING_RELATIONS, FactRelation, HerbFact
from sanya.suites.herbs.graph.hierarchy import list_kindred
from sanya.suites.herbs.graph.model import HerbGraph, HerbNode, NodeType
from sanya.suites.herbs.questions.question import ParsedQuestion
from sanya.suites.herbs.questions.roles import Complaint, QuestionRoles
from sanya.suites.herbs.safety.check import AttributedWarning, SafetyCheck
from sanya.suites.herbs.safety.entry import Entry
from sanya.suites.herbs.safety.severity import rank_severity
from sanya.suites.herbs.safety.verdicts import PairJudge
from sanya.suites.herbs.search.index import IndexedGraph

_FIELDS: dict[NodeType, str] = {
    "herb": "herb_ids",
    "formulation": "formulation_ids",
    "drug": "drugs",
    "condition": "conditions",
}


_ALLERGY = "condition:hypersensitivity-to-ingredients"


def _is_about_level(warning: AttributedWarning) -> bool:
    return str(warning.edge.data.get("effect_class")).startswith("level")


def _is_allergy(warning: AttributedWarning) -> bool:
    return warning.edge.to_id == _ALLERGY


@dataclass(frozen=True)
class AnswerMaterials:
    """The parsed question beside the facts. The safety check is the one of tool.find_contraindications."""

    indexed: IndexedGraph
    question: ParsedQuestion
    roles: QuestionRoles

    @property
    def graph(self) -> HerbGraph:
        return self.indexed.graph

    @cached_property
    def check(self) -> SafetyCheck:
        return SafetyCheck(self.graph)

    @cached_property
    def _judge(self) -> PairJudge:
        return PairJudge(self.check, self.question.lang)

    def get_label(self, node_id: str) -> str:
        return self.graph.nodes[node_id].get_label(self.question.lang)

    def list_facts(self, node_id: str, *relations: FactRelation) -> list[HerbFact]:
        """Return the facts about a node of these relations, without those of documents."""
        facts = self.indexed.facts.by_subject.get(node_id, ())
        return [fact for fact in facts if fact.relation in relations and not fact.is_from_document]

    def find_pair_warnings(self, entity_id: str, object_id: str) -> list[HerbFact]:
        """Return the recorded warnings about a herb or formulation with a drug or condition, most severe first."""
        verdicts = self._judge.judge_all([self._to_entry(entity_id)], [self._to_entry(object_id)])
        statements = dict.fromkeys(id for verdict in verdicts for id in verdict.statement_ids)
        by_statement: dict[str, HerbFact] = {}
        for warning in self._list_warnings(entity_id):
            fact = self._find_fact(warning)
            if fact is not None and warning.edge.fact in statements:
                by_statement.setdefault(warning.edge.fact, fact)
        return [by_statement[statement] for statement in statements if statement in by_statement]

    def is_narrower(self, fact: HerbFact, object_id: str) -> bool:
        """Return whether a warning is about a narrower condition than the one asked for, which the asker need not have:
        of all births, those by caesarean."""
        related = self.check.expand_object(self.graph.nodes[object_id])
        named = [id for id in fact.objects if id in related]
        return bool(named) and all(related[id] == "narrower" and self._is_doubtful(id) for id in named)

    def _is_doubtful(self, narrower_id: str) -> bool:
        """Return whether the asker may well not have a narrower condition. An age or a stage of pregnancy may be the
        asker's, and a child with a fever has been named where a child and a fever are."""
        node = self.graph.nodes[narrower_id]
        named = {*self.roles.checked, *(id for complaint in self.roles.complaints for id in complaint.conditions)}
        return node.data.get("kind") != "population" and len(named & self._list_broader(node)) == 1

    def _list_broader(self, node: HerbNode) -> set[str]:
        return {id for id, relation in self.check.expand_object(node).items() if relation == "broader"}

    def find_group_warnings(self, entity_id: str, object_id: str) -> list[HerbFact]:
        """Return warnings of the entity about the nearest group that the drug or condition belongs to, most severe
        first. What changes the level of one medicine says nothing of another."""
        own = [warning for warning in self._list_warnings(entity_id) if not _is_about_level(warning)]
        for kindred in list_kindred(self.graph, object_id):
            facts = [self._find_fact(warning) for warning in own if warning.edge.to_id in kindred]
            if any(facts):
                return self.drop_same(fact for fact in facts if fact is not None)
        return []

    def find_main_warnings(self, entity_id: str, limit: int) -> list[HerbFact]:
        """Return the most severe warnings about a herb or formulation, its own before inherited ones."""
        warnings = self._list_warnings(entity_id)
        # That nobody takes what they are allergic to is known; of equal severity, the rest comes first.
        ordered = sorted(warnings, key=lambda warning: (-rank_severity(warning.severity), _is_allergy(warning)))
        facts = (self._find_fact(warning) for warning in ordered)
        return self.drop_same(fact for fact in facts if fact is not None)[:limit]

    def drop_same(self, facts: Iterable[HerbFact]) -> list[HerbFact]:
        """Return the facts without those that a herb and the medicine made of it alone have in common: a use, or a
        warning of the same kind and effect."""
        kept: dict[tuple[str, str, tuple[str, ...]], HerbFact] = {}
        for fact in facts:
            herb = str(self.graph.nodes[fact.subject].data.get("single_herb_id") or fact.subject)
            key = (herb, f"{fact.relation} {self._find_effect(fact)}", tuple(sorted(fact.objects)))
            # Warnings of one subject about one object differ in what they say.
            if key not in kept or kept[key].subject == fact.subject:
                kept.setdefault(key if key not in kept else (fact.id, fact.relation, ()), fact)
        return list(kept.values())

    def _find_effect(self, fact: HerbFact) -> str:
        """Return the kind and the effect of a warning in a word each, nothing for other facts."""
        edges = self.graph.get_edges(fact.subject) if fact.relation in WARNING_RELATIONS else ()
        found = (f"{edge.data.get('kind')} {edge.data.get('effect_class')}" for edge in edges if edge.id in fact.edges)
        return next(found, "")

    def rank_warning(self, entity_id: str, fact: HerbFact) -> int:
        """Return 4 for a contraindication down to 1 for a minor warning, 0 for what is no warning of the entity."""
        ranks = (rank_severity(w.severity) for w in self._list_warnings(entity_id) if self._find_fact(w) == fact)
        return max(ranks, default=0)

    def list_conditions(self, entity_id: str) -> tuple[str, ...]:
        """Return the drugs and conditions to check an entity against: all in the question, but for a complaint that
        the entity is used for."""
        own = (id for complaint in self.roles.complaints for id in self._list_complaint(entity_id, complaint))
        return tuple(dict.fromkeys((*self.roles.checked, *own)))

    def is_used_for(self, entity_id: str, complaint: Complaint) -> bool:
        return any(not complaint.uses.isdisjoint(fact.objects) for fact in self.list_facts(entity_id, "treats"))

    def list_single_herb_medicines(self, herb_id: str) -> list[str]:
        nodes = self.graph.nodes.values()
        return [node.id for node in nodes if node.data.get("single_herb_id") == herb_id]

    def _list_complaint(self, entity_id: str, complaint: Complaint) -> Iterable[str]:
        medicines = self.list_single_herb_medicines(entity_id)
        return () if any(self.is_used_for(id, complaint) for id in (entity_id, *medicines)) else complaint.conditions

    def _list_warnings(self, entity_id: str) -> Sequence[AttributedWarning]:
        warnings = self.check.list_warnings(self.graph.nodes[entity_id])
        return sorted(warnings, key=lambda warning: warning.sort_key)

    def _find_fact(self, warning: AttributedWarning) -> HerbFact | None:
        return self.indexed.facts.by_id.get(f"{warning.edge.from_id}/{warning.edge.fact}")

    def _to_entry(self, node_id: str) -> Entry:
        node = self.graph.nodes[node_id]
        return Entry(node.get_label(self.question.lang), _FIELDS[node.type], "known", (node,))
