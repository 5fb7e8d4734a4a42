"""Reads W3C Trace Context: `00-<trace id>-<span id>-<flags>`."""

from __future__ import annotations

import re

_TRACEPARENT = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?")
_MAX_CHARS = 512


def read_traceparent(text: object) -> tuple[str | None, str | None]:
    """Return the trace id and the span id, or two Nones for a malformed text, which must not stop a call."""
    if not isinstance(text, str) or len(text) > _MAX_CHARS:
        return None, None
    parts = _TRACEPARENT.fullmatch(text)
    return (None, None) if parts is None else (parts[1], parts[2])
