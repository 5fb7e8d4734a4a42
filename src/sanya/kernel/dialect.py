"""How a suite words its faults and where its stamp goes. One tree of faults, one dialect for each contract."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from sanya.kernel.faults import Fault, Internal

if TYPE_CHECKING:
    from sanya.kernel.tool import Tool


@dataclass(frozen=True, slots=True)
class Worded:
    """A fault in a suite's words.

    `error` is the suite's error object; `body` is the whole answer that the contract gives on failure (often the
    object itself or `{"error": …}`). Where `is_error` is false, the contract has this as an ordinary result.
    """

    error: dict[str, Any]
    body: dict[str, Any]
    message: str
    is_error: bool = True


class McpParts(NamedTuple):
    """An answer as MCP carries it: the sentence for people, the structure for programs, the rest beside them."""

    text: str | None
    structured: dict[str, Any]
    meta: dict[str, Any]


class Dialect(Protocol):
    """`codes` is the suite's whole vocabulary; `stamp_in_body` puts the stamp under `audit` in every body."""

    codes: tuple[str, ...]
    stamp_in_body: bool

    def code_of(self, fault: type[Fault]) -> str:
        """The code for this class of fault; every class of the tree has one."""
        ...

    def word(self, fault: Fault, tool: Tool | None) -> Worded: ...

    def mcp_parts(self, body: dict[str, Any]) -> McpParts:
        """How a good body is laid into an MCP result. `text` of None means: the body as JSON."""
        ...

    def mcp_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """The schema of `mcp_parts(body).structured`, given that of the body."""
        ...


class CodeTable:
    """Maps a fault to a code by its nearest listed ancestor, so that a new class has a word from its first day."""

    def __init__(self, codes: Mapping[type[Fault], str]) -> None:
        if Fault not in codes:
            raise ValueError("a dialect needs a code for Fault itself")
        self._codes = dict(codes)

    def code_of(self, fault: type[Fault]) -> str:
        for ancestor in fault.__mro__:
            if ancestor in self._codes:
                return self._codes[ancestor]
        raise AssertionError("Fault itself is always listed")

    @property
    def codes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._codes.values()))


class TabledDialect:
    """What dialects share: codes from a table, the stamp beside the body, the body itself as MCP's structure. `more`
    are codes of the vocabulary that the table does not give."""

    stamp_in_body = False

    def __init__(self, table: CodeTable, *more: str) -> None:
        self._table = table
        self.codes = (*table.codes, *more)

    def code_of(self, fault: type[Fault]) -> str:
        return self._table.code_of(fault)

    def mcp_parts(self, body: dict[str, Any]) -> McpParts:
        return McpParts(text=None, structured=body, meta={})

    def mcp_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        return schema


def shown_message(fault: Fault) -> str:
    """What a caller reads. Our own mistakes are told in the log, under the id that `shown_details` gives."""
    return "Something failed on our side; the server's log has it." if isinstance(fault, Internal) else fault.message


def shown_details(fault: Fault) -> dict[str, Any]:
    """The details that may leave the house: of our own mistakes, the id alone."""
    if isinstance(fault, Internal):
        return {"error_id": fault.error_id} if fault.error_id else {}
    return fault.details
