"""One write path with every failure: what must hold afterwards, whichever step failed and however."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from shutil import rmtree
from typing import Any
from zlib import crc32

from redis.asyncio import Redis

from sanya.engines.consistency import find_breaches
from sanya.engines.tables import Table, list_tables
from sanya.kernel.faults import Fault, Internal, StoreUnavailable, Unavailable, UpstreamFailed
from sanya.kernel.ledger.verification import verify_ledger
from sanya.kernel.storage.database import Database, Value
from tests.faults.house import CallFailed, House, open_house
from tests.faults.places import Place, Places
from tests.faults.twin import COMMIT, Failure, Steps

Work = Callable[[House], Awaitable[Any]]

# The fault of each port when its engine does not answer, and a raw error that the engine may raise.
FAULTS: Mapping[str, tuple[Callable[[], Exception], Callable[[], Exception]]] = {
    "database": (lambda: StoreUnavailable("the database does not answer"), lambda: OSError(28, "No space left")),
    "ledger": (lambda: StoreUnavailable("the database does not answer"), lambda: OSError(28, "No space left")),
    "jobs": (lambda: StoreUnavailable("the database does not answer"), lambda: OSError(5, "Input/output error")),
    "index": (lambda: Unavailable("the index does not answer"), lambda: OSError(28, "No space left")),
    "embedder": (
        lambda: UpstreamFailed("the embedder does not answer", source="embeddings"),
        lambda: MemoryError("no memory for the model"),
    ),
    "entrez": (lambda: UpstreamFailed("PubMed does not answer", source="entrez"), lambda: ConnectionError("reset")),
    "open_data": (lambda: UpstreamFailed("the SEC does not answer", source="sec"), lambda: ConnectionError("reset")),
    "reader": (
        lambda: UpstreamFailed("it cannot be read", source="document"),
        lambda: OSError(5, "Input/output error"),
    ),
    "redis": (lambda: _make_redis_error(), lambda: _make_redis_error()),
}

_LONG_HEX = re.compile(r"(?:\b[a-z]+_)?[0-9a-f]{12,}")
_PLACE = re.compile(r"place_\d+")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")
# Numbers that increase with every attempt, and notes of a running worker.
_UNCOMPARED = {"revision", "arrival", "claim", "claimed_until", "attempts", "log_lines", "done", "total", "message"}


def _make_redis_error() -> Exception:
    from redis.exceptions import ConnectionError as RedisAway

    return RedisAway("Connection closed by server.")


@dataclass(frozen=True)
class Path:
    """A way to write. `fill` brings a home to where it begins; `run` writes, and is repeated after a failure. `kept`
    are the tables that hold what it writes. `states` is through how many of them a run goes, before and after included:
    two, unless it writes in parts that are each whole."""

    name: str
    suites: tuple[str, ...]
    run: Work
    kept: tuple[str, ...]
    ports: tuple[str, ...] = ("database",)
    fill: Work | None = None
    states: int = 2
    searched: str = ""
    """The namespace whose index must agree in the end."""
    apart: tuple[str, ...] = ()
    """Ports whose failure concerns one named part; the others are written."""
    repeatable: bool = True
    """True if a second run reaches the same result after a lost answer to a commit."""


@dataclass
class Clean:
    """A run without a failure: its steps by port, and the states it passes through."""

    steps: dict[str, list[str]]
    states: list[str]
    found: int = 0


@dataclass
class Trial:
    path: Path
    places: Places
    begin: Place
    redis: Redis | None = None
    clean: Clean = field(default_factory=lambda: Clean({}, []))

    async def observe(self) -> None:
        """Run it twice without a failure; the second run shows whether the result is stable."""
        place = self.places.copy(self.begin)
        steps = {port: Steps() for port in self.path.ports}
        async with self._open(place, steps) as house:
            states = [await state_of(house.engine, self.path.kept)]

            async def look() -> None:
                states.append(await state_of(house.engine, self.path.kept))

            steps.setdefault("database", Steps()).on_commit = look
            await _run(self.path, house, steps)
            await check_sound(house)
            self.clean = Clean(
                {port: port_steps.names for port, port_steps in steps.items()},
                list(dict.fromkeys([*states, await state_of(house.engine, self.path.kept)])),
                await _search(house, self.path.searched),
            )
        rmtree(place.home)
        assert len(self.clean.states) == self.path.states, f"{len(self.clean.states)} states"

    async def attempt(self, port: str, failure: Failure) -> None:
        place = self.places.copy(self.begin)
        steps = {name: Steps() for name in self.path.ports}
        steps[port].failure = failure
        told: Exception | None = None
        try:
            async with self._open(place, steps) as house:
                try:
                    await _run(self.path, house, steps)
                except Exception as error:
                    told = error
                    check_told(error, steps[port])
        except StoreUnavailable:
            assert steps[port].has_failed, "closing failed by itself"
        async with self._open(place, {}) as house:
            await self._check_after(house, told, steps[port], is_apart=port in self.path.apart)
        rmtree(place.home)

    async def _check_after(self, house: House, told: Exception | None, steps: Steps, *, is_apart: bool) -> None:
        await check_sound(house)
        state = await state_of(house.engine, self.path.kept)
        assert state in self.clean.states or is_apart, "it stands between two states"
        if told is None:
            assert state == self.clean.states[-1], "it was acknowledged and is not there"
        if not self.path.repeatable and steps.has_failed and state != self.clean.states[0]:
            return
        await _run(self.path, house, {})
        await check_sound(house)
        assert await state_of(house.engine, self.path.kept) == self.clean.states[-1], (
            "run again, it came to another end"
        )
        assert await _search(house, self.path.searched) == self.clean.found, "the search is not what it would have been"

    def _open(self, place: Place, twins: Mapping[str, Steps]) -> Any:
        return open_house(place, self.path.suites, twins, self.redis)

    def list_failures(self, *, all_of_them: bool) -> Iterator[tuple[str, Failure]]:
        """Which port fails at which of its steps, and how. The short form has a commit whose answer is lost, a step
        between and one of each other port; which ones differs from path to path."""
        lot = crc32(f"{self.path.name} {self.places.url[:1]}".encode())
        for port, names in self.clean.steps.items():
            typed, untyped = FAULTS[port]
            commits = [at for at, name in enumerate(names, 1) if name == COMMIT]
            if all_of_them:
                for at in range(1, len(names) + 1):
                    yield port, Failure(at, typed)
                    yield port, Failure(at, typed, once=False)
                    yield port, Failure(at, typed, late=True)
                    yield port, Failure(at, untyped, once=bool(at % 2), late=at % 4 > 1)
            elif names:
                if commits:
                    yield port, Failure(commits[lot % len(commits)], typed, once=lot % 3 > 0, late=True)
                variant = lot // 7 % 4
                yield port, Failure(1 + lot % len(names), untyped if variant == 3 else typed, bool(variant % 2))


async def _run(path: Path, house: House, steps: Mapping[str, Steps]) -> None:
    for port_steps in steps.values():
        port_steps.counting = True
    try:
        await path.run(house)
    finally:
        # Writes after the answer belong to the attempt.
        for port_steps in steps.values():
            port_steps.counting = port_steps.failure is not None and not port_steps.failure.once


async def _search(house: House, namespace: str) -> int:
    if not namespace:
        return 0
    library = await house.opened.library()
    await library.refresh()
    return await library.count(namespace)


def check_told(error: Exception, steps: Steps) -> None:
    """The caller of a tool gets one of our faults; other code may also see a raw error of the engine."""
    if error in steps.raised:
        return
    fault = error.fault if isinstance(error, CallFailed) else error
    if isinstance(error, CallFailed):
        said = str(error.error)
        assert "Traceback" not in said and "Errno" not in said, said
    untyped = any(not isinstance(error, Fault) for error in steps.raised)
    if fault is not None:
        assert isinstance(fault, Fault), f"an untyped {error!r}"
        assert untyped or not isinstance(fault, Internal), (
            f"a failure that is known was told as our own mistake: {error}"
        )


async def check_sound(house: House) -> None:
    if house.engine.dialect == "sqlite":
        assert await house.engine.fetch("PRAGMA integrity_check") == [("ok",)]
        assert await house.engine.fetch("PRAGMA foreign_key_check") == []
    assert [breach.sentence for breach in await find_breaches(house.engine)] == []
    verdict = await verify_ledger(house.ledger_store)
    assert verdict.problem is None


async def state_of(database: Database, kept: Sequence[str]) -> str:
    """One hash over what some tables hold. Ids that are made by chance, the place and the
    moment of the attempt are left out."""
    digest = sha256()
    today = datetime.now(UTC).date().isoformat()
    for table in (table for table in list_tables() if table.name in kept):
        rows = await database.fetch(f"SELECT {', '.join(_list_columns(table))} FROM {table.name}")
        digest.update("\n".join([table.name, *sorted(_format_row(row, today) for row in rows)]).encode())
    return digest.hexdigest()


def _list_columns(table: Table) -> list[str]:
    return [name for name in table.columns if name not in _UNCOMPARED]


def _format_row(row: Sequence[Value], today: str) -> str:
    text = _LONG_HEX.sub("*", _PLACE.sub("place", repr(row)))
    return _MOMENT.sub(lambda found: "now" if found[0].startswith(today) else found[0], text)
