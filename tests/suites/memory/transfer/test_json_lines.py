"""Out and in again without loss, notes and files of others, and forgetting for real."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sanya.engines.database import open_database
from sanya.kernel.calls.call import OWNER
from sanya.kernel.faults import InvalidArgument
from sanya.kernel.storage.database import Database
from sanya.retrieval.terms import TermReader
from sanya.suites.memory.owner import import_file, list_contradictions, list_timeline, show_memory
from sanya.suites.memory.transfer.json_lines import export_lines, import_lines
from sanya.suites.memory.transfer.notes import UnreadableNotes, read_knowledge_graph, read_markdown
from tests.suites.memory.memory_harness import MemoryHarness, open_memory_harness

NOTES = """---
title: x
---
# Trip

We met Anna
in Paris.

## Costs
- Train 40 euro
1. Hotel 200 euro

```
code = 1
```
"""
GRAPH = "\n".join(
    json.dumps(item)
    for item in (
        {"type": "entity", "name": "Bob", "entityType": "person", "observations": ["likes tea", "lives in Rayong"]},
        {"type": "entity", "name": "Acme", "entityType": "company", "observations": []},
        {"type": "relation", "from": "Bob", "to": "Acme", "relationType": "works_at"},
    )
)


async def _exported(harness: MemoryHarness) -> list[str]:
    return [line async for line in export_lines(harness.parts.store, OWNER.id)]


async def test_an_export_makes_the_same_memory_elsewhere(
    harness: MemoryHarness, database: Database, tmp_path: Path, reader: TermReader
) -> None:
    first = await harness.send("John Doe traveled to Rome on March 15, 2010.", source={"ref": "a", "type": "log"})
    second = await harness.send("John Doe not traveled to Rome on March 15, 2010.", source={"ref": "b", "type": "log"})
    await harness.send("ปลูกฟ้าทะลายโจรที่ระยอง", agent_id="bo")
    await harness.consolidator.consolidate_now()
    await harness.correct(first, "annotate", note="seen")
    await harness.correct(second, "split_entity", split_into=["one", "two"])
    await harness.consolidator.consolidate_now()
    lines = await _exported(harness)
    async with (
        open_database("", tmp_path / "other") as other_database,
        open_memory_harness(other_database, tmp_path / "other-index", reader) as other,
    ):
        report = await import_lines(other.parts.store, OWNER.id, lines)
        assert report.known == 0
        assert report.created == len(lines) - 1
        assert await other.hash_state() == await harness.hash_state()
        assert {memory["id"] for memory in await other.find("Rome")} == {
            memory["id"] for memory in await harness.find("Rome")
        }
        again = await import_lines(other.parts.store, OWNER.id, lines)
        assert again.created == 0
        assert await other.hash_state() == await harness.hash_state()


async def test_a_correction_goes_along_and_can_be_undone_elsewhere(
    harness: MemoryHarness, tmp_path: Path, reader: TermReader
) -> None:
    await harness.send("One more, so that numbers differ.")
    first = await harness.send("The kettle is in the kitchen.")
    second = await harness.send("The teapot is in the cellar.")
    before = await harness.hash_state()
    undo = (await harness.correct(first, "merge_entities", merge_with=second))["details"]["undo"]
    lines = [line for line in await _exported(harness) if "One more" not in line]
    async with (
        open_database("", tmp_path / "other") as other_database,
        open_memory_harness(other_database, tmp_path / "other-index", reader) as other,
    ):
        await other.send("Somebody was here before.")
        await import_lines(other.parts.store, OWNER.id, lines)
        shown = await show_memory(other.parts.store, OWNER.id, first)
        assert shown is not None
        assert [correction["action"] for correction in shown["corrections"]] == ["merge_entities"]
        undone = await other.correct(first, "merge_entities", undo=undo)
        assert undone["details"] == {"undone": undo}
        found = {memory["id"]: memory["content"] for memory in await other.find("kettle teapot kitchen cellar")}
        assert found[first] == "The kettle is in the kitchen."
        assert found[second] == "The teapot is in the cellar."
        assert (await import_lines(other.parts.store, OWNER.id, lines)).created == 0
    await harness.correct(first, "merge_entities", undo=undo)
    assert await harness.hash_state() == before


@pytest.mark.parametrize(
    "change", [{"changes": "[]x"}, {"changes": '[["users", null, {}]]'}, {"payload": "[]"}, {"caller": 7}]
)
async def test_a_correction_that_makes_no_sense_is_refused(harness: MemoryHarness, change: dict[str, object]) -> None:
    target = await harness.send("The kettle is in the kitchen.")
    await harness.correct(target, "annotate", note="seen")
    head, *rows = await _exported(harness)
    made = next(json.loads(line) for line in rows if "memory_corrections" in line)
    with pytest.raises(InvalidArgument, match="line 2 is not a row of a memory export"):
        await import_lines(harness.parts.store, OWNER.id, [head, json.dumps(made | {"row": made["row"] | change})])


@pytest.mark.parametrize("lines", [[], ["{}"], ["no"], ['{"format": "sanya-memory", "version": 9}']])
async def test_a_file_that_is_no_export_is_refused(harness: MemoryHarness, lines: list[str]) -> None:
    with pytest.raises(InvalidArgument):
        await import_lines(harness.parts.store, OWNER.id, lines)


async def test_a_row_that_makes_no_sense_is_named_by_its_line(harness: MemoryHarness) -> None:
    lines = [*await _exported(harness), '{"table": "memories", "row": {"id": "x"}}']
    with pytest.raises(InvalidArgument, match="line 2"):
        await import_lines(harness.parts.store, OWNER.id, lines)


def test_notes_become_paragraphs_and_points_under_their_headings() -> None:
    assert read_markdown(NOTES) == [
        ("We met Anna in Paris.", "Trip"),
        ("Train 40 euro", "Trip › Costs"),
        ("Hotel 200 euro", "Trip › Costs"),
        ("code = 1", "Trip › Costs"),
    ]


def test_a_knowledge_graph_becomes_observations_and_relations() -> None:
    assert [text for text, _ in read_knowledge_graph(GRAPH)] == [
        "Bob: likes tea",
        "Bob: lives in Rayong",
        "Acme is a company.",
        "Bob works at Acme.",
    ]
    with pytest.raises(UnreadableNotes, match="line 1"):
        read_knowledge_graph('{"type": "entity"}')


async def test_an_import_can_be_repeated_and_leaves_secrets_out(harness: MemoryHarness) -> None:
    text = NOTES + "\n- password: hunter2hunter2\n"
    first = await import_file(harness.parts.store, OWNER.id, "trip.md", text)
    again = await import_file(harness.parts.store, OWNER.id, "trip.md", text + "\n- One more\n")
    assert (first["format"], first["created"], first["known"]) == ("markdown", 5, 0)
    assert (again["created"], again["known"]) == (1, 5)
    found = await harness.find("hotel cost")
    assert found[0]["content"] == "Hotel 200 euro"
    assert found[0]["sources"][0]["citation"] == "Trip › Costs"
    assert not any("hunter2" in memory["content"] for memory in await harness.find("password"))


async def test_the_owner_sees_a_memory_its_history_and_what_contradicts_it(harness: MemoryHarness) -> None:
    first = await harness.send("John Doe traveled to Rome on March 15, 2010.", source={"ref": "a", "type": "log"})
    await harness.send("John Doe not traveled to Rome on March 15, 2010.", source={"ref": "b", "type": "log"})
    await harness.consolidator.consolidate_now()
    await harness.correct(first, "annotate", note="seen")
    shown = await show_memory(harness.parts.store, OWNER.id, first)
    assert shown is not None
    assert shown["corrections"][0]["action"] == "annotate"
    assert len(shown["contradictions"]) == len(await list_contradictions(harness.parts.store, OWNER.id)) == 1
    assert await list_timeline(harness.parts.store, OWNER.id, 10)
    assert await show_memory(harness.parts.store, "somebody else", first) is None


async def test_what_is_forgotten_is_gone_from_every_table_and_from_the_search(
    harness: MemoryHarness, tmp_path: Path
) -> None:
    kept = await harness.send("Alice: The picnic is on Sunday.", source={"ref": "chat"})
    gone = await harness.send("Alice: The xylophone hides in the cellar.", source={"ref": "chat"})
    after = await harness.send("Bob: Good to know.", source={"ref": "chat"})
    lone = await harness.send("Zanzibar holds the second xylophone.", source={"ref": "diary of Zoe"})
    await harness.consolidator.consolidate_now()
    await harness.correct(gone, "annotate", note="xylophone of the uncle")
    await harness.find("xylophone")
    forgotten = await harness.parts.forgetting.forget(OWNER.id, [gone, lone, "mem_x"], "2026-03-01T09:00:00.000Z")
    assert forgotten == sorted([gone, lone])
    for memory in await harness.find("xylophone in the cellar of Zanzibar"):
        assert memory["id"] in (kept, after)
    database = harness.parts.store.database
    tables = ["memories", "memory_traces", "memory_sources", "memory_nodes", "memory_names", "memory_edges"]
    tables += ["memory_contradictions", "memory_corrections", "memory_provenance", "retrieval_documents"]
    for table in tables:
        rows = repr(await database.fetch(f"SELECT * FROM {table}")).casefold()
        assert not any(word in rows for word in ("xylophone", "zanzibar", "diary of zoe")), table
    for path in (tmp_path / "index").rglob("*"):
        assert not path.is_file() or b"xylophon" not in path.read_bytes()
    buried = await database.fetch("SELECT memory_id FROM memory_tombstones ORDER BY memory_id")
    assert [row[0] for row in buried] == forgotten
    assert {memory["id"] for memory in await harness.find("picnic Sunday good to know")} == {kept, after}
    assert await harness.parts.forgetting.forget(OWNER.id, [gone], "2026-03-01T09:00:00.000Z") == []
