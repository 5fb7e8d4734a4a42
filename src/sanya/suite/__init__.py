"""The public API for suites: what a package needs to serve tools of its own through Sanya.

A package declares the entry point `sanya.suites` and points it at a `SuiteDefinition` or a `FunctionSuite`. Its tools
are then served on every surface. `VERSIONING.md` covers every name that `__all__` lists; everything else is internal.
"""

from __future__ import annotations

from sanya.kernel.call import Caller, Context, Progress
from sanya.kernel.cursors import MAX_CURSOR_CHARS, Cursors
from sanya.kernel.database import Transaction
from sanya.kernel.dialect import CodeTable, Dialect, FaultResponse, TableDialect
from sanya.kernel.faults import (
    BadCursor,
    Fault,
    Forbidden,
    InvalidArgument,
    NotFound,
    RateLimited,
    TooLarge,
    Unavailable,
    UpstreamFailed,
)
from sanya.kernel.migrations import Migration, read_migrations
from sanya.kernel.shapes import Integer, Shape, Text
from sanya.kernel.suite import Content, Prompt, PromptArgument, Resource, Suite, Worker
from sanya.kernel.tool import Example, Tool
from sanya.suite.definition import HoldingCounts, SuiteDefinition, SuiteHome
from sanya.suite.functions import FunctionSuite
from sanya.suite.plain_dialect import PLAIN_DIALECT
from sanya.suite.store import Store, StoreTransaction

__all__ = [
    "MAX_CURSOR_CHARS",
    "PLAIN_DIALECT",
    "BadCursor",
    "Caller",
    "CodeTable",
    "Content",
    "Context",
    "Cursors",
    "Dialect",
    "Example",
    "Fault",
    "FaultResponse",
    "Forbidden",
    "FunctionSuite",
    "HoldingCounts",
    "Integer",
    "InvalidArgument",
    "Migration",
    "NotFound",
    "Progress",
    "Prompt",
    "PromptArgument",
    "RateLimited",
    "Resource",
    "Shape",
    "Store",
    "StoreTransaction",
    "Suite",
    "SuiteDefinition",
    "SuiteHome",
    "TableDialect",
    "Text",
    "TooLarge",
    "Tool",
    "Transaction",
    "Unavailable",
    "UpstreamFailed",
    "Worker",
    "read_migrations",
]
