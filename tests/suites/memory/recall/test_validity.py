from __future__ import annotations

from sanya.suites.memory.writes.sending import MemoryDraft, store_drafts
from tests.suites.memory.memory_harness import MemoryHarness

OLD = "The staging server runs on port 8443."
NEW = "Correction: the staging server now runs on port 9443, not 8443."
QUESTION = "Which port does the staging server use?"


async def _store(harness: MemoryHarness, **texts: str) -> dict[str, str]:
    """Store texts by the day on which each was sent (`d2026_02_01`), and return their ids."""
    drafts = [
        MemoryDraft(key=name, namespace="owner", content=text, created_at=f"{name[1:].replace('_', '-')}T09:00:00.000Z")
        for name, text in texts.items()
    ]
    stored = await store_drafts(harness.parts.store, drafts)
    await harness.consolidator.consolidate_now()
    return {name: memory.id for name, memory in zip(texts, stored, strict=True)}


async def test_what_was_corrected_comes_after_its_correction_and_says_until_when_it_held(
    harness: MemoryHarness,
) -> None:
    ids = await _store(harness, d2026_02_01=OLD, d2026_02_10=NEW)
    first, second = await harness.find(QUESTION)
    assert (first["id"], second["id"]) == (ids["d2026_02_10"], ids["d2026_02_01"])
    assert first["supersedes"] == [second["id"]]
    assert second["superseded_by"] == first["id"]
    assert second["valid_until"] == "2026-02-10T09:00:00.000Z"
    assert first["score"] == sum(first["score_parts"].values())


async def test_as_of_answers_what_was_known_then(harness: MemoryHarness) -> None:
    ids = await _store(harness, d2026_02_01=OLD, d2026_02_10=NEW)
    then = await harness.find(QUESTION, as_of="2026-02-05")
    assert [(memory["id"], memory["valid_until"]) for memory in then] == [(ids["d2026_02_01"], None)]
    assert await harness.find(QUESTION, as_of="2026-01-01T00:00:00Z") == []


async def test_a_time_that_is_none_is_refused(harness: MemoryHarness) -> None:
    body = await harness.call("get_memory", query="x", as_of="yesterday")
    assert (body["status"], body["error_code"]) == ("error", "validation_error")
    assert body["meta"]["query"] == "x"


async def test_sending_tells_what_is_corrected_contradicted_and_supported(harness: MemoryHarness) -> None:
    first = await harness.send(OLD)
    sent = await harness.call("send_memory", content=NEW)
    assert [(link["relation"], link["memory_id"]) for link in sent["links"]] == [("corrects", first)]
    await harness.send("The rent of the flat is 12,000 baht.")
    again = await harness.call("send_memory", content="The rent of the flat is 12,000 baht.")
    assert [link["relation"] for link in again["links"]] == ["supports"]
    other = await harness.call("send_memory", content="The rent of the flat is 15,000 baht.")
    assert {link["relation"] for link in other["links"]} == {"contradicts"}


async def test_a_correction_of_the_same_day_supersedes_and_contradicts_nothing(harness: MemoryHarness) -> None:
    await harness.send(OLD)
    await harness.send(NEW)
    await harness.consolidator.consolidate_now()
    body = await harness.call("get_memory", query=QUESTION)
    assert [memory["content"] for memory in body["memories"]] == [NEW, OLD]
    assert body["contradictions"] == []
