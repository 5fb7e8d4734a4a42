"""The same calls on every way in, and where an answer differs from the one given in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sanya.kernel.call import Answered, Outcome, Progress, ProgressSink, ignore_progress
from sanya.kernel.stamp import hashed_bytes
from sanya.kernel.tool import Tool

_PATIENCE_S = 30.0


class WayFailed(Exception):
    """A way in gave nothing that could be compared; the message says what it gave."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What came back on a way: the payload as that way carries it, and the hash in its stamp."""

    payload: Mapping[str, Any]
    out_hash: str


@dataclass(frozen=True, slots=True)
class Way:
    """A way in. On MCP a dialect may lay its body out differently, so `on_mcp` says what to compare with."""

    name: str
    ask: Callable[[Tool, Mapping[str, Any]], Awaitable[Heard]]
    on_mcp: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    tool: Tool
    title: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one case went: the hash in this process, and for each way None, or what was different."""

    case: Case
    out_hash: str
    differences: Mapping[str, str | None]

    @property
    def equal(self) -> bool:
        return not any(self.differences.values())


def cases_of(tools: Iterable[Tool]) -> list[Case]:
    """Every example of every tool that only reads: a write would not be the same call twice."""
    return [
        Case(tool, example.title, example.arguments)
        for tool in tools
        if tool.effect == "read"
        for example in tool.examples
    ]


async def compare(
    call: Callable[[Case], Awaitable[Outcome]],
    ways: Sequence[Way],
    cases: Sequence[Case],
    progress: ProgressSink = ignore_progress,
) -> list[Verdict]:
    """`call` makes the call in this process; its answer is what the others are held against."""
    verdicts = []
    total = len(cases) * len(ways)
    for number, case in enumerate(cases):
        outcome = await call(case)
        differences: dict[str, str | None] = {}
        for place, way in enumerate(ways):
            progress(Progress(number * len(ways) + place, total, f"{case.tool.name} on {way.name}"))
            differences[way.name] = await _difference(case, outcome, way)
        verdicts.append(Verdict(case, outcome.stamp.out_hash, differences))
    return verdicts


async def _difference(case: Case, outcome: Outcome, way: Way) -> str | None:
    try:
        async with asyncio.timeout(case.tool.timeout_ms / 1000 + _PATIENCE_S):
            heard = await way.ask(case.tool, case.arguments)
    except (WayFailed, OSError, TimeoutError) as error:
        return f"no answer: {error or type(error).__name__}"
    if heard.out_hash != outcome.stamp.out_hash:
        return f"out_hash is {heard.out_hash}, not {outcome.stamp.out_hash}"
    if _compared(heard.payload, case.tool) != _compared(_expected(outcome, way), case.tool):
        return "the body differs, though its stamp has the same out_hash"
    return None


def _expected(outcome: Outcome, way: Way) -> Mapping[str, Any]:
    if isinstance(outcome, Answered):
        return outcome.tool.dialect.mcp_parts(outcome.body).structured if way.on_mcp else outcome.body
    return outcome.body if way.on_mcp else outcome.error


def _compared(payload: Mapping[str, Any], tool: Tool) -> bytes:
    """Bodies are compared without the stamp and without what the contract leaves out of the hash."""
    return hashed_bytes({name: value for name, value in payload.items() if name != "audit"}, tool.unhashed_paths)
