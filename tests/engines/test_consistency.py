"""The rules between tables: a home filled by its suites keeps all of them, and a wrong row is found."""

from __future__ import annotations

import pytest

from sanya.engines.consistency import RULES, find_breaches
from sanya.kernel.storage.database import Database

OUT_OF_PLACE = {
    "every change belongs to a task": "INSERT INTO task_changelogs (id, task_id, action, created_at, revision) "
    "VALUES ('1', 'none', 'CREATED', '2026-01-01', 1)",
    "every daily value belongs to a fund": "INSERT INTO nav_points (symbol, nav_date, nav) "
    "VALUES ('NONE', '2026-01-01', 1)",
    "a watermark equals its last logged change": "INSERT INTO paper_watermarks VALUES ('key', 'term', '2026-01-01')",
    "provenance belongs to a memory": "INSERT INTO memory_provenance VALUES ('mem_none', 'src_none')",
    "a document comes from a job": "INSERT INTO herb_documents VALUES ('digest', 'job_none', 'file:///x', '2026')",
    "a part belongs to a job": "INSERT INTO job_parts VALUES ('job_none', 0, 'done', '{}', '2026-01-01')",
    "rows are numbered without gaps": "INSERT INTO retrieval_counters VALUES ('position papers en', 3)",
    "a stored answer belongs to a call": "INSERT INTO answers VALUES "
    "('owner', '1', 'call_none', 'x', '{}', '2026-01-01')",
}


async def test_an_empty_home_keeps_every_rule(database: Database) -> None:
    assert await find_breaches(database) == []


@pytest.mark.parametrize("statement", OUT_OF_PLACE)
async def test_a_row_out_of_place_is_found_by_its_rule(database: Database, statement: str) -> None:
    async with database.transaction() as transaction:
        await transaction.execute(OUT_OF_PLACE[statement])
    found = await find_breaches(database)
    assert statement in [breach.rule.statement for breach in found]
    assert all(breach.sentence for breach in found)


def test_every_rule_says_what_holds() -> None:
    assert len({(rule.suite, rule.violations_sql) for rule in RULES}) == len(RULES)
    assert all(rule.statement and rule.violations_sql.startswith("SELECT ") for rule in RULES)
