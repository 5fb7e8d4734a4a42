"""Fits answers to the caller's connection: shortens them by the suite's rule, or refuses and says how to ask for less.

Only the suite knows what can be left out so that the answer still says the truth about itself: a page without its last
items, under the cursor of the whole page, would lose rows silently. So a tool may have a rule (`Tool.shorten`) that
returns a shorter body which names what was shortened. The hash in the stamp is that of the shorter body, which the
caller gets. A tool with pages (`Tool.page_limit`) is asked again for a smaller page, whose own cursor goes on where it
ends. Without either, or where nothing is left to shorten, the answer is refused.

Sizes count characters, not bytes: a Thai letter has three bytes and means no more than a Latin one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from sanya.kernel.calls.stamp import serialise_hashed
from sanya.kernel.contracts.detail import shorten_body
from sanya.kernel.contracts.shapes import Shape
from sanya.kernel.contracts.tool import Tool
from sanya.kernel.faults import AnswerTooLarge

_SIZING = re.compile(r"limit|page_?size|^k$|top_?k|^max_(?!depth)", re.IGNORECASE)
SHORTENED = "shortened"
"""Field of a page that has fewer items than were asked for, because more would not have fitted."""
_MAX_ROUNDS = 8
# A shortened answer says so, which takes room as well.
_SHARE_USED = 0.9


class FittedAnswer(NamedTuple):
    """A body and its canonical JSON."""

    body: dict[str, Any]
    serialised: bytes


def render_answer(tool: Tool, full: dict[str, Any], *, is_short: bool) -> FittedAnswer:
    """Return the body in the detail that the caller asked for, and the bytes that its hash covers."""
    body = shorten_body(full, tool.left_out_paths) if is_short else full
    return FittedAnswer(body, serialise_hashed(body, tool.unhashed_paths, plain=tool.has_plain_output))


def fit_answer(
    full: dict[str, Any],
    allowed: int,
    tool: Tool,
    given: Mapping[str, Any] | None,
    render: Callable[[dict[str, Any]], FittedAnswer],
) -> FittedAnswer:
    """Return the answer, shortened if it must be, or raise AnswerTooLarge.

    The rule of the suite sees whole bodies; `render` brings each into the form that the caller asked for.
    """
    answer = render(full)
    for _ in range(_MAX_ROUNDS):
        size = measure_answer(answer.serialised, allowed)
        if size <= allowed or tool.effect == "write" or tool.shorten is None:
            break
        shorter = tool.shorten(full, _SHARE_USED * allowed / size)
        if shorter is None:
            break
        full, answer = shorter, render(shorter)
    check_answer_size(allowed, measure_answer(answer.serialised, allowed), tool, given)
    return answer


def make_smaller_request(tool: Tool, request: Shape, fault: AnswerTooLarge) -> Shape | None:
    """Return the request for a page that should fit, or None if the tool has no pages or the page holds one item."""
    field = tool.page_limit
    if field is None or fault.details is None:
        return None
    limit = int(getattr(request, field))
    share = fault.details["allowed_bytes"] / fault.details["answer_bytes"]
    fewer = min(limit - 1, int(limit * share * _SHARE_USED))
    return request.model_copy(update={field: max(1, fewer)}) if limit > 1 else None


def measure_answer(serialised: bytes, allowed: int) -> int:
    """Return the number of characters, or of bytes where even those are few enough."""
    return len(serialised) if len(serialised) <= allowed else len(serialised.decode("utf-8"))


def check_answer_size(allowed: int, size: int, tool: Tool, given: Mapping[str, Any] | None) -> None:
    """Raise AnswerTooLarge for a read whose answer is too large. A write has happened, so its answer always goes
    out."""
    if size <= allowed or tool.effect == "write":
        return
    field = _find_sizing_field(given or {})
    sentence = f"the answer has {size} characters, and this connection carries {allowed} at most"
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
