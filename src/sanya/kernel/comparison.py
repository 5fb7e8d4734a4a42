"""Two answers to one call, held against each other: what of them counts, and where they differ.

Parity compares ways in with it, a shadow compares engines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final

import orjson

from sanya.kernel.stamp import hashed_bytes
from sanya.kernel.tool import Tool

ROUNDING: Final = 5e-6
"""Engines add up the same numbers in another order: what lies no farther apart is the same number. A score is a sum of
up to five parts that are kept in steps of 2^-20; of numbers above 1 this is the share by which they may differ."""


class _Absent:
    def __repr__(self) -> str:
        return "nothing"


ABSENT: Final = _Absent()
"""Stands where one side has no value at all."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A place, as a JSON path, and what each side has there."""

    path: str
    here: Any
    there: Any

    @property
    def is_rounding(self) -> bool:
        values = (self.here, self.there)
        return all(map(_is_number, values)) and any(isinstance(one, float) for one in values) and self._is_near

    @property
    def _is_near(self) -> bool:
        return bool(abs(self.here - self.there) <= ROUNDING * max(1, abs(self.here), abs(self.there)))


def compared_bytes(payload: Mapping[str, Any], tool: Tool) -> bytes:
    """Without the stamp and without what the contract leaves out of the hash."""
    return hashed_bytes({name: value for name, value in payload.items() if name != "audit"}, tool.unhashed_paths)


def differences(here: Mapping[str, Any], there: Mapping[str, Any], tool: Tool) -> list[Difference]:
    """Every leaf that is not the same; a list is compared place by place, so another order is a difference."""
    ours, theirs = compared_bytes(here, tool), compared_bytes(there, tool)
    return [] if ours == theirs else list(_walk("$", orjson.loads(ours), orjson.loads(theirs)))


def _walk(path: str, here: Any, there: Any) -> Iterator[Difference]:
    if isinstance(here, dict) and isinstance(there, dict):
        for name in sorted({*here, *there}):
            yield from _walk(path + _step(name), here.get(name, ABSENT), there.get(name, ABSENT))
    elif isinstance(here, list) and isinstance(there, list):
        for index, (one, other) in enumerate(zip_longest(here, there, fillvalue=ABSENT)):
            yield from _walk(f"{path}[{index}]", one, other)
    elif here is not there and (here != there or isinstance(here, bool) != isinstance(there, bool)):
        yield Difference(path, here, there)


def _step(name: str) -> str:
    return f".{name}" if name.isidentifier() else f"[{orjson.dumps(name).decode('utf-8')}]"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
