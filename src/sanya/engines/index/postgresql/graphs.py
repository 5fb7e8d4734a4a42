"""HNSW graphs over the vectors on PostgreSQL, built in the background while searches and writes continue.

Only speed depends on a graph. So no call waits for one, and a graph that could not be built is logged and tried again
after a while.
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

from sanya.engines.index.rows import as_int
from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.storage.database import Database, Transaction, Value

log = logging.getLogger(__name__)

_RETRY_AFTER_S = 600.0
# The vector tables (named as in `vectors.py`) of some namespaces that have no graph, or one whose build was
# interrupted.
_MISSING_GRAPHS = """
SELECT s.namespace, t.name, s.dim FROM retrieval_spaces s CROSS JOIN LATERAL (
    SELECT 'retrieval_meaning_' || left(
        encode(sha256(convert_to(s.namespace || ' ' || s.space, 'UTF8')), 'hex'), 16) AS name) t
WHERE s.namespace IN (SELECT jsonb_array_elements_text(?::jsonb)) AND to_regclass(t.name) IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM pg_index i WHERE i.indexrelid = to_regclass(t.name || '_graph') AND i.indisvalid)
ORDER BY t.name"""
_IS_BUILT = "SELECT count(*) FROM pg_index WHERE indexrelid = to_regclass(?) AND indisvalid"
# One process at a time builds, of those that share the tables. The others do not wait for the lock: CREATE INDEX
# CONCURRENTLY would wait for their transactions.
_LOCK = "7306082, hashtext(current_schema())"
_TAKE_LOCK = f"SELECT pg_try_advisory_lock({_LOCK})"
_STOP_OTHERS = """
SELECT pg_cancel_backend(pid) FROM pg_locks
WHERE locktype = 'advisory' AND classid = 7306082 AND objid = hashtext(current_schema())::oid AND granted
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""
# The memory that a row takes during the build beside its two bytes a number: mostly its neighbours.
_ROW_BYTES, _SPARE_KB = 1200, 16 * 1024
# A graph that does not fit in memory is built slowly. The size of the server's memory cannot be queried; by convention
# `shared_buffers` is a quarter of it.
_MEMORY = """
SELECT set_config('maintenance_work_mem', greatest(own, least(?, greatest(buffers, 524288)))::text || 'kB', false)
FROM (SELECT pg_size_bytes(current_setting('maintenance_work_mem')) / 1024 AS own,
    pg_size_bytes(current_setting('shared_buffers')) / 1024 AS buffers) server"""
# A single worker needs no shared memory, of which a container may have very little.
_SINGLE_WORKER = "SELECT set_config('max_parallel_maintenance_workers', '0', false)"
_OUT_OF_RESOURCES = "53"
_SCHEMA = "SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'vector'"


@runtime_checkable
class AutocommitDatabase(Protocol):
    """A database that can open a separate connection on which each statement commits by itself."""

    def autocommit_connection(self) -> AbstractAsyncContextManager[Transaction]: ...


@dataclass(frozen=True, slots=True)
class GraphPlan:
    """A table that needs a graph, and the memory to build it."""

    table: str
    memory_kb: int


class PostgresqlGraphs:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._building: asyncio.Task[None] | None = None
        self._not_before = 0.0

    async def begin_building(self, sizes: Mapping[str, int]) -> None:
        """Start building the graphs that are missing in namespaces. `sizes` gives the number of rows of each."""
        if not sizes or self._is_building or time.monotonic() < self._not_before:
            return
        rows = await self._database.fetch(_MISSING_GRAPHS, (json.dumps(sorted(sizes)),))
        plans = [GraphPlan(str(table), estimate_memory_kb(sizes[str(name)], as_int(dim))) for name, table, dim in rows]
        if plans and not self._is_building:
            self._building = asyncio.create_task(self._build_all(plans), name="graphs on PostgreSQL")

    @property
    def _is_building(self) -> bool:
        return self._building is not None and not self._building.done()

    async def wait(self) -> None:
        """Wait until the running build ends."""
        if self._building is not None:
            await asyncio.wait([self._building])

    async def stop(self) -> None:
        """Cancel the running build. The next build drops what is half built."""
        if self._building is not None:
            self._building.cancel()
            await asyncio.wait([self._building])
        self._not_before = 0.0

    async def stop_others(self, transaction: Transaction) -> None:
        """Cancel builds of other processes: the graph is about to be dropped, and their table lock would block that."""
        await transaction.fetch(_STOP_OTHERS)

    async def _build_all(self, plans: Sequence[GraphPlan]) -> None:
        self._not_before = time.monotonic() + _RETRY_AFTER_S
        try:
            built = [await self._build_with_fallback(plan) for plan in plans]
        except Exception as error:  # nobody awaits this task, so every failure is logged here
            log.warning(
                "a vector graph could not be built; vector search is slower until the next attempt: %s",
                error,
            )
        else:
            self._not_before = 0.0 if all(built) else self._not_before

    async def _build_with_fallback(self, plan: GraphPlan) -> bool:
        try:
            return await self._build(plan, _MEMORY, (plan.memory_kb,))
        except StoreUnavailable as fault:
            if not str(fault.details.get("reason", "")).startswith(_OUT_OF_RESOURCES):
                raise
        log.warning(
            "not enough memory to build a vector graph with several workers; one builds it alone, which takes longer"
        )
        return await self._build(plan, _SINGLE_WORKER)

    async def _build(self, plan: GraphPlan, setting: str, values: Sequence[Value] = ()) -> bool:
        """Build one graph. Return whether it is there; it is not while another process builds it."""
        assert isinstance(self._database, AutocommitDatabase)
        async with self._database.autocommit_connection() as connection:
            ((is_ours,),) = await connection.fetch(_TAKE_LOCK)
            # Another process may have built it since we looked.
            ((is_built,),) = await connection.fetch(_IS_BUILT, (f"{plan.table}_graph",))
            if is_ours and not is_built:
                await connection.fetch(setting, values)
                await connection.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {plan.table}_graph")
                schema = str((await connection.fetch(_SCHEMA))[0][0])
                await connection.execute(
                    f"CREATE INDEX CONCURRENTLY {plan.table}_graph ON {plan.table} "
                    f"USING hnsw (embedding {schema}.halfvec_ip_ops)"
                )
                await connection.execute(f"ANALYZE {plan.table}")
            return bool(is_ours or is_built)


def estimate_memory_kb(rows: int, dim: int) -> int:
    return rows * (2 * dim + _ROW_BYTES) // 1024 + _SPARE_KB
