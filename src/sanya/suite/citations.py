"""Citations: what became of the papers that a suite cites, such as a retraction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sanya.suite.lazy_names import load_by_name

# Names are loaded with their first use: `sanya call` reads a tool's dialect, and must not wait for pydantic shapes,
# segmenters or numpy. The table and the imports for type checkers say the same; a test compares them.
_ORIGINS = {
    "NoticeSource": "sanya.kernel.citations",
    "PaperNotice": "sanya.kernel.citations",
    "PaperReader": "sanya.kernel.citations",
    "PaperStanding": "sanya.kernel.citations",
    "StandingRecord": "sanya.kernel.citations",
    "StoredPaper": "sanya.kernel.citations",
    "read_changes": "sanya.kernel.citations",
    "read_standings": "sanya.kernel.citations",
    "record_notices": "sanya.kernel.citations",
    "save_position": "sanya.kernel.citations",
}
__all__ = [*_ORIGINS]

if TYPE_CHECKING:
    from sanya.kernel.citations import NoticeSource as NoticeSource
    from sanya.kernel.citations import PaperNotice as PaperNotice
    from sanya.kernel.citations import PaperReader as PaperReader
    from sanya.kernel.citations import PaperStanding as PaperStanding
    from sanya.kernel.citations import StandingRecord as StandingRecord
    from sanya.kernel.citations import StoredPaper as StoredPaper
    from sanya.kernel.citations import read_changes as read_changes
    from sanya.kernel.citations import read_standings as read_standings
    from sanya.kernel.citations import record_notices as record_notices
    from sanya.kernel.citations import save_position as save_position
else:
    __getattr__ = load_by_name(__name__, _ORIGINS)
