"""Refuses answers that are too large for the caller's connection, and says how to ask for less.

An answer is never truncated. A page without its last items, under the cursor of the whole page, would lose rows
silently, and its hash would not be the one in the stamp.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from sanya.kernel.faults import AnswerTooLarge
from sanya.kernel.tool import Tool

_SIZING = re.compile(r"limit|page_?size|^k$|top_?k|^max_", re.IGNORECASE)


def check_answer_size(allowed: int, size: int, tool: Tool, given: Mapping[str, Any] | None) -> None:
    """Raise AnswerTooLarge for a read whose answer is too large. A write has happened, so its answer always goes
    out."""
    if size <= allowed or tool.effect == "write":
        return
    field = _find_sizing_field(given or {})
    sentence = f"the answer has {size} bytes, and this connection carries {allowed} at most"
    details = {"answer_bytes": size, "allowed_bytes": allowed}
    if given is None or field is None:
        raise AnswerTooLarge(f"{sentence}; ask for something narrower", details=details)
    enough = max(1, given[field] * allowed * 9 // (size * 10))
    raise AnswerTooLarge(f"{sentence}; ask again with {field} {enough} or less", field=field, details=details)


def _find_sizing_field(given: Mapping[str, Any]) -> str | None:
    """Return the name of the argument that sets how much is returned, if there is one above 1."""
    for name, value in given.items():
        if _SIZING.search(name) and type(value) is int and value > 1:
            return name
    return None
