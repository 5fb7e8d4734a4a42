"""The definition of a guest suite: what its package declares, before a home is open."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from typing import Any

from sanya.kernel.calls.call import Context
from sanya.kernel.contracts.shapes import Shape
from sanya.kernel.contracts.suite import Suite
from sanya.kernel.cursors import Cursors
from sanya.kernel.storage.migrations import Migration
from sanya.suite.guest_store import Store
from sanya.suite.servers import McpServer, McpServerAddress

# Without an underscore, so that the tables of two suites never share a prefix.
_NAME = re.compile(r"[a-z][a-z0-9]{1,30}")


def check_suite_name(name: str) -> None:
    """Raise ValueError for a name that no suite can have."""
    if not _NAME.fullmatch(name):
        raise ValueError(f"the name of a suite takes 2 to 31 lower-case letters and digits, got {name!r}")


ServerConnector = Callable[[McpServerAddress], McpServer]
ToolCaller = Callable[[str, Mapping[str, Any], Context], Awaitable[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class HoldingCounts:
    """The row counts that the console shows, by label. A value is a table of the suite, with a filter if need be."""

    counts: Mapping[str, str] = field(default_factory=dict)
    as_of: str = ""
    """An expression that selects the date of the data, such as `MAX(updated_at) FROM guest_glossary_terms`."""
    is_sample: str = ""
    """An expression that selects 1 if all rows are starter data."""
    has_owned_rows: bool = False
    """True if rows belong to callers. Such tables have a column `namespace` with the caller's id."""


@dataclass(frozen=True, kw_only=True)
class SuiteHome:
    """All that a guest suite gets from the home it is opened in.

    `settings` is an instance of the definition's `settings`, or None. `call` calls any tool with the scopes of the
    context's caller, and returns its body or raises the fault of that call. `connect` returns a client of another MCP
    server, which is closed with the home.
    """

    store: Store
    cursors: Cursors
    settings: Any
    call: ToolCaller
    connect: ServerConnector


SuiteOpener = Callable[[SuiteHome], Awaitable[Suite]]


@dataclass(frozen=True, kw_only=True)
class SuiteDefinition:
    """A guest suite. Its tools are named `NAME.verb` or `NAME_verb`, and its tables `guest_NAME_…`.

    `contracts` is the folder of published contracts that the package ships; without it, nothing keeps the contracts.
    """

    name: str
    open: SuiteOpener
    settings: type[Shape] | None = None
    migrations: tuple[Migration, ...] = ()
    contracts: Traversable | None = None
    holdings: HoldingCounts = HoldingCounts()
    proxy: object = None
    """The `ProxySuite` that this definition is of, if it is one."""

    def __post_init__(self) -> None:
        check_suite_name(self.name)

    @property
    def definition(self) -> SuiteDefinition:
        return self
