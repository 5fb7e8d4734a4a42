"""A tool: a contract (shapes, bounds, effect, scopes, time limit, errors, examples) and the handler that fulfils it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import jsonschema_rs

from sanya.kernel.calls.call import Context
from sanya.kernel.calls.prepared_bodies import PreparedBody
from sanya.kernel.calls.stamp import add_stamp_schema, digest, remove_stamp_schema
from sanya.kernel.canonical import has_plain_values, to_canonical_json
from sanya.kernel.contracts.detail import has_detail, relax_schema, remove_detail
from sanya.kernel.contracts.dialect import Dialect
from sanya.kernel.contracts.links import ResourceLinks
from sanya.kernel.contracts.shapes import Shape, get_published_schema
from sanya.kernel.faults import Fault

Effect = Literal["read", "write"]
Handler = Callable[[Any, Context], Awaitable[Shape | PreparedBody]]

_PORTABLE = re.compile(r"[^A-Za-z0-9_-]")


Shortener = Callable[[dict[str, Any], float], "dict[str, Any] | None"]


@dataclass(frozen=True, slots=True)
class Example:
    """A call that works on starter data. Parity runs every example on every surface."""

    title: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Tool:
    """A contract and its handler.

    `unhashed` and `redacted` are dotted paths (`*` for list elements): the first are left out of `out_hash`, the second
    are never written to the ledger. `faults` are the classes that this tool raises beyond those of every call.
    """

    name: str
    suite: str
    title: str
    description: str
    input: type[Shape]
    output: type[Shape]
    handler: Handler
    dialect: Dialect
    effect: Effect = "read"
    scopes: tuple[str, ...] = ()
    timeout_ms: int = 30_000
    examples: tuple[Example, ...] = ()
    faults: tuple[type[Fault], ...] = ()
    unhashed: tuple[str, ...] = ()
    redacted: tuple[str, ...] = ()
    left_out_in_short: tuple[str, ...] = ()
    """Fields that `detail: short` leaves out, as dotted paths, beyond what is empty or repeated."""
    idempotent: bool = False
    destructive: bool = False
    open_world: bool = False
    operator: bool = False
    """For the operator of the server: agents see it listed only when asked for."""
    specialist: bool = False
    """Seldom needed: an agent's list leaves it out where it would be too long."""
    links: tuple[ResourceLinks, ...] = ()
    asks_about: str = ""
    """Field of the body, or of a refusal's details, that lists names with several meanings: a surface that can ask a
    person asks which is meant. Each has `field` (a dotted path), `given` and `candidates` (`id`, `label`), or `name`
    and `candidates` where it stands inside a text argument."""
    meta: Mapping[str, Any] = field(default_factory=dict)
    shorten: Shortener | None = None
    """Returns a shorter body that says what was left out, given the share that may stay, or None if it cannot."""
    page_limit: str | None = None
    """Argument that sets how many items a page has. If a page is too large for its connection, a smaller one is made,
    with `shortened` true in its body."""

    async def open(self) -> Tool:
        """Return the open tool. A tool of a lazy suite opens that suite here."""
        return self

    def reuse_schemas(self, contract: Mapping[str, Any]) -> None:
        """Take the schemas from a contract of the same code: to build them again takes longer than most calls."""
        body = contract["output"]
        known = vars(self)
        known.setdefault("input_schema", contract["input"])
        known.setdefault("_body_schema", remove_stamp_schema(body) if self.dialect.stamp_in_body else body)

    @cached_property
    def portable_name(self) -> str:
        """The name for hosts that accept only `[A-Za-z0-9_-]{1,64}`."""
        return _PORTABLE.sub("_", self.name)

    @cached_property
    def required_scopes(self) -> tuple[str, ...]:
        return self.scopes or (f"{self.suite}:{self.effect}",)

    @cached_property
    def input_schema(self) -> dict[str, Any]:
        return get_published_schema(self.input)

    @cached_property
    def output_schema(self) -> dict[str, Any]:
        """The schema of what a caller gets: the body, with the stamp if the contract puts it there."""
        return add_stamp_schema(self._body_schema) if self.dialect.stamp_in_body else self._body_schema

    @cached_property
    def _body_schema(self) -> dict[str, Any]:
        return get_published_schema(self.output, mode="serialization")

    @cached_property
    def body_validator(self) -> jsonschema_rs.Validator:
        return jsonschema_rs.validator_for(self._body_schema)

    @cached_property
    def has_plain_input(self) -> bool:
        return has_plain_values(self.input_schema)

    @cached_property
    def has_plain_output(self) -> bool:
        return has_plain_values(self._body_schema)

    @cached_property
    def unhashed_paths(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(path.split(".")) for path in self.unhashed)

    @cached_property
    def takes_detail(self) -> bool:
        return has_detail(self.input_schema)

    @cached_property
    def typed_input_schema(self) -> dict[str, Any]:
        """The input on surfaces whose answers have fixed types: without `detail`."""
        return remove_detail(self.input_schema)

    @cached_property
    def answer_schema(self) -> dict[str, Any]:
        """The schema of every answer, also a short one."""
        if not self.takes_detail:
            return self.output_schema
        return {"anyOf": [self.output_schema, relax_schema(self.output_schema)]}

    @cached_property
    def left_out_paths(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(path.split(".")) for path in self.left_out_in_short)

    @cached_property
    def redacted_paths(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(path.split(".")) for path in self.redacted)

    @cached_property
    def contract(self) -> dict[str, Any]:
        """The contract as it is published; the lock in `contracts/` holds its digest."""
        return {
            "name": self.name,
            "portable_name": self.portable_name,
            "suite": self.suite,
            "title": self.title,
            "description": self.description,
            "effect": self.effect,
            "scopes": list(self.required_scopes),
            "timeout_ms": self.timeout_ms,
            "errors": list(self.dialect.codes),
            "unhashed": list(self.unhashed),
            "redacted": list(self.redacted),
            "examples": [{"title": example.title, "arguments": dict(example.arguments)} for example in self.examples],
            "input": self.input_schema,
            "output": self.output_schema,
        }

    @cached_property
    def contract_hash(self) -> str:
        return digest(to_canonical_json(self.contract))
