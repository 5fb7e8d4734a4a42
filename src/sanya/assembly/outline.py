"""The outline: what the suites list (tools, resources, prompts), saved so that the next start need not open them.

Importing five suites and checking 29 contracts takes about a second. A client that starts `sanya mcp` waits for its
first answer, and `sanya call` needs one tool. So a server that found every contract kept writes what its suites list
into the home. The next process builds lazy suites from it: they list the same, and open the real suite with the first
call that needs it. The outline is valid for one key (a hash of the code, the contract lock and the settings). With
another key the process ignores it, and opens and checks everything again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from importlib import import_module
from typing import Any

from sanya.assembly.workers import run_workers
from sanya.kernel.calls.call import Caller, Context
from sanya.kernel.contracts.dialect import Dialect
from sanya.kernel.contracts.shapes import Shape
from sanya.kernel.contracts.suite import Completer, Content, Prompt, PromptArgument, Resource, Suite, Worker
from sanya.kernel.contracts.tool import Example, Tool
from sanya.kernel.faults import InvariantBroken, Unavailable
from sanya.settings import BadSetting
from sanya.suites.registry import BUILT_IN

# Background work opens its suite. It waits this long, so that the first calls of a new server are answered first.
_WORKER_DELAY_S = 2.0
_CONTRACT_FIELDS = ("name", "suite", "title", "description", "effect", "timeout_ms")
_CONTRACT_LISTS = ("scopes", "unhashed", "redacted")
_TOOL_FIELDS = ("idempotent", "destructive", "open_world", "operator", "specialist", "asks_about", "meta")


class LazySuite:
    """Lazy handle of a suite: opens it with its first use, once, however many callers need it at the same time."""

    def __init__(self, open_suite: Callable[[], Awaitable[Suite]]) -> None:
        self._open_suite = open_suite
        self._opening: asyncio.Task[Suite] | None = None

    async def __call__(self) -> Suite:
        if self._opening is None or (self._opening.done() and not _is_good(self._opening)):
            self._opening = asyncio.create_task(self._open(), name="opening a suite")
        # Shielded: a caller that is cancelled must not cancel the opening for the others.
        return await asyncio.shield(self._opening)

    async def _open(self) -> Suite:
        try:
            return await self._open_suite()
        except BadSetting as problem:  # the setting was good when the outline was written
            raise Unavailable(str(problem)) from None

    @property
    def suite(self) -> Suite:
        if self._opening is None or not _is_good(self._opening):
            raise InvariantBroken("The suite is used before it is open")
        return self._opening.result()

    async def close(self) -> None:
        if self._opening is not None and not self._opening.done():
            self._opening.cancel()
            await asyncio.gather(self._opening, return_exceptions=True)


def _is_good(opening: asyncio.Task[Suite]) -> bool:
    return opening.done() and not opening.cancelled() and opening.exception() is None


@dataclass(frozen=True, kw_only=True)
class OutlinedSuite(Suite):
    lazy_suite: LazySuite

    async def open(self) -> Suite:
        return await self.lazy_suite()


class _Unread(Shape):
    """Placeholder for the shapes of a suite that is not open."""


async def _refuse_call(_: Any, __: Context) -> Shape:
    raise InvariantBroken("An outlined tool was called without being opened")


@dataclass(frozen=True, kw_only=True)
class OutlinedTool(Tool):
    """A tool known by its contract alone, which is enough for listings."""

    input: type[Shape] = _Unread
    output: type[Shape] = _Unread
    handler: Callable[[Any, Context], Awaitable[Shape]] = _refuse_call
    published: Mapping[str, Any] = field(default_factory=dict)
    lazy_suite: LazySuite

    async def open(self) -> Tool:
        tool = _find_tool(self.name, (await self.lazy_suite()).tools)
        tool.reuse_schemas(self.published)
        return tool

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


def _find_tool(name: str, tools: Iterable[Tool]) -> Tool:
    return next(tool for tool in tools if tool.name == name)


def describe_suite(suite: Suite) -> dict[str, Any]:
    return {
        "name": suite.name,
        "title": suite.title,
        "tools": [_describe_tool(tool) for tool in suite.tools],
        "resources": [
            {**_list_fields(resource, "read", "complete"), "complete": list(resource.complete)}
            for resource in suite.resources
        ],
        "prompts": [
            {
                **_list_fields(prompt, "render", "fetch", "arguments"),
                "arguments": [_describe_argument(item) for item in prompt.arguments],
            }
            for prompt in suite.prompts
        ],
        "has_workers": bool(suite.workers),
        "is_private": suite.is_private,
    }


def _list_fields(part: Resource | Prompt | PromptArgument, *excluded: str) -> dict[str, Any]:
    return {item.name: getattr(part, item.name) for item in fields(part) if item.name not in excluded}


def _describe_tool(tool: Tool) -> dict[str, Any]:
    return {"contract": tool.contract, **{name: getattr(tool, name) for name in _TOOL_FIELDS}}


def _describe_argument(argument: PromptArgument) -> dict[str, Any]:
    return {**_list_fields(argument, "complete"), "complete": argument.complete is not None}


def load_address(address: str) -> Any:
    """Import `module:name`."""
    module, _, name = address.partition(":")
    return getattr(import_module(module), name)


def build_suite(outline: Mapping[str, Any], lazy_suite: LazySuite) -> OutlinedSuite:
    dialect: Dialect = load_address(BUILT_IN[outline["name"]].dialect)
    return OutlinedSuite(
        name=outline["name"],
        title=outline["title"],
        dialect=dialect,
        tools=tuple(_build_tool(tool, dialect, lazy_suite) for tool in outline["tools"]),
        resources=tuple(_build_resource(resource, lazy_suite) for resource in outline["resources"]),
        prompts=tuple(_build_prompt(prompt, lazy_suite) for prompt in outline["prompts"]),
        workers=(_build_worker(outline["name"], lazy_suite),) if outline["has_workers"] else (),
        is_private=outline["is_private"],
        lazy_suite=lazy_suite,
    )


def _build_worker(name: str, lazy_suite: LazySuite) -> Worker:
    """Return a worker that opens the suite and runs all its workers."""

    async def run() -> None:
        await asyncio.sleep(_WORKER_DELAY_S)
        async with run_workers((await lazy_suite()).workers):
            await asyncio.Event().wait()

    return Worker(f"{name}: background work", run)


def _build_tool(description: Mapping[str, Any], dialect: Dialect, lazy_suite: LazySuite) -> OutlinedTool:
    contract = description["contract"]
    plain: dict[str, Any] = {name: contract[name] for name in _CONTRACT_FIELDS}
    listed: dict[str, Any] = {name: tuple(contract[name]) for name in _CONTRACT_LISTS}
    return OutlinedTool(
        **plain,
        **listed,
        **{name: description[name] for name in _TOOL_FIELDS},
        examples=tuple(Example(**example) for example in contract["examples"]),
        dialect=dialect,
        published=contract,
        lazy_suite=lazy_suite,
    )


def _build_resource(description: Mapping[str, Any], lazy_suite: LazySuite) -> Resource:
    async def open_resource() -> Resource:
        return next(resource for resource in (await lazy_suite()).resources if resource.uri == description["uri"])

    async def read(parts: Mapping[str, str], context: Context) -> Content:
        return await (await open_resource()).read(parts, context)

    def make_completer(name: str) -> Completer:
        async def complete(text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
            return await (await open_resource()).complete[name](text, chosen, caller)

        return complete

    return Resource(
        **{**description, "complete": {name: make_completer(name) for name in description["complete"]}}, read=read
    )


def _build_prompt(description: Mapping[str, Any], lazy_suite: LazySuite) -> Prompt:
    def find_prompt(suite: Suite) -> Prompt:
        return next(prompt for prompt in suite.prompts if prompt.name == description["name"])

    def render(given: Mapping[str, str]) -> str:
        return find_prompt(lazy_suite.suite).render(given)

    def build_argument(item: Mapping[str, Any]) -> PromptArgument:
        async def complete(text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
            found = next(
                candidate for candidate in find_prompt(await lazy_suite()).arguments if candidate.name == item["name"]
            )
            return [] if found.complete is None else await found.complete(text, chosen, caller)

        return PromptArgument(**{**item, "complete": complete if item["complete"] else None})

    return Prompt(**{**description, "arguments": tuple(map(build_argument, description["arguments"]))}, render=render)
