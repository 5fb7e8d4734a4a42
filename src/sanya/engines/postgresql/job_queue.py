"""The job queue of several processes: procrastinate hands jobs to workers, using PostgreSQL notifications.

The queue holds only ids of jobs, in a schema of its own. What a job is, who claimed it and how far it got is in our
tables. So the queue can be dropped and created again, as happens with another version of the library.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from typing import Any, LiteralString

import procrastinate
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException
from procrastinate.jobs import Status
from procrastinate.schema import SchemaManager
from psycopg import AsyncConnection, Error
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import InsufficientPrivilege
from psycopg.sql import SQL, Identifier

from sanya.engines.postgresql.connection import build_network_options
from sanya.kernel.clock import read_clock
from sanya.kernel.faults import StoreUnavailable
from sanya.kernel.jobs.job import Jobs

_TASK = "sanya.job"
_SWEEP_EVERY_S = 5.0
_HEARTBEAT_S = 5.0
_STALLED_S = 20.0
_CONNECTIONS = 3
# Processes that start at once prepare the schema one after another.
_LOCK: LiteralString = "SELECT pg_advisory_xact_lock(7306080)"

log = logging.getLogger(__name__)
logging.getLogger("procrastinate").setLevel(logging.WARNING)


class PostgresqlQueue:
    def __init__(self, url: str, jobs: Jobs, now: Callable[[], datetime] = read_clock) -> None:
        self._url = url
        self._jobs = jobs
        self._now = now
        self._app: procrastinate.App | None = None

    async def put(self, job_id: str) -> None:
        """Put a job in the queue. If the queue is not open, the next sweep of any worker finds the job."""
        if self._app is not None:
            await _put(self._app, job_id)

    async def serve(self, work: Callable[[str], Awaitable[None]]) -> None:
        async with self._open_app() as app:

            async def run(job_id: str) -> None:
                await work(job_id)

            app.task(name=_TASK)(run)
            self._app = app
            sweeping = asyncio.create_task(self._sweep(app))
            try:
                await app.run_worker_async(
                    name="sanya",
                    install_signal_handlers=False,
                    delete_jobs="always",
                    shutdown_graceful_timeout=0,
                    update_heartbeat_interval=_HEARTBEAT_S,
                    stalled_worker_timeout=_STALLED_S,
                )
                # The worker returns when its listener failed, as when the server went away.
                raise StoreUnavailable("the job queue lost its connection to PostgreSQL; it reconnects by itself")
            finally:
                self._app = None
                sweeping.cancel()
                with suppress(asyncio.CancelledError, ConnectorException):
                    await sweeping

    @asynccontextmanager
    async def _open_app(self) -> AsyncIterator[procrastinate.App]:
        try:
            schema = await _prepare(self._url)
            connector = procrastinate.PsycopgConnector(
                conninfo=self._url,
                min_size=1,
                max_size=_CONNECTIONS,
                kwargs={
                    "options": _build_options(self._url, schema),
                    "application_name": "sanya jobs",
                    **build_network_options(),
                },
            )
            async with procrastinate.App(connector=connector).open_async() as app:
                yield app
        except InsufficientPrivilege as error:
            raise StoreUnavailable(
                "the job queue needs a schema of its own; run: GRANT CREATE ON DATABASE … TO … for the database user"
            ) from error
        except (ConnectorException, Error) as error:
            raise StoreUnavailable(f"the job queue cannot be reached: {error}; check that PostgreSQL runs") from error

    async def _sweep(self, app: procrastinate.App) -> None:
        """Queue due jobs again: jobs of workers that died, and jobs that never entered the queue."""
        while True:
            try:
                await self._sweep_once(app)
            except (StoreUnavailable, ConnectorException) as problem:  # the next round tries again
                log.warning("due jobs could not be queued again; the next sweep retries: %s", problem)
            await asyncio.sleep(_SWEEP_EVERY_S)

    async def _sweep_once(self, app: procrastinate.App) -> None:
        for stalled in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=_STALLED_S):
            if stalled.id is not None:
                await app.job_manager.finish_job_by_id_async(stalled.id, Status.ABORTED, delete_job=True)
        for job_id in await self._jobs.list_due(self._now()):
            await _put(app, job_id)


async def _put(app: procrastinate.App, job_id: str) -> None:
    # The lock keeps a job in the queue at most once.
    with suppress(AlreadyEnqueued):
        await app.configure_task(_TASK, queueing_lock=job_id).defer_async(job_id=job_id)


async def _prepare(url: str) -> str:
    """Create the queue's schema, named after ours and the library's version, and drop unused ones. Return its name."""
    async with await AsyncConnection.connect(url, **build_network_options()) as connection:
        await connection.execute(_LOCK)
        row = await (await connection.execute("SELECT current_schema()")).fetchone()
        prefix = f"{row[0] if row else 'public'}_queue_"
        schema = prefix + procrastinate.__version__.replace(".", "_")
        cursor = await connection.execute("SELECT nspname FROM pg_namespace WHERE starts_with(nspname, %s)", (prefix,))
        schemas = {str(name) for (name,) in await cursor.fetchall()}
        for other in sorted(schemas - {schema}):
            await _drop_idle(connection, other)
        if schema not in schemas:
            await connection.execute(SQL("CREATE SCHEMA {}").format(Identifier(schema)))
            await connection.execute(SQL("SET LOCAL search_path TO {}").format(Identifier(schema)))
            await connection.execute(SchemaManager.get_schema())
    return schema


async def _drop_idle(connection: AsyncConnection[Any], schema: str) -> None:
    """Drop a schema without active workers: during an upgrade, servers of both versions may run."""
    workers = SQL("SELECT 1 FROM {} WHERE last_heartbeat > now() - interval '10 minutes'")
    busy = await connection.execute(workers.format(Identifier(schema, "procrastinate_workers")))
    if await busy.fetchone() is None:
        await connection.execute(SQL("DROP SCHEMA {} CASCADE").format(Identifier(schema)))


def _build_options(url: str, schema: str) -> str:
    """Return the options of the URL, with the queue's schema instead of ours."""
    options: Any = conninfo_to_dict(url).get("options") or ""
    return f"{options} -csearch_path={schema}".strip()
