"""Answers that a way in cannot carry are refused, with how to ask for less.

They are never cut: a page without its last items, under the cursor of the whole page, would lose rows without a word,
and its hash would no longer be the one in the stamp.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from sanya.kernel.faults import AnswerTooLarge
from sanya.kernel.tool import Tool

_SIZING = re.compile(r"limit|page_?size|^k$|top_?k|^max_", re.IGNORECASE)


def check_answer_size(allowed: int, size: int, tool: Tool, given: Mapping[str, Any] | None) -> None:
    """Refuses a read whose answer is too large. A write has happened, so its answer always goes out."""
    if size <= allowed or tool.effect == "write":
        return
    field = _sizing_field(given or {})
    sentence = f"the answer has {size} bytes, and this connection carries {allowed} at most"
    details = {"answer_bytes": size, "allowed_bytes": allowed}
    if given is None or field is None:
        raise AnswerTooLarge(f"{sentence}; ask for something narrower", details=details)
    enough = max(1, given[field] * allowed * 9 // (size * 10))
    raise AnswerTooLarge(f"{sentence}; ask again with {field} {enough} or less", field=field, details=details)


def _sizing_field(given: Mapping[str, Any]) -> str | None:
    """The argument that says how much is asked for, where there is one that can still go down."""
    for name, value in given.items():
        if _SIZING.search(name) and type(value) is int and value > 1:
            return name
    return None
