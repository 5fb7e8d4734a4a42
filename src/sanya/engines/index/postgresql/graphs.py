"""Graphs over the vectors on PostgreSQL, built beside everything else: searches and writes go on meanwhile.

Nothing depends on a graph but speed. So nobody waits for one, and one that could not be built is told in the log and
tried again after a while.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from sanya.engines.index.rows import whole
from sanya.kernel.database import Database, Transaction, Value
from sanya.kernel.faults import StoreUnavailable

log = logging.getLogger(__name__)

_PAUSE_S = 600.0
# The tables, named as in `postgresql_vectors`, that have no graph in some namespaces, or one whose building broke off.
_LACKING = """
SELECT s.namespace, t.name, s.dim FROM retrieval_spaces s CROSS JOIN LATERAL (
    SELECT 'retrieval_meaning_' || left(
        encode(sha256(convert_to(s.namespace || ' ' || s.space, 'UTF8')), 'hex'), 16) AS name) t
WHERE s.namespace IN (SELECT jsonb_array_elements_text(?::jsonb)) AND to_regclass(t.name) IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM pg_index i WHERE i.indexrelid = to_regclass(t.name || '_graph') AND i.indisvalid)
ORDER BY t.name"""
_STANDS = "SELECT count(*) FROM pg_index WHERE indexrelid = to_regclass(?) AND indisvalid"
# One process builds at a time, of those that share the tables; the others do not wait for it, because it would wait for
# them.
_LOCK = "7306082, hashtext(current_schema())"
_TAKE_LOCK = f"SELECT pg_try_advisory_lock({_LOCK})"
_STOP_OTHERS = """
SELECT pg_cancel_backend(pid) FROM pg_locks
WHERE locktype = 'advisory' AND classid = 7306082 AND objid = hashtext(current_schema())::oid AND granted
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""
# What a row takes while the graph is built, beside its numbers of two bytes: its neighbours, mostly.
_ROW_BYTES, _SPARE_KB = 1200, 16 * 1024
# A graph that does not fit is built too, but slowly. How much memory the server's machine has cannot be asked; its
# `shared_buffers` should be a quarter of that.
_MEMORY = """
SELECT set_config('maintenance_work_mem', greatest(own, least(?, greatest(buffers, 524288)))::text || 'kB', false)
FROM (SELECT pg_size_bytes(current_setting('maintenance_work_mem')) / 1024 AS own,
    pg_size_bytes(current_setting('shared_buffers')) / 1024 AS buffers) server"""
# Without other workers no memory is shared, of which a container may have very little.
_ALONE = "SELECT set_config('max_parallel_maintenance_workers', '0', false)"
_NO_ROOM = "53"
_SCHEMA = "SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'vector'"


@runtime_checkable
class Apart(Protocol):
    """A database that gives a connection of its own, where each statement stands outside of any transaction."""

    def apart(self) -> AbstractAsyncContextManager[Transaction]: ...


@dataclass(frozen=True, slots=True)
class Wanted:
    """A table that should have a graph."""

    table: str
    memory_kb: int


class PostgresqlGraphs:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._building: asyncio.Task[None] | None = None
        self._not_before = 0.0

    async def begin(self, sizes: Mapping[str, int]) -> None:
        """Begins to build what graphs are missing in namespaces, of which the number of rows is given."""
        if not sizes or self._is_building or time.monotonic() < self._not_before:
            return
        rows = await self._database.fetch(_LACKING, (json.dumps(sorted(sizes)),))
        wanted = [Wanted(str(table), memory_kb(sizes[str(name)], whole(dim))) for name, table, dim in rows]
        if wanted and not self._is_building:
            self._building = asyncio.create_task(self._build_all(wanted), name="graphs on PostgreSQL")

    @property
    def _is_building(self) -> bool:
        return self._building is not None and not self._building.done()

    async def finished(self) -> None:
        """Waits until nothing is built, for those who have nothing else to do."""
        if self._building is not None:
            await asyncio.wait([self._building])

    async def stop(self) -> None:
        """What is half built is dropped by whoever builds next."""
        if self._building is not None:
            self._building.cancel()
            await asyncio.wait([self._building])
        self._not_before = 0.0

    async def stop_others(self, transaction: Transaction) -> None:
        """Whoever builds what is thrown away now need not go on; and their lock on the table would be waited for."""
        await transaction.fetch(_STOP_OTHERS)

    async def _build_all(self, wanted: Sequence[Wanted]) -> None:
        self._not_before = time.monotonic() + _PAUSE_S
        try:
            built = [await self._built(one) for one in wanted]
        except Exception as error:  # a border: nobody awaits this task, so whatever failed is told here
            log.warning("a graph could not be built; search by meaning is slower until one is: %s", error)
        else:
            self._not_before = 0.0 if all(built) else self._not_before

    async def _built(self, one: Wanted) -> bool:
        try:
            return await self._build(one, _MEMORY, (one.memory_kb,))
        except StoreUnavailable as fault:
            if not str(fault.details.get("reason", "")).startswith(_NO_ROOM):
                raise
        log.warning("no room to build a graph by several workers; one builds it alone, which takes longer")
        return await self._build(one, _ALONE)

    async def _build(self, one: Wanted, setting: str, values: Sequence[Value] = ()) -> bool:
        """Says whether it stands: not where another process builds."""
        assert isinstance(self._database, Apart)
        async with self._database.apart() as apart:
            ((is_ours,),) = await apart.fetch(_TAKE_LOCK)
            # Another one may have built it since we looked.
            ((stands,),) = await apart.fetch(_STANDS, (f"{one.table}_graph",))
            if is_ours and not stands:
                await apart.fetch(setting, values)
                await apart.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {one.table}_graph")
                schema = str((await apart.fetch(_SCHEMA))[0][0])
                await apart.execute(
                    f"CREATE INDEX CONCURRENTLY {one.table}_graph ON {one.table} "
                    f"USING hnsw (embedding {schema}.halfvec_ip_ops)"
                )
                await apart.execute(f"ANALYZE {one.table}")
            return bool(is_ours or stands)


def memory_kb(rows: int, dim: int) -> int:
    return rows * (2 * dim + _ROW_BYTES) // 1024 + _SPARE_KB
