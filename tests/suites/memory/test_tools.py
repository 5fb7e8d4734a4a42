"""What the three tools promise: found at once, by words or meaning, in either language, and nobody else's."""

from __future__ import annotations

from pathlib import Path

import pytest

from sanya.kernel.calls.call import OWNER, Answered, Call, Caller
from sanya.kernel.storage.database import Database
from sanya.retrieval.terms import TermReader
from sanya.suites.memory.writes.sending import MemoryDraft, store_drafts
from tests.suites.memory.memory_harness import MemoryHarness, open_memory_harness

ANNA = Caller("key:anna", frozenset({"*"}))
AT = "2026-03-01T09:00:00.000Z"
BEN = Caller("key:ben", frozenset({"*"}))


@pytest.mark.parametrize(
    ("content", "query"),
    [
        ("The pilot plant in Rayong starts on 3 March.", "pilot plant"),
        ("คุณสมชายชอบกาแฟดำไม่ใส่น้ำตาล", "กาแฟดำ"),
        ("คุณสมชายชอบกาแฟดำไม่ใส่น้ำตาล", "coffee"),
        ("The automobile is in the yard.", "car"),
    ],
)
async def test_what_was_sent_is_found_by_the_very_next_question(
    harness: MemoryHarness, content: str, query: str
) -> None:
    for filler in ("Lunch was late.", "It rained in Trang.", "ประชุมเลื่อนไปวันจันทร์"):
        await harness.send(filler)
    sent = await harness.send(content)
    assert (await harness.find(query))[0]["id"] == sent


async def test_the_parts_of_a_score_add_up_to_it(harness: MemoryHarness) -> None:
    for number in range(5):
        await harness.send(f"Alice: note {number} about the plant in Rayong.")
    for memory in await harness.find("What did Alice say about the plant?"):
        assert sum(memory["score_parts"].values()) == memory["score"]
        assert {"words", "meaning", "neighbours", "episode", "recency", "rating", "graph"} <= set(memory["score_parts"])


async def test_the_filter_asks_for_letter_and_digit_before_the_limit(harness: MemoryHarness) -> None:
    for number in range(30):
        await harness.send(f"Rumour {number} about the plant.", confidence_hint="E")
    wanted = {await harness.send(f"Minutes {number} about the plant.", confidence_hint="B") for number in range(3)}
    doubted = await harness.send("Minutes 9 about the plant.", confidence_hint="A")
    await harness.correct(doubted, "contest", reason="no")
    body = await harness.call("get_memory", query="plant", min_confidence="C3", limit=2)
    assert body["meta"]["total_found"] == 3
    assert body["meta"]["truncated"] is True
    assert {memory["id"] for memory in body["memories"]} < wanted
    assert {memory["id"] for memory in await harness.find("plant", min_confidence="C3")} == wanted


async def test_truncation_is_told(harness: MemoryHarness) -> None:
    for number in range(6):
        await harness.send(f"Fact {number} about the plant.")
    few = (await harness.call("get_memory", query="plant", limit=2))["meta"]
    all_of_them = (await harness.call("get_memory", query="plant", limit=10))["meta"]
    assert (few["returned"], few["truncated"], few["total_found"]) == (2, True, 6)
    assert (all_of_them["returned"], all_of_them["truncated"]) == (6, False)


async def test_a_total_that_is_not_all_says_so(harness: MemoryHarness) -> None:
    drafts = [
        MemoryDraft(key=f"fact {number}", namespace=OWNER.id, content=f"Fact {number} about the plant.", created_at=AT)
        for number in range(140)
    ]
    await store_drafts(harness.parts.store, drafts[:100])
    all_of_them = (await harness.call("get_memory", query="plant", limit=100))["meta"]
    assert (all_of_them["total_found"], all_of_them["truncated"]) == (100, False)
    assert all_of_them["total_is_lower_bound"] is False
    few = (await harness.call("get_memory", query="plant", limit=2))["meta"]
    assert (few["total_found"], few["total_is_lower_bound"]) == (100, False)
    await store_drafts(harness.parts.store, drafts[100:])
    beyond = (await harness.call("get_memory", query="plant", limit=2))["meta"]
    assert 100 <= beyond["total_found"] < 140
    assert (beyond["total_is_lower_bound"], beyond["truncated"]) == (True, True)


