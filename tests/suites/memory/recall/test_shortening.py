from __future__ import annotations

import orjson

from sanya.kernel.calls.call import Answered, Call
from tests.suites.memory.memory_harness import MemoryHarness

ALLOWED = 40_000


async def test_twenty_long_notes_are_shortened_and_not_refused(harness: MemoryHarness) -> None:
    for number in range(20):
        await harness.send(f"Note {number} about the turbine. " + "It turns and turns. " * 250)
    outcome = await harness.kernel.call(Call("get_memory", {"query": "turbine"}, max_answer_bytes=ALLOWED))
    assert isinstance(outcome, Answered), outcome
    assert len(orjson.dumps(outcome.body).decode()) <= ALLOWED
    assert outcome.body["meta"]["returned"] == len(outcome.body["memories"]) == 20
    assert outcome.body["meta"]["truncated"]
    assert outcome.body["meta"]["shortened"] == ["memories.content"]
    assert "memory://" in outcome.body["message"]
    assert all(memory["properties"]["content_chars"] > 5000 for memory in outcome.body["memories"])


async def test_a_long_thai_memory_can_be_found_and_read_page_by_page(harness: MemoryHarness) -> None:
    text = "กังหันหมุนอยู่ทุกวัน " * 3000
    memory_id = await harness.send(text)
    outcome = await harness.kernel.call(Call("get_memory", {"query": "กังหัน"}, max_answer_bytes=ALLOWED))
    assert isinstance(outcome, Answered), outcome
    pages, uri = [], f"memory://{memory_id}"
    while uri:
        read = await harness.kernel.read(Call(uri, {}))
        assert isinstance(read, Answered), read
        content = read.body
        pages.append(content["content"])
        uri = content["next"]
    assert "".join(pages) == text


async def test_a_short_answer_stays_as_it_is(harness: MemoryHarness) -> None:
    await harness.send("The turbine turns.")
    outcome = await harness.kernel.call(Call("get_memory", {"query": "turbine"}, max_answer_bytes=ALLOWED))
    assert isinstance(outcome, Answered), outcome
    assert (outcome.body["meta"]["shortened"], outcome.body["message"]) == ([], None)
