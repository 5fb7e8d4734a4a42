"""Keys, and the ledger row of every call."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

from sanya import App
from tests.crashes.ground import Fact, Ground, call_tool


class Keys:
    name = "keys"
    tools: frozenset[str] = frozenset()

    async def write(self, app: App, ground: Ground, number: int) -> AsyncIterator[Fact]:
        key = await app.keys.create(f"key {number}", ["tasks:read"])
        yield {"key": key, "step": "made"}
        if number % 2:
            await app.keys.revoke(key.split("_")[1])
            yield {"key": key, "step": "revoked"}

    async def check(self, app: App, ground: Ground, facts: Sequence[Fact]) -> None:
        revoked = {fact["key"] for fact in facts if fact["step"] == "revoked"}
        for key in {fact["key"] for fact in facts}:
            known = [listed_key for listed_key in await self._list_keys(app) if listed_key[0] == key.split("_")[1]]
            assert len(known) == 1, "an acknowledged key is lost"
            assert known[0][1] or key not in revoked, "a revoked key is back"
        for fact in facts[-1:]:
            caller = await app.keys.find(fact["key"])
            assert (caller is None) == (fact["step"] == "revoked") or fact["number"] % 2

    async def _list_keys(self, app: App) -> list[tuple[str, bool]]:
        return [(key.id, key.revoked_at is not None) for key in await app.keys.list()]


class PlainCalls:
    """The row of a read is written after its answer; once flushed it stays. Rows of writes are facts of their own
    paths."""

    name = "ledger"
    tools: frozenset[str] = frozenset()

    async def write(self, app: App, ground: Ground, number: int) -> AsyncIterator[Fact]:
        for limit in range(1, 8):
            read = await call_tool(app, "get_tasks", {"limit": limit})
        await app.ledger.flush()
        yield {"call": read.id}

    async def check(self, app: App, ground: Ground, facts: Sequence[Fact]) -> None:
        """The rows of all calls are checked after every kill."""


class FirstCalls:
    """The first calls of a new home, which load its starter data."""

    name = "first calls"
    tools: frozenset[str] = frozenset()
    calls: tuple[tuple[str, dict[str, Any]], ...] = (
        ("get_tasks", {"limit": 5}),
        ("get_rmf_funds", {"pageSize": 5}),
        ("corpus.checkpoint.get", {"checkpoint_id": "cp_samples"}),
        ("rag.get", {"doc_id": "pmid:9900000001"}),
        ("tool.query_kg", {"start": {"type": "herb", "id": "curcuma-longa"}, "limit": 5}),
    )

    async def write(self, app: App, ground: Ground, number: int) -> AsyncIterator[Fact]:
        for tool, arguments in self.calls:
            await call_tool(app, tool, arguments)
            yield {"tool": tool}

    async def check(self, app: App, ground: Ground, facts: Sequence[Fact]) -> None:
        """Killed or not, the home has all starter data."""
        for tool, arguments in self.calls:
            await call_tool(app, tool, arguments)
        await app.library()
