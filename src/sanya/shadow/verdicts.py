"""Compares the outcomes of one call on two engines: equal, equal but for rounding, different, or failed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import orjson

from sanya.kernel.calls.call import Answered, Outcome
from sanya.kernel.calls.comparison import ABSENT, AnswerDifference, find_differences
from sanya.kernel.contracts.tool import Tool
from sanya.kernel.faults import Internal, Unavailable, list_fault_kinds

ComparisonKind = Literal["equal", "rounding", "late", "raced", "different", "failed", "dropped", "unmirrored"]
"""Raced: a write ran at the same time, so both sides may have seen different data. Late: different at first, equal when
the call was made again. Dropped: the shadow was stopped or too slow. Unmirrored: a write that must not be made
twice."""

KINDS: tuple[ComparisonKind, ...] = get_args(ComparisonKind)

ENGINE_FAULTS = frozenset(
    {kind for kind, fault in list_fault_kinds().items() if issubclass(fault, Internal | Unavailable)}
    | {"deadline_exceeded"}
)
"""Faults of the engine, not of the call."""

_MOST_PLACES = 20
_SHOWN_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class SideOutcome:
    """The outcome on one side: the kind of its fault, if it refused, and its body or error object."""

    fault: str | None
    out_hash: str
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ReportedDifference:
    """A place where two answers differ, with both values as a report may show them."""

    path: str
    here: str
    there: str


def read_outcome(outcome: Outcome) -> SideOutcome:
    if isinstance(outcome, Answered):
        return SideOutcome(None, outcome.stamp.out_hash, outcome.body)
    return SideOutcome(outcome.fault.kind, outcome.stamp.out_hash, outcome.error)


def judge(tool: Tool, here: SideOutcome, there: SideOutcome) -> tuple[ComparisonKind, list[AnswerDifference]]:
    if here.fault == there.fault and (here.out_hash == there.out_hash or here.fault in ENGINE_FAULTS):
        return "equal", []
    if there.fault in ENGINE_FAULTS:
        message = there.payload.get("message", there.fault)
        return "failed", [AnswerDifference("$", here.fault or "ok", f"{there.fault}: {message}")]
    if here.fault != there.fault:
        return "different", [AnswerDifference("$", here.fault or "ok", there.fault or "ok")]
    found = find_differences(here.payload, there.payload, tool)
    if not found:
        # The hashes differ, so one body was cut or altered on its way.
        return "different", [AnswerDifference("$", here.out_hash, there.out_hash)]
    return ("rounding" if all(difference.is_rounding for difference in found) else "different"), found


def report_differences(found: Sequence[AnswerDifference], *, private: bool) -> list[ReportedDifference]:
    """Return the differences as a report may keep them. In a `private` suite, which redacts something from the ledger,
    texts are not shown: its answers may repeat what was redacted."""
    return [
        ReportedDifference(
            difference.path, _format_value(difference.here, private), _format_value(difference.there, private)
        )
        for difference in found[:_MOST_PLACES]
    ]


def _format_value(value: Any, private: bool) -> str:
    if value is ABSENT:
        return "nothing"
    if private and not isinstance(value, int | float | None):
        return f"[redacted: {len(value)} {'characters' if isinstance(value, str) else 'parts'}]"
    text = orjson.dumps(value).decode("utf-8")
    return text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 1] + "…"
