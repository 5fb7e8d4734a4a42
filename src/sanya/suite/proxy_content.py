"""The answers of a proxied tool: structured content where its server promises a schema, else blocks of content."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from sanya.kernel.contracts.dialect import McpParts
from sanya.kernel.faults import UpstreamFailed
from sanya.suite.plain_dialect import CODES, PlainDialect

MAX_ANSWER_BYTES = 8 * 1024 * 1024
_SHOWN_CHARS = 2000

CONTENT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "content": {
            "type": "array",
            "description": "What the tool returned, in blocks",
            "items": {
                "type": "object",
                "properties": {
                    "type": {"type": "string", "description": "text, image, audio, resource or resource_link"},
                    "text": {"type": "string", "description": "The text of a text block"},
                },
                "required": ["type"],
                "additionalProperties": True,
            },
        },
        "structured": {"type": "object", "description": "Structured content, which the server promises no schema for"},
    },
    "required": ["content"],
    "additionalProperties": False,
}


class ContentDialect(PlainDialect):
    """The plain dialect, with the blocks of content as MCP's own content, so that images stay images."""

    def to_mcp_parts(self, body: dict[str, Any]) -> McpParts:
        return McpParts(text=None, structured=body, meta={}, content=body["content"])


CONTENT_DIALECT = ContentDialect(CODES)


def _move_block(block: Mapping[str, Any], suite: str) -> dict[str, Any]:
    """Return the block with the addresses that the suite serves the server's resources under."""
    moved = dict(block)
    if isinstance(block.get("uri"), str):
        moved["uri"] = to_own_uri(suite, block["uri"])
    if isinstance(inner := block.get("resource"), Mapping):
        moved["resource"] = _move_block(inner, suite)
    return moved


def to_own_uri(suite: str, uri: str) -> str:
    """Return the address of a server's resource in the suite: `demo://static/a` becomes `everything://demo/static/a`.

    A page of the web keeps its address: anybody can open it.
    """
    scheme, separator, rest = uri.partition("://")
    if scheme in ("http", "https"):
        return uri
    return f"{suite}://{scheme}/{rest}" if separator else f"{suite}://{quote(uri, safe='')}"


def build_body(tool: str, result: Mapping[str, Any], *, has_schema: bool) -> dict[str, Any]:
    """Return the body of an answer. Raise UpstreamFailed for an error, with what the server said."""
    suite = tool.partition(".")[0]
    content = [_move_block(block, suite) for block in result.get("content", ())]
    if result.get("isError"):
        said = " ".join(str(block.get("text", "")) for block in content if block.get("type") == "text").strip()
        raise UpstreamFailed(said[:_SHOWN_CHARS] or f"{tool} reported an error without a message", source=tool)
    if sum(len(str(block.get("text", ""))) + len(str(block.get("data", ""))) for block in content) > MAX_ANSWER_BYTES:
        raise UpstreamFailed(f"the answer of {tool} is larger than {MAX_ANSWER_BYTES} bytes", source=tool)
    structured = result.get("structuredContent")
    if not has_schema:
        return {"content": content} | ({"structured": structured} if isinstance(structured, dict) else {})
    if not isinstance(structured, dict):
        raise UpstreamFailed(f"{tool} returned no structured content, which its listing promises", source=tool)
    return structured
