"""Filters as conditions on the fields of a row `r`, which PostgreSQL reads as JSON; and how many rows they let through,
which decides how to search."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from sanya.engines.index.postgresql.postings import Positions
from sanya.engines.index.rows import Shelf
from sanya.kernel.database import Statement, Value
from sanya.kernel.faults import InvalidArgument
from sanya.retrieval.documents import AnyOf, Between, Equals, Filter

Condition = tuple[str, list[Value]]
"""SQL, and its values."""

_HAS = "(r.fields @> ?::jsonb OR r.fields @> ?::jsonb)"
# Values of JSON are compared as they stand. Between two numbers there are only numbers; beyond one there are others.
_BOUND = "r.fields -> ? {sign} ?::text::jsonb"
_IS_NUMBER = "jsonb_typeof(r.fields -> ?) = 'number'"
_MOST_NUMBER = 2.0**53
# From a sample of the `moment`'s rows it is told how many pass, and if those are few, they are listed; unless that is
# known, up to the very same row. (The sum keeps the planner from reading a whole index for the last row.)
_FEW = """, places AS MATERIALIZED (
    SELECT DISTINCT number * :stride % last + 1 AS position
    FROM moment CROSS JOIN generate_series(0::bigint, :sampled - 1) number WHERE last > :compared
), sample AS MATERIALIZED (
    SELECT last = ? AS is_known, CASE WHEN last = ? THEN ? = 1 ELSE last <= :compared OR (
        SELECT count(*) FROM places p CROSS JOIN LATERAL (
            SELECT 1 FROM retrieval_rows r
            WHERE r.namespace = ? AND r.partition_name = ? AND r.position = p.position AND :where OFFSET 0) passing
    ) <= trunc(greatest(:compared, sqrt(:even * last::float8)) * (SELECT count(*) FROM places) / last) END AS is_few
    FROM moment WHERE last > 0
), few AS MATERIALIZED (
    SELECT unnest(?::text::bigint[]) AS position WHERE (SELECT is_known FROM sample)
    UNION ALL SELECT r.position FROM retrieval_rows r
    WHERE (SELECT is_few AND NOT is_known FROM sample) AND r.namespace = ? AND r.partition_name = ?
    AND r.position + 0 <= (SELECT last FROM moment) AND :where
)"""
_SAMPLED = 200
# Multiples of this are spread evenly over all rows, and follow no pattern that rows may have.
_STRIDE = 0x9E3779B1
# Rows that a filter lets through are compared one by one, which is exact, as long as that is about as quick as to walk
# the graph until enough of them are met: up to the root of this many times all rows.
_BREAK_EVEN = 200
_ALWAYS_COMPARED = 2000
_FEW_SQL = (
    _FEW.replace(":stride", str(_STRIDE))
    .replace(":sampled", str(_SAMPLED))
    .replace(":compared", str(_ALWAYS_COMPARED))
    .replace(":even", str(_BREAK_EVEN))
)


@dataclass(frozen=True, slots=True)
class Passing:
    """The rows up to a last one that filters let through, where these are few."""

    last: int
    few: Positions | None
    listed: str = "{}"


NOT_KNOWN = Passing(-1, None)


def asking_few(shelf: Shelf, filters: Sequence[Filter], known: Passing) -> Statement:
    """Asks, beside the `moment`, which rows pass, if these are few. Whether they are depends on nothing but the rows up
    to it, so that the same question is always answered in the same way."""
    condition, values = where(filters)
    values = [known.last, known.last, int(known.few is not None), *shelf, *values, known.listed, *shelf, *values]
    return _FEW_SQL.replace(":where", condition), values


def listed(positions: Sequence[int] | Positions) -> str:
    """A list as one value, to be taken apart by `IN (SELECT unnest(?::text::bigint[]))`: as `ANY` it might be read anew
    for every row."""
    return "{" + ",".join(map(str, positions)) + "}"


def where(filters: Sequence[Filter]) -> Condition:
    conditions: list[str] = []
    values: list[Value] = []
    for one in filters:
        condition, of_condition = _condition(one)
        conditions.append(condition)
        values += of_condition
    return " AND ".join(conditions) or "TRUE", values


def _condition(one: Filter) -> Condition:
    match one:
        case Equals(field, value):
            return _HAS, _has(field, value)
        case AnyOf(field, values):
            every = [part for value in values for part in _has(field, value)]
            return f"({' OR '.join([_HAS] * len(values)) or 'FALSE'})", every
        case Between(field, least, most):
            bounds = [(sign, bound) for sign, bound in ((">=", least), ("<=", most)) if bound is not None]
            parts = [_BOUND.format(sign=sign) for sign, _ in bounds]
            numbers: list[Value] = [part for _, bound in bounds for part in (field, _bound(bound))]
            if len(bounds) == 1:
                parts, numbers = [_IS_NUMBER, *parts], [field, *numbers]
            return f"({' AND '.join(parts) or 'TRUE'})", numbers


def _has(field: str, value: str | int | float | bool) -> list[Value]:
    """The field is the value, or a list that holds it."""
    clean = (
        value.encode("utf-8", "replace").decode("utf-8").replace("\x00", "\ufffd") if isinstance(value, str) else value
    )
    return [json.dumps({field: clean}), json.dumps({field: [clean]})]


def _bound(value: int | float) -> str:
    if isinstance(value, bool) or not abs(value) < _MOST_NUMBER:
        raise InvalidArgument(f"a range is between numbers of at most {_MOST_NUMBER:.0f}, not {value}")
    return repr(value)
