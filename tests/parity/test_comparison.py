"""The comparison itself: a way that answers otherwise, or not at all, is found out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

import sanya
from sanya.kernel.calls.call import Call, Outcome
from sanya.parity.comparison import (
    Case,
    CaseResult,
    Transport,
    TransportAnswer,
    TransportFailed,
    compare,
    list_resource_cases,
    list_tool_cases,
)


@pytest.fixture
async def app(begun_home: Path) -> AsyncIterator[sanya.App]:
    async with sanya.open(begun_home) as opened:
        yield opened


async def verdict_on(app: sanya.App, way: Transport) -> CaseResult:
    tool = app.kernel.catalogue.find_tool("get_weekly_review")
    assert tool is not None

    async def call(case: Case) -> Outcome:
        return await app.kernel.call(Call(case.tool.name, case.arguments))

    (verdict,) = await compare(call, [way], [Case(tool, "now", {})])
    return verdict


def way_of(app: sanya.App, **changes: Any) -> Transport:
    """A way through this process that changes what it hears."""

    async def ask(case: Case) -> TransportAnswer:
        outcome = await app.kernel.call(Call(case.tool.name, case.arguments))
        out_hash = changes.pop("out_hash", outcome.stamp.out_hash)
        return TransportAnswer({**outcome.body, **changes}, out_hash)

    return Transport("ours", ask)


async def test_the_same_answer_is_equal_though_the_clock_moves(app: sanya.App) -> None:
    assert (await verdict_on(app, way_of(app))).equal
    assert (await verdict_on(app, way_of(app, period_end="2026-01-01T00:00:00.000Z"))).equal


async def test_the_stamp_in_a_body_is_not_compared(app: sanya.App) -> None:
    assert (await verdict_on(app, way_of(app, audit={"latency_ms": 7}))).equal


async def test_another_hash_is_a_difference(app: sanya.App) -> None:
    verdict = await verdict_on(app, way_of(app, out_hash="0" * 64))
    assert not verdict.equal
    assert "0" * 64 in str(verdict.differences["ours"])


async def test_another_body_under_the_same_hash_is_a_difference(app: sanya.App) -> None:
    verdict = await verdict_on(app, way_of(app, completed_count=-1))
    assert "the body differs" in str(verdict.differences["ours"])


@pytest.mark.parametrize("failure", [TransportFailed("no stamp"), ConnectionRefusedError("refused"), TimeoutError()])
async def test_a_way_that_does_not_answer_is_a_difference(app: sanya.App, failure: Exception) -> None:
    async def ask(case: Case) -> TransportAnswer:
        raise failure

    verdict = await verdict_on(app, Transport("ours", ask))
    assert str(verdict.differences["ours"]).startswith("no answer: ")


async def test_only_reads_are_compared(app: sanya.App) -> None:
    from dataclasses import replace

    tool = app.kernel.catalogue.tools[0]
    assert list_tool_cases([tool])
    assert list_tool_cases([replace(tool, effect="write")]) == []


async def test_every_resource_is_compared_by_an_address_that_it_offers(app: sanya.App) -> None:
    cases = await list_resource_cases(app.kernel.catalogue)
    assert len(cases) >= 12
    assert not [case.name for case in cases if "{" in case.name]

    async def read(case: Case) -> Outcome:
        return await app.kernel.read(Call(case.name, {}))

    async def ask(case: Case) -> TransportAnswer:
        outcome = await read(case)
        return TransportAnswer(outcome.body, outcome.stamp.out_hash)

    ways = [Transport("ours", ask), Transport("only tools", ask, reads_resources=False)]
    (verdict,) = await compare(read, ways, cases[:1])
    assert verdict.equal
    assert set(verdict.differences) == {"ours"}
