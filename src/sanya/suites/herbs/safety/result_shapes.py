"""Conversion of the safety check's results into the shapes of its contract."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, cast

from sanya.suites.herbs.graph.model import HerbEdge, HerbNode, Strength
from sanya.suites.herbs.safety.check import AttributedWarning, CoverageRecord, RelatedObjects, WarningGroup
from sanya.suites.herbs.safety.contract import Contraindication, EntityCoverage, WarningStatement


@dataclass(frozen=True, slots=True)
class ResultFormatter:
    """Formats results in one language. `objects` are the drugs and conditions of the page, by id."""

    lang: Literal["th", "en"]
    objects: Mapping[str, HerbNode]
    related: RelatedObjects

    def format_group(self, group: WarningGroup) -> Contraindication:
        strongest, target = group.strongest, self.objects[group.object_id]
        is_inherited = all(warning.via for warning in group.warnings)
        return Contraindication(
            entity_id=group.entity.id,
            type=cast(Literal["herb", "formulation"], group.entity.type),
            contraindication=target.get_label(self.lang),
            evidence=_format_evidence(strongest),
            strength=cast(Strength, strongest.strength),
            object_id=target.id,
            object_type=cast(Literal["drug", "condition"], target.type),
            basis=strongest.basis,
            review=strongest.review,
            sources=_merge_lists(warning.edge.sources for warning in group.warnings),
            via=_merge_lists([warning.via] for warning in group.warnings if warning.via) if is_inherited else [],
            matched=[f"{id} ({relation})" for id, relation in self.related.get(target.id, {}).items()],
            statements=[self._format_statement(warning) for warning in group.warnings],
        )

    def _format_statement(self, warning: AttributedWarning) -> WarningStatement:
        edge = warning.edge
        return WarningStatement(
            id=edge.fact,
            kind=edge.data.get("kind", edge.type),
            text=edge.data.get(f"object_{self.lang}") or self.objects[edge.to_id].get_label(self.lang),
            evidence=_format_evidence(edge),
            strength=cast(Strength, edge.strength),
            basis=edge.basis,
            review=edge.review,
            note=edge.note,
            sources=list(edge.sources),
            via=warning.via,
            stated_for=edge.data.get("via_formulation"),
        )


def format_coverage(record: CoverageRecord) -> EntityCoverage:
    return EntityCoverage(
        entity_id=record.entity.id,
        status="recorded" if record.own else "inherited_only" if record.inherited else "none",
        own=record.own,
        inherited=record.inherited,
        silent_ingredients=record.silent_ingredients,
        unidentified_ingredients=record.unidentified_ingredients,
        note=record.entity.note,
    )


def _format_evidence(edge: HerbEdge) -> str:
    """Return the reasons that the source gives, or the kind of warning where it gives none."""
    reasons = [edge.data[key] for key in ("mechanism", "effect", "evidence") if edge.data.get(key)]
    return "; ".join(reasons) or str(edge.data.get("kind", edge.type)).replace("_", " ")


def _merge_lists(lists: Iterable[Iterable[str]]) -> list[str]:
    return list(dict.fromkeys(item for items in lists for item in items))
