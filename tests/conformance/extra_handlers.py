"""Adds handlers to an endpoint's SDK server for what our contracts lack, such as images or elicitation.

The product answers everything that is not added here.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mcp import types
from mcp.server.context import HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server

Context = ServerRequestContext[Any, Any]
AnswerRequest = Callable[[Context], Awaitable[HandlerResult]]


@dataclass(frozen=True)
class ExtraHandler:
    """An additional tool, prompt or resource: its listing and its handler."""

    listed: dict[str, Any]
    answer: AnswerRequest


@dataclass(frozen=True)
class ExtraHandlers:
    tools: list[ExtraHandler] = field(default_factory=list)
    prompts: list[ExtraHandler] = field(default_factory=list)
    resources: list[ExtraHandler] = field(default_factory=list)


def add_handlers(server: Server[Any], extras: ExtraHandlers) -> None:
    _extend_listing(server, "tools/list", "tools", extras.tools)
    _extend_listing(server, "prompts/list", "prompts", extras.prompts)
    _extend_listing(server, "resources/list", "resources", extras.resources)
    _answer_first(server, "tools/call", "name", extras.tools)
    _answer_first(server, "prompts/get", "name", extras.prompts)
    _answer_first(server, "resources/read", "uri", extras.resources)


def build_tool(name: str, answer: AnswerRequest, schema: Mapping[str, Any] | None = None) -> ExtraHandler:
    listed = {"name": name, "description": f"Does what the scenario of {name} wants."}
    return ExtraHandler({**listed, "inputSchema": dict(schema or {"type": "object", "properties": {}})}, answer)


def build_prompt(name: str, answer: AnswerRequest, *arguments: str) -> ExtraHandler:
    listed = {"name": name, "description": "For the scenarios."}
    return ExtraHandler(
        {**listed, "arguments": [{"name": argument, "required": True} for argument in arguments]}, answer
    )


def _extend_listing(server: Server[Any], method: str, key: str, extras: list[ExtraHandler]) -> None:
    ours = server.get_request_handler(method)
    assert ours is not None

    async def handle(ctx: Context, params: types.PaginatedRequestParams) -> HandlerResult:
        found = await ours.handler(ctx, params)
        assert isinstance(found, types.Result)
        listed = found.model_dump(by_alias=True, mode="json", exclude_none=True)
        return {**listed, key: [*listed[key], *(extra.listed for extra in extras)]}

    server.add_request_handler(method, types.PaginatedRequestParams, handle)


def _answer_first(server: Server[Any], method: str, key: str, extras: list[ExtraHandler]) -> None:
    ours = server.get_request_handler(method)
    assert ours is not None
    answers = {extra.listed[key]: extra.answer for extra in extras}

    async def handle(ctx: Context, params: Any) -> HandlerResult:
        answer = answers.get(getattr(params, key))
        return await (ours.handler(ctx, params) if answer is None else answer(ctx))

    server.add_request_handler(method, ours.params_type, handle)
