"""Keeps evaluations with their reports: one row for what was measured, however often it is measured again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from sanya.kernel.database import Database, Row, Value

KEPT = 500
_SHOWN = "id, number, set_name, questions, revision, metrics, previous_id, at"
_TAKE_TURN = "UPDATE revisions SET revision = revision WHERE suite = 'herbs'"
_ADD = (
    "INSERT INTO herb_evaluations (id, number, series, content, set_name, questions, revision, in_hash, input, "
    "metrics, previous_id, report, at) "
    "SELECT ?, COALESCE(MAX(number), 0) + 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM herb_evaluations "
    "WHERE true ON CONFLICT (id) DO NOTHING"
)
_FORGET = "DELETE FROM herb_evaluations WHERE number <= (SELECT MAX(number) FROM herb_evaluations) - ?"
_PREVIOUS = (
    f"SELECT {_SHOWN} FROM herb_evaluations WHERE series = ? AND content <> ? "  # noqa: S608 - names of our own
    "ORDER BY number DESC LIMIT 1"
)


@dataclass(frozen=True, slots=True)
class EvaluationRun:
    """One evaluation without its report. `metrics` are value and count by name; `before` the same of the run it was
    compared with."""

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
    def __init__(self, database: Database, kept: int = KEPT) -> None:
        self._database = database
        self._kept = kept

    async def get_run(self, id: str) -> EvaluationRun | None:
        sql = f"SELECT {_SHOWN} FROM herb_evaluations WHERE id = ?"  # noqa: S608 - names of our own, here and below
        return next(map(_run, await self._database.fetch(sql, (id,), touches=1)), None)

    async def get_report(self, id: str) -> str | None:
        rows = await self._database.fetch("SELECT report FROM herb_evaluations WHERE id = ?", (id,), touches=1)
        return str(rows[0][0]) if rows else None

    async def get_previous(self, series: str, content: str) -> EvaluationRun | None:
        """The last run of the series that came to something else, be it by another graph alone."""
        return next(map(_run, await self._database.fetch(_PREVIOUS, (series, content), touches=self._kept)), None)

    async def list_newest(self, limit: int = 100) -> list[EvaluationRun]:
        """The last one first."""
        sql = f"SELECT {_SHOWN} FROM herb_evaluations ORDER BY number DESC LIMIT ?"  # noqa: S608
        return [_run(row) for row in await self._database.fetch(sql, (limit,), touches=limit)]

    async def complete_ids(self, text: str, limit: int) -> list[str]:
        sql = "SELECT id FROM herb_evaluations WHERE id LIKE ? ESCAPE '!' ORDER BY number DESC LIMIT ?"
        begins = "".join(f"!{one}" if one in "!%_" else one for one in text) + "%"
        return [str(id) for (id,) in await self._database.fetch(sql, (begins, limit), touches=self._kept)]

    async def add(self, new: NewEvaluation) -> None:
        """Nothing where it is there already. Beyond the newest `kept`, the oldest go."""
        async with self._database.transaction() as transaction:
            await transaction.execute(_TAKE_TURN)
            await transaction.execute(_ADD, _row(new))
            await transaction.execute(_FORGET, (self._kept,))


def _row(new: NewEvaluation) -> tuple[Value, ...]:
    run = new.run
    metrics = orjson.dumps({"values": run.metrics, "before": run.before}).decode("utf-8")
    given = orjson.dumps(new.input).decode("utf-8")
    return (
        *(run.id, new.series, new.content, run.set_name, run.questions, run.revision),
        *(new.in_hash, given, metrics, run.previous_id, new.report, run.at),
    )


def _run(row: Row) -> EvaluationRun:
    id, number, set_name, questions, revision, metrics, previous_id, at = row
    kept = orjson.loads(str(metrics))
    return EvaluationRun(
        *(str(id), int(str(number)), str(set_name), int(str(questions)), int(str(revision))),
        _metrics(kept["values"]) or {},
        _metrics(kept["before"]),
        None if previous_id is None else str(previous_id),
        str(at),
    )


def _metrics(kept: dict[str, list[float]] | None) -> dict[str, tuple[float, int]] | None:
    return None if kept is None else {name: (float(value), int(n)) for name, (value, n) in kept.items()}
