"""Fixtures with content that our contracts lack: images, audio, embedded resources, log messages."""

from __future__ import annotations

import asyncio
import base64
from typing import Any

from mcp.server.context import HandlerResult

from tests.conformance.extra_handlers import AnswerRequest, Context, ExtraHandler, build_prompt, build_tool
from tests.conformance.fixture_suite import PAUSE_S

PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="  # one red pixel
)
WAV = base64.b64encode(
    b"RIFF\x26\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\x02\0\0\0\0\0"
).decode()
IMAGE = {"type": "image", "data": PNG, "mimeType": "image/png"}
LOG_LEVEL = "io.modelcontextprotocol/logLevel"


def text(sentence: str) -> dict[str, Any]:
    return {"type": "text", "text": sentence}


def embed_resource(uri: str, mime_type: str, content: str) -> dict[str, Any]:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": mime_type, "text": content}}


def answer_with(*content: dict[str, Any]) -> AnswerRequest:
    async def answer(ctx: Context) -> HandlerResult:
        return {"content": list(content), "resultType": "complete"}

    return answer


def prompt_with(*content: dict[str, Any]) -> AnswerRequest:
    async def answer(ctx: Context) -> HandlerResult:
        return {"messages": [{"role": "user", "content": part} for part in content], "resultType": "complete"}

    return answer


async def prompt_with_resource(ctx: Context) -> HandlerResult:
    uri = (ctx.params or {})["arguments"]["resourceUri"]
    shown = embed_resource(uri, "text/plain", "Embedded resource content for testing.")
    return await prompt_with(shown, text("Please process the embedded resource above."))(ctx)


async def log_lines(ctx: Context) -> HandlerResult:
    for line in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await ctx.session.send_log_message("info", line, related_request_id=ctx.request_id)
        await asyncio.sleep(PAUSE_S)
    return await answer_with(text("Three lines were logged."))(ctx)


async def read_binary(ctx: Context) -> HandlerResult:
    contents = [{"uri": "test://static-binary", "mimeType": "image/png", "blob": PNG}]
    return {"contents": contents, "resultType": "complete", "ttlMs": 0, "cacheScope": "private"}


def content_tools() -> list[ExtraHandler]:
    mixed = embed_resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}')
    resource = embed_resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")
    sound = {"type": "audio", "data": WAV, "mimeType": "audio/wav"}
    return [
        build_tool("test_image_content", answer_with(IMAGE)),
        build_tool("test_audio_content", answer_with(sound)),
        build_tool("test_embedded_resource", answer_with(resource)),
        build_tool("test_multiple_content_types", answer_with(text("Multiple content types test:"), IMAGE, mixed)),
        build_tool("test_tool_with_logging", log_lines),
        build_tool("test_logging_tool", log_lines),
    ]


def content_prompts() -> list[ExtraHandler]:
    return [
        build_prompt("test_prompt_with_embedded_resource", prompt_with_resource, "resourceUri"),
        build_prompt("test_prompt_with_image", prompt_with(IMAGE, text("Please analyze the image above."))),
    ]


def content_resources() -> list[ExtraHandler]:
    listed = {"uri": "test://static-binary", "name": "binary", "description": "A pixel.", "mimeType": "image/png"}
    return [ExtraHandler(listed, read_binary)]
