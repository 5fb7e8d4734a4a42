"""Builds MCP results from outcomes: `structuredContent` for programs, `content` for clients that read only text."""

from __future__ import annotations

from typing import Any

import orjson

from sanya.kernel.call import Answered, Outcome, Refused

AUDIT_KEY = "sanya/audit"
REPLAYED_KEY = "sanya/replayed"
REQUEST_ID_KEY = "sanya/request_id"


def build_tool_result(outcome: Outcome) -> dict[str, Any]:
    """Build the result of `tools/call`. Both eras send it unchanged."""
    if isinstance(outcome, Answered):
        parts = outcome.tool.dialect.to_mcp_parts(outcome.body)
        text = orjson.dumps(outcome.body).decode("utf-8") if parts.text is None else parts.text
        result = _assemble_result(text, parts.structured, {**parts.meta, **build_meta(outcome)}, is_error=False)
        if parts.content is not None:
            result["content"] = [*parts.content]
        # Clients show `content` to the model and keep `_meta` to themselves, so what a note says stands in both.
        result["content"] += [
            {"type": "text", "text": note["message"]} for note in outcome.notes.values() if note.get("message")
        ]
        return result
    return _assemble_result(_write_refusal(outcome), outcome.body, build_meta(outcome), is_error=True)


def _write_refusal(refused: Refused) -> str:
    """Return the message with its hint: most clients show a model only the text of an error."""
    hint = refused.error.get("actionableHint") or refused.fault.hint
    return f"{refused.message.rstrip('.')}. {hint}" if hint else refused.message


def build_meta(outcome: Answered | Refused) -> dict[str, Any]:
    """Build `_meta`: the request id, and the stamp unless the suite's dialect puts it into the body."""
    meta: dict[str, Any] = {REQUEST_ID_KEY: outcome.request_id}
    if outcome.tool is None or not outcome.tool.dialect.stamp_in_body:
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
