"""The `detail` of an answer: `full`, as the contract has it, or `short`, in few tokens.

A request that takes `detail` inherits from `DetailedRequest`. The handler never sees a difference: it makes the full
answer, which is validated against the contract, and the kernel then shortens it. `short` leaves out

- the fields that the tool names in `left_out_in_short`, such as the parts of a score,
- null, empty texts, arrays and objects,
- a sentence that stands in an earlier field of the same object or of one around it,
- all but the id of an object that stood in the answer before, such as a task that is on two lists,
- decimals beyond the fourth.

What is left has its names and types, so it matches the contract without the fields that it requires. `in_hash` covers
the argument and `out_hash` the shortened body, so a replay repeats both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import orjson

from sanya.kernel.calls.stamp import remove_path
from sanya.kernel.contracts.shapes import Shape

DETAIL = "detail"
Detail = Literal["short", "full"]

_SENTENCE_CHARS = 20
"""A shorter text, such as a name or a status, says something where it stands again. So does an id or a time."""
_NO_WORDS = re.compile(r"[!-~]*")
_REPEATED_BYTES = 60
"""Below this size, the id alone saves nothing."""
_DECIMALS = 4
_TINY = 0.001
_EMPTY: tuple[Any, ...] = ("", [], {})


class DetailedRequest(Shape):
    detail: Detail = "full"
    """short takes half the tokens"""


def has_detail(schema: Mapping[str, Any]) -> bool:
    return DETAIL in schema.get("properties", {})


def remove_detail(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the input schema for surfaces whose answers have fixed types or whose callers choose the fields."""
    if not has_detail(schema):
        return schema
    return {**schema, "properties": {name: part for name, part in schema["properties"].items() if name != DETAIL}}


def relax_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a short answer: the same names and types, and no field is required."""
    relaxed = {key: value for key, value in schema.items() if key != "required"}
    if "properties" in relaxed:
        relaxed["properties"] = {name: relax_schema(part) for name, part in relaxed["properties"].items()}
    for keyword in ("items", "additionalProperties"):
        if isinstance(relaxed.get(keyword), dict):
            relaxed[keyword] = relax_schema(relaxed[keyword])
    for keyword in ("anyOf", "oneOf", "allOf"):
        if keyword in relaxed:
            relaxed[keyword] = [relax_schema(branch) for branch in relaxed[keyword]]
    return relaxed


def shorten_body(body: dict[str, Any], left_out: Iterable[tuple[str, ...]]) -> dict[str, Any]:
    """Return the short form of a body. At its top, objects and texts stay, and one empty list if there is no other:
    they say that nothing was found."""
    for path in left_out:
        body = remove_path(body, path)
    short = _Shortener().shorten_object(body, ())
    kept: dict[str, Any] = {name: "" for name, value in body.items() if value == ""}
    kept |= {name: {} for name, value in body.items() if isinstance(value, dict) and name not in short}
    if not any(isinstance(value, list) for value in short.values()):
        kept |= {name: [] for name in [name for name, value in body.items() if value == []][:1]}
    return short | kept


class _Shortener:
    def __init__(self) -> None:
        self._seen: set[tuple[str, bytes]] = set()

    def shorten_object(self, given: Mapping[str, Any], texts_above: tuple[str, ...]) -> dict[str, Any]:
        """`texts_above` are the sentences of the objects around this one."""
        texts = list(texts_above)
        repeated = set()
        for name, value in given.items():
            if isinstance(value, str) and _is_sentence(value):
                if any(value in text for text in texts):
                    repeated.add(name)
                else:
                    texts.append(value)
        below = tuple(texts)
        shorter = {name: self._shorten(value, below) for name, value in given.items() if name not in repeated}
        return {name: value for name, value in shorter.items() if value is not None and value not in _EMPTY}

    def _shorten(self, value: Any, texts: tuple[str, ...]) -> Any:
        if isinstance(value, dict):
            return self._refer(value) or self.shorten_object(value, texts)
        if isinstance(value, list):
            # Items keep their places: a list may be one of several that are read side by side.
            return [self._shorten(item, texts) for item in value]
        if isinstance(value, float) and abs(value) >= _TINY:
            return round(value, _DECIMALS)
        return value

    def _refer(self, value: dict[str, Any]) -> dict[str, Any] | None:
        """Return the id alone of an object that stood in the answer before, else None."""
        id = value.get("id")
        if not isinstance(id, str) or not id:
            return None
        written = orjson.dumps(value)
        if len(written) < _REPEATED_BYTES:
            return None
        if (id, written) in self._seen:
            return {"id": id}
        self._seen.add((id, written))
        return None


def _is_sentence(text: str) -> bool:
    return len(text) >= _SENTENCE_CHARS and not _NO_WORDS.fullmatch(text)
