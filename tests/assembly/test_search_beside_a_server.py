"""A command beside a server searches what is stored, although the server holds the files of the index."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import sanya
from sanya.app import App
from sanya.engines.index.embedded import index as embedded
from sanya.engines.index.folder_lock import FolderLock
from sanya.kernel.calls.call import Answered, Call, Refused

REMEMBERED = "Khun Malee takes warfarin."
ASKED = {
    "papers": ("rag.search", {"query": "turmeric for joint pain"}),
    "herbs": ("tool.hybrid_search", {"query": "turmeric"}),
    "memory": ("get_memory", {"query": "Which medicine does Malee take?"}),
}


async def ask(app: App, suite: str) -> Answered | Refused:
    tool, arguments = ASKED[suite]
    return await app.kernel.call(Call(tool, arguments))


def count_found(body: dict[str, Any]) -> int:
    return len(body.get("documents") or body.get("hits") or body.get("memories") or ())


async def test_the_first_search_of_a_home_finds_what_is_stored_whoever_opened_it_first(
    begun_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "_NOTHING_SHOWN_S", 120)  # both share an interpreter here
    async with sanya.open(begun_home, embedder="none") as server, sanya.open(begun_home, embedder="none") as command:
        await server.library()  # the server has the lock of the files, and no suite has asked for anything yet
        await command.kernel.call(Call("send_memory", {"content": REMEMBERED, "agent_id": "test"}))
        for suite in ASKED:
            for asked, app in enumerate((command, server)):
                outcome = await ask(app, suite)
                assert isinstance(outcome, Answered), outcome
                assert count_found(outcome.body), (suite, asked, outcome)


async def test_a_search_of_what_nobody_indexes_is_refused_with_the_reason(
    begun_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "_NOTHING_SHOWN_S", 0.2)
    stopped = FolderLock(begun_home / "index")
    assert stopped.try_acquire()  # as a process that holds it and does nothing
    async with sanya.open(begun_home, embedder="none") as app:
        for suite in ("papers", "herbs"):
            outcome = await ask(app, suite)
            assert isinstance(outcome, Refused), (suite, outcome)
            assert "still being indexed" in outcome.fault.message, outcome.fault.message
            assert outcome.fault.retry_after_ms
        stopped.release()
        monkeypatch.setattr(embedded, "_NOTHING_SHOWN_S", 60)
        for suite in ("papers", "herbs"):
            outcome = await ask(app, suite)
            assert isinstance(outcome, Answered) and count_found(outcome.body), (suite, outcome)
