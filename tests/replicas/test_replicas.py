"""Two servers behind a round-robin proxy behave like one."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from sanya.app import App
from sanya.kernel.limits import BURST_SECONDS
from sanya.kernel.verification import LedgerVerdict, verify_ledger
from tests.replicas.pair import WAIT_S, ReplicaPair, running_pair
from tests.surfaces.mcp.asgi_requests import MODERN, tool_call

CHECKPOINT = "corpus.checkpoint.create"
BOTH = {"0", "1"}


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


def test_a_server_killed_under_load_loses_no_acknowledged_write(pair: ReplicaPair, key: str) -> None:
    """Clients retry with the same request id until they get an answer."""
    east = pair.replicas[0]

    def write(number: int) -> str:
        if number == 30:
            east.stop(signal.SIGKILL)
        until = time.monotonic() + WAIT_S
        content = {"args": {"name": f"killed {number}"}, "request_id": f"killed-{number}"}
        while time.monotonic() < until:
            try:
                answer = pair.post(f"/tools/{CHECKPOINT}", content, key)
            except httpx.TransportError:
                continue
            if answer.status_code == 200:
                return str(answer.json()["data"]["checkpoint_id"])
        raise AssertionError(f"write {number} was never answered")

    with ThreadPoolExecutor(6) as pool:
        acknowledged = list(pool.map(write, range(80)))
    written = checkpoints(pair, "killed")
    assert len(set(acknowledged)) == 80
    assert set(acknowledged) <= set(written), "every acknowledged write exists"
    assert len(written) <= 80 + 6, "a write whose answer was lost may exist twice, once for each client"
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
