"""Typical wrong calls of models, each with what the text of the answer must say to bring the model back on the way."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import sanya
from sanya.kernel.calls.call import OWNER
from sanya.surfaces.mcp.calls import CallReader
from sanya.surfaces.mcp.results import build_tool_result

WRONG_CALLS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "data" / "wrong_calls.json").read_text("utf-8"))


def test_there_are_a_hundred_and_forty_wrong_calls() -> None:
    assert len(WRONG_CALLS) >= 140
    assert all(wrong["says"] for wrong in WRONG_CALLS)


async def test_every_wrong_call_is_answered_with_what_to_change(tmp_path: Path, filled_home: Path) -> None:
    problems = []
    async with sanya.open(shutil.copytree(filled_home, tmp_path / "home")) as app:
        reader = CallReader(app.kernel.catalogue, 25_000)
        for wrong in WRONG_CALLS:
            outcome = await app.kernel.call(reader.read_call(wrong["tool"], wrong["arguments"], {}, OWNER))
            text = build_tool_result(outcome)["content"][0]["text"]
            missing = [phrase for phrase in wrong["says"] if phrase not in text]
            if missing or '"status": "ok"' in text:
                problems.append((wrong["tool"], wrong["arguments"], missing, text[:300]))
    assert not problems, "\n".join(map(str, problems))
