from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest

from sanya.engines.sqlite.batches import write_many

INSERT = "INSERT INTO words (word, count) VALUES (?, ?)"
ADD = f"{INSERT} ON CONFLICT (word) DO UPDATE SET count = count + excluded.count"


@pytest.fixture
def words() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute("CREATE TABLE words (word TEXT PRIMARY KEY, count INTEGER NOT NULL)")
    yield connection
    connection.close()


@pytest.mark.parametrize("count", [0, 1, 3, 4, 999, 1000, 1001, 2000, 2345])
def test_every_row_is_written_once_however_many_there_are(words: sqlite3.Connection, count: int) -> None:
    rows = [(f"word {number}", number) for number in range(count)]
    write_many(words, INSERT, iter(rows))
    assert words.execute("SELECT word, count FROM words ORDER BY count").fetchall() == rows


def test_rows_that_meet_are_taken_in_their_order(words: sqlite3.Connection) -> None:
    write_many(words, ADD, [("same", 1)] * 1500)
    assert words.execute("SELECT * FROM words").fetchall() == [("same", 1500)]


def test_statements_of_other_kinds_are_run_row_by_row(words: sqlite3.Connection) -> None:
    write_many(words, INSERT, [(str(number), 0) for number in range(10)])
    write_many(words, "UPDATE words SET count = ? WHERE word = ?", [(number, str(number)) for number in range(10)])
    assert words.execute("SELECT sum(count) FROM words").fetchone() == (45,)
