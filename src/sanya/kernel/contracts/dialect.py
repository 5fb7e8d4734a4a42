"""A dialect maps the one tree of faults to a suite's error vocabulary and says where its stamp goes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from sanya.kernel.faults import Fault, Internal

if TYPE_CHECKING:
    from sanya.kernel.contracts.tool import Tool


@dataclass(frozen=True, slots=True)
class FaultResponse:
    """A fault as a suite's contract words it.

    `error` is the suite's error object; `body` is the whole answer that the contract gives on failure (often the
    object itself or `{"error": …}`). If `is_error` is false, the contract treats this as an ordinary result, and
    `repeat` returns the fields that it repeats of the arguments, valid or not.
    """

    error: dict[str, Any]
    body: dict[str, Any]
    message: str
    is_error: bool = True
    repeat: Callable[[object], dict[str, Any]] | None = None


class McpParts(NamedTuple):
    """An answer as MCP carries it: text for people, structured content for programs, metadata. `content` are whole
    blocks of content in place of the text."""

    text: str | None
    structured: dict[str, Any]
    meta: dict[str, Any]
    content: list[dict[str, Any]] | None = None


class Dialect(Protocol):
    """`codes` is the suite's whole error vocabulary; `stamp_in_body` puts the stamp under `audit` in every body."""

    codes: tuple[str, ...]
    stamp_in_body: bool

    def get_code(self, fault: type[Fault]) -> str:
        """Return the code for this class of fault; every class of the tree has one."""
        ...

    def render_fault(self, fault: Fault, tool: Tool | None) -> FaultResponse: ...

    def to_mcp_parts(self, body: dict[str, Any]) -> McpParts:
        """Split a successful body into the parts of an MCP result. `text` of None means: the body as JSON."""
        ...

    def to_mcp_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the schema of the structured part, given that of the body."""
        ...


class CodeTable:
    """Maps a fault to the code of its nearest listed ancestor, so that a new class has a code from the start."""

    def __init__(self, codes: Mapping[type[Fault], str]) -> None:
        if Fault not in codes:
            raise ValueError("a dialect needs a code for Fault itself")
        self._codes = dict(codes)

    def get_code(self, fault: type[Fault]) -> str:
        for ancestor in fault.__mro__:
            if ancestor in self._codes:
                return self._codes[ancestor]
        raise AssertionError("Fault itself is always listed")

    @property
    def codes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._codes.values()))


class TableDialect:
    """Base of the suites' dialects: codes from a table, the stamp beside the body, the body as MCP's structured
    content.

    `more` are codes of the vocabulary that the table does not hold.
    """

    stamp_in_body = False

    def __init__(self, table: CodeTable, *more: str) -> None:
        self._table = table
        self.codes = (*table.codes, *more)

    def get_code(self, fault: type[Fault]) -> str:
        return self._table.get_code(fault)

    def to_mcp_parts(self, body: dict[str, Any]) -> McpParts:
        return McpParts(text=None, structured=body, meta={})

    def to_mcp_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        return schema


def find_code(dialect: Dialect, fault: Fault, error: Mapping[str, Any]) -> str:
    """Return the code of a fault as its rendered error object names it. That may say more than the class of the fault:
    papers have a code for each outside service."""
    named = error.get("code", error.get("error_code"))
    return named if named in dialect.codes else dialect.get_code(type(fault))


def get_public_message(fault: Fault) -> str:
    """Return the message for the caller. Internal errors are described in the log only."""
    return (
        "Internal error. Report the error_id to the operator; the server's log has the details."
        if isinstance(fault, Internal)
        else fault.message
    )


def get_public_details(fault: Fault) -> dict[str, Any]:
    """Return the details for the caller: for an internal error, its id alone."""
    if isinstance(fault, Internal):
        return {"error_id": fault.error_id} if fault.error_id else {}
    return fault.details
