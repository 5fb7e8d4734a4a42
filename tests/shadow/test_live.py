"""A server with a shadow, over real HTTP and MCP, SQLite beside PostgreSQL: callers notice nothing, the report all."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

from sanya.engines.database import open_database
from sanya.kernel.ledger.verification import verify_ledger
from sanya.kernel.storage.database import Database
from tests.shadow.stage import WAIT_S, counted, moved, of_tool, served

NOBODY = "postgresql://127.0.0.1:1/nobody"


async def ids(database: Database) -> list[str]:
    return [str(id) for (id,) in await database.fetch("SELECT id FROM memories ORDER BY arrival")]


async def test_reads_and_writes_are_made_on_both_and_an_altered_row_is_named(home: Path, postgresql_url: str) -> None:
    await moved(home, postgresql_url)
    async with served(home, shadow=postgresql_url) as server, open_database(postgresql_url, home) as shadow:
        await server.followed()
        task = (await server.call("get_tasks", limit=3))["items"][0]
        await server.call_mcp("get_tasks", limit=2, status="TODO")
        for text in ("The library closes at eight.", "The library closes at nine on Fridays."):
            await server.call_mcp("send_memory", content=text)
        same = await server.report()
        assert same.is_clean, same.as_json()
        assert same.trial == "SQLite, embedded | PostgreSQL, postgresql"
        assert counted(same, "get_tasks") == {"equal": 2}
        assert counted(same, "send_memory") == {"equal": 2}
        assert all(of_tool(same, "get_tasks").primary_ms + of_tool(same, "get_tasks").shadow_ms)
        assert await ids(server.app.database) == await ids(shadow) != []

        async with shadow.transaction() as transaction:
            await transaction.execute("UPDATE tasks SET title = 'Another title' WHERE id = ?", (task["id"],))
        await server.call("get_tasks", limit=3)
        told = await server.report()
        assert counted(told, "get_tasks") == {"equal": 2, "different": 1}
        assert not told.is_clean
        (difference,) = told.differences
        (place,) = difference.places
        assert (place.path, place.there) == ("$.items[0].title", '"Another title"')
        assert task["title"] in place.here

        recorded = [tool for tool, _ in await server.ledger()]
        assert recorded.count("get_tasks") == 3
        assert recorded.count("send_memory") == 2
        assert (await verify_ledger(server.app.ledger_store)).problem is None


async def test_a_shadow_that_stands_still_or_dies_is_not_felt_and_what_it_missed_is_counted(home: Path) -> None:
    second = home.parent / "second"
    await moved(home, str(second))
    async with served(home, shadow=str(second), shadow_queue=3) as server:
        await server.followed()
        process = server.trial.process
        assert process is not None
        process.send_signal(signal.SIGSTOP)
        answers = await asyncio.gather(*(server.call("get_projects", limit=1) for _ in range(10)))
        assert len(answers) == 10
        assert server.trial.queue.outstanding == 3
        process.send_signal(signal.SIGCONT)
        assert counted(await server.report(), "get_projects") == {"equal": 3, "dropped": 7}

        server.trial.ready.clear()
        process.kill()
        await asyncio.wait_for(process.wait(), WAIT_S)
        await server.followed()
        assert server.trial.process is not process
        await server.call("get_projects", limit=2)
        assert counted(await server.report(), "get_projects") == {"equal": 4, "dropped": 7}


async def test_a_shadow_that_is_not_there_fails_nobody_and_the_report_says_so(home: Path) -> None:
    async with served(home, shadow=NOBODY) as server:
        await server.call("get_tasks", limit=1)
        await server.call_mcp("get_projects", limit=1)
        await asyncio.wait_for(server.trial.stopped.wait(), WAIT_S)
        report = await server.report()
        assert "does not answer" in str(report.problem)
        assert not report.is_clean
        assert counted(report, "get_tasks") == {"dropped": 1}
        assert counted(report, "get_projects") == {"dropped": 1}
