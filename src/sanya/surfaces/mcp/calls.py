"""Turns `tools/call` parameters into the kernel's `Call`. The hot path and the SDK path share it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sanya.kernel.calls.call import Call, Caller, ProgressSink, ignore_progress
from sanya.kernel.calls.traceparent import read_traceparent
from sanya.kernel.contracts.catalogue import Catalogue
from sanya.surfaces.mcp.arguments.coercion import ReadArguments, build_plain_check, read_leniently
from sanya.surfaces.mcp.arguments.json_strings import has_nested_fields, parse_stringified
from sanya.surfaces.mcp.listing.token_estimates import estimate_bytes
from sanya.surfaces.mcp.results import REQUEST_ID_KEY

SURFACE = "mcp"
UNDERSTOOD = "understood"
"""Name of the note that tells which arguments were read as something else than they were sent."""
_NO_NOTES: Mapping[str, dict[str, Any]] = {}
MAX_REQUEST_ID_CHARS = 128


class CallReader:
    """Builds calls. The kernel refuses answers above `max_result_tokens`, which hosts would cut off.

    `called_tools` collects the names of called tools; the event loop monitor reads and clears it.
    """

    def __init__(self, catalogue: Catalogue, max_result_tokens: int) -> None:
        self.called_tools: set[str] = set()
        self._max_answer_bytes = estimate_bytes(max_result_tokens)
        self._schemas = {
            name: tool.input_schema for tool in catalogue.tools for name in (tool.name, tool.portable_name)
        }
        self._plain_checks = {name: build_plain_check(schema) for name, schema in self._schemas.items()}
        self._nested_schemas = {
            name: tool.input_schema
            for tool in catalogue.tools
            if has_nested_fields(tool.input_schema)
            for name in (tool.name, tool.portable_name)
        }

    def read_call(
        self,
        name: str,
        arguments: Mapping[str, Any],
        meta: Mapping[str, Any],
        caller: Caller,
        progress: ProgressSink = ignore_progress,
    ) -> Call:
        nested = self._nested_schemas.get(name)
        parsed = arguments if nested is None else parse_stringified(arguments, nested)
        is_plain = self._plain_checks.get(name)
        understood, changes = ReadArguments(parsed, [])
        if is_plain is not None and not is_plain(parsed):
            understood, changes = read_leniently(parsed, self._schemas[name])
        trace_id, parent_span_id = read_traceparent(meta.get("traceparent"))
        self.called_tools.add(name)
        return Call(
            name,
            understood,
            caller,
            SURFACE,
            meta.get(REQUEST_ID_KEY),
            trace_id,
            parent_span_id,
            progress=progress,
            max_answer_bytes=self._max_answer_bytes,
            notes={UNDERSTOOD: {"arguments": changes}} if changes else _NO_NOTES,
        )


def has_valid_request_id(meta: Mapping[str, Any]) -> bool:
    request_id = meta.get(REQUEST_ID_KEY)
    return request_id is None or (type(request_id) is str and 0 < len(request_id) <= MAX_REQUEST_ID_CHARS)
