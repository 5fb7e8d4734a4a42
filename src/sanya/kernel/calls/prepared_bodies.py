"""Bodies made of parts that were validated and serialised once, for answers that repeat them.

A large answer costs most of its time in the path of the call: its shapes are dumped, the body is validated against the
published schema and serialised for its hash. Where the elements of a list come back in many answers, as the statements
about a herb do, a handler keeps them as prepared parts. A part is validated against the schema of its list when it is
made, and its canonical JSON and the papers that it names are kept. What is left for each call is the rest of the body;
the hash is the same as that of a body made anew.

Parts are shared by all answers that hold them, so nobody may change them: `copy_body` gives a body to whoever may.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import jsonschema_rs
import orjson

from sanya.kernel.canonical import to_canonical_json
from sanya.kernel.contracts.shapes import Shape, get_published_schema
from sanya.kernel.faults import InvariantBroken
from sanya.kernel.ledger.cited_papers import find_cited_pmids

_Places = list[tuple[Any, "_Places | None"]]
"""Where a value holds lists and objects: the key or index of each, with its own places, or None for a list of plain
values. A copy visits these alone, which takes a quarter of the time of looking at every field."""


class PreparedPart:
    """An element of a list of a body: plain JSON, and the bytes that it contributes to the canonical JSON, and to a
    response, which keeps the order of the contract's fields."""

    __slots__ = ("_places", "_response", "cited", "fragment", "value")

    def __init__(self, value: dict[str, Any]) -> None:
        serialised = to_canonical_json(value)
        self.value = value
        self.fragment = orjson.Fragment(serialised)
        self._response: orjson.Fragment | None = None
        self.cited = frozenset(find_cited_pmids(serialised))
        self._places = _find_places(value)

    @property
    def response_fragment(self) -> orjson.Fragment:
        if self._response is None:
            self._response = orjson.Fragment(orjson.dumps(self.value))
        return self._response

    def copy_value(self) -> dict[str, Any]:
        copied: dict[str, Any] = _copy_value(self.value, self._places)
        return copied


class PartMaker:
    """Makes parts of one list of the body of `output`, such as its results."""

    def __init__(self, output: type[Shape], field: str) -> None:
        self._output = output
        self.field = field

    @cached_property
    def _validator(self) -> jsonschema_rs.Validator:
        schema = get_published_schema(self._output, mode="serialization")
        return jsonschema_rs.validator_for(schema["properties"][self.field]["items"])

    def make_part(self, element: Shape) -> PreparedPart:
        """Return the element as a part. Raise InvariantBroken where it breaks the contract."""
        value = element.model_dump(mode="json", by_alias=True, warnings=False)
        if not self._validator.is_valid(value):
            problem = next(iter(self._validator.iter_errors(value)), None)
            raise InvariantBroken(f"{self.field} of {self._output.__name__} breaks its contract: {problem}")
        return PreparedPart(value)


class PreparedBody(dict[str, Any]):
    """A body as plain JSON. `parts` are its lists that hold prepared parts, by field."""

    __slots__ = ("_serialised_rest", "parts")

    def __init__(self, rest: Mapping[str, Any], parts: Mapping[str, Sequence[PreparedPart]]) -> None:
        super().__init__(rest)
        self.parts = parts
        self._serialised_rest: dict[str, bytes] = {}
        for name, prepared in parts.items():
            self[name] = [part.value for part in prepared]

    def __setitem__(self, name: str, value: Any) -> None:
        self._serialised_rest.pop(name, None)
        super().__setitem__(name, value)

    @property
    def unprepared(self) -> dict[str, Any]:
        """The body with empty lists in place of the parts: all that a schema has still to be checked against."""
        return {**self, **{name: [] for name in self.parts}}

    def list_cited_pmids(self) -> set[str]:
        """Return the PMIDs in the body. To look for them in the bytes of all parts takes a fifth of a large call."""
        cited = [part.cited for prepared in self.parts.values() for part in prepared if part.cited]
        return set(find_cited_pmids(b",".join(self._serialise_rest().values()))).union(*cited)

    def to_canonical_json(self) -> bytes:
        if not "".join(self).isascii():
            return to_canonical_json(dict(self))  # orjson sorts such keys by another order
        fragments = {name: orjson.Fragment(value) for name, value in self._serialise_rest().items()}
        lists = {name: [part.fragment for part in prepared] for name, prepared in self.parts.items()}
        return orjson.dumps({**fragments, **lists}, option=orjson.OPT_SORT_KEYS)

    def _serialise_rest(self) -> dict[str, bytes]:
        """Return the canonical JSON of each other field. What was serialised for the hash is searched as well."""
        done = self._serialised_rest
        if len(done) != len(self) - len(self.parts):
            done.update((name, to_canonical_json(self[name])) for name in self if name not in (*self.parts, *done))
        return done


def read_answer(answer: Shape | PreparedBody) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the body of a handler's answer, and what of it is to be checked against the schema."""
    if isinstance(answer, PreparedBody):
        return answer, answer.unprepared
    body = answer.model_dump(mode="json", by_alias=True, warnings=False)
    return body, body


def find_pmids(body: dict[str, Any], serialised: bytes, reported: Iterable[str]) -> list[str]:
    """Return the PMIDs that an answer names and those that its handler reported."""
    if isinstance(body, PreparedBody):
        return sorted(body.list_cited_pmids().union(reported))
    return find_cited_pmids(serialised, reported)


def prepare_response(body: dict[str, Any]) -> dict[str, Any]:
    """Return the body for orjson alone, which copies the bytes of shared parts instead of writing them again."""
    if not isinstance(body, PreparedBody):
        return body
    return {**body, **{name: [part.response_fragment for part in parts] for name, parts in body.parts.items()}}


def copy_body(body: dict[str, Any]) -> dict[str, Any]:
    """Return the body without shared parts, for a caller who may change it."""
    if not isinstance(body, PreparedBody):
        return body
    copied = dict(body)
    for name, prepared in body.parts.items():
        copied[name] = [part.copy_value() for part in prepared]
    return copied


def _find_places(value: Any) -> _Places:
    members = value.items() if type(value) is dict else enumerate(value)
    return [
        (at, None if type(member) is list and not _find_places(member) else _find_places(member))
        for at, member in members
        if type(member) is list or type(member) is dict
    ]


def _copy_value(value: Any, places: _Places) -> Any:
    copied = value.copy()
    for at, inner in places:
        copied[at] = value[at][:] if inner is None else _copy_value(value[at], inner)
    return copied
