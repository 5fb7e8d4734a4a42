"""Data revisions: a number for each suite that rises with every change of its data.

The ledger stores the revision beside each call, so a replay can tell "the data changed" from "the code changed".
Readers use it as the key of whatever they cache. The row is also a turnstile: a transaction that advances the revision
before anything else waits until every other writer of the suite has committed.
"""

from __future__ import annotations

from collections.abc import Iterable

from sanya.kernel.storage.database import Database, Row, Transaction

READ_REVISIONS = "SELECT suite, revision FROM revisions"
_ADVANCE = (
    "INSERT INTO revisions (suite, revision) VALUES (?, ?) "
    "ON CONFLICT (suite) DO UPDATE SET revision = revisions.revision + excluded.revision RETURNING revision"
)


async def advance_revision(transaction: Transaction, suite: str, steps: int = 1) -> int:
    """Raise the revision inside the transaction that changes the data, and return the new one."""
    rows = await transaction.fetch(_ADVANCE, (suite, steps))
    return int(str(rows[0][0]))


async def take_back_revision(transaction: Transaction, suite: str) -> None:
    """Lower the revision again, for a transaction that in the end changed nothing."""
    await transaction.execute("UPDATE revisions SET revision = revision - 1 WHERE suite = ?", (suite,))


async def read_revision(database: Database, suite: str) -> int:
    """Return the revision of the suite, 0 before its first change."""
    rows = await database.fetch("SELECT revision FROM revisions WHERE suite = ?", (suite,), touches=1)
    return int(str(rows[0][0])) if rows else 0


def index_revisions(rows: Iterable[Row]) -> dict[str, int]:
    """Return the revision of each suite from the rows of `READ_REVISIONS`."""
    return {str(suite): revision for suite, revision in rows if isinstance(revision, int)}
