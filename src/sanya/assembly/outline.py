"""What the suites show of themselves, kept from one start to the next: names, contracts, resources, prompts.

A client that starts a server waits for its first answer, and a command calls one tool: neither should wait for the code
of every suite. A suite that stands as an outline is opened by the first call that needs it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from importlib import import_module
from typing import Any

from sanya.assembly.workers import at_work
from sanya.kernel.call import Caller, Context
from sanya.kernel.dialect import Dialect
from sanya.kernel.faults import InvariantBroken, Unavailable
from sanya.kernel.shapes import Shape
from sanya.kernel.suite import Completer, Content, Prompt, PromptArgument, Resource, Suite, Worker
from sanya.kernel.tool import Example, Tool
from sanya.settings import BadSetting

# Whoever started the server has its first questions answered before suites that nobody asked for are opened.
_BEFORE_WORK_S = 2.0
_SAID_IN_CONTRACTS = ("name", "suite", "title", "description", "effect", "timeout_ms")
_LISTED_IN_CONTRACTS = ("scopes", "unhashed", "redacted")
_SAID_OF_TOOLS = ("idempotent", "destructive", "open_world", "meta")


class Door:
    """Opens a suite when somebody first needs it, once, however many need it at the same time."""

    def __init__(self, open_suite: Callable[[], Awaitable[Suite]]) -> None:
        self._open_suite = open_suite
        self._opening: asyncio.Task[Suite] | None = None

    async def __call__(self) -> Suite:
        if self._opening is None or (self._opening.done() and not _is_good(self._opening)):
            self._opening = asyncio.create_task(self._open(), name="opening a suite")
        # A caller who goes away must not take the suite from the others who wait for it.
        return await asyncio.shield(self._opening)

    async def _open(self) -> Suite:
        try:
            return await self._open_suite()
        except BadSetting as problem:  # what it names was there when the outline was made, and is not now
            raise Unavailable(str(problem)) from None

    @property
    def suite(self) -> Suite:
        if self._opening is None or not _is_good(self._opening):
            raise InvariantBroken("a suite is used before it is open")
        return self._opening.result()

    async def close(self) -> None:
        if self._opening is not None and not self._opening.done():
            self._opening.cancel()
            await asyncio.gather(self._opening, return_exceptions=True)


def _is_good(opening: asyncio.Task[Suite]) -> bool:
    return opening.done() and not opening.cancelled() and opening.exception() is None


@dataclass(frozen=True, kw_only=True)
class OutlinedSuite(Suite):
    door: Door

    async def opened(self) -> Suite:
        return await self.door()


class _Unread(Shape):
    """Stands where the shapes of a suite will be."""


async def _unopened(_: Any, __: Context) -> Shape:
    raise InvariantBroken("an outlined tool was called without being opened")


@dataclass(frozen=True, kw_only=True)
class OutlinedTool(Tool):
    """A tool by its contract alone, which is all that lists need."""

    input: type[Shape] = _Unread
    output: type[Shape] = _Unread
    handler: Callable[[Any, Context], Awaitable[Shape]] = _unopened
    published: Mapping[str, Any] = field(default_factory=dict)
    door: Door

    async def opened(self) -> Tool:
        return _named(self.name, (await self.door()).tools)

    @cached_property
    def input_schema(self) -> dict[str, Any]:
        schema: dict[str, Any] = self.published["input"]
        return schema

    @cached_property
    def output_schema(self) -> dict[str, Any]:
        schema: dict[str, Any] = self.published["output"]
        return schema

    @cached_property
    def contract(self) -> dict[str, Any]:
        return dict(self.published)


def _named(name: str, tools: Iterable[Tool]) -> Tool:
    return next(one for one in tools if one.name == name)


def outline_of(suite: Suite) -> dict[str, Any]:
    return {
        "name": suite.name,
        "title": suite.title,
        "tools": [_outlined_tool(one) for one in suite.tools],
        "resources": [{**_said(one, "read", "complete"), "complete": list(one.complete)} for one in suite.resources],
        "prompts": [
            {**_said(one, "render", "arguments"), "arguments": [_outlined_argument(its) for its in one.arguments]}
            for one in suite.prompts
        ],
        "has_workers": bool(suite.workers),
    }


def _said(one: Resource | Prompt | PromptArgument, *but: str) -> dict[str, Any]:
    return {its.name: getattr(one, its.name) for its in fields(one) if its.name not in but}


def _outlined_tool(tool: Tool) -> dict[str, Any]:
    return {"contract": tool.contract, **{name: getattr(tool, name) for name in _SAID_OF_TOOLS}}


def _outlined_argument(argument: PromptArgument) -> dict[str, Any]:
    return {**_said(argument, "complete"), "complete": argument.complete is not None}


def suite_from(outline: Mapping[str, Any], door: Door) -> OutlinedSuite:
    dialect: Dialect = import_module(f"sanya.suites.{outline['name']}.dialect").DIALECT
    return OutlinedSuite(
        name=outline["name"],
        title=outline["title"],
        dialect=dialect,
        tools=tuple(_tool(one, dialect, door) for one in outline["tools"]),
        resources=tuple(_resource(one, door) for one in outline["resources"]),
        prompts=tuple(_prompt(one, door) for one in outline["prompts"]),
        workers=(_workers(outline["name"], door),) if outline["has_workers"] else (),
        door=door,
    )


def _workers(name: str, door: Door) -> Worker:
    """All background work of a suite that is not open yet."""

    async def run() -> None:
        await asyncio.sleep(_BEFORE_WORK_S)
        async with at_work((await door()).workers):
            await asyncio.Event().wait()

    return Worker(f"{name}: background work", run)


def _tool(said: Mapping[str, Any], dialect: Dialect, door: Door) -> OutlinedTool:
    contract = said["contract"]
    plain: dict[str, Any] = {name: contract[name] for name in _SAID_IN_CONTRACTS}
    listed: dict[str, Any] = {name: tuple(contract[name]) for name in _LISTED_IN_CONTRACTS}
    return OutlinedTool(
        **plain,
        **listed,
        **{name: said[name] for name in _SAID_OF_TOOLS},
        examples=tuple(Example(**one) for one in contract["examples"]),
        dialect=dialect,
        published=contract,
        door=door,
    )


def _resource(said: Mapping[str, Any], door: Door) -> Resource:
    async def opened() -> Resource:
        return next(one for one in (await door()).resources if one.uri == said["uri"])

    async def read(parts: Mapping[str, str], context: Context) -> Content:
        return await (await opened()).read(parts, context)

    def completer(name: str) -> Completer:
        async def complete(text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
            return await (await opened()).complete[name](text, chosen, caller)

        return complete

    return Resource(**{**said, "complete": {name: completer(name) for name in said["complete"]}}, read=read)


def _prompt(said: Mapping[str, Any], door: Door) -> Prompt:
    def opened(suite: Suite) -> Prompt:
        return next(one for one in suite.prompts if one.name == said["name"])

    def render(given: Mapping[str, str]) -> str:
        return opened(door.suite).render(given)

    def argument(its: Mapping[str, Any]) -> PromptArgument:
        async def complete(text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
            found = next(one for one in opened(await door()).arguments if one.name == its["name"])
            return [] if found.complete is None else await found.complete(text, chosen, caller)

        return PromptArgument(**{**its, "complete": complete if its["complete"] else None})

    return Prompt(**{**said, "arguments": tuple(map(argument, said["arguments"]))}, render=render)
