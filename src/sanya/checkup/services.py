"""Checks of what a home is connected to: a server, Redis, the chat model, the search index, another tasks database."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack

from sanya.assembly.chat import find_endpoint_problem
from sanya.assembly.search.health import check_embedders, check_embedding, check_index
from sanya.checkup.database import open_indexed_database
from sanya.checkup.findings import FindingState, HomeFinding, expand_path, is_loopback
from sanya.engines.redis.health import read_redis_facts
from sanya.engines.sqlite.external_file import open_external_file
from sanya.kernel.faults import StoreUnavailable
from sanya.settings import Settings
from sanya.sources.running_server import fetch_engine_states
from sanya.suites.tasks.attached_tables import AttachedTables


async def check_server(settings: Settings) -> AsyncIterator[HomeFinding]:
    """Check the engines of a running server. Yield nothing if none runs at the configured address."""
    host = settings.host if is_loopback(settings.host) else "127.0.0.1"
    url = f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"
    engines = await fetch_engine_states(url) if settings.port else None
    if engines is None:
        return
    if unreachable := [name for name, state in engines.items() if state != "closed"]:
        advice = "The server retries by itself. Check that the engine runs, and read the server's log."
        yield HomeFinding("server", "bad", f"the server at {url} cannot reach {', '.join(unreachable)}", advice)
    else:
        reached = f" and reaches {', '.join(engines)}" if engines else ""
        yield HomeFinding("server", "good", f"a server runs at {url}{reached}")


async def check_redis(settings: Settings) -> AsyncIterator[HomeFinding]:
    """Check Redis. Only an unreachable Redis is bad: servers then answer without it, each with its own limits."""
    if not settings.redis_url:
        return
    facts = await read_redis_facts(settings.redis_url)
    problem = next((fact for fact in facts if fact.advice), None)
    if problem is None:
        yield HomeFinding("Redis server", "good", ", ".join(f"{fact.name} {fact.found}" for fact in facts))
    else:
        state: FindingState = "bad" if problem is facts[0] else "note"
        yield HomeFinding("Redis server", state, f"{problem.name}: {problem.found}", problem.advice)


def check_chat(settings: Settings) -> Iterator[HomeFinding]:
    """Check the settings of the chat model. Yield nothing if no model is configured."""
    if problem := find_endpoint_problem(settings):
        yield HomeFinding("chat endpoint", "bad", problem, "Set them in sanya.toml, or set memory_extractor to rules.")
    elif settings.phrasing_url:
        reads = " and reads memories" if settings.memory_extractor == "chat" else ""
        yield HomeFinding("chat endpoint", "good", f"{settings.phrasing_model} phrases answers{reads}")


async def check_search(settings: Settings) -> AsyncIterator[HomeFinding]:
    async with AsyncExitStack() as stack:
        database = await open_indexed_database(settings, stack)
        # Models before the index: engines/embedders/onnx_runtime.py explains the order.
        facts = [*await check_embedders(settings, database), *await check_index(settings, database)]
        notes = await check_embedding(settings, database)
    for note in notes:
        yield HomeFinding(note.name, "note", note.found, note.advice)
    for fact in facts:
        yield HomeFinding(fact.name, fact.level, fact.found, fact.advice)


async def check_tasks_database(settings: Settings) -> AsyncIterator[HomeFinding]:
    if not settings.tasks_database:
        return
    path = expand_path(settings.tasks_database)
    try:
        async with open_external_file(path) as database:
            tables = AttachedTables(database)
            for read in (tables.get_tasks, tables.get_projects, tables.get_changelogs):
                await read()
            yield HomeFinding("tasks database", "good", str(path))
    except StoreUnavailable as fault:
        yield HomeFinding("tasks database", "bad", fault.message, "Correct the setting tasks_database, or clear it.")
