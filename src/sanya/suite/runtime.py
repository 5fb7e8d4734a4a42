"""The runtime of a suite: time, canonical JSON, caches, prepared bodies, work off the event loop, owner actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sanya.suite.lazy_names import load_by_name

# Names are loaded with their first use: `sanya call` reads a tool's dialect, and must not wait for pydantic shapes,
# segmenters or numpy. The table and the imports for type checkers say the same; a test compares them.
_ORIGINS = {
    "AT_COMMAND_LINE": "sanya.kernel.ledger.owner_actions",
    "Ledger": "sanya.kernel.ledger.chain",
    "LruCache": "sanya.kernel.lru",
    "PartMaker": "sanya.kernel.calls.prepared_bodies",
    "PreparedBody": "sanya.kernel.calls.prepared_bodies",
    "PreparedPart": "sanya.kernel.calls.prepared_bodies",
    "collect_young_objects": "sanya.kernel.garbage_collection",
    "format_timestamp": "sanya.kernel.clock",
    "is_earlier_try": "sanya.kernel.calls.requests",
    "paused_collection": "sanya.kernel.garbage_collection",
    "read_clock": "sanya.kernel.clock",
    "read_shape": "sanya.kernel.calls.arguments",
    "record_owner_action": "sanya.kernel.ledger.owner_actions",
    "run_by_length": "sanya.kernel.calls.offloading",
    "to_canonical_json": "sanya.kernel.canonical",
    "wait_briefly": "sanya.kernel.calls.offloading",
}
__all__ = [*_ORIGINS]

if TYPE_CHECKING:
    from sanya.kernel.calls.arguments import read_shape as read_shape
    from sanya.kernel.calls.offloading import run_by_length as run_by_length
    from sanya.kernel.calls.offloading import wait_briefly as wait_briefly
    from sanya.kernel.calls.prepared_bodies import PartMaker as PartMaker
    from sanya.kernel.calls.prepared_bodies import PreparedBody as PreparedBody
    from sanya.kernel.calls.prepared_bodies import PreparedPart as PreparedPart
    from sanya.kernel.calls.requests import is_earlier_try as is_earlier_try
    from sanya.kernel.canonical import to_canonical_json as to_canonical_json
    from sanya.kernel.clock import format_timestamp as format_timestamp
    from sanya.kernel.clock import read_clock as read_clock
    from sanya.kernel.garbage_collection import collect_young_objects as collect_young_objects
    from sanya.kernel.garbage_collection import paused_collection as paused_collection
    from sanya.kernel.ledger.chain import Ledger as Ledger
    from sanya.kernel.ledger.owner_actions import AT_COMMAND_LINE as AT_COMMAND_LINE
    from sanya.kernel.ledger.owner_actions import record_owner_action as record_owner_action
    from sanya.kernel.lru import LruCache as LruCache
else:
    __getattr__ = load_by_name(__name__, _ORIGINS)
