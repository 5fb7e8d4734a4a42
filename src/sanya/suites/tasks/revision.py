"""The number that rises with every change of the suite's data: a replay and a page mark tell by it what has changed."""

from __future__ import annotations

from sanya.kernel.database import Transaction


async def next_revision(transaction: Transaction) -> int:
    rows = await transaction.fetch(
        "INSERT INTO revisions (suite, revision) VALUES ('tasks', 1) "
        "ON CONFLICT (suite) DO UPDATE SET revision = revisions.revision + 1 RETURNING revision"
    )
    return int(str(rows[0][0]))


async def take_back_revision(transaction: Transaction) -> None:
    """For a transaction that, in the end, changed nothing."""
    await transaction.execute("UPDATE revisions SET revision = revision - 1 WHERE suite = 'tasks'")
