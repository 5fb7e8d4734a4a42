"""The public API for suites: what a package needs to serve tools of its own through Sanya.

A package declares the entry point `sanya.suites` and points it at a `SuiteDefinition` or a `FunctionSuite`. Its tools
are then served on every surface. The built-in suites are made of the same names: they import `sanya.suite` and its
public modules (`store`, `search`, `text`, `prompts`, `jobs`, `citations`, `runtime`) and nothing else of the server.
`VERSIONING.md` covers every name that an `__all__` of these modules lists; everything else is internal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sanya.suite.lazy_names import load_by_name

# Names are loaded with their first use: `sanya call` reads a tool's dialect, and must not wait for pydantic shapes,
# segmenters or numpy. The table and the imports for type checkers say the same; a test compares them.
_ORIGINS = {
    "ALL_SCOPES": "sanya.kernel.calls.call",
    "BadCursor": "sanya.kernel.faults",
    "Caller": "sanya.kernel.calls.call",
    "Cancelled": "sanya.kernel.faults",
    "CodeTable": "sanya.kernel.contracts.dialect",
    "Completer": "sanya.kernel.contracts.suite",
    "Content": "sanya.kernel.contracts.suite",
    "Context": "sanya.kernel.calls.call",
    "Cursors": "sanya.kernel.cursors",
    "DeadlineExceeded": "sanya.kernel.faults",
    "DetailedRequest": "sanya.kernel.contracts.detail",
    "Dialect": "sanya.kernel.contracts.dialect",
    "Effect": "sanya.kernel.contracts.tool",
    "Example": "sanya.kernel.contracts.tool",
    "Fault": "sanya.kernel.faults",
    "FaultResponse": "sanya.kernel.contracts.dialect",
    "Forbidden": "sanya.kernel.faults",
    "FunctionSuite": "sanya.suite.functions",
    "HoldingCounts": "sanya.suite.definition",
    "Integer": "sanya.kernel.contracts.shapes",
    "InvalidArgument": "sanya.kernel.faults",
    "InvariantBroken": "sanya.kernel.faults",
    "MAX_CURSOR_CHARS": "sanya.kernel.cursors",
    "McpParts": "sanya.kernel.contracts.dialect",
    "Migration": "sanya.kernel.storage.migrations",
    "MissingArgument": "sanya.kernel.faults",
    "NotFound": "sanya.kernel.faults",
    "OWNER": "sanya.kernel.calls.call",
    "PLAIN_DIALECT": "sanya.suite.plain_dialect",
    "PlainDialect": "sanya.suite.plain_dialect",
    "Progress": "sanya.kernel.calls.call",
    "ProgressSink": "sanya.kernel.calls.call",
    "Prompt": "sanya.kernel.contracts.suite",
    "PromptArgument": "sanya.kernel.contracts.suite",
    "PromptMessage": "sanya.kernel.contracts.suite",
    "ProxySuite": "sanya.suite.proxy",
    "SchemaShape": "sanya.suite.schema_shapes",
    "McpServerAddress": "sanya.suite.servers",
    "RateLimited": "sanya.kernel.faults",
    "Resource": "sanya.kernel.contracts.suite",
    "ResourceLinks": "sanya.kernel.contracts.links",
    "Shape": "sanya.kernel.contracts.shapes",
    "Store": "sanya.suite.guest_store",
    "StoreTransaction": "sanya.suite.guest_store",
    "StoreUnavailable": "sanya.kernel.faults",
    "Suite": "sanya.kernel.contracts.suite",
    "SuiteDefinition": "sanya.suite.definition",
    "SuiteHome": "sanya.suite.definition",
    "TableDialect": "sanya.kernel.contracts.dialect",
    "Text": "sanya.kernel.contracts.shapes",
    "TooLarge": "sanya.kernel.faults",
    "Tool": "sanya.kernel.contracts.tool",
    "Unauthorized": "sanya.kernel.faults",
    "Unavailable": "sanya.kernel.faults",
    "UnknownArgument": "sanya.kernel.faults",
    "UpstreamFailed": "sanya.kernel.faults",
    "Worker": "sanya.kernel.contracts.suite",
    "get_public_details": "sanya.kernel.contracts.dialect",
    "get_public_message": "sanya.kernel.contracts.dialect",
    "ignore_progress": "sanya.kernel.calls.call",
    "is_text": "sanya.kernel.contracts.shapes",
    "read_migrations": "sanya.kernel.storage.migrations",
}
__all__ = [*_ORIGINS]

if TYPE_CHECKING:
    from sanya.kernel.calls.call import ALL_SCOPES as ALL_SCOPES
    from sanya.kernel.calls.call import OWNER as OWNER
    from sanya.kernel.calls.call import Caller as Caller
    from sanya.kernel.calls.call import Context as Context
    from sanya.kernel.calls.call import Progress as Progress
    from sanya.kernel.calls.call import ProgressSink as ProgressSink
    from sanya.kernel.calls.call import ignore_progress as ignore_progress
    from sanya.kernel.contracts.detail import DetailedRequest as DetailedRequest
    from sanya.kernel.contracts.dialect import CodeTable as CodeTable
    from sanya.kernel.contracts.dialect import Dialect as Dialect
    from sanya.kernel.contracts.dialect import FaultResponse as FaultResponse
    from sanya.kernel.contracts.dialect import McpParts as McpParts
    from sanya.kernel.contracts.dialect import TableDialect as TableDialect
    from sanya.kernel.contracts.dialect import get_public_details as get_public_details
    from sanya.kernel.contracts.dialect import get_public_message as get_public_message
    from sanya.kernel.contracts.links import ResourceLinks as ResourceLinks
    from sanya.kernel.contracts.shapes import Integer as Integer
    from sanya.kernel.contracts.shapes import Shape as Shape
    from sanya.kernel.contracts.shapes import Text as Text
    from sanya.kernel.contracts.shapes import is_text as is_text
    from sanya.kernel.contracts.suite import Completer as Completer
    from sanya.kernel.contracts.suite import Content as Content
    from sanya.kernel.contracts.suite import Prompt as Prompt
    from sanya.kernel.contracts.suite import PromptArgument as PromptArgument
    from sanya.kernel.contracts.suite import PromptMessage as PromptMessage
    from sanya.kernel.contracts.suite import Resource as Resource
    from sanya.kernel.contracts.suite import Suite as Suite
    from sanya.kernel.contracts.suite import Worker as Worker
    from sanya.kernel.contracts.tool import Effect as Effect
    from sanya.kernel.contracts.tool import Example as Example
    from sanya.kernel.contracts.tool import Tool as Tool
    from sanya.kernel.cursors import MAX_CURSOR_CHARS as MAX_CURSOR_CHARS
    from sanya.kernel.cursors import Cursors as Cursors
    from sanya.kernel.faults import BadCursor as BadCursor
    from sanya.kernel.faults import Cancelled as Cancelled
    from sanya.kernel.faults import DeadlineExceeded as DeadlineExceeded
    from sanya.kernel.faults import Fault as Fault
    from sanya.kernel.faults import Forbidden as Forbidden
    from sanya.kernel.faults import InvalidArgument as InvalidArgument
    from sanya.kernel.faults import InvariantBroken as InvariantBroken
    from sanya.kernel.faults import MissingArgument as MissingArgument
    from sanya.kernel.faults import NotFound as NotFound
    from sanya.kernel.faults import RateLimited as RateLimited
    from sanya.kernel.faults import StoreUnavailable as StoreUnavailable
    from sanya.kernel.faults import TooLarge as TooLarge
    from sanya.kernel.faults import Unauthorized as Unauthorized
    from sanya.kernel.faults import Unavailable as Unavailable
    from sanya.kernel.faults import UnknownArgument as UnknownArgument
    from sanya.kernel.faults import UpstreamFailed as UpstreamFailed
    from sanya.kernel.storage.migrations import Migration as Migration
    from sanya.kernel.storage.migrations import read_migrations as read_migrations
    from sanya.suite.definition import HoldingCounts as HoldingCounts
    from sanya.suite.definition import SuiteDefinition as SuiteDefinition
    from sanya.suite.definition import SuiteHome as SuiteHome
    from sanya.suite.functions import FunctionSuite as FunctionSuite
    from sanya.suite.guest_store import Store as Store
    from sanya.suite.guest_store import StoreTransaction as StoreTransaction
    from sanya.suite.plain_dialect import PLAIN_DIALECT as PLAIN_DIALECT
    from sanya.suite.plain_dialect import PlainDialect as PlainDialect
    from sanya.suite.proxy import ProxySuite as ProxySuite
    from sanya.suite.schema_shapes import SchemaShape as SchemaShape
    from sanya.suite.servers import McpServerAddress as McpServerAddress
else:
    __getattr__ = load_by_name(__name__, _ORIGINS)
