"""While an engine is away, every tool on every surface answers, or refuses in its suite's own words with a time to
retry. A call that needs nothing of the engine is answered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import sanya
from sanya.engines.sqlite import database as sqlite
from sanya.kernel.calls.call import ignore_progress
from sanya.kernel.contracts.tool import Tool
from tests.crashes.ground import local_embedder
from tests.engines.index.weaviate_server.server import stand_in
from tests.outages.gate import WAIT_S, Gate, connect_tcp, connect_unix
from tests.outages.servers import own_redis
from tests.outages.surfaces import Surfaces, open_surfaces, read_code, read_retry_ms
from tests.outages.test_sqlite import locked

pytest.importorskip("grpc", reason="the extra `grpc` is not installed")

# What each suite calls a database that is away, and an outside service.
STORE = {
    "memory": "storage_unavailable",
    "papers": "STORE",
    "tasks": "UNAVAILABLE",
    "funds": "UNAVAILABLE",
    "herbs": "UNAVAILABLE",
}
WEAVIATE = {"memory": "upstream_failed", "papers": "WEAVIATE", "herbs": "UNAVAILABLE"}
EMBEDDINGS = {"memory": "upstream_failed", "papers": "EMBEDDINGS", "herbs": "UNAVAILABLE"}
# Their first call reads the whole herb graph into an index, which takes as long as all the rest.
SLOW = ("tool.hybrid_search", "tool.rag_answer")
CONSOLE = (
    "/console/api/holdings",
    "/console/api/ledger",
    "/console/api/suite?name=tasks",
    "/console/api/suite?name=memory",
    "/console/api/inbox",
    "/jobs",
    "/tools",
    "/openapi.json",
    "/evaluations",
)
# An answer like any other: an example may name what this home does not hold.
NOTHING_THERE = ("NOT_FOUND", "not_found")
BELL = "The temple bell of Wat Pho rang at six."
SEARCHING = {"get_memory", "rag.search", "papers.related", "tool.eval.run"}
NOBODY = "http://127.0.0.1:9"
SEARCHES = {"get_memory": {"query": "the temple bell"}, "rag.search": {"query": "a randomized trial of weight loss"}}


def list_calls(surfaces: Surfaces, *, open_world: bool = False) -> list[tuple[Tool, Mapping[str, Any]]]:
    """Return the tools that ask nobody outside, or those that do, with the arguments of their first example."""
    tools = surfaces.app.kernel.catalogue.tools
    return [(tool, tool.examples[0].arguments) for tool in tools if tool.examples and tool.open_world == open_world]


async def count_refused(
    surfaces: Surfaces, calls: Sequence[tuple[Tool, Mapping[str, Any]]], words: Mapping[str, str]
) -> dict[str, int]:
    """Make the calls on every surface. Return on how many surfaces each tool was refused, all in the words of its
    suite."""
    refused: dict[str, int] = {}
    foreign: list[str] = []
    for tool, arguments in calls:
        async with asyncio.timeout(WAIT_S + 5 * tool.timeout_ms / 1000):
            answers = await surfaces.call(tool, arguments)
        for surface, error in answers.items():
            if error is None or read_code(error) in NOTHING_THERE:
                continue
            refused[tool.name] = refused.get(tool.name, 0) + 1
            if read_code(error) != words.get(tool.suite) or not read_retry_ms(error) or not error["message"]:
                foreign.append(f"{tool.name} on {surface}: {error}")
    assert not foreign, "\n".join(foreign)
    return refused


@asynccontextmanager
async def opened(home: Path, **settings: Any) -> AsyncIterator[Surfaces]:
    async with sanya.open(home, **settings) as app, open_surfaces(app) as surfaces:
        yield surfaces


@asynccontextmanager
async def away(gate: Gate, surfaces: Surfaces) -> AsyncIterator[None]:
    """Refuse every connection to the engine, and wait afterwards until its circuit is closed again."""
    gate.mode = "closed"
    gate.cut()
    try:
        yield
    finally:
        gate.heal()
        async with asyncio.timeout(WAIT_S):
            while any(breaker.state != "closed" for breaker in surfaces.app.breakers.list_all()):
                await surfaces.client.get("/health")
                await asyncio.sleep(0.1)


def get_calls(surfaces: Surfaces, arguments: Mapping[str, Mapping[str, Any]]) -> list[tuple[Tool, Mapping[str, Any]]]:
    found = [(surfaces.app.kernel.catalogue.find_tool(name), given) for name, given in arguments.items()]
    return [(tool, given) for tool, given in found if tool is not None]


async def test_without_postgresql_every_refusal_is_in_the_words_of_its_suite(
    postgresql_server: str, postgresql_url: str, home: Path
) -> None:
    folder, schema = postgresql_server.split("host=")[1].split("&")[0], postgresql_url.split("options=")[1]
    with Gate(connect_unix(f"{folder}/.s.PGSQL.5432")) as gate:
        place = f"127.0.0.1:{gate.port}/postgres?sslmode=disable&gssencmode=disable&options={schema}"
        async with opened(home, database_url=f"postgresql://postgres@{place}", index="embedded") as surfaces:
            calls = list_calls(surfaces)
            async with away(gate, surfaces):
                refused = await count_refused(surfaces, calls, STORE)
                await check_console(surfaces)
    assert {tool.suite for tool, _ in calls if tool.name in refused} == STORE.keys()
    assert refused.keys() >= {tool.name for tool, _ in calls if tool.effect == "write"}
    assert refused["get_memory"] == refused["rag.search"] == refused["get_tasks"] == 5


async def check_console(surfaces: Surfaces) -> None:
    for path in CONSOLE:
        answer = await surfaces.client.get(path)
        if not answer.is_success:
            error = answer.json()["error"]
            assert (answer.status_code, error["code"]) == (503, "UNAVAILABLE"), path
            assert error["retry_after_ms"] and int(answer.headers["retry-after"]) > 0, path
    assert (await surfaces.client.get("/")).status_code == 200


async def test_while_sqlite_is_locked_writes_are_refused_and_reads_are_answered(
    begun_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(begun_home) as surfaces:
        calls = [call for call in list_calls(surfaces) if call[0].name not in SLOW]
        await count_refused(surfaces, [call for call in calls if call[0].effect == "read"], {})
        await surfaces.app.ledger.flush()
        monkeypatch.setattr(sqlite, "_WRITER_WAIT_S", 0.1)
        async with locked(begun_home):
            refused = await count_refused(surfaces, calls, STORE)
        assert "send_memory" in refused
        assert not refused.keys() & {tool.name for tool, _ in calls if tool.effect == "read"}


async def test_without_weaviate_searches_alone_are_refused(begun_home: Path) -> None:
    async with stand_in() as server:
        place = {"weaviate_url": server.url, "weaviate_grpc_port": server.grpc_port}
        async with opened(begun_home, index="weaviate", **place) as surfaces:
            searches = get_calls(surfaces, SEARCHES)
            await surfaces.app.call("send_memory", {"content": BELL})
            assert not await count_refused(surfaces, searches, {})
            await server.stop()
            refused = await count_refused(surfaces, searches, WEAVIATE)
            assert refused == {"rag.search": 5, "get_memory": 5}
            others = [call for call in list_calls(surfaces) if call[0].name not in SLOW]
            assert not (await count_refused(surfaces, others, WEAVIATE)).keys() - SEARCHING
            await server.start()


async def test_without_an_embedder_new_questions_alone_are_refused(begun_home: Path) -> None:
    async with local_embedder() as url:
        with Gate(connect_tcp(urlsplit(url).port or 0)) as gate:
            place = {"embedder_url": f"http://127.0.0.1:{gate.port}/v1", "embedder_model": "words"}
            async with opened(begun_home, embedder="openai", **place) as surfaces:
                searches = get_calls(surfaces, SEARCHES)
                await surfaces.app.call("send_memory", {"content": BELL})
                for namespace in ("papers", "memory"):
                    await surfaces.app.library.reembed(namespace, ignore_progress)
                assert not await count_refused(surfaces, searches, {})
                gate.mode = "closed"
                gate.cut()
                assert not await count_refused(surfaces, searches, {})
                fresh = [(tool, {"query": f"{given['query']} again"}) for tool, given in searches]
                assert await count_refused(surfaces, fresh, EMBEDDINGS) == {"rag.search": 5, "get_memory": 5}


async def test_without_pubmed_what_asks_it_alone_is_refused(begun_home: Path) -> None:
    async with opened(begun_home, entrez_url=NOBODY) as surfaces:
        outside = [call for call in list_calls(surfaces, open_world=True) if call[0].suite == "papers"]
        refused = await count_refused(surfaces, outside, {"papers": "ENTREZ"})
        assert refused.keys() == {tool.name for tool, _ in outside}


async def test_without_redis_every_call_is_answered(begun_home: Path, tmp_path: Path) -> None:
    with own_redis(tmp_path) as redis, Gate(connect_unix(redis.socket)) as gate:
        async with opened(begun_home, redis_url=f"redis://127.0.0.1:{gate.port}/0") as surfaces:
            gate.mode = "closed"
            gate.cut()
            calls = [call for call in list_calls(surfaces) if call[0].name not in SLOW]
            assert not await count_refused(surfaces, calls, {})
