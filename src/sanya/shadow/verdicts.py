"""What two engines came to on one call: equal, equal within rounding, different, or failed on the second."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import orjson

from sanya.kernel.call import Answered, Outcome
from sanya.kernel.comparison import ABSENT, Difference, differences
from sanya.kernel.faults import Internal, Unavailable, fault_kinds
from sanya.kernel.tool import Tool

Kind = Literal["equal", "rounding", "late", "raced", "different", "failed", "dropped", "unmirrored"]
"""Raced: a write ran beside the call, so that the two may have seen different data. Late: different, and the same when
the shadow was asked once more. Dropped: the shadow was not asked, because it was away or too slow. Unmirrored: a write
that must not or cannot be made twice."""

KINDS: tuple[Kind, ...] = get_args(Kind)

OF_THE_ENGINE = frozenset(
    {kind for kind, fault in fault_kinds().items() if issubclass(fault, Internal | Unavailable)} | {"deadline_exceeded"}
)
"""Faults that speak of the engine and not of what was asked."""

_MOST_PLACES = 20
_SHOWN_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class Said:
    """What one side said: the kind of its fault, if it refused, and its body or its error object."""

    fault: str | None
    out_hash: str
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Place:
    """Where two answers differ, with both values as a report may show them."""

    path: str
    here: str
    there: str


def said_in(outcome: Outcome) -> Said:
    if isinstance(outcome, Answered):
        return Said(None, outcome.stamp.out_hash, outcome.body)
    return Said(outcome.fault.kind, outcome.stamp.out_hash, outcome.error)


def judge(tool: Tool, here: Said, there: Said) -> tuple[Kind, list[Difference]]:
    if here.fault == there.fault and (here.out_hash == there.out_hash or here.fault in OF_THE_ENGINE):
        return "equal", []
    if there.fault in OF_THE_ENGINE:
        message = there.payload.get("message", there.fault)
        return "failed", [Difference("$", here.fault or "ok", f"{there.fault}: {message}")]
    if here.fault != there.fault:
        return "different", [Difference("$", here.fault or "ok", there.fault or "ok")]
    found = differences(here.payload, there.payload, tool)
    if not found:
        # Their hashes differ, so the bodies do; what was heard of one of them was cut or altered on the way.
        return "different", [Difference("$", here.out_hash, there.out_hash)]
    return ("rounding" if all(one.is_rounding for one in found) else "different"), found


def places(found: Sequence[Difference], *, private: bool) -> list[Place]:
    """As a report may keep them. In a `private` suite, one that withholds something from the ledger, texts are not
    shown: whatever it was given may come back in its answers."""
    return [Place(one.path, _shown(one.here, private), _shown(one.there, private)) for one in found[:_MOST_PLACES]]


def _shown(value: Any, private: bool) -> str:
    if value is ABSENT:
        return "nothing"
    if private and not isinstance(value, int | float | None):
        return f"[redacted: {len(value)} {'characters' if isinstance(value, str) else 'parts'}]"
    text = orjson.dumps(value).decode("utf-8")
    return text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 1] + "…"
