"""Answers before and after a document is ingested: it is found and cited, and raises no confidence."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import sanya.app
from sanya.app import App
from sanya.suites.herbs.graph.rows import WRITE_EDGE, WRITE_NODE, WRITE_SOURCE, to_edge_row, to_node_row, to_source_row
from tests.suites.herbs.ingest.proposals import proposed

pytestmark = pytest.mark.asyncio(loop_scope="session")
# Test inputs of our own making, not facts.
_CLAIMS = (
    "ขมิ้นชันใช้รักษามะเร็งตับ",
    "ขมิ้นชันรักษามะเร็งตับได้ดี ขมิ้นชันช่วยบรรเทามะเร็งตับ",
    "จากการศึกษาขมิ้นชันใช้รักษามะเร็งตับได้ผล",
    "ขมิ้นชันปลอดภัยเมื่อใช้ร่วมกับวาร์ฟาริน",
    "ควรระวังการใช้ขมิ้นชันร่วมกับวาร์ฟาริน",
)
_QUESTIONS = ("ขมิ้นชันรักษามะเร็งตับได้ไหม", "คนไข้กิน warfarin อยู่ กินขมิ้นชันได้ไหม")


async def ask(app: App, question: str) -> dict[str, Any]:
    return await app.call("tool.rag_answer", {"question": question})


async def test_no_answer_is_surer_or_milder_for_a_document(indexed_home: Path, home: Path) -> None:
    async with sanya.app.open(shutil.copytree(indexed_home, home)) as app:
        before = [await ask(app, question) for question in _QUESTIONS]
        diff = proposed(*_CLAIMS)
        async with app.database.transaction() as transaction:
            await transaction.execute_many(WRITE_SOURCE, [to_source_row(source) for source in diff.sources])
            await transaction.execute_many(WRITE_NODE, [to_node_row(node) for node in diff.nodes])
            await transaction.execute_many(WRITE_EDGE, [to_edge_row(edge) for edge in diff.edges])
            await transaction.execute("UPDATE revisions SET revision = revision + 1 WHERE suite = 'herbs'")
        after = [await ask(app, question) for question in _QUESTIONS]
        for then, now in zip(before, after, strict=True):
            assert now["answer"] == then["answer"]
            assert now["scores"]["answer_conf"] <= then["scores"]["answer_conf"]
            known = [citation for citation in now["citations"] if citation["basis"] != "document"]
            assert known == then["citations"]
            assert all(
                citation["review"] == "unreviewed" for citation in now["citations"] if citation["basis"] == "document"
            )
        told, tells = (body["safety"]["results"][0] for body in (before[1], after[1]))
        assert (tells["strength"], tells["basis"], tells["review"]) == (told["strength"], told["basis"], told["review"])
        found = await app.call("tool.hybrid_search", {"query": "ขมิ้นชันใช้รักษามะเร็งตับ", "filters": {"types": ["chunk"]}})
        assert any(hit["id"].startswith("doc:") for hit in found["hits"])
