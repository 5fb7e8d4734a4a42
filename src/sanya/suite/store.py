"""SQL for suites: the database port, statements of any length, and revisions.

A guest gets a `sanya.suite.Store`, which reaches its own tables alone. A built-in suite gets the `Database` itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sanya.suite.lazy_names import load_by_name

# Names are loaded with their first use: `sanya call` reads a tool's dialect, and must not wait for pydantic shapes,
# segmenters or numpy. The table and the imports for type checkers say the same; a test compares them.
_ORIGINS = {
    "Database": "sanya.kernel.storage.database",
    "Row": "sanya.kernel.storage.database",
    "Transaction": "sanya.kernel.storage.database",
    "Value": "sanya.kernel.storage.database",
    "advance_revision": "sanya.kernel.storage.revisions",
    "build_insert": "sanya.kernel.storage.sql",
    "expand_in_list": "sanya.kernel.storage.sql",
    "format_placeholders": "sanya.kernel.storage.sql",
    "read_revision": "sanya.kernel.storage.revisions",
    "take_back_revision": "sanya.kernel.storage.revisions",
}
__all__ = [*_ORIGINS]

if TYPE_CHECKING:
    from sanya.kernel.storage.database import Database as Database
    from sanya.kernel.storage.database import Row as Row
    from sanya.kernel.storage.database import Transaction as Transaction
    from sanya.kernel.storage.database import Value as Value
    from sanya.kernel.storage.revisions import advance_revision as advance_revision
    from sanya.kernel.storage.revisions import read_revision as read_revision
    from sanya.kernel.storage.revisions import take_back_revision as take_back_revision
    from sanya.kernel.storage.sql import build_insert as build_insert
    from sanya.kernel.storage.sql import expand_in_list as expand_in_list
    from sanya.kernel.storage.sql import format_placeholders as format_placeholders
else:
    __getattr__ = load_by_name(__name__, _ORIGINS)
