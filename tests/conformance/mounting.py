"""Adds handlers to an endpoint's SDK server beside ours: for what no contract of ours has, such as images or questions
to the client. Whatever is not added here is answered by the product."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mcp import types
from mcp.server.context import HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server

Context = ServerRequestContext[Any, Any]
Answer = Callable[[Context], Awaitable[HandlerResult]]


@dataclass(frozen=True)
class Extra:
    """One more tool, prompt or resource: how it is listed, and what it answers."""

    listed: dict[str, Any]
    answer: Answer


@dataclass(frozen=True)
class Extras:
    tools: list[Extra] = field(default_factory=list)
    prompts: list[Extra] = field(default_factory=list)
    resources: list[Extra] = field(default_factory=list)


def mount(server: Server[Any], extras: Extras) -> None:
    _lengthen(server, "tools/list", "tools", extras.tools)
    _lengthen(server, "prompts/list", "prompts", extras.prompts)
    _lengthen(server, "resources/list", "resources", extras.resources)
    _answer_first(server, "tools/call", "name", extras.tools)
    _answer_first(server, "prompts/get", "name", extras.prompts)
    _answer_first(server, "resources/read", "uri", extras.resources)


def tool(name: str, answer: Answer, schema: Mapping[str, Any] | None = None) -> Extra:
    listed = {"name": name, "description": f"Does what the scenario of {name} wants."}
    return Extra({**listed, "inputSchema": dict(schema or {"type": "object", "properties": {}})}, answer)


def prompt(name: str, answer: Answer, *arguments: str) -> Extra:
    listed = {"name": name, "description": "For the scenarios."}
    return Extra({**listed, "arguments": [{"name": one, "required": True} for one in arguments]}, answer)


def _lengthen(server: Server[Any], method: str, key: str, extras: list[Extra]) -> None:
    ours = server.get_request_handler(method)
    assert ours is not None

    async def handle(ctx: Context, params: types.PaginatedRequestParams) -> HandlerResult:
        found = await ours.handler(ctx, params)
        assert isinstance(found, types.Result)
        listed = found.model_dump(by_alias=True, mode="json", exclude_none=True)
        return {**listed, key: [*listed[key], *(one.listed for one in extras)]}

    server.add_request_handler(method, types.PaginatedRequestParams, handle)


def _answer_first(server: Server[Any], method: str, key: str, extras: list[Extra]) -> None:
    ours = server.get_request_handler(method)
    assert ours is not None
    answers = {one.listed[key]: one.answer for one in extras}

    async def handle(ctx: Context, params: Any) -> HandlerResult:
        answer = answers.get(getattr(params, key))
        return await (ours.handler(ctx, params) if answer is None else answer(ctx))

    server.add_request_handler(method, ours.params_type, handle)
