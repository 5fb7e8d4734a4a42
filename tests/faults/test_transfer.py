"""Opening, backing up, restoring and moving a home, interrupted anywhere: existing data stays, and the same command
completes it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from sanya import transfer
from sanya.engines.consistency import find_breaches
from sanya.engines.copying import compute_fingerprints
from sanya.engines.database import open_database
from sanya.engines.schema import list_migrations, migrate, read_applied_migrations
from sanya.engines.snapshot import Engine
from sanya.engines.sqlite.database import SqliteDatabase
from sanya.engines.upgrading import SchemaMode
from sanya.engines.vault import Vault
from sanya.kernel.faults import StoreUnavailable
from sanya.settings import Settings
from sanya.suites.funds.demo import load_demo
from sanya.suites.tasks.starter import load_starter
from tests.faults.twin import COMMIT, Failure, Steps, make_twin
from tests.long_form import often

Work = Callable[[], Awaitable[object]]


def make_error() -> Exception:
    return StoreUnavailable("the database does not answer")


def choose_failures(names: list[str], short: int) -> Iterator[Failure]:
    """Return this many failures, evenly chosen; all of them in the long run."""
    commits = [at for at, name in enumerate(names, 1) if name == COMMIT]
    if often(0, 1):
        yield from (Failure(at, make_error) for at in range(1, len(names) + 1))
        yield from (Failure(at, make_error, late=True) for at in commits)
        return
    yield from (Failure(1 + (len(names) - 1) * part // (short - 1), make_error) for part in range(short))
    yield Failure(commits[len(commits) // 2], make_error, once=False, late=True)


@pytest.fixture
async def filled(database_url: str, migrated_home: Path) -> Settings:
    async with open_database(database_url, migrated_home) as database:
        await Vault(database).get_secret("cursors")
        await load_starter(database)
        await load_demo(database)
    return Settings(home=migrated_home, database_url=database_url)


class Counted:
    """Opens databases whose steps are counted and fail on demand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.steps = Steps()
        monkeypatch.setattr(transfer, "open_database", self._open)

    @asynccontextmanager
    async def _open(self, url: str, home: Path, *, schema: SchemaMode = "migrate") -> AsyncIterator[Engine]:
        async with open_database(url, home, schema=schema) as database:
            yield make_twin(database, self.steps)

    async def run(self, work: Work, failure: Failure | None = None) -> list[str]:
        self.steps = Steps(failure, counting=True)
        await work()
        return self.steps.names

    async def run_and_fail(self, work: Work, failure: Failure) -> None:
        with pytest.raises(StoreUnavailable):
            await self.run(work, failure)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    return Counted(monkeypatch)


async def read_fingerprints(settings: Settings) -> object:
    async with open_database(settings.database_url, settings.home) as database:
        assert await find_breaches(database) == []
        return await compute_fingerprints(database)


async def test_a_backup_that_breaks_off_leaves_the_one_before_as_it_was(
    filled: Settings, counted: Counted, tmp_path: Path
) -> None:
    file = tmp_path / "monday.sanya"
    names = await counted.run(lambda: transfer.back_up(filled, file))
    before = file.read_bytes()
    for failure in choose_failures(names, 3):
        await counted.run_and_fail(lambda: transfer.back_up(filled, file), failure)
        assert file.read_bytes() == before
        assert not [left for left in tmp_path.iterdir() if left.name.startswith(".monday")]
    await counted.run(lambda: transfer.back_up(filled, file))


async def test_a_restore_that_breaks_off_goes_on_when_asked_again(
    filled: Settings, counted: Counted, tmp_path: Path
) -> None:
    file = tmp_path / "monday.sanya"
    await transfer.back_up(filled, file)
    whole = await read_fingerprints(filled)
    names = await counted.run(lambda: transfer.restore(Settings(home=tmp_path / "whole"), file))
    for number, failure in enumerate(choose_failures(names, 3)):
        target = Settings(home=tmp_path / f"target-{number}")
        await counted.run_and_fail(lambda to=target: transfer.restore(to, file), failure)  # type: ignore[misc]
        await counted.run(lambda to=target: transfer.restore(to, file))  # type: ignore[misc]
        assert await read_fingerprints(target) == whole


async def test_a_move_that_breaks_off_goes_on_when_asked_again(
    filled: Settings, counted: Counted, tmp_path: Path
) -> None:
    whole = await read_fingerprints(filled)
    names = await counted.run(lambda: transfer.move(filled, str(tmp_path / "whole")))
    for number, failure in enumerate(choose_failures(names, 3)):
        target = Settings(home=tmp_path / f"target-{number}")
        await counted.run_and_fail(lambda to=target: transfer.move(filled, str(to.home)), failure)  # type: ignore[misc]
        await counted.run(lambda to=target: transfer.move(filled, str(to.home)))  # type: ignore[misc]
        assert await read_fingerprints(target) == whole
    assert await read_fingerprints(filled) == whole


async def test_a_home_whose_first_opening_breaks_off_opens_the_next_time(tmp_path: Path) -> None:
    async def opened(path: Path, failure: Failure | None) -> list[str]:
        path.touch()
        database, steps = SqliteDatabase(path), Steps(failure, counting=True)
        try:
            await migrate(make_twin(database, steps))
            assert len(await read_applied_migrations(database)) == len(list_migrations())
        finally:
            await database.close()
        return steps.names

    names = await opened(tmp_path / "whole.db", None)
    for number, failure in enumerate(choose_failures(names, 4)):
        with pytest.raises(StoreUnavailable):
            await opened(tmp_path / f"{number}.db", failure)
        await opened(tmp_path / f"{number}.db", None)
