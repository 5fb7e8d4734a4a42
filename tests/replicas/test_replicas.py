"""Two servers behind a round-robin proxy behave like one."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from sanya.app import App
from sanya.kernel.calls.limits import BURST_SECONDS
from sanya.kernel.ledger.verification import LedgerVerdict, verify_ledger
from tests.replicas.pair import WAIT_S, ReplicaPair, running_pair
from tests.surfaces.mcp.asgi_requests import MODERN, tool_call

CHECKPOINT = "corpus.checkpoint.create"
BOTH = {"0", "1"}
WRITES = 90


@pytest.fixture(scope="module")
def pair(postgresql_server: str, redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReplicaPair]:
    import psycopg

    schema = f"replicas_{os.getpid()}"
    with psycopg.connect(postgresql_server, autocommit=True) as connection:
        connection.execute(f'CREATE SCHEMA "{schema}"')
        url = f"{postgresql_server}&options=-csearch_path%3D{schema}"
        with running_pair(url, redis_url, tmp_path_factory.mktemp("replicas")) as running:
            yield running
        connection.execute(f'DROP SCHEMA "{schema}" CASCADE')


@pytest.fixture(scope="module")
def key(pair: ReplicaPair) -> str:
    return pair.run_in_home(lambda app: app.keys.create("all", ["*"]))


@pytest.fixture(autouse=True)
def forget_who_served(pair: ReplicaPair) -> None:
    pair.served_by.clear()


def checkpoints(pair: ReplicaPair, name: str) -> list[str]:
    async def named(app: App) -> list[str]:
        sql = "SELECT checkpoint_id FROM paper_checkpoints WHERE name = ? OR name LIKE ?"
        return [str(id) for (id,) in await app.database.fetch(sql, (name, f"{name} %"))]

    return pair.run_in_home(named)


def verify(pair: ReplicaPair) -> LedgerVerdict:
    return pair.run_in_home(lambda app: verify_ledger(app.ledger_store))


def test_a_cursor_of_one_replica_works_at_the_other(pair: ReplicaPair, key: str) -> None:
    whole = [task["id"] for task in pair.call("get_tasks", key, limit=50)["data"]["items"]]
    paged: list[str] = []
    cursor = None
    while len(paged) < len(whole):
        page = pair.call("get_tasks", key, limit=3, cursor=cursor)["data"]
        paged += [task["id"] for task in page["items"]]
        cursor = page["next_cursor"]
    assert paged == whole
    assert len(paged) > 6
    assert set(pair.served_by) == BOTH


def test_modern_mcp_calls_need_no_session_and_alternate(pair: ReplicaPair, key: str) -> None:
    headers = {
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": MODERN,
        "mcp-method": "tools/call",
        "mcp-name": "get_projects",
    }
    answers = [pair.post("/mcp", tool_call("get_projects"), key, **headers) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200] * 4
    assert len({str(answer.json()["result"]["structuredContent"]) for answer in answers}) == 1
    assert pair.served_by in (["0", "1", "0", "1"], ["1", "0", "1", "0"])


def test_a_request_id_runs_once_across_both_replicas(pair: ReplicaPair, key: str) -> None:
    first, other = (pair.call(CHECKPOINT, key, "once", name="once") for _ in range(2))
    assert (first["meta"]["replayed"], other["meta"]["replayed"]) == (False, True)
    assert first["data"] == other["data"]
    assert set(pair.served_by) == BOTH
    with ThreadPoolExecutor(8) as pool:
        raced = list(pool.map(lambda _: pair.call(CHECKPOINT, key, "raced", name="raced"), range(8)))
    assert sum(not answer["meta"]["replayed"] for answer in raced) == 1
    assert len({answer["data"]["checkpoint_id"] for answer in raced}) == 1
    assert (len(checkpoints(pair, "once")), len(checkpoints(pair, "raced"))) == (1, 1)
    refused = pair.post(f"/tools/{CHECKPOINT}", {"args": {"name": "other"}, "request_id": "once"}, key)
    assert refused.status_code == 400


def test_a_rate_limit_is_shared_by_both_replicas(pair: ReplicaPair) -> None:
    limited = pair.run_in_home(lambda app: app.keys.create("limited", ["tasks:read"], calls_per_minute=60))
    began = time.monotonic()
    answers = [pair.post("/tools/get_projects", {"args": {}}, limited) for _ in range(20)]
    most = BURST_SECONDS + (time.monotonic() - began) + 1
    admitted = sum(answer.status_code == 200 for answer in answers)
    assert BURST_SECONDS <= admitted <= most
    assert {answer.status_code for answer in answers} <= {200, 429}
    assert set(pair.served_by) == BOTH


def test_a_job_of_one_replica_can_be_read_and_cancelled_at_the_other(pair: ReplicaPair, key: str) -> None:
    for number in range(40):
        text = f"ฟ้าทะลายโจรใช้บรรเทาอาการเจ็บคอ {number}\nTurmeric is safe with warfarin.\n"
        (pair.documents / f"{number}.txt").write_text(text, "utf-8")
    batch = [{"uri": path.as_uri()} for path in sorted(pair.documents.iterdir())]
    job_id = pair.call("tool.ingest.run", key, batch=batch, wait_s=0)["data"]["job_id"]
    assert pair.call("tool.ingest.status", key, job_id=job_id)["data"]["job"]["job_id"] == job_id
    pair.call("tool.ingest.status", key, limit=1)
    pair.call("tool.ingest.cancel", key, job_id=job_id)
    ended = [pair.call("tool.ingest.status", key, job_id=job_id, wait_s=60)["data"]["job"] for _ in range(2)]
    assert [job["ending"] for job in ended] == ["cancelled", "cancelled"]
    logs = [pair.get(ended[0]["log_path"], key).text for _ in range(2)]
    assert logs[0] == logs[1]
    assert "cancel" in logs[0]
    assert set(pair.served_by) == BOTH


def make_write(number: int, memory_id: str) -> tuple[str, dict[str, Any]]:
    """Return the tool and the arguments of a write that nothing but the request id keeps from being made twice."""
    match number % 3:
        case 0:
            return CHECKPOINT, {"name": f"retried {number}"}
        case 1:
            return "send_memory", {"content": f"The retried lantern lantern{number}x hangs in the hall."}
    arguments = {"target_id": memory_id, "action": "annotate", "payload": {"note": f"retried {number}"}}
    return "correct_memory", arguments


def count_writes(pair: ReplicaPair) -> dict[str, list[int]]:
    """Return how often each write stands in its table and, by request id, in the ledger."""

    async def count(app: App) -> dict[str, list[int]]:
        rows = {
            "checkpoints": "paper_checkpoints WHERE name LIKE 'retried %' GROUP BY name",
            "memories": "memories WHERE content LIKE 'The retried lantern %' GROUP BY content",
            "notes": "memory_corrections WHERE payload LIKE '%retried %' GROUP BY payload",
            "ledger": "ledger WHERE request_id LIKE 'retry-%' AND status = 'ok' GROUP BY request_id",
        }
        counts = {name: await app.database.fetch(f"SELECT count(*) FROM {found}") for name, found in rows.items()}
        return {name: [int(str(count)) for (count,) in found] for name, found in counts.items()}

    return pair.run_in_home(count)


def test_retries_get_the_first_answer_while_answers_are_lost_and_servers_die(pair: ReplicaPair, key: str) -> None:
    """Clients repeat a write under its request id until they see an answer. One answer of three is lost on its way, one
    server is killed, and the other when the first is back: nothing is made twice, nothing acknowledged is lost."""
    memory_id = pair.call("send_memory", key, content="The bell is cracked.")["data"]["memory_id"]
    east, west = pair.replicas

    def write(number: int) -> dict[str, Any]:
        if number == WRITES // 4:
            east.stop(signal.SIGKILL)
        if number == WRITES // 2:
            pair.start()
            west.stop(signal.SIGKILL)
        tool, arguments = make_write(number, memory_id)
        until = time.monotonic() + WAIT_S
        while time.monotonic() < until:
            try:
                answer = pair.post(f"/tools/{tool}", {"args": arguments, "request_id": f"retry-{number}"}, key)
            except httpx.TransportError:
                continue
            if answer.status_code == 200:
                return dict(answer.json())
            assert answer.status_code >= 500, answer.text
        raise AssertionError(f"write {number} was never answered")

    pair.proxy.answers.clear()
    pair.proxy.losing_every = 3
    try:
        with ThreadPoolExecutor(6) as pool:
            acknowledged = list(pool.map(write, range(WRITES)))
    finally:
        pair.proxy.losing_every = 0
    given = [answer for answer in map(json.loads, pair.proxy.answers) if answer["request_id"].startswith("retry-")]
    for answer in given:
        seen = acknowledged[int(answer["request_id"].removeprefix("retry-"))]
        assert (answer["data"], answer["meta"]["call_id"]) == (seen["data"], seen["meta"]["call_id"])
    assert sum(answer["meta"]["replayed"] for answer in acknowledged) >= WRITES // 4, "lost answers were given again"
    once = [1] * (WRITES // 3)
    assert count_writes(pair) == {"checkpoints": once, "memories": once, "notes": once, "ledger": once * 3}
    assert verify(pair).problem is None
    pair.start()
    pair.served_by.clear()
    for _ in range(2):
        pair.call("get_projects", key)
    assert set(pair.served_by) == BOTH


def test_every_chain_is_valid_and_anchored_after_shutdown(pair: ReplicaPair, key: str) -> None:
    """Runs last in this module, because it stops the servers."""
    for _ in range(2):
        pair.call("get_projects", key)
    for replica in pair.replicas:
        assert replica.stop() == 0, replica.log()
        assert "Traceback" not in replica.log()
    verdict = verify(pair)
    chains = {chain.chain: chain for chain in verdict.chains}
    assert verdict.problem is None
    assert {"east", "west"} <= chains.keys()
    assert all(chains[name].anchored == chains[name].rows for name in ("east", "west"))
