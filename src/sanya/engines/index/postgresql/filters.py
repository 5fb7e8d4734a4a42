"""Filters as SQL conditions on the JSON fields of a row `r`, and an estimate of how many rows pass them, which decides
how to search."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from sanya.engines.index.arrays import Positions
from sanya.engines.index.rows import PartitionKey
from sanya.kernel.faults import InvalidArgument
from sanya.kernel.storage.database import Statement, Value
from sanya.retrieval.documents import AnyOf, Between, Equals, Filter

Condition = tuple[str, list[Value]]
"""SQL and its parameters."""

_HAS = "(r.fields @> ?::jsonb OR r.fields @> ?::jsonb)"
# JSON values of any type are compared. Between two numbers lie only numbers, but a single bound needs a type check.
_BOUND = "r.fields -> ? {sign} ?::text::jsonb"
_IS_NUMBER = "jsonb_typeof(r.fields -> ?) = 'number'"
_MAX_NUMBER = 2.0**53
# Estimates from a sample of the rows how many pass, and lists them if they are few, unless the caller knows the list up
# to the same last row. (`position + 0` keeps the planner from reading a whole index for the last row.)
_FEW_TEMPLATE = """, places AS MATERIALIZED (
    SELECT DISTINCT number * :stride % last + 1 AS position
    FROM state CROSS JOIN generate_series(0::bigint, :sampled - 1) number WHERE last > :compared
), sample AS MATERIALIZED (
    SELECT last = ? AS is_known, CASE WHEN last = ? THEN ? = 1 ELSE last <= :compared OR (
        SELECT count(*) FROM places p CROSS JOIN LATERAL (
            SELECT 1 FROM retrieval_rows r
            WHERE r.namespace = ? AND r.partition_name = ? AND r.position = p.position AND :where OFFSET 0) passing
    ) <= trunc(greatest(:compared, sqrt(:even * last::float8)) * (SELECT count(*) FROM places) / last) END AS is_few
    FROM state WHERE last > 0
), few AS MATERIALIZED (
    SELECT unnest(?::text::bigint[]) AS position WHERE (SELECT is_known FROM sample)
    UNION ALL SELECT r.position FROM retrieval_rows r
    WHERE (SELECT is_few AND NOT is_known FROM sample) AND r.namespace = ? AND r.partition_name = ?
    AND r.position + 0 <= (SELECT last FROM state) AND :where
)"""
_SAMPLE_ROWS = 200
# Multiples of this spread evenly over all rows and follow no pattern of theirs.
_STRIDE = 0x9E3779B1
# Passing rows are compared one by one, which is exact, while that is about as fast as walking the graph until enough of
# them are met: up to the square root of this many times all rows.
_BREAK_EVEN = 200
_ALWAYS_COMPARED = 2000
_FEW_SQL = (
    _FEW_TEMPLATE.replace(":stride", str(_STRIDE))
    .replace(":sampled", str(_SAMPLE_ROWS))
    .replace(":compared", str(_ALWAYS_COMPARED))
    .replace(":even", str(_BREAK_EVEN))
)


@dataclass(frozen=True, slots=True)
class PassingRows:
    """The rows up to `last` that pass filters, if they are few."""

    last: int
    few: Positions | None
    array_text: str = "{}"


UNKNOWN_PASSING = PassingRows(-1, None)


def build_few_query(key: PartitionKey, filters: Sequence[Filter], known: PassingRows) -> Statement:
    """Build the part of a query that lists the passing rows if they are few. Whether they are depends only on the rows
    up to the last one, so the same search always takes the same way."""
    condition, values = build_where(filters)
    values = [known.last, known.last, int(known.few is not None), *key, *values, known.array_text, *key, *values]
    return _FEW_SQL.replace(":where", condition), values


def format_array(positions: Sequence[int] | Positions) -> str:
    """Format positions as one parameter for `IN (SELECT unnest(?::text::bigint[]))`. With `ANY` PostgreSQL might parse
    it for every row."""
    return "{" + ",".join(map(str, positions)) + "}"


def build_where(filters: Sequence[Filter]) -> Condition:
    conditions: list[str] = []
    values: list[Value] = []
    for filter in filters:
        condition, its_values = _build_condition(filter)
        conditions.append(condition)
        values += its_values
    return " AND ".join(conditions) or "TRUE", values


def _build_condition(filter: Filter) -> Condition:
    match filter:
        case Equals(field, value):
            return _HAS, _build_containment(field, value)
        case AnyOf(field, values):
            containments = [part for value in values for part in _build_containment(field, value)]
            return f"({' OR '.join([_HAS] * len(values)) or 'FALSE'})", containments
        case Between(field, least, most):
            bounds = [(sign, bound) for sign, bound in ((">=", least), ("<=", most)) if bound is not None]
            parts = [_BOUND.format(sign=sign) for sign, _ in bounds]
            numbers: list[Value] = [part for _, bound in bounds for part in (field, _format_bound(bound))]
            if len(bounds) == 1:
                parts, numbers = [_IS_NUMBER, *parts], [field, *numbers]
            return f"({' AND '.join(parts) or 'TRUE'})", numbers


def _build_containment(field: str, value: str | int | float | bool) -> list[Value]:
    """Return parameters that match a field equal to the value, or a list that contains it."""
    clean = (
        value.encode("utf-8", "replace").decode("utf-8").replace("\x00", "\ufffd") if isinstance(value, str) else value
    )
    return [json.dumps({field: clean}), json.dumps({field: [clean]})]


def _format_bound(value: int | float) -> str:
    if isinstance(value, bool) or not abs(value) < _MAX_NUMBER:
        raise InvalidArgument(f"a range takes numbers up to {_MAX_NUMBER:.0f}, not {value}; narrow it")
    return repr(value)
