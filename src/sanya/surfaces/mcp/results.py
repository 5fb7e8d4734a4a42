"""Builds MCP results from outcomes: `structuredContent` for programs, `content` for clients that read only text."""

from __future__ import annotations

from typing import Any

import orjson

from sanya.kernel.calls.call import Answered, Outcome, Refused
from sanya.kernel.contracts.links import Link, find_links
from sanya.kernel.contracts.tool import Tool
from sanya.kernel.faults import Fault
from sanya.surfaces.mcp.listing.tool_names import ToolNames

AUDIT_KEY = "sanya/audit"
REPLAYED_KEY = "sanya/replayed"
REQUEST_ID_KEY = "sanya/request_id"
_TITLE_CHARS = 60


MAX_LINKS = 5
LINKS_SINCE = "2025-06-18"
"""Clients of an older protocol version refuse a result with a resource link."""


def build_tool_result(
    outcome: Outcome, names: ToolNames | None = None, called: str = "", *, with_links: bool = True
) -> dict[str, Any]:
    """Build the result of `tools/call`. Both eras send it unchanged.

    The texts of refusals use the `names` that the caller uses, who `called` the tool by this one.
    """
    if isinstance(outcome, Answered):
        parts = outcome.tool.dialect.to_mcp_parts(outcome.body)
        text = orjson.dumps(parts.structured).decode("utf-8")
        result = _assemble_result(text, parts.structured, {**parts.meta, **build_meta(outcome)}, is_error=False)
        if parts.content is not None:
            result["content"] = [*parts.content]
        elif parts.text is not None:
            # Most clients show a model `content` alone, and a sentence does not hold every figure.
            result["content"].insert(0, {"type": "text", "text": parts.text})
        # Clients show `content` to the model and keep `_meta` to themselves, so what a note says stands in both.
        result["content"] += [
            {"type": "text", "text": note["message"]} for note in outcome.notes.values() if note.get("message")
        ]
        if with_links and outcome.tool.links:
            result["content"] += map(_describe_link, find_links(outcome.tool.links, outcome.body, MAX_LINKS))
        return result
    text = _write_refusal(outcome)
    text = text if names is None else names.write(text, called)
    return _assemble_result(text, outcome.body, build_meta(outcome), is_error=True)


def build_early_refusal(fault: Fault, tool: Tool) -> dict[str, Any]:
    """Build the result of a call that could not begin, in the words of the tool's suite. It has no stamp."""
    response = tool.dialect.render_fault(fault, tool)
    text = _add_hint(response.message, response.error.get("actionableHint") or fault.hint)
    return _assemble_result(text, response.body, {}, is_error=True)


def _describe_link(link: Link) -> dict[str, Any]:
    return {"type": "resource_link", "uri": link.uri, "name": link.title[:_TITLE_CHARS], "mimeType": "application/json"}


def _write_refusal(refused: Refused) -> str:
    """Return the message with its hint: most clients show a model only the text of an error."""
    return _add_hint(refused.message, refused.error.get("actionableHint") or refused.fault.hint)


def _add_hint(message: str, hint: str | None) -> str:
    if not hint:
        return message
    ending = "" if message.endswith("?") else "."
    return f"{message.rstrip('.')}{ending} {hint}"


def build_meta(outcome: Answered | Refused) -> dict[str, Any]:
    """Build `_meta`: the request id, and the stamp unless the body has it."""
    meta: dict[str, Any] = {REQUEST_ID_KEY: outcome.request_id}
    if outcome.tool is None or not outcome.tool.dialect.stamp_in_body or "audit" not in outcome.body:
        meta[AUDIT_KEY] = outcome.stamp.as_json()
    if outcome.replayed:
        meta[REPLAYED_KEY] = True
    if isinstance(outcome, Answered):
        meta.update((f"sanya/{name}", note) for name, note in outcome.notes.items())
    return meta


def _assemble_result(text: str, structured: dict[str, Any], meta: dict[str, Any], *, is_error: bool) -> dict[str, Any]:
    return {
        "content": [{"type": "text", "text": text}],
        "structuredContent": structured,
        "isError": is_error,
        "resultType": "complete",
        "_meta": meta,
    }
