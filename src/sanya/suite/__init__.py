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
    "ALL_SCOPES": "sanya.kernel.call",
    "BadCursor": "sanya.kernel.faults",
    "Caller": "sanya.kernel.call",
    "Cancelled": "sanya.kernel.faults",
    "CodeTable": "sanya.kernel.dialect",
    "Completer": "sanya.kernel.suite",
    "Content": "sanya.kernel.suite",
    "Context": "sanya.kernel.call",
    "Cursors": "sanya.kernel.cursors",
    "DeadlineExceeded": "sanya.kernel.faults",
    "DetailedRequest": "sanya.kernel.detail",
    "Dialect": "sanya.kernel.dialect",
    "Effect": "sanya.kernel.tool",
    "Example": "sanya.kernel.tool",
    "Fault": "sanya.kernel.faults",
    "FaultResponse": "sanya.kernel.dialect",
    "Forbidden": "sanya.kernel.faults",
    "FunctionSuite": "sanya.suite.functions",
    "HoldingCounts": "sanya.suite.definition",
    "Integer": "sanya.kernel.shapes",
    "InvalidArgument": "sanya.kernel.faults",
    "InvariantBroken": "sanya.kernel.faults",
    "MAX_CURSOR_CHARS": "sanya.kernel.cursors",
    "McpParts": "sanya.kernel.dialect",
    "Migration": "sanya.kernel.migrations",
    "MissingArgument": "sanya.kernel.faults",
    "NotFound": "sanya.kernel.faults",
    "OWNER": "sanya.kernel.call",
    "PLAIN_DIALECT": "sanya.suite.plain_dialect",
    "PlainDialect": "sanya.suite.plain_dialect",
    "Progress": "sanya.kernel.call",
    "ProgressSink": "sanya.kernel.call",
    "Prompt": "sanya.kernel.suite",
    "PromptArgument": "sanya.kernel.suite",
    "PromptMessage": "sanya.kernel.suite",
    "ProxySuite": "sanya.suite.proxy",
    "SchemaShape": "sanya.suite.schema_shapes",
    "McpServerAddress": "sanya.suite.servers",
    "RateLimited": "sanya.kernel.faults",
    "Resource": "sanya.kernel.suite",
    "ResourceLinks": "sanya.kernel.links",
    "Shape": "sanya.kernel.shapes",
    "Store": "sanya.suite.guest_store",
    "StoreTransaction": "sanya.suite.guest_store",
    "StoreUnavailable": "sanya.kernel.faults",
    "Suite": "sanya.kernel.suite",
    "SuiteDefinition": "sanya.suite.definition",
    "SuiteHome": "sanya.suite.definition",
    "TableDialect": "sanya.kernel.dialect",
    "Text": "sanya.kernel.shapes",
    "TooLarge": "sanya.kernel.faults",
    "Tool": "sanya.kernel.tool",
    "Unauthorized": "sanya.kernel.faults",
    "Unavailable": "sanya.kernel.faults",
    "UnknownArgument": "sanya.kernel.faults",
    "UpstreamFailed": "sanya.kernel.faults",
    "Worker": "sanya.kernel.suite",
    "get_public_details": "sanya.kernel.dialect",
    "get_public_message": "sanya.kernel.dialect",
    "ignore_progress": "sanya.kernel.call",
    "is_text": "sanya.kernel.shapes",
    "read_migrations": "sanya.kernel.migrations",
}
__all__ = [*_ORIGINS]

if TYPE_CHECKING:
    from sanya.kernel.call import ALL_SCOPES as ALL_SCOPES
    from sanya.kernel.call import OWNER as OWNER
    from sanya.kernel.call import Caller as Caller
    from sanya.kernel.call import Context as Context
    from sanya.kernel.call import Progress as Progress
    from sanya.kernel.call import ProgressSink as ProgressSink
    from sanya.kernel.call import ignore_progress as ignore_progress
    from sanya.kernel.cursors import MAX_CURSOR_CHARS as MAX_CURSOR_CHARS
    from sanya.kernel.cursors import Cursors as Cursors
    from sanya.kernel.detail import DetailedRequest as DetailedRequest
    from sanya.kernel.dialect import CodeTable as CodeTable
    from sanya.kernel.dialect import Dialect as Dialect
    from sanya.kernel.dialect import FaultResponse as FaultResponse
    from sanya.kernel.dialect import McpParts as McpParts
    from sanya.kernel.dialect import TableDialect as TableDialect
    from sanya.kernel.dialect import get_public_details as get_public_details
    from sanya.kernel.dialect import get_public_message as get_public_message
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
    from sanya.kernel.links import ResourceLinks as ResourceLinks
    from sanya.kernel.migrations import Migration as Migration
    from sanya.kernel.migrations import read_migrations as read_migrations
    from sanya.kernel.shapes import Integer as Integer
    from sanya.kernel.shapes import Shape as Shape
    from sanya.kernel.shapes import Text as Text
    from sanya.kernel.shapes import is_text as is_text
    from sanya.kernel.suite import Completer as Completer
    from sanya.kernel.suite import Content as Content
    from sanya.kernel.suite import Prompt as Prompt
    from sanya.kernel.suite import PromptArgument as PromptArgument
    from sanya.kernel.suite import PromptMessage as PromptMessage
    from sanya.kernel.suite import Resource as Resource
    from sanya.kernel.suite import Suite as Suite
    from sanya.kernel.suite import Worker as Worker
    from sanya.kernel.tool import Effect as Effect
    from sanya.kernel.tool import Example as Example
    from sanya.kernel.tool import Tool as Tool
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
