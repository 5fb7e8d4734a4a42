"""The path of a call, seen from outside: input, outcome and ledger row."""

from __future__ import annotations

import asyncio
import json
import logging
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import pytest

from sanya.kernel.calls.call import OWNER, Answered, Call, Caller, Outcome, Progress, Refused
from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.ledger.chain import verify_chain
from tests.kernel.conftest import NOW, House


def refused(outcome: Outcome) -> Refused:
    assert isinstance(outcome, Refused)
    return outcome


def answered(outcome: Outcome) -> Answered:
    assert isinstance(outcome, Answered)
    return outcome


async def say(house: House, tool: str = "demo.echo", **more: Any) -> Outcome:
    call = Call(tool, more.pop("arguments", {"text": "hi"}), **more)
    return await house.kernel.call(call)


async def test_a_good_call_is_answered_stamped_and_recorded(house: House) -> None:
    outcome = answered(await say(house))
    assert outcome.body["said"] == ["hi"]
    in_hash = sha256(b'{"secret":null,"text":"hi","times":1}').hexdigest()
    assert outcome.stamp.in_hash == in_hash, "the hash is over the input with its defaults"
    assert outcome.stamp.seed == int(in_hash[:16], 16)
    assert outcome.stamp.out_hash == sha256(b'{"said":["hi"]}').hexdigest(), "unhashed paths stay out"
    (row,) = await house.rows()
    assert (row.id, row.tool, row.status, row.in_hash) == (outcome.id, "demo.echo", "ok", in_hash)
    assert json.loads(row.input) == {"secret": None, "text": "hi", "times": 1}


async def test_a_default_given_or_left_out_is_the_same_call(house: House) -> None:
    short = answered(await say(house))
    long = answered(await say(house, arguments={"times": 1.0, "text": "hi", "secret": None}))
    assert short.stamp.in_hash == long.stamp.in_hash


async def test_the_portable_name_finds_the_same_tool(house: House) -> None:
    assert answered(await say(house, "demo_echo")).tool.name == "demo.echo"


async def test_an_unknown_tool_is_refused_with_the_nearest_names(house: House) -> None:
    outcome = refused(await say(house, "demo.ecko"))
    assert "demo.echo" in outcome.message
    assert refused(await say(house, "\ud800")).error["details"] == {"name": "?"}
    assert await house.rows() == []


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({}, ["text", "required"]),
        ({"text": "hi", "tims": 2}, ["tims", "unknown", "times"]),
        ({"text": "hi", "times": 9}, ["times", "at most 5", "9"]),
        ({"text": "hi", "times": 0}, ["times", "at least 1", "0"]),
        ({"text": "hi", "times": "2"}, ["times", "integer", '"2"']),
        ({"text": "hi", "times": 1.5}, ["times", "integer", "1.5"]),
        ({"text": "hi", "times": True}, ["times", "integer", "true"]),
        ({"text": "x" * 21}, ["text", "at most 20 characters"]),
        ({"text": "hi", "times": 10**400}, ["times", "at most 5"]),
        ({"text": "a\x00b"}, ["text", "U+0000"]),
        ({"text": 5}, ["text", "string"]),
        ({"text": "\ud800"}, ["text", "Unicode"]),
        ({"text": "hi", "\ud800": 1}, ["Unicode"]),
        ([], ["object"]),
        (None, ["object"]),
    ],
)
async def test_bad_arguments_are_refused_by_name(house: House, arguments: Any, says: list[str]) -> None:
    outcome = refused(await say(house, arguments=arguments))
    assert outcome.error["code"] == "INVALID_ARGUMENT"
    for part in says:
        assert part in outcome.message
    assert house.runs == [], "the handler never saw it"
    assert [row.status for row in await house.rows()] == ["error"]


