from __future__ import annotations

from typing import Any

from sanya.kernel.calls.call import OWNER, Answered, Call, Caller, Refused
from sanya.suites.memory.resources import PAGE_PAIRS
from tests.suites.memory.memory_harness import MemoryHarness

URI = "memory://contradictions"
PORT, OTHER_PORT = "The staging server runs on port 8443.", "The staging server runs on port 9443."


async def _read(harness: MemoryHarness, uri: str = URI, caller: Caller = OWNER) -> dict[str, Any]:
    outcome = await harness.kernel.read(Call(uri, {}, caller=caller))
    assert isinstance(outcome, Answered), outcome
    return outcome.body


def _list_ids(page: dict[str, Any]) -> list[list[str]]:
    return [[memory["id"] for memory in pair["memories"]] for pair in page["contradictions"]]


async def test_both_sides_of_a_contradiction_are_listed_without_a_question(harness: MemoryHarness) -> None:
    first = await harness.send(PORT, source={"type": "wiki", "ref": "servers"}, confidence_hint="B")
    second = await harness.send(OTHER_PORT, source={"ref": "letter 7"})
    page = await _read(harness)
    (pair,) = page["contradictions"]
    assert (page["state"], page["open"], page["settled"], page["next"]) == ("open", 1, 0, None)
    assert (pair["state"], pair["settled_by"]) == ("open", None)
    assert pair["nature"] in ("factual_conflict", "source_disagreement")
    later, earlier = pair["memories"]
    assert [later["id"], earlier["id"]] == [second, first]
    assert earlier["content"] == PORT
    assert earlier["sources"][0]["ref"] == "servers"
    assert earlier["confidence"] == await harness.read_rating(first)


async def test_what_replaces_a_side_settles_it_and_says_so(harness: MemoryHarness) -> None:
    first = await harness.send(PORT)
    await harness.send(OTHER_PORT)
    correction = await harness.send("Correction: the staging server runs on port 7443, not 8443.")
    page = await _read(harness, f"{URI}/settled/1")
    pair = next(pair for pair in page["contradictions"] if first in [side["id"] for side in pair["memories"]])
    assert (pair["state"], pair["settled_by"]) == ("settled", "replacement")
    replaced = next(side for side in pair["memories"] if side["id"] == first)
    assert replaced["superseded_by"] == correction
    assert page["summaries"][correction].startswith("Correction: the staging server")
    assert first not in [id for ids in _list_ids(await _read(harness)) for id in ids]


async def test_a_split_settles_it_and_its_undo_opens_it_again(harness: MemoryHarness) -> None:
    first, second = await harness.send(PORT), await harness.send(OTHER_PORT)
    assert _list_ids(await _read(harness)) == [[second, first]]
    split = await harness.correct(first, "split_entity", split_into=["There is a staging server.", "A port is 8443."])
    settled = await _read(harness, f"{URI}/settled/1")
    assert [pair["settled_by"] for pair in settled["contradictions"]] == ["retirement"]
    assert [side["is_retired"] for side in settled["contradictions"][0]["memories"]] == [False, True]
    assert _list_ids(await _read(harness)) == []
    await harness.correct(first, "split_entity", undo=split["details"]["undo"])
    assert _list_ids(await _read(harness)) == [[second, first]]


async def test_a_merge_of_both_sides_leaves_no_contradiction(harness: MemoryHarness) -> None:
    first, second = await harness.send(PORT), await harness.send(OTHER_PORT)
    assert _list_ids(await _read(harness)) == [[second, first]]
    await harness.correct(second, "merge_entities", merge_with=first)
    assert (await _read(harness, f"{URI}/all/1"))["contradictions"] == []


async def test_pages_follow_each_other_newest_first_and_hold_every_pair_once(harness: MemoryHarness) -> None:
    for number in range(PAGE_PAIRS + 3):
        await harness.send(f"The rent of hall {number + 101} is 12,000 baht.")
        await harness.send(f"The rent of hall {number + 101} is 15,000 baht.")
        await harness.consolidator.consolidate_now()
    first = await _read(harness, f"{URI}/all/1")
    assert (first["open"], first["pages"], first["next"]) == (PAGE_PAIRS + 3, 2, f"{URI}/all/2")
    last = await _read(harness, first["next"])
    assert (len(first["contradictions"]), len(last["contradictions"]), last["next"]) == (PAGE_PAIRS, 3, None)
    pairs = [*first["contradictions"], *last["contradictions"]]
    assert len({pair["id"] for pair in pairs}) == PAGE_PAIRS + 3
    found = [pair["detected_at"] for pair in pairs]
    assert found == sorted(found, reverse=True)


async def test_others_see_none_of_it_and_a_wrong_state_or_page_is_refused(harness: MemoryHarness) -> None:
    await harness.send(PORT)
    await harness.send(OTHER_PORT)
    stranger = Caller("stranger", frozenset({"memory:read"}))
    assert (await _read(harness, caller=stranger))["contradictions"] == []
    for uri, reason in ((f"{URI}/closed/1", "open, settled, all"), (f"{URI}/open/2", "page")):
        outcome = await harness.kernel.read(Call(uri, {}, caller=OWNER))
        assert isinstance(outcome, Refused)
        assert reason in str(outcome.error)


async def test_one_memory_names_what_replaced_it(harness: MemoryHarness) -> None:
    old = await harness.send(PORT)
    new = await harness.send("Correction: the staging server runs on port 7443, not 8443.")
    await harness.consolidator.consolidate_now()
    memory = await _read(harness, f"memory://{old}")
    assert memory["superseded_by"] == new
    assert memory["summaries"] == {new: "Correction: the staging server runs on port 7443, not 8443."}
