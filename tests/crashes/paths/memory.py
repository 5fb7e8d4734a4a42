"""Memories: sent, corrected, forgotten, consolidated into the graph, imported from notes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

from sanya import App
from sanya.assembly.memory import build_memory_parts
from sanya.kernel.calls.call import OWNER, Caller
from sanya.suites.memory.graph.consolidation import Consolidator
from sanya.suites.memory.owner import import_file
from tests.crashes.ground import Fact, Ground, call_tool

_UNTRACED = (
    "SELECT count(*) FROM memories m WHERE m.retired_at IS NULL AND (NOT EXISTS "
    "(SELECT 1 FROM memory_traces t WHERE t.memory_id = m.id) OR NOT EXISTS (SELECT 1 FROM retrieval_documents d "
    "WHERE d.namespace = 'memory' AND d.id = m.id AND d.to_seq IS NULL))"
)
_STILL_FOUND = (
    "SELECT count(*) FROM memories m JOIN retrieval_documents d ON d.namespace = 'memory' AND d.id = m.id "
    "WHERE m.retired_at IS NOT NULL AND d.to_seq IS NULL"
)
_CORRECTED = "SELECT count(*) FROM memory_corrections"
_NOTES = 5
# Separate from the others: while they send, the queue of memories to consolidate never ends.
WEAVER = Caller("weaver", frozenset({"*"}))


async def _send(app: App, content: str, request_id: str | None = None, caller: Caller = OWNER) -> tuple[str, str]:
    sent = await call_tool(app, "send_memory", {"content": content}, request_id, caller)
    return str(sent.body["memory_id"]), sent.id


async def _check_searched(app: App) -> None:
    """Check that each memory is indexed and has its ranking data, and that a retired one has not."""
    assert [tuple(row) for row in await app.database.fetch(_UNTRACED)] == [(0,)]
    assert [tuple(row) for row in await app.database.fetch(_STILL_FOUND)] == [(0,)]


async def _read_memories(app: App, ids: Sequence[str], namespace: str = OWNER.id) -> dict[str, Any]:
    found = await build_memory_parts(app.database, app.library).store.reader.find_memories(namespace, ids)
    assert set(found) == set(ids), "an acknowledged memory is lost"
    return found


class Sending:
    name = "memory send"
    tools = frozenset({"send_memory"})

    async def write(self, app: App, ground: Ground, number: int) -> AsyncIterator[Fact]:
        id, call = await _send(app, self._make_content(number), f"send-{number}")
        yield {"call": call, "id": id}

    async def check(self, app: App, ground: Ground, facts: Sequence[Fact]) -> None:
        kept = await _read_memories(app, [fact["id"] for fact in facts])
        assert all(kept[fact["id"]].content == self._make_content(fact["number"]) for fact in facts)
        await _check_searched(app)
        for fact in facts[-1:]:
            # A client that did not see the answer repeats the call under the same id, and nothing is sent twice.
            arguments = {"content": self._make_content(fact["number"])}
            again = await call_tool(app, "send_memory", arguments, f"send-{fact['number']}")
            assert (again.body["memory_id"], again.replayed) == (fact["id"], True)
            # The whole text, because the tests' embedder confuses single unknown words.
            found = await call_tool(app, "get_memory", {"query": self._make_content(fact["number"]), "limit": 50})
            assert fact["id"] in [memory["id"] for memory in found.body["memories"]]

    @staticmethod
    def _make_content(number: int) -> str:
        return f"The lantern lantern{number}x hangs in the hall."


class Forgetting:
    """A sender of its own, so that no other path reads what is forgotten here."""

    name = "memory forget"
    tools = frozenset({"forget_memory"})
    _caller = Caller("forgetter", frozenset({"*"}))

    async def write(self, app: App, ground: Ground, number: int) -> AsyncIterator[Fact]:
        id, _ = await _send(app, f"The secret secret{number}x is forgotten.", f"forget-{number}", self._caller)
        done = await call_tool(app, "forget_memory", {"memory_id": id, "dry_run": False}, None, self._caller)
        assert done.body["status"] == "erased"
        yield {"call": done.id, "id": id}

    async def check(self, app: App, ground: Ground, facts: Sequence[Fact]) -> None:
        forgotten = {fact["id"] for fact in facts}
        kept = {str(id) for (id,) in await app.database.fetch("SELECT id FROM memories")}
        found = "SELECT id FROM retrieval_documents WHERE namespace = 'memory' AND to_seq IS NULL"
        searched = {str(id) for (id,) in await app.database.fetch(found)}
        assert not forgotten & (kept | searched), "an acknowledged forgetting is undone"


class Correcting:
    name = "memory correct"
    tools = frozenset({"correct_memory"})
    actions = ("annotate", "contest", "reclassify", "split_entity", "merge_entities")

    async def write(self, app: App, ground: Ground, number: int) -> AsyncIterator[Fact]:
        action = self.actions[number % len(self.actions)]
        target, _ = await _send(app, f"The bell bell{number}x is cracked. It rings low.")
        payloads: dict[str, dict[str, Any]] = {
            "annotate": {"note": f"seen {number}"},
            "contest": {"reason": f"heard {number}"},
            "reclassify": {"new_type": "observation"},
            "split_entity": {"split_into": [f"Bell bell{number}x is cracked.", f"Bell bell{number}x rings low."]},
        }
        payload = payloads.get(action, {})
        if action == "merge_entities":
            payload = {"merge_with": (await _send(app, f"The bell bell{number}x is old."))[0]}
        done = await call_tool(
            app, "correct_memory", {"target_id": target, "action": action, "payload": payload}, f"correct-{number}"
        )
        assert done.body["status"] == "applied", done.body
        yield {"call": done.id, "id": target, "action": action, "details": done.body["details"]}

    async def check(self, app: App, ground: Ground, facts: Sequence[Fact]) -> None:
        kept = await _read_memories(app, [fact["id"] for fact in facts])
        for fact in facts:
            await self._check_one(app, kept[fact["id"]], fact["action"], fact["details"])
        await _check_searched(app)
        # None is half-done: a retired memory names its successor, and that exists.
        parts = build_memory_parts(app.database, app.library)
        retired = await app.database.fetch("SELECT id FROM memories WHERE retired_at IS NOT NULL")
        for memory in (await _read_memories(app, [str(id) for (id,) in retired])).values():
            heirs = memory.properties.get("split_into") or [memory.properties["merged_into"]]
            assert len(await parts.store.reader.find_memories(OWNER.id, heirs)) == len(heirs)
        ((noted,),) = await app.database.fetch(_CORRECTED)
        assert int(str(noted)) >= len(facts)

    @staticmethod
    async def _check_one(app: App, memory: Any, action: str, details: dict[str, Any]) -> None:
        undo = await app.database.fetch("SELECT 1 FROM memory_corrections WHERE id = ?", (details["undo"],))
        assert len(undo) == 1, "a correction without its audit row"
        match action:
            case "annotate":
                assert [annotation["note"] for annotation in memory.properties["annotations"]] == [details["note"]]
            case "contest":
                assert memory.contests == 1
            case "reclassify":
                assert memory.type == "observation"
            case "split_entity":
                assert memory.retired_at and len(await _read_memories(app, details["children"])) == 2
            case _:
                (second,) = (await _read_memories(app, [details["merged"]])).values()
                assert second.retired_at and second.content in memory.content


class Consolidation:
    name = "memory consolidate"
    tools: frozenset[str] = frozenset()

    async def write(self, app: App, ground: Ground, number: int) -> AsyncIterator[Fact]:
        texts = [f"Person Mara{number}x was born in {1900 + number % 90}.", f"Mara{number}x lives in Chiang Mai."]
        ids = [(await _send(app, text, caller=WEAVER))[0] for text in texts]
        await Consolidator(build_memory_parts(app.database, app.library).store).consolidate_now(WEAVER.id)
        yield {"ids": ids}

    async def check(self, app: App, ground: Ground, facts: Sequence[Fact]) -> None:
        kept = await _read_memories(app, [id for fact in facts for id in fact["ids"]], WEAVER.id)
        assert all(memory.consolidated_at for memory in kept.values()), "an acknowledged weaving is lost"
        loose = await app.database.fetch(
            "SELECT count(*) FROM memory_edges e WHERE e.memory_id IS NOT NULL AND NOT EXISTS "
            "(SELECT 1 FROM memories m WHERE m.id = e.memory_id)"
        )
        assert [tuple(row) for row in loose] == [(0,)]
        # A memory is marked in the transaction that consolidates it: an unmarked one has no edges yet.
        early = await app.database.fetch(
            "SELECT count(*) FROM memory_edges e JOIN memories m ON m.id = e.memory_id "
            "WHERE m.content LIKE 'Person Mara%' AND m.consolidated_at IS NULL"
        )
        assert [tuple(row) for row in early] == [(0,)], "half a weaving"
        said = {str(id) for (id,) in await app.database.fetch("SELECT DISTINCT memory_id FROM memory_edges")}
        assert {fact["ids"][0] for fact in facts} <= said


class Notes:
    name = "memory import"
    tools: frozenset[str] = frozenset()

    async def write(self, app: App, ground: Ground, number: int) -> AsyncIterator[Fact]:
        text = "\n".join(f"- The shelf shelf{number}x holds book {at}." for at in range(_NOTES))
        store = build_memory_parts(app.database, app.library).store
        report = await import_file(store, OWNER.id, f"notes-{number}.md", text, None)
        yield {"created": report["created"]}

    async def check(self, app: App, ground: Ground, facts: Sequence[Fact]) -> None:
        rows = await app.database.fetch("SELECT content FROM memories WHERE content LIKE '%The shelf shelf%'")
        texts = [str(text) for (text,) in rows]
        for fact in facts:
            assert sum(f"shelf{fact['number']}x" in text for text in texts) == fact["created"]
        await _check_searched(app)
