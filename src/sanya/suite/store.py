"""SQL for suites: the database port, statements of any length, and revisions.

A guest gets a `sanya.suite.Store`, which reaches its own tables alone. A built-in suite gets the `Database` itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sanya.suite.lazy_names import load_by_name

# Names are loaded with their first use: `sanya call` reads a tool's dialect, and must not wait for pydantic shapes,
# segmenters or numpy. The table and the imports for type checkers say the same; a test compares them.
_ORIGINS = {
    "Database": "sanya.kernel.database",
    "Row": "sanya.kernel.database",
    "Transaction": "sanya.kernel.database",
    "Value": "sanya.kernel.database",
    "advance_revision": "sanya.kernel.revisions",
    "build_insert": "sanya.kernel.sql",
    "expand_in_list": "sanya.kernel.sql",
    "format_placeholders": "sanya.kernel.sql",
    "read_revision": "sanya.kernel.revisions",
    "take_back_revision": "sanya.kernel.revisions",
}
__all__ = [*_ORIGINS]

if TYPE_CHECKING:
    from sanya.kernel.database import Database as Database
    from sanya.kernel.database import Row as Row
    from sanya.kernel.database import Transaction as Transaction
    from sanya.kernel.database import Value as Value
    from sanya.kernel.revisions import advance_revision as advance_revision
    from sanya.kernel.revisions import read_revision as read_revision
    from sanya.kernel.revisions import take_back_revision as take_back_revision
    from sanya.kernel.sql import build_insert as build_insert
    from sanya.kernel.sql import expand_in_list as expand_in_list
    from sanya.kernel.sql import format_placeholders as format_placeholders
else:
    __getattr__ = load_by_name(__name__, _ORIGINS)
