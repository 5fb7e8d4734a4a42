"""Search and answers follow a decision: its text, and the silence of a rejected statement."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import sanya.app
from sanya.app import App
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.review.contract import Correction, DecisionInput
from sanya.suites.herbs.review.recording import RecordedDesk

# Ya Hom Nawakot with drugs of CYP3A4.
STATEMENT = "ix-0014"
# A word that nothing else in the graph has.
WORD = "rhabdomyolysis-like"


async def _search(app: App) -> str:
    body = await app.call("tool.hybrid_search", {"query": f"Ya Hom Nawakot {WORD} carbamazepine", "lang": "en"})
    return str([hit["snippet"] for hit in body["hits"]])


async def _ask(app: App) -> dict[str, Any]:
    question = "Does Ya Hom Nawakot interact with carbamazepine?"
    return dict(await app.call("tool.rag_answer", {"question": question, "lang": "en"}))


async def test_search_and_answers_follow_a_decision(indexed_home: Path, tmp_path: Path) -> None:
    home = shutil.copytree(indexed_home, tmp_path / "home")
    async with sanya.app.open(home) as app:
        desk = RecordedDesk(HerbStore(app.database), app.ledger)
        assert STATEMENT in str(await _ask(app))
        assert WORD not in await _search(app)
        changes = Correction(severity="major", effect_en=f"It caused {WORD} pain.", effect_th="ปวดกล้ามเนื้อ")
        await desk.decide(STATEMENT, DecisionInput(verdict="correct", reviewer="S.", changes=changes))
        assert WORD in await _search(app)
        assert WORD in str(await _ask(app))
        await desk.decide(STATEMENT, DecisionInput(verdict="reject", reviewer="S.", reason="another species"))
        assert WORD not in await _search(app)
        answer = str(await _ask(app))
        assert STATEMENT not in answer and WORD not in answer
