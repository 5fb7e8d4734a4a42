"""The five corrections: what each does, that nothing is lost, that a trial changes nothing and an undo everything."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sanya.kernel.calls.call import OWNER
from tests.long_form import often
from tests.suites.memory.memory_harness import MemoryHarness

SOME = settings(
    max_examples=often(12, 40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["contest", "annotate", "merge_entities", "split_entity", "reclassify"]),
        st.integers(0, 30),
        st.integers(0, 30),
    ),
    min_size=1,
    max_size=4,
)


async def _some(harness: MemoryHarness) -> list[str]:
    first = await harness.send(
        "The plant starts in March.", source={"type": "minutes", "ref": "m1"}, confidence_hint="B"
    )
    second = await harness.send("The plant starts in spring.", source={"type": "press", "ref": "p1"}, agent_id="bo")
    third = await harness.send("So it starts soon.", derived_from=[first, second], confidence_hint="A")
    return [first, second, third]


def _payload(action: str, other: str, number: int) -> dict[str, Any]:
    payloads: dict[str, dict[str, Any]] = {
        "contest": {"reason": f"doubt {number}"},
        "annotate": {"note": f"note {number}"},
        "merge_entities": {"merge_with": other},
        "split_entity": {"split_into": [f"part {number}", f"other part {number}"]},
        "reclassify": {"new_type": f"Type{number}"},
    }
    return payloads[action]


async def _standing(harness: MemoryHarness) -> list[str]:
    return [memory.id for memory in await harness.parts.store.reader.list_by_arrival(OWNER.id)]


async def _provenance(harness: MemoryHarness, ids: list[str]) -> set[str]:
    found = await harness.parts.store.reader.find_sources(ids)
    return {source.id for some in found.values() for source in some}


@given(steps=STEPS)
@SOME
async def test_undoing_all_in_reverse_restores_the_state_and_a_trial_changes_nothing(
    harness: MemoryHarness, steps: list[tuple[str, int, int]]
) -> None:
    await _some(harness)
    start = await harness.hash_state()
    handles: list[tuple[str, str, str]] = []
    for action, at, other in steps:
        standing = await _standing(harness)
        target, second = standing[at % len(standing)], standing[other % len(standing)]
        before = await harness.hash_state()
        payload = _payload(action, second, at)
        tried = await harness.correct(target, action, **payload, dry_run=True)
        assert await harness.hash_state() == before
        done = await harness.correct(target, action, **payload)
        assert done["status"] == tried["status"]
        if done["status"] == "applied":
            handles.append((target, action, done["details"]["undo"]))
            assert tried["details"]["dry_run"] is True
    for target, action, handle in reversed(handles):
        undone = await harness.correct(target, action, undo=handle)
        assert undone["status"] == "applied", undone
    assert await harness.hash_state() == start


@given(steps=STEPS)
@SOME
async def test_contesting_lowers_and_merging_and_splitting_keep_all_provenance(
    harness: MemoryHarness, steps: list[tuple[str, int, int]]
) -> None:
    ids = await _some(harness)
    provenance = await _provenance(harness, ids)
    for action, at, other in steps:
        standing = await _standing(harness)
        reader = harness.parts.store.reader
        before = {
            memory_id: memory.rating for memory_id, memory in (await reader.find_memories(OWNER.id, standing)).items()
        }
        target = standing[at % len(standing)]
        await harness.correct(target, action, **_payload(action, standing[other % len(standing)], at))
        now = await reader.find_memories(OWNER.id, standing)
        if action == "contest":
            assert all(
                tuple(now[memory_id].rating) >= tuple(before[memory_id]) or str(before[memory_id]) == "F6"
                for memory_id in standing
            )
        assert provenance <= await _provenance(harness, await _standing(harness))
        # Nothing that was acknowledged becomes unreadable.
        assert set(now) == set(standing)


async def test_contest_steps_down_marks_and_cascades(harness: MemoryHarness) -> None:
    first, _, derived = await _some(harness)
    tried = await harness.correct(first, "contest", reason="the minutes were a draft", dry_run=True)
    changed = tried["details"]["changed"]
    assert changed[0]["before"] == "B3" or changed[1]["before"] == "B3"
    assert {change["id"] for change in changed} == {first, derived}
    done = await harness.correct(first, "contest", reason="the minutes were a draft")
    assert done["details"]["changed"] == changed
    assert (await harness.read_rating(first), await harness.read_rating(derived)) == ("B4", "F4")
    (found,) = [memory for memory in await harness.find("plant starts in March") if memory["id"] == first]
    assert found["properties"]["contested"] is True
    assert found["properties"]["contests"][0]["reason"] == "the minutes were a draft"


async def test_a_contest_no_longer_speaks_for_others(harness: MemoryHarness) -> None:
    claim = "Flight AC123 departed JFK at 09:00."
    first = await harness.send(claim, source={"type": "flight_log", "ref": "log"}, confidence_hint="B")
    second = await harness.send(claim, source={"type": "atc", "ref": "tower"}, confidence_hint="B")
    await harness.consolidator.consolidate_now()
    assert (await harness.read_rating(first), await harness.read_rating(second)) == ("B2", "B2")
    await harness.correct(second, "contest", reason="forged")
    assert (await harness.read_rating(first), await harness.read_rating(second)) == ("B3", "B3")


async def test_merge_joins_texts_keeps_the_best_rating_and_unites_sources(harness: MemoryHarness) -> None:
    first, second, _ = await _some(harness)
    await harness.correct(second, "merge_entities", merge_with=first)
    found = await harness.parts.store.reader.find_memories(OWNER.id, [first, second])
    assert found[second].content == "The plant starts in spring.\nThe plant starts in March."
    assert str(found[second].rating) == "B3"
    assert found[first].retired_at is not None
    refs = {source.ref for source in (await harness.parts.store.reader.find_sources([second]))[second]}
    assert {"m1", "p1"} <= refs
    assert first not in {memory["id"] for memory in await harness.find("plant starts in March")}


async def test_split_keeps_the_letter_and_begins_again_at_three(harness: MemoryHarness) -> None:
    first, _, _ = await _some(harness)
    await harness.correct(first, "contest", reason="hm")
    details = (await harness.correct(first, "split_entity", split_into=["It starts.", "In March."]))["details"]
    children = await harness.parts.store.reader.find_memories(OWNER.id, details["children"])
    assert {str(memory.rating) for memory in children.values()} == {"B3"}
    assert {memory["id"] for memory in await harness.find("starts March")} >= set(details["children"])
    assert (await harness.correct(first, "annotate", note="too late"))["status"] == "not_found"


async def test_reclassify_and_annotate_keep_their_history(harness: MemoryHarness) -> None:
    target = await harness.send("The plant starts in March.")
    for kind in ("Event", "Plan"):
        await harness.correct(target, "reclassify", new_type=kind)
    await harness.correct(target, "annotate", note="seen by Bo")
    (found,) = await harness.find("plant")
    assert found["type"] == "Plan"
    assert [entry["from"] for entry in found["properties"]["reclassifications"]] == ["Fact", "Event"]
    assert found["properties"]["annotations"][0]["note"] == "seen by Bo"


async def test_an_undo_that_comes_too_late_is_refused_and_says_why(harness: MemoryHarness) -> None:
    target = await harness.send("The plant starts in March.")
    first = (await harness.correct(target, "annotate", note="one"))["details"]["undo"]
    second = (await harness.correct(target, "annotate", note="two"))["details"]["undo"]
    refused = await harness.correct(target, "annotate", undo=first)
    assert refused["status"] == "rejected"
    assert "later corrections first" in refused["message"]
    assert (await harness.correct(target, "annotate", undo=second))["status"] == "applied"
    assert (await harness.correct(target, "annotate", undo=second))["status"] == "rejected"
    assert (await harness.correct(target, "annotate", undo=first))["status"] == "applied"


@pytest.mark.parametrize("times", [1, 4, 12])
async def test_contest_after_contest_ends_at_f6(harness: MemoryHarness, times: int) -> None:
    target = await harness.send("The plant starts in March.", confidence_hint="D")
    for _ in range(times):
        await harness.correct(target, "contest", reason="The minutes say April")
    assert await harness.read_rating(target) == {1: "D4", 4: "E6", 12: "F6"}[times]


async def test_a_participant_as_the_target_of_a_correction_is_told_apart_from_a_memory(harness: MemoryHarness) -> None:
    await harness.send("Alice Brown signed the lease.")
    await harness.consolidator.consolidate_now()
    memories = (await harness.call("get_memory", query="who signed the lease"))["memories"]
    participant = memories[0]["participants"][0]
    for action, payload in (
        ("merge_entities", {"merge_with": memories[0]["id"]}),
        ("split_entity", {"split_into": ["a"]}),
    ):
        answer = await harness.correct(participant["id"], action, **payload)
        assert answer["status"] == "not_found"
        assert participant["name"] in answer["message"]
        assert "list_memories" in answer["message"]
    listed = await harness.call("list_memories", entity=participant["id"])
    assert [memory["id"] for memory in listed["memories"]] == [memories[0]["id"]]
