"""A small graph with warnings of every kind, on each engine, and a desk to decide about them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from sanya.kernel.calls.arguments import read_shape
from sanya.kernel.storage.database import Database
from sanya.suites.herbs.graph.model import EdgeType, HerbEdge
from sanya.suites.herbs.review.contract import DecisionInput
from sanya.suites.herbs.review.deciding import ReviewDesk
from sanya.suites.herbs.review.decision import ReviewDecision
from sanya.suites.herbs.review.reading import ReviewReader
from tests.suites.herbs.graph_harness import CHECK, GraphHarness, edge, insert_graph, node, open_graph_harness

REVIEWER = "ภญ. สมศรี"
SOURCE = {"title": "Monograph, 2nd ed.", "url": "https://example.org/monograph"}
GINGER, WARFARIN, ASPIRIN = node("ginger"), node("drug:warfarin", "drug"), node("drug:aspirin", "drug")
PREGNANCY = node("condition:pregnancy", "condition")


def warn(fact: str, target: Any, severity: str, evidence: str, **fields: Any) -> HerbEdge:
    strengths = {"contraindicated": "high", "major": "high", "moderate": "moderate", "minor": "low"}
    type: EdgeType = "interacts_with" if target.type == "drug" else "contraindicated_in"
    data = {
        "severity": severity,
        "evidence": evidence,
        "kind": "drug_interaction" if target.type == "drug" else "contraindication",
        "effect_en": f"Effect of {fact}",
        "effect_th": f"ผลของ {fact}",
        "management_en": "Ask a pharmacist.",
        "management_th": "ปรึกษาเภสัชกร",
        "note_th": "ยังไม่มีแหล่งข้อมูลสนับสนุน",
    }
    values = {
        "id": f"{fact}:{target.id}",
        "fact": fact,
        "strength": strengths[severity],
        "review": "needs_review",
        "note": "No source supports it.",
        "data": data | fields.pop("data", {}),
    }
    return edge(GINGER, type, target, **values | fields)


def list_edges() -> list[HerbEdge]:
    return [
        warn("ix-1", WARFARIN, "moderate", "theoretical"),
        warn("ix-1", ASPIRIN, "moderate", "theoretical"),
        warn("ix-2+sa-9", WARFARIN, "major", "official"),
        warn("ix-3", PREGNANCY, "contraindicated", "animal"),
        warn("ix-4", ASPIRIN, "minor", "in_vitro", review="reviewed", note=None),
    ]


@dataclass
class ReviewHarness:
    graph: GraphHarness
    desk: ReviewDesk
    reader: ReviewReader

    async def decide(self, statement: str, verdict: str, **fields: Any) -> ReviewDecision:
        document = {"verdict": verdict, "reviewer": REVIEWER, "date": "2026-01-05", **fields}
        return await self.desk.decide(statement, read_shape(DecisionInput, document, "the decision"))

    async def check(self, *drugs: str) -> dict[str, Any]:
        """Return the answer of the check without its stamp, which measures time."""
        body = await self.graph.call(CHECK, herb_ids=["ginger"], drugs=list(drugs), lang="en")
        return {name: value for name, value in body.items() if name != "audit"}

    async def read_statement(self, fact: str) -> dict[str, Any]:
        body = await self.graph.call(CHECK, herb_ids=["ginger"], lang="en")
        (statement,) = [
            statement for result in body["results"] for statement in result["statements"] if statement["id"] == fact
        ]
        found: dict[str, Any] = statement
        return found


@pytest.fixture
async def review(database: Database) -> AsyncIterator[ReviewHarness]:
    await insert_graph(database, [GINGER, WARFARIN, ASPIRIN, PREGNANCY], list_edges())
    async with open_graph_harness(database) as harness:
        yield ReviewHarness(harness, ReviewDesk(database), ReviewReader(harness.store))