async def test_a_handler_that_fails_leaks_nothing_but_an_id(house: House, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        outcome = refused(await say(house, "demo.fail"))
    assert outcome.error["code"] == "INTERNAL_ERROR"
    assert "hunter2" not in json.dumps(outcome.body)
    (row,) = await house.rows()
    assert row.error_id == outcome.error["details"]["error_id"]
    assert any(getattr(record, "error_id", None) == row.error_id and record.exc_info for record in caplog.records)


async def test_a_body_outside_the_contract_never_leaves(house: House) -> None:
    outcome = refused(await say(house, "demo.lie"))
    assert outcome.error["code"] == "INTERNAL_ERROR"
    (row,) = await house.rows()
    assert (row.fault, row.error_id) == ("invariant_broken", outcome.error["details"]["error_id"])
    assert "not a list" not in json.dumps(outcome.body)


async def test_a_domain_fault_is_worded_by_the_suite(house: House) -> None:
    outcome = refused(await say(house, "demo.lose"))
    assert outcome.error == {"code": "NOT_FOUND", "message": "no hi", "retry_after_ms": None, "details": {}}


async def test_a_missing_scope_is_refused(house: House) -> None:
    reader = Caller("reader", frozenset({"demo:read"}))
    assert isinstance(await say(house, caller=reader), Answered)
    assert "demo:write" in refused(await say(house, "demo.write", caller=reader)).message


async def test_too_many_calls_are_told_when_to_come_back(house: House) -> None:
    hasty = Caller("hasty", frozenset({"*"}), calls_per_minute=6)
    assert isinstance(await say(house, caller=hasty), Answered)
    outcome = refused(await say(house, caller=hasty))
    assert outcome.error["code"] == "RATE_LIMITED"
    assert 0 < outcome.error["retry_after_ms"] <= 10_000
    assert isinstance(await say(house, caller=OWNER), Answered), "one caller's limit is not another's"


async def test_a_deadline_stops_the_handler(house: House) -> None:
    outcome = refused(await say(house, "demo.wait", timeout_ms=1))
    assert outcome.error["code"] == "TIMEOUT"
    assert house.runs == ["stopped"]


async def test_a_cancelled_call_stops_the_handler_and_is_recorded(house: House) -> None:
    task = asyncio.create_task(say(house, "demo.wait"))
    await asyncio.wait_for(house.started.wait(), 5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert house.runs == ["stopped"]
    assert [row.fault for row in await house.rows()] == ["cancelled"]


async def test_progress_reaches_whoever_asked(house: House) -> None:
    seen: list[Progress] = []
    await say(house, progress=seen.append)
    assert seen == [Progress(1, 1, "said")]


async def test_secret_fields_are_never_kept(house: House) -> None:
    await say(house, arguments={"text": "hi", "secret": "hunter2"})
    await say(house, arguments={"text": "hi", "sekret": "hunter2"})
    await say(house)
    good, bad, without = await house.rows()
    assert "hunter2" not in good.input + bad.input
    assert (good.redacted, bad.redacted, without.redacted) == (True, True, False)


async def test_a_suite_with_its_stamp_in_the_body_hashes_the_body_without_it(house: House) -> None:
    outcome = answered(await say(house, "stamped.echo"))
    assert outcome.body["audit"] == outcome.stamp.as_json()
    assert outcome.stamp.out_hash == sha256(b'{"said":["hi"]}').hexdigest()
    wrong = refused(await say(house, "stamped.echo", arguments={}))
    assert wrong.body["audit"]["status"] == "error"
    assert wrong.body["error"]["code"] == "INVALID_ARG"


async def test_time_comes_from_the_call_when_it_is_replayed(house: House) -> None:
    then = datetime(2025, 1, 6, tzinfo=UTC)
    assert answered(await say(house)).body["made_at"] == NOW.isoformat()
    assert answered(await say(house, now=then)).body["made_at"] == then.isoformat()


async def test_a_resource_is_read_on_the_same_way(house: House) -> None:
    outcome = answered(await house.kernel.read(Call("demo://thing/%E0%B8%81", {})))
    assert outcome.body == {"id": "ก"}
    assert outcome.stamp.in_hash == sha256(b'{"uri":"demo://thing/%E0%B8%81"}').hexdigest()
    assert refused(await house.kernel.read(Call("demo://thing/none", {}))).error["code"] == "NOT_FOUND"
    for nowhere in ("demo://other", "demo://thing/%00", "demo://thing/\ud800"):
        assert refused(await house.kernel.read(Call(nowhere, {}))).tool is None
    assert [row.status for row in await house.rows()] == ["ok", "error"]


async def test_a_repeated_request_id_gets_the_first_answer(house: House) -> None:
    first = answered(await say(house, request_id="r1"))
    again = answered(await say(house, request_id="r1"))
    assert again == first._replace(replayed=True)
    assert house.runs == ["hi"]


async def test_a_request_id_with_other_input_is_refused(house: House) -> None:
    await say(house, request_id="r1")
    outcome = refused(await say(house, request_id="r1", arguments={"text": "ho"}))
    assert outcome.error["code"] == "INVALID_ARGUMENT"
    assert "r1" in outcome.message
    other = Caller("other", frozenset({"*"}))
    assert isinstance(await say(house, request_id="r1", arguments={"text": "ho"}, caller=other), Answered)


async def test_a_refused_call_may_be_repeated_under_its_id(house: House) -> None:
    refused(await say(house, "demo.wait", request_id="r1", timeout_ms=1))
    refused(await say(house, "demo.wait", request_id="r1", timeout_ms=1))
    assert house.runs == ["stopped", "stopped"]


async def test_the_same_id_twice_at_once_runs_once(house: House) -> None:
    outcomes = await asyncio.gather(*(say(house, request_id="r1") for _ in range(5)))
    assert house.runs == ["hi"]
    assert sorted(answered(outcome).replayed for outcome in outcomes) == [False, True, True, True, True]


async def test_a_write_is_durable_before_it_is_acknowledged(house: House) -> None:
    await say(house, "demo.write", request_id="w1")
    assert [row.entry.tool for row in house.store.rows] == ["demo.write"], "no flush was asked for"


async def test_a_write_repeated_after_a_restart_finds_its_answer(house: House) -> None:
    first = answered(await say(house, "demo.write", request_id="w1"))
    house.kernel._window._claims._slots.clear()  # what a restart forgets
    again = answered(await say(house, "demo.write", request_id="w1"))
    assert (again.body, again.stamp, again.replayed) == (first.body, first.stamp, True)
    assert house.runs == ["hi"]


async def test_a_write_whose_row_cannot_be_kept_is_not_acknowledged(house: House) -> None:
    house.store.failing = True
    outcome = refused(await say(house, "demo.write"))
    assert outcome.error["code"] == "UNAVAILABLE"
    house.store.failing = False
    assert [row.status for row in await house.rows()] == ["ok"], "it was done, and the ledger says so once"


async def test_the_chain_holds_after_many_calls(house: House) -> None:
    await asyncio.gather(*(say(house, arguments={"text": str(index)}) for index in range(50)))
    assert len(await house.rows()) == 50
    assert await verify_chain(house.store) == (50, None)


async def test_a_write_that_could_not_be_recorded_is_not_done(house: House) -> None:
    await house.ledger.close()
    fault = refused(await say(house, "demo.write")).fault
    assert isinstance(fault, StoreUnavailable)
    assert house.runs == []
