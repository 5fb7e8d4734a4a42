"""The runtime of a suite: time, canonical JSON, caches, prepared bodies, work off the event loop, owner actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sanya.suite.lazy_names import load_by_name

# Names are loaded with their first use: `sanya call` reads a tool's dialect, and must not wait for pydantic shapes,
# segmenters or numpy. The table and the imports for type checkers say the same; a test compares them.
_ORIGINS = {
    "AT_COMMAND_LINE": "sanya.kernel.owner_actions",
    "Ledger": "sanya.kernel.ledger",
    "LruCache": "sanya.kernel.lru",
    "PartMaker": "sanya.kernel.prepared_bodies",
    "PreparedBody": "sanya.kernel.prepared_bodies",
    "PreparedPart": "sanya.kernel.prepared_bodies",
    "collect_young_objects": "sanya.kernel.garbage_collection",
    "format_timestamp": "sanya.kernel.clock",
    "is_earlier_try": "sanya.kernel.requests",
    "paused_collection": "sanya.kernel.garbage_collection",
    "read_clock": "sanya.kernel.clock",
    "read_shape": "sanya.kernel.arguments",
    "record_owner_action": "sanya.kernel.owner_actions",
    "run_by_length": "sanya.kernel.offloading",
    "to_canonical_json": "sanya.kernel.canonical",
    "wait_briefly": "sanya.kernel.offloading",
}
__all__ = [*_ORIGINS]

if TYPE_CHECKING:
    from sanya.kernel.arguments import read_shape as read_shape
    from sanya.kernel.canonical import to_canonical_json as to_canonical_json
    from sanya.kernel.clock import format_timestamp as format_timestamp
    from sanya.kernel.clock import read_clock as read_clock
    from sanya.kernel.garbage_collection import collect_young_objects as collect_young_objects
    from sanya.kernel.garbage_collection import paused_collection as paused_collection
    from sanya.kernel.ledger import Ledger as Ledger
    from sanya.kernel.lru import LruCache as LruCache
    from sanya.kernel.offloading import run_by_length as run_by_length
    from sanya.kernel.offloading import wait_briefly as wait_briefly
    from sanya.kernel.owner_actions import AT_COMMAND_LINE as AT_COMMAND_LINE
    from sanya.kernel.owner_actions import record_owner_action as record_owner_action
    from sanya.kernel.prepared_bodies import PartMaker as PartMaker
    from sanya.kernel.prepared_bodies import PreparedBody as PreparedBody
    from sanya.kernel.prepared_bodies import PreparedPart as PreparedPart
    from sanya.kernel.requests import is_earlier_try as is_earlier_try
else:
    __getattr__ = load_by_name(__name__, _ORIGINS)
