"""Shapes of the resources: a herb, a paper, and any other node of the graph."""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict, Field

from sanya.suite import Shape
from sanya.suite.citations import PaperStanding
from sanya.suites.herbs.contract import OwnerDecision
from sanya.suites.herbs.graph.model import EdgeType, HerbSource, NodeType, ReviewState, Strength
from sanya.suites.herbs.safety.severity import Severity


class HerbNames(Shape):
    th: str
    """Thai name"""
    en: str
    """English name"""
    la: str
    """Latin name"""
    others: list[str]
    """Aliases and synonyms, in any language"""


class HerbConstituent(Shape):
    id: str
    """Id"""
    name: str
    """Name"""
    basis: str
    """source or assigned"""
    sources: list[str]
    """Source ids"""


class HerbIndication(Shape):
    model_config = ConfigDict(validate_by_name=True)

    icd_code: str = Field(serialization_alias="icdCode")
    """ICD-10 code; empty where there is none"""
    description: str
    """In Thai"""
    description_en: str
    """In English"""
    id: str
    """Id"""
    icd_basis: str | None
    """Whether a source gave the code or it was assigned"""
    evidence_level: str | None
    """As the source grades it"""
    review: ReviewState
    """State"""
    sources: list[str]
    """Source ids"""


class HerbFormulation(Shape):
    id: str
    """Id"""
    name: str
    """Thai name"""
    part: str | None
    """Plant part used"""
    amount: str | None
    """As the formula gives it"""


class NodeSource(Shape):
    id: str
    """Id"""
    title: str | None
    """Title; null where not known"""
    year: int | None
    """Year; null where not known"""
    url: str | None
    """Where to read it"""
    review: ReviewState
    """State"""


def to_source(source: HerbSource) -> NodeSource:
    return NodeSource(id=source.id, title=source.title, year=source.year, url=source.url, review=source.review)


class ResourceWarning(Shape):
    id: str
    """Statement id"""
    kind: str
    """contraindication, precaution, toxicity or drug_interaction"""
    object_id: str
    """Drug or condition"""
    object: str
    """Its Thai name, else English"""
    object_en: str | None
    """Its English name"""
    severity: Severity
    """contraindicated, major, moderate or minor"""
    strength: Strength | None
    """Derived from the severity"""
    is_negative: bool
    """True: a study found no effect; it warns of nothing"""
    evidence_kind: str | None
    """official, trial, pharmacokinetic, observational, case_reports, animal, in_vitro or theoretical"""
    effect: str | None
    """What may happen, in Thai"""
    effect_en: str | None
    """In English"""
    management: str | None
    """What to do, in Thai"""
    management_en: str | None
    """In English"""
    route: str | None
    """oral, topical or any"""
    stated_for: str | None
    """Single-herb medicine that the source speaks of, if not of the herb"""
    review: ReviewState
    """needs_review: doubtful"""
    sources: list[str]
    """Source ids, described in references"""
    decision: OwnerDecision | None = None
    """Of the owner's reviewer"""


class ResourceDose(Shape):
    entity_id: str
    """Herb, or medicine of it alone"""
    route: str | None
    """oral or topical"""
    form: str | None
    """Form"""
    population: str | None
    """adult or child"""
    dose: str
    """In Thai"""
    dose_en: str
    """In English"""
    max_duration: str | None
    """Longest use, in Thai"""
    max_duration_en: str | None
    """In English"""
    review: ReviewState
    """State"""
    sources: list[str]
    """Source ids"""


class ResourceEvidence(Shape):
    indication: str
    """Use, in Thai"""
    indication_en: str
    """In English"""
    icd_code: str | None
    """ICD-10 code"""
    verdict: str
    """supports, mixed, insufficient or against"""
    evidence: str
    """rct, systematic_review, observational or traditional"""
    summary: str
    """In Thai"""
    summary_en: str
    """In English"""
    sources: list[str]
    """Source ids"""


