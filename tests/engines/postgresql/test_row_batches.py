from __future__ import annotations

import pytest

from sanya.engines.postgresql.row_batches import ROWS_PER_STATEMENT, join_rows, list_left_over, widen_insert
from sanya.kernel.storage.database import Database, Value

_COPY = "INSERT INTO herb_sources (id, kind, title, year, url, publisher, pmid, review, note, batch, how_read) VALUES "
_PLACES = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


@pytest.mark.parametrize("tail", ["", " ON CONFLICT (id) DO NOTHING", " ON CONFLICT DO NOTHING"])
def test_a_plain_insert_is_widened(tail: str) -> None:
    widened = widen_insert(_COPY + _PLACES + tail)
    assert widened is not None
    assert widened.count("?") == 11 * ROWS_PER_STATEMENT
    assert widened.endswith(_PLACES + tail)


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO jobs (id, at) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at",
        "INSERT INTO jobs (id, at) VALUES (?, now())",
        "INSERT INTO jobs (id, at) SELECT id, at FROM job_log WHERE id = ?",
        "UPDATE jobs SET at = ? WHERE id = ?",
        "DELETE FROM jobs WHERE id = ?",
    ],
)
def test_a_statement_that_does_more_stays_as_it_is(sql: str) -> None:
    assert widen_insert(sql) is None


@pytest.mark.parametrize("count", [0, 1, ROWS_PER_STATEMENT - 1, ROWS_PER_STATEMENT, 3 * ROWS_PER_STATEMENT + 5])
def test_no_row_is_lost_and_none_comes_twice(count: int) -> None:
    rows: list[tuple[Value, ...]] = [(number, str(number)) for number in range(count)]
    joined = [value for values in join_rows(rows) for value in values]
    assert joined + [value for row in list_left_over(rows) for value in row] == [value for row in rows for value in row]


async def test_many_rows_are_inserted_on_each_engine_and_repeated_ones_kept_as_they_were(database: Database) -> None:
    def build_row(number: int, title: str | None) -> tuple[Value, ...]:
        year = number if number % 3 else None
        return (f"many-{number}", "book", title, year, None, None, None, "reviewed", None, "tests", None)

    first = [build_row(number, "first") for number in range(ROWS_PER_STATEMENT * 2 + 7)]
    again = [build_row(number, None) for number in range(ROWS_PER_STATEMENT * 3)]
    async with database.transaction() as transaction:
        await transaction.execute_many(_COPY + _PLACES, first)
        await transaction.execute_many(f"{_COPY}{_PLACES} ON CONFLICT (id) DO NOTHING", [*again, *again])
    read = "SELECT id, title, year FROM herb_sources WHERE batch = 'tests'"
    stored = {str(id): (title, year) for id, title, year in await database.fetch(read)}
    assert len(stored) == ROWS_PER_STATEMENT * 3
    for number in range(ROWS_PER_STATEMENT * 3):
        title = "first" if number < len(first) else None
        assert stored[f"many-{number}"] == (title, number if number % 3 else None)
