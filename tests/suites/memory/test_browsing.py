from __future__ import annotations

from sanya.kernel.calls.call import Caller, Refused
from tests.suites.memory.memory_harness import MemoryHarness


async def test_forgetting_tells_first_and_then_erases_for_ever(harness: MemoryHarness) -> None:
    old = await harness.send("The staging server runs on port 8443.")
    new = await harness.send("Correction: the staging server runs on port 9443, not 8443.")
    await harness.consolidator.consolidate_now()
    told = await harness.call("forget_memory", memory_id=new)
    assert (told["status"], told["erased"], told["affected"]) == ("dry_run", [new], [old])
    assert len(await harness.find("staging port")) == 2
    done = await harness.call("forget_memory", memory_id=new, dry_run=False)
    assert (done["status"], done["erased"]) == ("erased", [new])
    (left,) = await harness.find("staging port")
    assert (left["id"], left["superseded_by"]) == (old, None)
    assert (await harness.call("forget_memory", memory_id=new))["status"] == "not_found"


async def test_forgetting_needs_a_scope_of_its_own(harness: MemoryHarness) -> None:
    caller = Caller("agent", frozenset({"memory:write", "memory:read"}))
    outcome = await harness.call_tool("forget_memory", {"memory_id": "mem_0123456789abcdef"}, caller)
    assert isinstance(outcome, Refused)
    assert outcome.error["error_code"] == "unauthorized"


async def test_memories_are_listed_page_by_page_newest_first(harness: MemoryHarness) -> None:
    ids = [await harness.send(f"Note {number}.") for number in range(5)]
    first = await harness.call("list_memories", limit=2)
    second = await harness.call("list_memories", limit=2, cursor=first["next_cursor"])
    last = await harness.call("list_memories", limit=2, cursor=second["next_cursor"])
    listed = [memory["id"] for page in (first, second, last) for memory in page["memories"]]
    assert listed == ids[::-1]
    assert last["next_cursor"] is None
    foreign = await harness.call("list_memories", limit=2, type="Event", cursor=first["next_cursor"])
    assert foreign["status"] == "rejected"


async def test_memories_are_listed_by_source_rating_and_entity(harness: MemoryHarness) -> None:
    sent = await harness.send("Alice Brown signed the lease.", source={"ref": "minutes 4"}, confidence_hint="B")
    await harness.send("It rained.")
    await harness.consolidator.consolidate_now()
    by_source = await harness.call("list_memories", source="minutes 4")
    by_rating = await harness.call("list_memories", min_confidence="B3")
    by_entity = await harness.call("list_memories", entity="Alice Brown")
    for body in (by_source, by_rating, by_entity):
        assert [memory["id"] for memory in body["memories"]] == [sent]
    assert (await harness.call("list_memories", since="2027-01-01"))["memories"] == []
    assert (await harness.call("list_memories", entity="Nobody Known"))["status"] == "not_found"


async def test_an_entity_has_its_names_and_its_timeline(harness: MemoryHarness) -> None:
    first = await harness.send("Robert Stone is also known as Bobby.")
    second = await harness.send("Robert Stone joined Acme Corp in 2024.")
    await harness.consolidator.consolidate_now()
    (entity,) = (await harness.call("get_entity", entity="Bobby"))["entities"]
    assert (entity["name"], entity["aliases"]) == ("Robert Stone", ["Bobby"])
    assert [memory["id"] for memory in entity["memories"]] == [first, second]
    participant = (await harness.find("Acme"))[0]["participants"][0]["id"]
    assert (await harness.call("get_entity", entity=participant))["status"] == "ok"
