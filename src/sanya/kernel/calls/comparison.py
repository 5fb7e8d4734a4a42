"""Compares two answers to one call and lists where they differ.

Parity uses it to compare surfaces, a shadow to compare engines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final

import orjson

from sanya.kernel.calls.stamp import serialise_hashed
from sanya.kernel.contracts.tool import Tool

ROUNDING: Final = 5e-6
"""Numbers that differ by no more than this are equal: engines add the same numbers in different orders. A score is a
sum of up to five parts, each rounded to steps of 2^-20. For numbers above 1 the tolerance is relative."""


class _Absent:
    def __repr__(self) -> str:
        return "nothing"


ABSENT: Final = _Absent()
"""Marks a path at which one side has no value."""


@dataclass(frozen=True, slots=True)
class AnswerDifference:
    """A JSON path and the values that both sides have there."""

    path: str
    here: Any
    there: Any

    @property
    def is_rounding(self) -> bool:
        values = (self.here, self.there)
        return all(map(_is_number, values)) and any(isinstance(value, float) for value in values) and self._is_near

    @property
    def _is_near(self) -> bool:
        return bool(abs(self.here - self.there) <= ROUNDING * max(1, abs(self.here), abs(self.there)))


def serialise_compared(payload: Mapping[str, Any], tool: Tool) -> bytes:
    """Return the canonical bytes without the stamp and without the paths that the contract excludes from the hash."""
    return serialise_hashed({name: value for name, value in payload.items() if name != "audit"}, tool.unhashed_paths)


def find_differences(here: Mapping[str, Any], there: Mapping[str, Any], tool: Tool) -> list[AnswerDifference]:
    """Return every leaf that differs. Lists are compared index by index, so another order is a difference."""
    ours, theirs = serialise_compared(here, tool), serialise_compared(there, tool)
    return [] if ours == theirs else list(_walk("$", orjson.loads(ours), orjson.loads(theirs)))


def _walk(path: str, here: Any, there: Any) -> Iterator[AnswerDifference]:
    if isinstance(here, dict) and isinstance(there, dict):
        for name in sorted({*here, *there}):
            yield from _walk(path + _step(name), here.get(name, ABSENT), there.get(name, ABSENT))
    elif isinstance(here, list) and isinstance(there, list):
        for index, (item, other) in enumerate(zip_longest(here, there, fillvalue=ABSENT)):
            yield from _walk(f"{path}[{index}]", item, other)
    elif here is not there and (here != there or isinstance(here, bool) != isinstance(there, bool)):
        yield AnswerDifference(path, here, there)


def _step(name: str) -> str:
    return f".{name}" if name.isidentifier() else f"[{orjson.dumps(name).decode('utf-8')}]"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
