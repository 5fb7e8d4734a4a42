"""Conversion of the safety check's results into the shapes of its contract."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from sanya.suites.herbs.contract import format_decision
from sanya.suites.herbs.facts.sentences import load_labels
from sanya.suites.herbs.graph.model import HerbEdge, HerbNode, HerbSource, Strength
from sanya.suites.herbs.safety.check import AttributedWarning, CoverageRecord, RelatedObjects, WarningGroup
from sanya.suites.herbs.safety.contract import Contraindication, EntityCoverage, SourceReference, WarningStatement
from sanya.suites.herbs.safety.severity import SEVERITIES, get_severity
from sanya.suites.herbs.safety.source_notices import list_notices

_APART = {"id", "via", "vias", "stated_for", "sources", "notices", "same_as"}
"""Fields in which statements of the same words may differ."""


@dataclass(slots=True)
class ResultFormatter:
    """Formats results in one language. `objects` are the drugs and conditions of the page, by id.

    A statement about several drugs or conditions is shown in full once for each entity; later results name it in
    `repeats`.
    """

    lang: Literal["th", "en"]
    objects: Mapping[str, HerbNode]
    related: RelatedObjects
    sources: Mapping[str, HerbSource] = field(default_factory=dict)
    _shown: dict[str, dict[str, str]] = field(default_factory=dict)
    """For each entity, the statements shown so far, and the id under which each is shown."""

    def make_key(self, group: WarningGroup) -> tuple[object, ...]:
        """Return all that a result depends on, on one graph in one language."""
        repeats = tuple(self._list_repeats(group))
        matched = tuple(self.related.get(group.object_id, {}).items())
        return (group.entity.id, group.object_id, group.is_matched, matched, repeats)

    def mark_shown(self, result: Contraindication) -> None:
        shown = self._shown.setdefault(result.entity_id, {})
        for statement in result.statements:
            shown.update((id, statement.id) for id in (statement.id, *statement.same_as))

    def _list_repeats(self, group: WarningGroup) -> list[str]:
        shown = self._shown.get(group.entity.id)
        return list(dict.fromkeys(shown[fact] for fact in group.facts if fact in shown)) if shown else []

    def format_group(self, group: WarningGroup) -> Contraindication:
        strongest, target = group.strongest, self.objects[group.object_id]
        is_inherited = all(warning.via for warning in group.warnings)
        via = _merge_lists([warning.via] for warning in group.warnings if warning.via) if is_inherited else []
        shown = self._shown.get(group.entity.id, {})
        fresh = [warnings for fact, warnings in group.facts.items() if fact not in shown]
        return Contraindication(
            entity_id=group.entity.id,
            type=cast(Literal["herb", "formulation"], group.entity.type),
            contraindication=target.get_label(self.lang),
            evidence=self._format_evidence(strongest),
            strength=cast(Strength, strongest.strength),
            object_id=target.id,
            object_type=cast(Literal["drug", "condition"], target.type),
            basis=strongest.basis,
            review=strongest.review,
            sources=_merge_lists(warning.edge.sources for warning in group.warnings),
            via=via,
            matched=[f"{id} ({relation})" for id, relation in self.related.get(target.id, {}).items()],
            statements=_merge_statements(self._format_statement(warnings) for warnings in fresh),
            severity=group.severity,
            effect=self._read_text(strongest, "effect"),
            management=self._read_text(strongest, "management"),
            narrowed=group.is_matched,
            repeats=self._list_repeats(group),
            entity_label=group.entity.get_label(self.lang),
            via_labels=[self.objects[id].get_label(self.lang) for id in via],
        )

    def _format_statement(self, warnings: Sequence[AttributedWarning]) -> WarningStatement:
        edge, vias = warnings[0].edge, _merge_lists([warning.via] for warning in warnings if warning.via)
        kind = edge.data.get("evidence")
        return WarningStatement(
            id=edge.fact,
            kind=edge.data.get("kind", edge.type),
            text=self._read_text(edge, "object") or self.objects[edge.to_id].get_label(self.lang),
            evidence=self._format_evidence(edge),
            strength=cast(Strength, edge.strength),
            basis=edge.basis,
            review=edge.review,
            note=self._read_text(edge, "note") if self.lang == "th" and edge.data.get("note_th") else edge.note,
            sources=list(edge.sources),
            via=warnings[0].via,
            stated_for=edge.data.get("via_formulation"),
            severity=get_severity(edge),
            evidence_kind=kind if edge.data.get("severity") in SEVERITIES else None,
            effect=self._read_text(edge, "effect"),
            mechanism=self._read_text(edge, "mechanism"),
            management=self._read_text(edge, "management"),
            route=edge.data.get("route"),
            source_phrase=self._read_text(edge, "source_phrase"),
            differences=[self._format_difference(other) for other in edge.data.get("differences", ())],
            vias=vias,
            decision=format_decision(edge.decision),
            notices=list_notices([edge], self.sources),
        )

    def _format_evidence(self, edge: HerbEdge) -> str:
        """Return effect and mechanism in the language of the answer, or what the source gives, or the kind of
        warning."""
        worded = [text for name in ("effect", "mechanism") if (text := self._read_text(edge, name))]
        if worded:
            return "; ".join(text.rstrip(".") for text in worded)
        reasons = [edge.data[key] for key in ("mechanism", "effect", "evidence") if edge.data.get(key)]
        return "; ".join(reasons) or self._read_label("kind", str(edge.data.get("kind", edge.type)))

    def _format_difference(self, other: Mapping[str, Any]) -> str:
        severity, evidence = (self._read_label(table, str(other[table])) for table in ("severity", "evidence"))
        effect = other.get(f"effect_{self.lang}")
        return f"{severity} ({evidence})" + (f": {effect}" if effect else "")

    def _read_label(self, table: str, value: str) -> str:
        words = load_labels()[table].get(value)
        return words[self.lang == "th"] if words else value.replace("_", " ")

    def _read_text(self, edge: HerbEdge, name: str) -> str | None:
        return edge.data.get(f"{name}_{self.lang}") or None


def _merge_statements(statements: Iterable[WarningStatement]) -> list[WarningStatement]:
    """Show statements in the same words once, with all vias and sources: several medicines of one herb have them, or
    the herb and its only medicine."""
    alike: dict[str, list[WarningStatement]] = {}
    for statement in statements:
        alike.setdefault(statement.model_dump_json(exclude=_APART), []).append(statement)
    return [merged for same in alike.values() for merged in _merge_alike(same)]


def _merge_alike(same: Sequence[WarningStatement]) -> Sequence[WarningStatement]:
    spoken_of = _merge_lists([statement.stated_for] for statement in same if statement.stated_for)
    if len(same) == 1 or len(spoken_of) > 1:
        return same
    lists = {name: _merge_lists(getattr(statement, name) for statement in same) for name in ("sources", "vias")}
    update = {
        **lists,
        "notices": [*{notice.source: notice for statement in same for notice in statement.notices}.values()],
        "stated_for": spoken_of[0] if spoken_of else None,
        "same_as": [statement.id for statement in same[1:]],
    }
    return [same[0].model_copy(update=update)]


def format_coverage(record: CoverageRecord, nodes: Mapping[str, HerbNode], lang: Literal["th", "en"]) -> EntityCoverage:
    return EntityCoverage(
        entity_id=record.entity.id,
        status="recorded" if record.own else "inherited_only" if record.inherited else "none",
        own=record.own,
        inherited=record.inherited,
        silent_ingredients=record.silent_ingredients,
        unidentified_ingredients=record.unidentified_ingredients,
        note=record.entity.get_note(lang),
        label=record.entity.get_label(lang),
        silent_labels=[nodes[id].get_label(lang) for id in record.silent_ingredients],
    )


def format_reference(source: HerbSource) -> SourceReference:
    return SourceReference(
        id=source.id,
        title=source.title,
        year=source.year,
        url=source.url,
        how_read=source.how_read,
        pmid=source.pmid,
        standing=source.standing,
    )


def _merge_lists(lists: Iterable[Iterable[str]]) -> list[str]:
    return list(dict.fromkeys(item for items in lists for item in items))