class HerbResource(Shape):
    id: str
    """Id"""
    names: HerbNames
    """Names"""
    parts: list[str]
    """Plant parts used"""
    constituents: list[HerbConstituent]
    """What it contains"""
    indications: list[HerbIndication]
    """What it is used for"""
    sources: list[str]
    """Source ids"""
    formulations: list[HerbFormulation]
    """What it is part of"""
    warnings: int
    """How many warnings tool.find_contraindications has"""
    papers: list[str]
    """Papers that name it"""
    basis: str
    """Whether a source gave the species or it was assigned"""
    review: ReviewState
    """State"""
    note: str | None
    """What is doubtful"""
    statements: list[ResourceWarning] = Field(default=[])
    """Its own warnings, the most severe first; tool.find_contraindications adds inherited ones"""
    dosing: list[ResourceDose] = Field(default=[])
    """Doses as the sources give them"""
    evidence: list[ResourceEvidence] = Field(default=[])
    """What trials and reviews say of its uses"""
    references: list[NodeSource] = Field(default=[])
    """All sources cited above, with their addresses"""
    last_reviewed: str | None = None
    """Day of the last review"""
    rejected: list[ResourceWarning] = Field(default=[])
    """Statements that the owner's reviewer rejected; they warn of nothing"""


class PaperResource(Shape):
    pmid: str
    """PubMed id"""
    title: str
    """Title; empty where not known"""
    abstract: str
    """As PubMed has it, where the paper is stored here; the graph has none"""
    authors: list[str]
    """Those known; the graph knows the first at most"""
    journal: str
    """Journal; empty where not known"""
    year: int | None
    """Year; null where not known"""
    links: list[str]
    """Where to read it"""
    doi: str | None = None
    """DOI, where the paper is stored here"""
    stored: bool = False
    """Whether the papers suite holds the record, which then fills title, abstract, authors, journal and year"""
    standing: PaperStanding | None = None
    """retracted, concern or corrected, if the paper is"""
    advice: str | None = None
    """How to fill what is missing"""
    about: list[str]
    """Herbs and formulations that it names"""
    missing: list[str]
    """Fields that are not known"""
    review: ReviewState
    """State"""
    note: str | None
    """What is doubtful"""


class NodeStatement(Shape):
    type: EdgeType
    """Type of the edge"""
    outward: bool
    """Whether it goes from this node to the other"""
    other: str
    """Id of the other node"""
    label: str
    """Its label"""
    strength: Strength | None
    """Of a warning"""
    basis: str
    """What the judgement rests on"""
    review: ReviewState
    """State"""
    note: str | None
    """What is doubtful"""
    sources: list[str]
    """Source ids"""
    details: dict[str, Any]
    """What the source says beside: amount and part, mechanism, evidence"""
    decision: OwnerDecision | None = None
    """Of the owner's reviewer; a rejected statement does not warn"""


class NodeResource(Shape):
    id: str
    """Id"""
    type: NodeType
    """Type"""
    label: str
    """Thai name, else English"""
    label_en: str | None
    """English name"""
    names: list[str]
    """All names"""
    details: dict[str, Any]
    """What only nodes of this type have"""
    statements: list[NodeStatement]
    """What is said of it, by id; at most 500"""
    sources: list[NodeSource]
    """Its sources"""
    basis: str
    """What it rests on"""
    review: ReviewState
    """State"""
    note: str | None
    """What is doubtful"""
    warnings: list[ResourceWarning] = Field(default=[])
    """Its own warnings, the most severe first; tool.find_contraindications adds inherited ones"""
    dosing: list[ResourceDose] = Field(default=[])
    """Doses as the sources give them"""
    evidence: list[ResourceEvidence] = Field(default=[])
    """What trials and reviews say of its uses"""
    references: list[NodeSource] = Field(default=[])
    """All sources cited above, with their addresses"""
    last_reviewed: str | None = None
    """Day of the last review"""
