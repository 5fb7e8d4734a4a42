"""kill -9 at any time during an import leaves all of it or nothing."""

from __future__ import annotations

import asyncio
import random
import sys
from pathlib import Path

import pytest

from sanya.engines.database import open_database
from sanya.suites.tasks.importing.formats import open_task_file
from sanya.suites.tasks.importing.task_import import import_tasks
from tests.suites.tasks.harness import UTC_ZONE, open_harness

ROWS = 2000
BATCHES = ROWS // 500
IMPORTER = """
import asyncio, sys
from pathlib import Path
from zoneinfo import ZoneInfo
from sanya.engines.database import open_database
from sanya.suites.tasks.importing.formats import open_task_file
from sanya.suites.tasks.importing.task_import import import_tasks

async def main(url, home, file):
    rows = open_task_file(Path(file).read_bytes(), ZoneInfo("UTC"), format="todotxt").parse_rows()
    tell = lambda progress: print(progress.done, flush=True)
    async with open_database(url, Path(home)) as database:
        await import_tasks(database, rows, progress=tell)
        print("acknowledged", flush=True)

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.mark.parametrize("said", [0, 1, BATCHES // 2, BATCHES, BATCHES + 1])
async def test_a_killed_import_leaves_all_or_nothing(database_url: str, home: Path, tmp_path: Path, said: int) -> None:
    """Kill the importer right after it has printed this many lines; the last line is its acknowledgement."""
    before = "\n".join(f"Task {n} kept" for n in range(100))
    after = before.replace("kept", "kept due:2025-02-01") + "".join(f"\nTask {n} new" for n in range(100, ROWS))
    file = tmp_path / "todo.txt"
    file.write_text(after, encoding="utf-8")
    async with open_database(database_url, home) as database:
        await import_tasks(database, open_task_file(before.encode(), UTC_ZONE, format="todotxt").parse_rows())

    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", IMPORTER, database_url, str(home), str(file), stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    lines = []
    async with asyncio.timeout(60):
        for _ in range(said):
            lines.append(await process.stdout.readline())
        process.kill()
        await process.communicate()

    async with open_database(database_url, home) as database, open_harness(database) as harness:
        count = len(await harness.all_ids("get_tasks", 500))
        due = [row[0] for row in await database.fetch("SELECT count(*) FROM tasks WHERE due_at IS NOT NULL")]
        assert (count, due) in ((100, [0]), (ROWS, [100]))
        if b"acknowledged\n" in lines:
            assert count == ROWS
        # And the same import, run again, completes it.
        report = await import_tasks(database, open_task_file(after.encode(), UTC_ZONE, format="todotxt").parse_rows())
        assert report.imported == ROWS
        assert len(set(await harness.all_ids("get_tasks", 500))) == ROWS


async def test_a_killed_import_leaves_all_or_nothing_at_a_moment_of_chance(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "todo.txt"
    file.write_text("\n".join(f"Task {n}" for n in range(ROWS)), encoding="utf-8")
    chance = random.Random(20250116)
    for _ in range(3):
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", IMPORTER, "", str(home), str(file), stdout=asyncio.subprocess.PIPE
        )
        try:
            async with asyncio.timeout(chance.uniform(0.05, 1.5)):
                await process.communicate()
        except TimeoutError:
            process.kill()
            await process.communicate()
        async with open_database("", home) as database:
            ((count,),) = await database.fetch("SELECT count(*) FROM tasks")
            assert count in (0, ROWS)
