"""The same calls on every way in, and where an answer differs from the one given in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from sanya.kernel.call import OWNER, Answered, Outcome, Progress, ProgressSink, ignore_progress
from sanya.kernel.catalogue import Catalogue
from sanya.kernel.comparison import differences
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
    ask: Callable[[Case], Awaitable[Heard]]
    on_mcp: bool = False
    reads_resources: bool = True


@dataclass(frozen=True, slots=True)
class Case:
    """A call; or, with an address, the reading of a resource."""

    tool: Tool
    title: str
    arguments: Mapping[str, Any]
    uri: str | None = None

    @property
    def name(self) -> str:
        return self.uri or self.tool.name


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


async def resource_cases(catalogue: Catalogue) -> list[Case]:
    """Every resource, the parts of its address filled with the first values that it offers."""
    cases = []
    for resource in catalogue.resources:
        uri: str | None = resource.uri
        chosen: dict[str, str] = {}
        for name, complete in resource.complete.items():
            values = await complete("", chosen, OWNER)
            if values:
                chosen[name] = values[0]
        for name, value in chosen.items():
            uri = (uri or "").replace(f"{{{name}}}", quote(value, safe=""))
        tool = catalogue.resource_tool(uri or "")
        if uri is not None and "{" not in uri and tool is not None:
            cases.append(Case(tool, resource.title, {}, uri))
    return cases


async def compare(
    call: Callable[[Case], Awaitable[Outcome]],
    ways: Sequence[Way],
    cases: Sequence[Case],
    progress: ProgressSink = ignore_progress,
) -> list[Verdict]:
    """`call` makes the call in this process; its answer is what the others are held against."""
    verdicts = []
    for number, case in enumerate(cases):
        progress(Progress(number, len(cases), case.name))
        outcome = await call(case)
        taken = [way for way in ways if case.uri is None or way.reads_resources]
        # Side by side: each way has a process or a connection of its own.
        found = await asyncio.gather(*(_difference(case, outcome, way) for way in taken))
        differences = {way.name: difference for way, difference in zip(taken, found, strict=True)}
        verdicts.append(Verdict(case, outcome.stamp.out_hash, differences))
    return verdicts


async def _difference(case: Case, outcome: Outcome, way: Way) -> str | None:
    try:
        async with asyncio.timeout(case.tool.timeout_ms / 1000 + _PATIENCE_S):
            heard = await way.ask(case)
    except (WayFailed, OSError, TimeoutError) as error:
        return f"no answer: {error or type(error).__name__}"
    if heard.out_hash != outcome.stamp.out_hash:
        return f"out_hash is {heard.out_hash}, not {outcome.stamp.out_hash}"
    if found := differences(_expected(case, outcome, way), heard.payload, case.tool):
        return f"the body differs at {found[0].path}, though its stamp has the same out_hash"
    return None


def _expected(case: Case, outcome: Outcome, way: Way) -> Mapping[str, Any]:
    if case.uri is not None and isinstance(outcome, Answered):
        return outcome.body
    if isinstance(outcome, Answered):
        return outcome.tool.dialect.mcp_parts(outcome.body).structured if way.on_mcp else outcome.body
    return outcome.body if way.on_mcp else outcome.error
