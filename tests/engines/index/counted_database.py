"""A PostgreSQL database that counts round trips and can refuse statements."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from typing import Literal, Protocol, cast

from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.storage.database import Database, Row, Transaction, Value


class Postgresql(Database, Protocol):
    async def fetch_binary(self, sql: str, params: Sequence[Value] = ()) -> list[Row]: ...

    def autocommit_connection(self) -> AbstractAsyncContextManager[Transaction]: ...


class CountedDatabase:
    dialect: Literal["sqlite", "postgresql"] = "postgresql"

    def __init__(self, inner: Database) -> None:
        self._inner = cast(Postgresql, inner)
        self._under_way = 0
        self.trips = 0
        """Round trips; concurrent ones count once."""
        self.asked: list[str] = []
        self.builds: list[dict[str, str]] = []
        """The settings of every attempt to build a graph."""
        self.refusals: list[str] = []
        """The SQLSTATEs of the next attempts; an empty one lets the attempt succeed."""

    @contextmanager
    def _counted(self, *asked: str) -> Iterator[None]:
        self.trips += self._under_way == 0
        self.asked += asked
        self._under_way += 1
        try:
            yield
        finally:
            self._under_way -= 1

    async def fetch(self, sql: str, params: Sequence[Value] = (), *, touches: int | None = None) -> list[Row]:
        with self._counted(sql):
            return await self._inner.fetch(sql, params, touches=touches)

    async def fetch_binary(self, sql: str, params: Sequence[Value] = ()) -> list[Row]:
        with self._counted(sql):
            return await self._inner.fetch_binary(sql, params)

    def transaction(self) -> AbstractAsyncContextManager[Transaction]:
        return self._inner.transaction()

    @asynccontextmanager
    async def autocommit_connection(self) -> AsyncIterator[Transaction]:
        async with self._inner.autocommit_connection() as connection:
            yield cast(Transaction, _Refusing(self, connection))


class _Refusing:
    def __init__(self, database: CountedDatabase, inner: Transaction) -> None:
        self._database = database
        self._inner = inner

    async def fetch(self, sql: str, params: Sequence[Value] = ()) -> list[Row]:
        return await self._inner.fetch(sql, params)

    async def execute(self, sql: str, params: Sequence[Value] = ()) -> int:
        if sql.startswith("CREATE INDEX"):
            names = "maintenance_work_mem", "max_parallel_maintenance_workers"
            settings = {name: str((await self._inner.fetch(f"SHOW {name}"))[0][0]) for name in names}
            self._database.builds.append(settings)
            if self._database.refusals and (code := self._database.refusals.pop(0)):
                # An interrupted build leaves an invalid index.
                table = sql.split(" ON ")[1].split()[0]
                await self._inner.execute(f"CREATE INDEX {table}_graph ON {table} (seq)")
                await self._inner.execute(
                    f"UPDATE pg_index SET indisvalid = false WHERE indexrelid = '{table}_graph'::regclass"
                )
                raise StoreUnavailable("no space left on device", details={"reason": code})
        return await self._inner.execute(sql, params)
