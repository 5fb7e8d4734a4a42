"""A number for each suite that rises with every change of its data, so that a replay can tell whether it changed."""

from __future__ import annotations

from sanya.kernel.database import Transaction


async def bump(transaction: Transaction, suite: str) -> None:
    """Call it in the transaction that changes the suite's data."""
    await transaction.execute(
        "INSERT INTO revisions (suite, revision) VALUES (?, 1) "
        "ON CONFLICT (suite) DO UPDATE SET revision = revisions.revision + 1",
        (suite,),
    )


async def read_revisions(transaction: Transaction) -> dict[str, int]:
    rows = await transaction.fetch("SELECT suite, revision FROM revisions")
    return {str(suite): int(revision) for suite, revision in rows if revision is not None}