async def test_one_weak_hit_in_working_memory_hides_nothing_in_the_graph(harness: MemoryHarness) -> None:
    old = [await harness.send(f"The turbine report number {number} is ready.") for number in range(3)]
    await harness.consolidator.consolidate_now()
    fresh = await harness.send("A turbine.")
    assert {memory["id"] for memory in await harness.find("turbine report ready")} == {*old, fresh}


async def test_compact_leaves_out_what_surrounds_a_memory(harness: MemoryHarness) -> None:
    await harness.send("Flight AC123 departed JFK at 09:00.", source={"type": "log", "ref": "l1"})
    body = await harness.call("get_memory", query="AC123", compact=True)
    (memory,) = body["memories"]
    assert (memory["sources"], memory["causal_chain"], memory["participants"], body["contradictions"]) == (
        [],
        [],
        [],
        [],
    )
    assert (await harness.find("AC123", include_sources=False))[0]["sources"] == []


async def test_the_same_question_has_the_same_answer(harness: MemoryHarness) -> None:
    for number in range(5):
        await harness.send(f"Fact {number} about the plant.")
    await harness.find("plant")
    first, second = [await harness.call_tool("get_memory", {"query": "plant"}) for _ in range(2)]
    assert first.stamp.out_hash == second.stamp.out_hash


async def test_a_repeated_request_is_one_memory(harness: MemoryHarness) -> None:
    call = Call("send_memory", {"content": "Once only."}, request_id="r-1")
    first, second = [await harness.kernel.call(call) for _ in range(2)]
    assert isinstance(second, Answered)
    assert first.body["memory_id"] == second.body["memory_id"]
    assert len(await harness.find("Once only")) == 1


async def test_the_same_text_twice_is_two_memories(harness: MemoryHarness) -> None:
    assert await harness.send("Twice.") != await harness.send("Twice.")


async def test_nobody_sees_or_corrects_anothers_memories(harness: MemoryHarness) -> None:
    hers = await harness.send("The vault opens at noon.", ANNA)
    await harness.send("The garden opens at noon.", BEN)
    assert [memory["id"] for memory in await harness.find("vault opens noon", ANNA)] == [hers]
    assert hers not in {memory["id"] for memory in await harness.find("vault", BEN)}
    body = await harness.call("correct_memory", BEN, target_id=hers, action="contest")
    assert body["status"] == "not_found"
    body = await harness.call("send_memory", BEN, content="So the vault is open.", derived_from=[hers])
    assert body["status"] == "rejected"
    own = await harness.send("My vault.", BEN)
    body = await harness.call(
        "correct_memory", BEN, target_id=own, action="merge_entities", payload={"merge_with": hers}
    )
    assert body["error_code"] == "invalid_merge_target"


async def test_those_who_are_set_to_share_share(database: Database, tmp_path: Path, reader: TermReader) -> None:
    group = frozenset({ANNA.id, BEN.id})
    async with open_memory_harness(database, tmp_path / "index", reader, shared_by=group) as harness:
        sent = await harness.send("The vault opens at noon.", ANNA)
        assert [memory["id"] for memory in await harness.find("vault", BEN)] == [sent]
        assert await harness.find("vault") == []


async def test_a_source_that_is_known_lends_its_letter(harness: MemoryHarness) -> None:
    await harness.send("One.", source={"type": "minutes", "ref": "board"}, confidence_hint="B")
    second = await harness.send("Two.", source={"type": "minutes", "ref": "board", "citation": "p. 2"})
    assert await harness.read_rating(second) == "B3"


async def test_what_is_derived_is_not_better_than_its_basis(harness: MemoryHarness) -> None:
    weak = await harness.send("A rumour.", confidence_hint="E")
    derived = await harness.send("So it is settled.", confidence_hint="A", derived_from=[weak])
    assert await harness.read_rating(derived) == "E3"
    await harness.correct(weak, "contest", reason="made up")
    assert await harness.read_rating(derived) == "E4"


async def test_what_another_remembers_does_not_show_in_the_scores(harness: MemoryHarness) -> None:
    for content in ("The quokka sleeps here.", "The garden is green.", "A garden and a quokka.", "Nothing else."):
        await harness.send(content, ANNA)
    await harness.send("Something of somebody else's.", BEN)
    before = {memory["id"]: memory["score_parts"] for memory in await harness.find("quokka garden", ANNA)}
    for number in range(5):
        await harness.send(f"Quokka {number} quokka.", BEN)
    after = {memory["id"]: memory["score_parts"] for memory in await harness.find("quokka garden", ANNA)}
    assert after == before
