"""A tool: the contract (shapes, bounds, effect, scopes, time, errors, examples) and the handler that keeps it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import jsonschema_rs

from sanya.kernel.call import Context
from sanya.kernel.canonical import canonical_json, has_plain_values
from sanya.kernel.dialect import Dialect
from sanya.kernel.faults import Fault
from sanya.kernel.shapes import Shape, published_schema
from sanya.kernel.stamp import digest, stamped_schema

Effect = Literal["read", "write"]
Handler = Callable[[Any, Context], Awaitable[Shape]]

_PORTABLE = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True)
class Example:
    """A call that works on starter data; parity runs every one on every surface."""

    title: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Tool:
    """`unhashed` and `redacted` are dotted paths (`*` for list elements): left out of `out_hash`, and never written to
    the ledger. `faults` are the classes this tool answers with beyond those every call can meet."""

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
    idempotent: bool = False
    destructive: bool = False
    open_world: bool = False
    meta: Mapping[str, Any] = field(default_factory=dict)

    async def opened(self) -> Tool:
        """The tool itself, where this only stands for one whose suite is not open yet."""
        return self

    @cached_property
    def portable_name(self) -> str:
        """The name for hosts that take only `[A-Za-z0-9_-]{1,64}`."""
        return _PORTABLE.sub("_", self.name)

    @cached_property
    def required_scopes(self) -> tuple[str, ...]:
        return self.scopes or (f"{self.suite}:{self.effect}",)

    @cached_property
    def input_schema(self) -> dict[str, Any]:
        return published_schema(self.input)

    @cached_property
    def output_schema(self) -> dict[str, Any]:
        """What a caller gets: the body, with the stamp where the contract has it inside."""
        return stamped_schema(self._body_schema) if self.dialect.stamp_in_body else self._body_schema

    @cached_property
    def _body_schema(self) -> dict[str, Any]:
        return published_schema(self.output, mode="serialization")

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
    def redacted_paths(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(path.split(".")) for path in self.redacted)

    @cached_property
    def contract(self) -> dict[str, Any]:
        """The contract as published data; the lock in `contracts/` holds this for every tool."""
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
            "examples": [{"title": one.title, "arguments": dict(one.arguments)} for one in self.examples],
            "input": self.input_schema,
            "output": self.output_schema,
        }

    @cached_property
    def contract_hash(self) -> str:
        return digest(canonical_json(self.contract))
