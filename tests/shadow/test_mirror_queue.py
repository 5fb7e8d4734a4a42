"""What a server hands to its shadow: all that can be compared, no more than may wait, and never a write in doubt."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from sanya.kernel.calls.call import Answered, Call, Outcome, Refused
from sanya.kernel.calls.stamp import Stamp
from sanya.kernel.contracts.tool import Tool
from sanya.kernel.faults import Fault, Forbidden, NotFound, RateLimited, StoreUnavailable
from sanya.shadow.mirror_queue import MirrorQueue
from sanya.shadow.wire import decode_call, encode_call
from tests.kernel.calls.test_comparison import TOOL

NOW = datetime(2026, 1, 1, tzinfo=UTC)
READ = TOOL
WRITE = replace(TOOL, name="demo.write", effect="write")
OUTSIDE = replace(WRITE, name="demo.sync", open_world=True)
STAMP = Stamp("in", "out", 1, 0, "ok")


def answered(tool: Tool, id: str, *, replayed: bool = False) -> Outcome:
    return Answered(id, tool, {"said": "ขิง"}, STAMP, "r", replayed)


def refused(tool: Tool, fault: Fault) -> Outcome:
    error = {"message": fault.message}
    return Refused("x", tool, fault, error, error, fault.message, "r", STAMP)


def feed_of(most: int = 10, *, mirrors_writes: bool = True) -> MirrorQueue:
    feed = MirrorQueue(most, mirrors_writes=mirrors_writes)
    feed.begin()
    return feed


def made(feed: MirrorQueue, tool: Tool, id: str, outcome: Outcome | None = None) -> None:
    feed.observe(id, tool, Call(tool.name, {"q": id}), NOW)(outcome or answered(tool, id))


def counts(feed: MirrorQueue) -> dict[str, int]:
    found: dict[str, int] = {}
    for (_, kind), calls in feed.take_tally().tallies.items():
        found[kind] = found.get(kind, 0) + calls
    return found


async def test_more_than_may_wait_is_dropped_and_counted_writes_last() -> None:
    feed = feed_of(2)
    for number in range(4):
        made(feed, READ, f"read {number}")
    for number in range(4):
        made(feed, WRITE, f"write {number}")
    assert feed.outstanding == 4
    assert counts(feed) == {"dropped": 4}
    assert [(await feed.take()).id for _ in range(4)] == ["read 0", "read 1", "write 0", "write 1"]


async def test_when_nobody_follows_any_more_what_they_had_is_counted_as_dropped() -> None:
    feed = feed_of()
    made(feed, READ, "sent")
    await feed.take()
    made(feed, READ, "waiting")
    feed.end()
    made(feed, READ, "late")
    assert counts(feed) == {"dropped": 3}
    await feed.wait_until_empty()


async def test_a_call_beside_a_write_of_its_suite_is_marked() -> None:
    feed = feed_of()
    before = feed.observe("before", READ, Call("demo.find", {}), NOW)
    writing = feed.observe("write", WRITE, Call("demo.write", {}), NOW)
    during = feed.observe("during", READ, Call("demo.find", {}), NOW)
    elsewhere = feed.observe("elsewhere", replace(READ, suite="herbs"), Call("demo.find", {}), NOW)
    for tell, id in ((before, "before"), (writing, "write"), (during, "during"), (elsewhere, "elsewhere")):
        tell(answered(READ, id))
    made(feed, READ, "after")
    asked = [await feed.take() for _ in range(5)]
    raced = {call.id: call.raced for call in asked}
    assert raced == {"before": True, "write": False, "during": True, "elsewhere": False, "after": False}


@pytest.mark.parametrize("outcome", [refused(READ, RateLimited("slow down")), refused(READ, StoreUnavailable("away"))])
async def test_what_is_about_the_caller_or_our_own_engine_is_not_compared(outcome: Outcome) -> None:
    feed = feed_of()
    made(feed, READ, "x", outcome)
    made(feed, READ, "again", answered(READ, "again", replayed=True))
    feed.observe("gone", READ, Call("demo.find", {}), NOW)(None)
    assert (feed.outstanding, counts(feed)) == (0, {})


async def test_a_write_in_doubt_or_into_the_world_is_told_as_not_mirrored() -> None:
    feed = feed_of()
    feed.observe("gone", WRITE, Call("demo.write", {}), NOW)(None)
    made(feed, WRITE, "in doubt", refused(WRITE, StoreUnavailable("away")))
    made(feed, OUTSIDE, "outside")
    made(feed, WRITE, "not allowed", refused(WRITE, Forbidden("no")))
    assert (feed.outstanding, counts(feed)) == (0, {"unmirrored": 3})
    made(feed, WRITE, "refused", refused(WRITE, NotFound("no such thing")))
    assert feed.outstanding == 1


async def test_over_one_database_writes_are_not_made_twice() -> None:
    feed = feed_of(mirrors_writes=False)
    made(feed, WRITE, "write")
    made(feed, READ, "read")
    assert (feed.outstanding, counts(feed)) == (1, {})


async def test_a_call_arrives_as_it_was_made() -> None:
    feed = feed_of()
    call = Call("demo.find", {"q": "ขิง"}, request_id="mine", max_answer_bytes=10, session_id="s")
    feed.observe("call_1", READ, call, NOW)(answered(READ, "call_1"))
    sent = await feed.take()
    heard = decode_call(encode_call(sent))
    assert (heard.call.id, heard.call.now, heard.call.surface) == ("call_1", NOW, "shadow")
    assert heard.call[:3] == call[:3]
    assert (heard.call.request_id, heard.call.max_answer_bytes) == ("mine", 10)
    assert (heard.here, heard.took_us, heard.raced, heard.writes) == (sent.here, sent.took_us, False, False)
