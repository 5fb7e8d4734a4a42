"""The jobs of an agent: a part of them with the scripted agent, and the model agent against a local endpoint."""

from __future__ import annotations

import json
import shutil
from collections.abc import AsyncIterator, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest
import pytest_asyncio

import sanya
from benchmarks.agent_jobs.jobs import Job, fill_references, load_jobs
from benchmarks.agent_jobs.model import Endpoint, ModelAgent
from benchmarks.agent_jobs.runner import JobResult, connect, run_jobs
from sanya.app import App

pytestmark = pytest.mark.asyncio(loop_scope="module")

JOBS = {job.id: job for job in load_jobs()}
# Every third job; the benchmark does them all.
PART = sorted(JOBS)[::3]
MISSED = {"memory-entity-th", "papers-retracted-en"}
"""Jobs that the product does not do yet."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def app(indexed_home: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[App]:
    home = shutil.copytree(indexed_home, tmp_path_factory.mktemp("jobs") / "home")
    async with sanya.open(home, log_level="error") as opened:
        yield opened


async def test_the_jobs_cover_every_suite_in_both_languages(app: App) -> None:
    assert len(JOBS) >= 60
    thai = sum(job.lang == "th" for job in JOBS.values())
    assert thai * 2 >= len(JOBS)
    suites = {tool.name: tool.suite for tool in app.kernel.catalogue.tools}
    called = {call.tool for job in JOBS.values() for call in job.calls}
    assert called <= suites.keys()
    assert {suites[name] for name in called} == set(suites.values())
    assert all(job.facts for job in JOBS.values())


async def test_a_scripted_agent_finds_the_facts_with_the_default_list(app: App) -> None:
    results = await run_jobs(app, [JOBS[id] for id in PART])
    assert {result.job.id: result.missing for result in results if not result.is_right}.keys() <= MISSED
    assert [refused for result in results for refused in result.refused] == []
    assert sum(result.tokens for result in results) / len(results) <= 1_000


async def test_a_reference_takes_a_value_of_an_earlier_answer() -> None:
    assert fill_references({"ids": ["{1.items.0.id}"]}, [{"items": [{"id": "a"}]}]) == {"ids": ["a"]}
    assert fill_references("{1.items.0.id}", [{"items": []}]) == "nothing at items.0.id"


class ChatServer(ThreadingHTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), ChatHandler)
        self.requests: list[tuple[str, str | None, dict[str, Any]]] = []


class ChatHandler(BaseHTTPRequestHandler):
    """Speaks chat completions: asks for one call, then repeats in its answer what the tool told."""

    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert isinstance(self.server, ChatServer)
        self.server.requests.append((self.path, self.headers.get("Authorization"), sent))
        last = sent["messages"][-1]
        message = {"role": "assistant", "content": last["content"]}
        if last["role"] == "user":
            wanted = {"name": "get_tasks", "arguments": '{"status": "DOING", "detail": "short"}'}
            calls = [{"id": f"c{n}", "type": "function", "function": f} for n, f in enumerate([BROKEN, wanted])]
            message = {"role": "assistant", "content": None, "tool_calls": calls}
        body = json.dumps({"choices": [{"message": message}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""


BROKEN = {"name": "get_tasks", "arguments": "{status: DOING}"}


@pytest.fixture
def chat_server() -> Iterator[ChatServer]:
    server = ChatServer()
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


async def do_with_model(app: App, server: ChatServer, job: Job) -> JobResult:
    endpoint = Endpoint(f"http://127.0.0.1:{server.server_port}/v1", "small", "secret")
    async with connect(app, portable=True) as client, httpx.AsyncClient() as http:
        return await ModelAgent(client, endpoint, http).do(job)


async def test_a_model_does_a_job_over_the_wire_of_chat_completions(app: App, chat_server: ChatServer) -> None:
    result = await do_with_model(app, chat_server, JOBS["tasks-doing-th"])
    assert result.is_right
    assert result.calls == 2
    assert "not valid JSON" in result.refused[0]
    path, key, first = chat_server.requests[0]
    assert (path, key, first["model"]) == ("/v1/chat/completions", "Bearer secret", "small")
    assert "rag_search" in [tool["function"]["name"] for tool in first["tools"]]
    assert "detail:" in first["messages"][0]["content"]


async def test_a_job_whose_facts_are_not_told_is_not_right(app: App, chat_server: ChatServer) -> None:
    result = await do_with_model(app, chat_server, JOBS["tasks-sofa-en"])
    assert result.missing
