"""Makes the same calls on every transport and compares each answer with the one given in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from sanya.kernel.calls.call import OWNER, Answered, Outcome, Progress, ProgressSink, ignore_progress
from sanya.kernel.calls.comparison import find_differences
from sanya.kernel.contracts.catalogue import Catalogue
from sanya.kernel.contracts.tool import Tool

_PATIENCE_S = 180.0


class TransportFailed(Exception):
    """A transport gave nothing to compare. The message says what it gave."""


@dataclass(frozen=True, slots=True)
class TransportAnswer:
    """The answer on a transport: the payload as it carries it, and the hash in its stamp."""

    payload: Mapping[str, Any]
    out_hash: str


@dataclass(frozen=True, slots=True)
class Transport:
    """A transport. A dialect may arrange its body differently on MCP, so `on_mcp` says what to compare with."""

    name: str
    ask: Callable[[Case], Awaitable[TransportAnswer]]
    on_mcp: bool = False
    reads_resources: bool = True


@dataclass(frozen=True, slots=True)
class Case:
    """A call or, with a URI, the reading of a resource."""

    tool: Tool
    title: str
    arguments: Mapping[str, Any]
    uri: str | None = None

    @property
    def name(self) -> str:
        return self.uri or self.tool.name


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The result of one case: the hash in this process and, for each transport, the difference or None."""

    case: Case
    out_hash: str
    differences: Mapping[str, str | None]

    @property
    def equal(self) -> bool:
        return not any(self.differences.values())


def list_tool_cases(tools: Iterable[Tool]) -> list[Case]:
    """Return every example of every read tool. A write made twice is not the same call."""
    return [
        Case(tool, example.title, example.arguments)
        for tool in tools
        if tool.effect == "read"
        for example in tool.examples
    ]


async def list_resource_cases(catalogue: Catalogue) -> list[Case]:
    """Return every resource, with the variables of its URI set to the first completions."""
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
        tool = catalogue.find_resource_tool(uri or "")
        if uri is not None and "{" not in uri and tool is not None:
            cases.append(Case(tool, resource.title, {}, uri))
    return cases


async def compare(
    call: Callable[[Case], Awaitable[Outcome]],
    transports: Sequence[Transport],
    cases: Sequence[Case],
    progress: ProgressSink = ignore_progress,
) -> list[CaseResult]:
    """Compare all transports with `call`, which makes the call in this process."""
    results = []
    for number, case in enumerate(cases):
        progress(Progress(number, len(cases), case.name))
        outcome = await call(case)
        chosen = [transport for transport in transports if case.uri is None or transport.reads_resources]
        # Concurrently: each transport has a process or a connection of its own.
        found = await asyncio.gather(*(_find_difference(case, outcome, transport) for transport in chosen))
        differences = {transport.name: difference for transport, difference in zip(chosen, found, strict=True)}
        results.append(CaseResult(case, outcome.stamp.out_hash, differences))
    return results


async def _find_difference(case: Case, outcome: Outcome, transport: Transport) -> str | None:
    try:
        async with asyncio.timeout(case.tool.timeout_ms / 1000 + _PATIENCE_S):
            answer = await transport.ask(case)
    except (TransportFailed, OSError, TimeoutError) as error:
        return f"no answer: {error or type(error).__name__}"
    if answer.out_hash != outcome.stamp.out_hash:
        return f"out_hash is {answer.out_hash}, not {outcome.stamp.out_hash}"
    if found := find_differences(_expect_payload(case, outcome, transport), answer.payload, case.tool):
        return f"the body differs at {found[0].path}, though its stamp has the same out_hash"
    return None


def _expect_payload(case: Case, outcome: Outcome, transport: Transport) -> Mapping[str, Any]:
    if case.uri is not None and isinstance(outcome, Answered):
        return outcome.body
    if isinstance(outcome, Answered):
        return outcome.tool.dialect.to_mcp_parts(outcome.body).structured if transport.on_mcp else outcome.body
    return outcome.body if transport.on_mcp else outcome.error
