"""Prompts: quote arguments as data, format requests, and complete lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sanya.suite.lazy_names import load_by_name

# Names are loaded with their first use: `sanya call` reads a tool's dialect, and must not wait for pydantic shapes,
# segmenters or numpy. The table and the imports for type checkers say the same; a test compares them.
_ORIGINS = {
    "DATA_NOT_ORDERS": "sanya.kernel.contracts.prompts",
    "complete_last_item": "sanya.kernel.contracts.prompts",
    "format_request": "sanya.kernel.contracts.prompts",
    "quote": "sanya.kernel.contracts.prompts",
    "split_items": "sanya.kernel.contracts.prompts",
}
__all__ = [*_ORIGINS]

if TYPE_CHECKING:
    from sanya.kernel.contracts.prompts import DATA_NOT_ORDERS as DATA_NOT_ORDERS
    from sanya.kernel.contracts.prompts import complete_last_item as complete_last_item
    from sanya.kernel.contracts.prompts import format_request as format_request
    from sanya.kernel.contracts.prompts import quote as quote
    from sanya.kernel.contracts.prompts import split_items as split_items
else:
    __getattr__ = load_by_name(__name__, _ORIGINS)
