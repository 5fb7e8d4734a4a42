"""`sanya tasks import`: a file is one transaction, with its changelog."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from zoneinfo import ZoneInfo

from sanya import App
from sanya.suites.tasks.importing.formats import open_task_file
from sanya.suites.tasks.importing.task_import import import_tasks
from tests.crashes.ground import Fact, Ground, call_tool

_ROWS = 40
_CREATED = (
    "SELECT t.title, count(c.id) FROM tasks t LEFT JOIN task_changelogs c ON c.task_id = t.id AND c.action = 'CREATED' "
    "WHERE t.title LIKE 'Lot %' GROUP BY t.title"
)


class TasksImport:
    name = "tasks import"
    tools: frozenset[str] = frozenset()

    async def write(self, app: App, ground: Ground, number: int) -> AsyncIterator[Fact]:
        text = "\n".join(f"Lot {number} has task {at} +lots" for at in range(_ROWS))
        rows = open_task_file(text.encode(), ZoneInfo("UTC"), format="todotxt").parse_rows()
        report = await import_tasks(app.database, rows)
        yield {"created": report.created}

    async def check(self, app: App, ground: Ground, facts: Sequence[Fact]) -> None:
        titles = await app.database.fetch(_CREATED)
        assert {count for _, count in titles} <= {1}, "a task without its changelog, or with two"
        lots = Counter(str(title).split()[1] for title, _ in titles)
        assert set(lots.values()) <= {_ROWS}, "half an import"
        assert {str(fact["number"]) for fact in facts} <= set(lots), "an acknowledged import is lost"
        for fact in facts[-1:]:
            found = await call_tool(app, "get_tasks", {"search": f"Lot {fact['number']} has", "limit": 100})
            assert len(found.body["items"]) == _ROWS
