"""Short queries: what is in memory is not denied, and what is not in memory is not claimed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sanya
from sanya.app import App
from sanya.kernel.calls.call import Answered, Call
from sanya.suites.memory.word_lists import open_word_file

_FILE = open_word_file(str(Path(__file__).with_name("short_queries.py")))


async def call(app: App, tool: str, **arguments: Any) -> dict[str, Any]:
    outcome = await app.kernel.call(Call(tool, arguments))
    assert isinstance(outcome, Answered), outcome
    return outcome.body


async def test_a_short_query_finds_what_is_stored_and_nothing_else(embedded_home: Path) -> None:
    asked = [line.split(" =>") for line in _FILE.read_lines("asked")]
    async with sanya.open(embedded_home) as app:
        for text, _ in asked:
            await call(app, "send_memory", content=text)
        while await (await app.library()).embed_missing("memory"):
            pass
        queries = [(query.strip(), text) for text, queries in asked for query in queries.split("|") if query.strip()]
        assert len(queries) >= 40
        denied = []
        for query, text in queries:
            answer = await call(app, "get_memory", query=query, limit=5)
            if answer["meta"]["fit"] == "none" or answer["memories"][0]["content"] != text:
                denied.append(query)
        assert denied == []
        levels = [
            (await call(app, "get_memory", query=query))["meta"]["fit"] for query in _FILE.read_lines("unanswered")
        ]
        assert levels == ["none"] * len(levels)
