"""A number for each suite that rises with every change of its data, so that a replay can tell whether it changed."""

from __future__ import annotations

from collections.abc import Iterable

from sanya.kernel.database import Row, Transaction


async def bump(transaction: Transaction, suite: str) -> None:
    """Call it in the transaction that changes the suite's data."""
    await transaction.execute(
        "INSERT INTO revisions (suite, revision) VALUES (?, 1) "
        "ON CONFLICT (suite) DO UPDATE SET revision = revisions.revision + 1",
        (suite,),
    )


READ_REVISIONS = "SELECT suite, revision FROM revisions"


def revisions_of(rows: Iterable[Row]) -> dict[str, int]:
    """The revision of each suite, from the rows of `READ_REVISIONS`."""
    return {str(suite): revision for suite, revision in rows if isinstance(revision, int)}
