"""Lists the warnings, doses and evidence of a herb or a formulation, each with its sources, for its resource."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import orjson

from sanya.suites.herbs.contract import format_decision
from sanya.suites.herbs.graph.model import WARNING_EDGES, HerbEdge, HerbNode
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.resources.contract import (
    NodeSource,
    ResourceDose,
    ResourceEvidence,
    ResourceWarning,
    to_source,
)
from sanya.suites.herbs.safety.severity import get_severity, rank_severity

_Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SafetyFacts:
    """The safety facts about one node, the most severe warning first."""

    warnings: list[ResourceWarning]
    dosing: list[ResourceDose]
    evidence: list[ResourceEvidence]
    references: list[NodeSource]
    last_reviewed: str
    rejected: list[ResourceWarning]


async def describe_safety(store: HerbStore, node: HerbNode, edges: Sequence[HerbEdge]) -> SafetyFacts:
    """Return what is stated about the node itself; `edges` are its edges. Inherited warnings are the check's."""
    warnings = [edge for edge in edges if edge.from_id == node.id and edge.type in WARNING_EDGES]
    warnings.sort(key=lambda edge: (-rank_severity(get_severity(edge)), edge.id))
    stated = [edge for edge in warnings if not _is_rejected(edge)]
    others = await store.get_nodes(edge.to_id for edge in warnings)
    dosing = [_to_dose(row) for row in _load_table("dosing.jsonl") if node.id in (row["entity_id"], row.get("herb_id"))]
    evidence = [_to_evidence(row) for row in _load_table("evidence.jsonl") if row["entity_id"] == node.id]
    cited = _merge_lists(
        [
            node.sources,
            *(edge.sources for edge in warnings),
            *(dose.sources for dose in dosing),
            *(study.sources for study in evidence),
        ]
    )
    sources = await store.get_sources(cited)
    return SafetyFacts(
        warnings=[_to_warning(edge, others[edge.to_id]) for edge in stated],
        dosing=dosing,
        evidence=evidence,
        references=[to_source(sources[id]) for id in cited if id in sources],
        last_reviewed=max([_load_compilation_date(), *(edge.decision.date for edge in edges if edge.decision)]),
        rejected=[_to_warning(edge, others[edge.to_id]) for edge in warnings if _is_rejected(edge)],
    )


def _is_rejected(edge: HerbEdge) -> bool:
    decision = edge.decision
    return decision is not None and decision.verdict == "reject" and not decision.is_outdated


def _to_warning(edge: HerbEdge, target: HerbNode) -> ResourceWarning:
    return ResourceWarning(
        id=edge.fact,
        kind=edge.data.get("kind", edge.type),
        object_id=target.id,
        object=target.label,
        object_en=target.label_en,
        severity=get_severity(edge),
        strength=edge.strength,
        is_negative=edge.data.get("finding") == "negative",
        evidence_kind=edge.data.get("evidence"),
        effect=edge.data.get("effect_th"),
        effect_en=edge.data.get("effect_en"),
        management=edge.data.get("management_th"),
        management_en=edge.data.get("management_en"),
        route=edge.data.get("route"),
        stated_for=edge.data.get("via_formulation"),
        review=edge.review,
        sources=list(edge.sources),
        decision=format_decision(edge.decision),
    )


def _to_dose(row: _Row) -> ResourceDose:
    return ResourceDose(
        entity_id=row["entity_id"],
        route=row.get("route"),
        form=row.get("form"),
        population=row.get("population"),
        dose=row["dose_th"],
        dose_en=row["dose_en"],
        max_duration=row.get("max_duration_th"),
        max_duration_en=row.get("max_duration_en"),
        review=row["review"],
        sources=row["source_refs"],
    )


def _to_evidence(row: _Row) -> ResourceEvidence:
    return ResourceEvidence(
        indication=row["indication_th"],
        indication_en=row["indication_en"],
        icd_code=row.get("icd10"),
        verdict=row["verdict"],
        evidence=row["evidence"],
        summary=row["summary_th"],
        summary_en=row["summary_en"],
        sources=row["source_refs"],
    )


@cache
def _load_table(name: str) -> list[_Row]:
    lines = (files("sanya.suites.herbs") / "data" / name).read_bytes().splitlines()
    return [orjson.loads(line) for line in lines]


@cache
def _load_compilation_date() -> str:
    content = (files("sanya.suites.herbs") / "data" / "compiled.json").read_bytes()
    return str(orjson.loads(content)["compiled_on"])


def _merge_lists(lists: Iterable[Iterable[str]]) -> list[str]:
    return list(dict.fromkeys(item for items in lists for item in items))
