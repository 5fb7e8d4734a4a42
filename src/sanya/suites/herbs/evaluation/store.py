"""Storage of evaluation runs with their reports: one row for each result, however often it is measured again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from sanya.suite.store import Database, Row, Value

KEPT = 500
_COLUMNS = "id, number, set_name, questions, revision, metrics, previous_id, at"
_LOCK_REVISION = "UPDATE revisions SET revision = revision WHERE suite = 'herbs'"
_ADD = (
    "INSERT INTO herb_evaluations (id, number, series, content, set_name, questions, revision, in_hash, input, "
    "metrics, previous_id, report, at) "
    "SELECT ?, COALESCE(MAX(number), 0) + 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM herb_evaluations "
    "WHERE true ON CONFLICT (id) DO NOTHING"
)
_DELETE_OLD = "DELETE FROM herb_evaluations WHERE number <= (SELECT MAX(number) FROM herb_evaluations) - ?"
_SELECT_PREVIOUS = (
    f"SELECT {_COLUMNS} FROM herb_evaluations WHERE series = ? AND content <> ? "  # noqa: S608 - names of our own
    "ORDER BY number DESC LIMIT 1"
)


@dataclass(frozen=True, slots=True)
class EvaluationRun:
    """An evaluation without its report. `metrics` holds value and sample size by name, `before` those of the run that
    it was compared with."""

    id: str
    number: int
    set_name: str
    questions: int
    revision: int
    metrics: Mapping[str, tuple[float, int]]
    before: Mapping[str, tuple[float, int]] | None
    previous_id: str | None
    at: str


@dataclass(frozen=True, slots=True)
class NewEvaluation:
    run: EvaluationRun
    series: str
    content: str
    in_hash: str
    input: Mapping[str, Any]
    report: str


class EvaluationStore:
    def __init__(self, database: Database, max_runs: int = KEPT) -> None:
        self._database = database
        self._max_runs = max_runs

    async def get_run(self, id: str) -> EvaluationRun | None:
        sql = f"SELECT {_COLUMNS} FROM herb_evaluations WHERE id = ?"  # noqa: S608 - names of our own, here and below
        return next(map(_read_run, await self._database.fetch(sql, (id,), touches=1)), None)

    async def get_report(self, id: str) -> str | None:
        rows = await self._database.fetch("SELECT report FROM herb_evaluations WHERE id = ?", (id,), touches=1)
        return str(rows[0][0]) if rows else None

    async def get_previous(self, series: str, content: str) -> EvaluationRun | None:
        """Return the last run of the series with another result, even where only the graph differs."""
        return next(
            map(_read_run, await self._database.fetch(_SELECT_PREVIOUS, (series, content), touches=self._max_runs)),
            None,
        )

    async def list_newest(self, limit: int = 100) -> list[EvaluationRun]:
        """Return the runs, newest first."""
        sql = f"SELECT {_COLUMNS} FROM herb_evaluations ORDER BY number DESC LIMIT ?"  # noqa: S608
        return [_read_run(row) for row in await self._database.fetch(sql, (limit,), touches=limit)]

    async def complete_ids(self, text: str, limit: int) -> list[str]:
        sql = "SELECT id FROM herb_evaluations WHERE id LIKE ? ESCAPE '!' ORDER BY number DESC LIMIT ?"
        pattern = "".join(f"!{character}" if character in "!%_" else character for character in text) + "%"
        return [str(id) for (id,) in await self._database.fetch(sql, (pattern, limit), touches=self._max_runs)]

    async def add(self, new: NewEvaluation) -> None:
        """Store a run unless it exists, and delete all but the newest `max_runs`."""
        async with self._database.transaction() as transaction:
            await transaction.execute(_LOCK_REVISION)
            await transaction.execute(_ADD, _to_row(new))
            await transaction.execute(_DELETE_OLD, (self._max_runs,))


def _to_row(new: NewEvaluation) -> tuple[Value, ...]:
    run = new.run
    metrics = orjson.dumps({"values": run.metrics, "before": run.before}).decode("utf-8")
    given = orjson.dumps(new.input).decode("utf-8")
    return (
        *(run.id, new.series, new.content, run.set_name, run.questions, run.revision),
        *(new.in_hash, given, metrics, run.previous_id, new.report, run.at),
    )


def _read_run(row: Row) -> EvaluationRun:
    id, number, set_name, questions, revision, metrics, previous_id, at = row
    stored = orjson.loads(str(metrics))
    return EvaluationRun(
        *(str(id), int(str(number)), str(set_name), int(str(questions)), int(str(revision))),
        _read_metrics(stored["values"]) or {},
        _read_metrics(stored["before"]),
        None if previous_id is None else str(previous_id),
        str(at),
    )


def _read_metrics(stored: dict[str, list[float]] | None) -> dict[str, tuple[float, int]] | None:
    return None if stored is None else {name: (float(value), int(n)) for name, (value, n) in stored.items()}
