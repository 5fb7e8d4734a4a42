"""Two callers with equal rights cannot see each other's data, with any tool of any suite on any surface."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest_asyncio

from tests.attacks.conftest import SCOPES, GuardedServer
from tests.attacks.grpc_client import GrpcClient
from tests.attacks.raw_http import RawConnection, Reply, bearer

SECRET = "The combination of Alice's safe is purple-heron-77."
CITATION = "Alice's private diary, page 12"
_ABSENT_MEMORY = "0" * 32


@dataclass(frozen=True)
class Private:
    """Alice's data: a memory, a correction of it, a job, and calls in the ledger."""

    memory_id: str
    undo: str
    job_id: str
    call_id: str


@dataclass(frozen=True)
class Scene:
    guarded: GuardedServer
    connection: RawConnection
    private: Private

    async def bob(self, tool: str, **arguments: Any) -> Reply:
        return await self.connection.call_tool(tool, arguments, self.guarded.bob)

    async def page(self, path: str, key: str = "") -> Reply:
        return await self.connection.request("GET", path, bearer(key or self.guarded.bob))


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def private(guarded: GuardedServer) -> Private:
    async with RawConnection(guarded.port) as connection:
        source = {"type": "diary", "ref": "diary-12", "citation": CITATION}
        sent = await connection.call_tool(
            "send_memory", {"content": SECRET, "source": source}, guarded.alice, request_id="first"
        )
        memory_id = sent.json["data"]["memory_id"]
        noted = {"target_id": memory_id, "action": "annotate", "payload": {"note": "heron note"}}
        corrected = await connection.call_tool("correct_memory", noted, guarded.alice)
        batch = [{"uri": f"file://{guarded.home}/inbox/alice-purple.txt"}]
        job = await connection.call_tool("tool.ingest.run", {"batch": batch, "wait_s": 10}, guarded.alice)
        return Private(
            memory_id,
            corrected.json["data"]["details"]["undo"],
            job.json["data"]["job_id"],
            sent.json["meta"]["call_id"],
        )


@pytest_asyncio.fixture(loop_scope="session")
async def scene(guarded: GuardedServer, connection: RawConnection, private: Private) -> Scene:
    return Scene(guarded, connection, private)


async def send_memory(scene: Scene) -> None:
    """The same request id and content create a separate memory, and references must be to one's own memories."""
    source = {"type": "diary", "ref": "diary-12"}
    arguments = {"content": SECRET, "source": source}
    sent = await scene.connection.call_tool("send_memory", arguments, scene.guarded.bob, request_id="first")
    assert sent.json["meta"]["replayed"] is False
    assert sent.json["data"]["memory_id"] != scene.private.memory_id
    own = (await scene.bob("get_memory", query=SECRET, include_sources=True)).json["data"]["memories"]
    assert [memory["id"] for memory in own] == [sent.json["data"]["memory_id"]]
    assert CITATION not in str(own)
    assert "heron note" not in str(own)
    await _alike(scene, "send_memory", {"content": "Bob rests on it.", "derived_from": ["{memory}"]})
    removed = {"target_id": own[0]["id"], "action": "reclassify", "payload": {"new_type": "copy"}}
    assert (await scene.bob("correct_memory", **removed)).status == 200


async def get_memory(scene: Scene) -> None:
    for query in (SECRET, "purple heron", scene.private.memory_id, "diary-12", CITATION, "heron note"):
        reply = await scene.bob("get_memory", query=query, limit=50, include_sources=True, max_depth=5)
        assert scene.private.memory_id not in reply.body.decode().replace(query, ""), query
        assert CITATION not in reply.body.decode().replace(query, ""), query
        assert "heron note" not in reply.body.decode().replace(query, ""), query


async def correct_memory(scene: Scene) -> None:
    own = (await scene.bob("send_memory", content="Bob likes tea.")).json["data"]["memory_id"]
    payloads: dict[str, dict[str, Any]] = {
        "contest": {"reason": "x"},
        "annotate": {"note": "x"},
        "merge_entities": {"merge_with": own},
        "split_entity": {"split_into": ["a", "b"]},
        "reclassify": {"new_type": "x"},
    }
    for action, payload in payloads.items():
        for more in ({}, {"dry_run": True}):
            asked = {"target_id": "{memory}", "action": action, "payload": {**payload, **more}}
            await _alike(scene, "correct_memory", asked)
    merging = {"target_id": own, "action": "merge_entities", "payload": {"merge_with": "{memory}"}}
    await _alike(scene, "correct_memory", merging)
    for target in (own, "{memory}"):
        await _alike(
            scene, "correct_memory", {"target_id": target, "action": "annotate", "payload": {"undo": "{undo}"}}
        )


async def ingest_run(scene: Scene) -> None:
    await _alike(scene, "tool.ingest.run", {"apply_job": "{job}", "dry_run": False})


async def ingest_status(scene: Scene) -> None:
    await _alike(scene, "tool.ingest.status", {"job_id": "{job}"})
    assert scene.private.job_id not in (await scene.bob("tool.ingest.status", limit=100)).body.decode()


async def ingest_cancel(scene: Scene) -> None:
    await _alike(scene, "tool.ingest.cancel", {"job_id": "{job}"})


async def ingest_rollback(scene: Scene) -> None:
    await _alike(scene, "tool.ingest.rollback", {"job_id": "{job}"})


async def forget_memory(scene: Scene) -> None:
    reply = await scene.bob("forget_memory", memory_id=scene.private.memory_id, dry_run=False)
    assert "purple-heron-77" not in reply.body.decode()
    assert scene.private.memory_id not in str((reply.json.get("data") or {}).get("erased", ""))


async def list_memories(scene: Scene) -> None:
    reply = await scene.bob("list_memories", limit=100)
    assert scene.private.memory_id not in reply.body.decode()


async def get_entity(scene: Scene) -> None:
    reply = await scene.bob("get_entity", entity=SECRET[:200])
    assert CITATION not in reply.body.decode()
    assert scene.private.memory_id not in reply.body.decode()


PRIVATE_TOOLS: dict[str, Callable[[Scene], Awaitable[None]]] = {
    "send_memory": send_memory,
    "get_memory": get_memory,
    "correct_memory": correct_memory,
    "forget_memory": forget_memory,
    "list_memories": list_memories,
    "get_entity": get_entity,
    "tool.ingest.run": ingest_run,
    "tool.ingest.status": ingest_status,
    "tool.ingest.cancel": ingest_cancel,
    "tool.ingest.rollback": ingest_rollback,
}
# Arguments with which each tool on shared data would show Alice's data if it could reach it.
HOUSE_TOOLS: dict[str, dict[str, Any]] = {
    "get_tasks": {"search": "purple-heron"},
    "get_projects": {},
    "get_weekly_review": {},
    "search_tasks": {"query": "purple-heron"},
    "get_task_changelogs": {"task_id": "{memory}"},
    "get_rmf_funds": {"search": "heron"},
    "search_rmf_funds": {"search": "heron"},
    "get_rmf_fund_performance": {"period": "1y"},
    "get_rmf_fund_detail": {"fundCode": "{memory}"},
    "get_rmf_fund_nav_history": {"fundCode": "{memory}"},
    "compare_rmf_funds": {"fundCodes": ["{memory}", "{job}"]},
    "rank_rmf_funds": {"measure": "volatility"},
    "simulate_rmf_dca": {"fundCodes": ["{memory}"], "monthlyAmount": 1000},
    "plan_rmf_contribution": {"taxYear": 2024, "taxableIncome": 1_000_000},
    "portfolio_rmf": {"fundCodes": ["{memory}"], "weights": [100]},
    "tool.query_kg": {"start": "{memory}"},
    "tool.find_contraindications": {"herb_ids": ["{memory}"]},
    "tool.hybrid_search": {"query": "purple-heron safe of Alice"},
    "tool.rag_answer": {"question": "What is the combination of the safe of Alice?"},
    "tool.eval.run": {"set": "{job}"},
    "rag.search": {"query": "purple-heron safe of Alice"},
    "rag.get": {"doc_id": "pmid:1"},
    "papers.cite": {"doc_ids": ["pmid:1"]},
    "papers.resolve": {"references": ["purple-heron safe of Alice", "{memory}"]},
    "papers.related": {"doc_id": "pmid:1"},
    "papers.mesh": {"term": "purple-heron"},
    "papers.fulltext.search": {"query": "purple-heron safe of Alice"},
    "papers.fulltext.get": {"doc_id": "pmcid:PMC1"},
    "papers.fulltext.fetch": {"doc_ids": ["pmid:1"]},
    "corpus.status": {},
    "corpus.checkpoint.list": {},
    "corpus.checkpoint.get": {"checkpoint_id": "{memory}"},
    "corpus.checkpoint.create": {"name": ""},
    "pubmed.fetch": {"doc_ids": ["pmid:1"]},
    "pubmed.sync.incremental": {"query": "purple-heron"},
    "pubmed.sync_delta": {"query_key": "{memory}", "term": "purple-heron"},
}


def test_every_tool_has_its_attack(guarded: GuardedServer) -> None:
    names = {tool.name for tool in guarded.app.kernel.catalogue.tools}
    assert names == PRIVATE_TOOLS.keys() | HOUSE_TOOLS.keys(), "a new tool needs an entry in one of the tables"


async def test_no_tool_reads_or_changes_another_callers_data(scene: Scene) -> None:
    for attack in PRIVATE_TOOLS.values():
        await attack(scene)
    for tool, arguments in HOUSE_TOOLS.items():
        reply = await scene.bob(tool, **_filled(arguments, scene.private))
        assert reply.status != 500, (tool, reply.body)
        shown = reply.body.decode()
        assert "purple-heron-77" not in shown, tool
        assert CITATION not in shown, tool
    kept = await scene.connection.call_tool("get_memory", {"query": SECRET}, scene.guarded.alice)
    (memory,) = [candidate for candidate in kept.json["data"]["memories"] if candidate["id"] == scene.private.memory_id]
    assert memory["content"] == SECRET


async def test_the_ledger_shows_callers_only_their_own_calls(scene: Scene) -> None:
    call_id = scene.private.call_id
    alice = "key:" + scene.guarded.alice.split("_")[1]
    for query in (
        "",
        f"?caller={alice}",
        "?caller=%25",
        "?request_id=first",
        f"?before={call_id}",
        "?tool=send_memory",
    ):
        reply = await scene.page(f"/console/api/ledger{query}")
        assert reply.status in (200, 400), query
        assert call_id not in reply.body.decode(), query
        assert alice not in reply.body.decode(), query
    for path in (
        f"/console/api/call?id={call_id}",
        f"/console/api/call?id={call_id}%00",
        f"/console/api/call?id={call_id}&id=x",
    ):
        assert (await scene.page(path)).status in (400, 404), path
    replayed = await scene.connection.request("POST", f"/console/api/replay?id={call_id}", bearer(scene.guarded.bob))
    assert replayed.status == 404
    for path in ("/console/api/verification", "/metrics"):
        assert (await scene.page(path)).status == 403
    assert (await scene.page(f"/console/api/call?id={call_id}", scene.guarded.alice)).status == 200


async def test_jobs_logs_and_completions_are_private_to_their_caller(scene: Scene, grpc: GrpcClient) -> None:
    job = scene.private.job_id
    for path in (f"/jobs/{job}", f"/jobs/{job}/log", f"/jobs/{job}?after=0"):
        absent = await scene.page(path.replace(job[-5:], "00000"))
        assert _masked(await scene.page(path), job) == _masked(absent, job[:-5] + "00000"), path
        assert (await scene.page(path, scene.guarded.alice)).status == 200
    for path in ("/jobs", f"/jobs?before={job}zzz"):
        assert job not in (await scene.page(path)).body.decode()
    template = {"ref": {"type": "ref/resource", "uri": "job://{id}/log"}, "argument": {"name": "id", "value": "job_"}}
    assert (
        job not in (await scene.connection.send_mcp("completion/complete", template, scene.guarded.bob)).body.decode()
    )
    assert (await grpc.read(f"job://{job}/log", scene.guarded.bob))[0] == "NOT_FOUND"
    assert (await grpc.read(f"job://{job}/log", scene.guarded.alice))[0] == "OK"
    stranger = await scene.guarded.app.keys.create("dave", SCOPES)
    for prompt in scene.guarded.app.kernel.catalogue.prompts.values():
        for argument in prompt.arguments:
            asked = {
                "ref": {"type": "ref/prompt", "name": prompt.name},
                "argument": {"name": argument.name, "value": "Al"},
            }
            offered = await scene.connection.send_mcp("completion/complete", asked, stranger)
            assert "Alice" not in offered.body.decode(), (prompt.name, argument.name)


async def test_console_counts_cover_only_the_callers_data(scene: Scene) -> None:
    """A caller without memories sees a count of none, not the count of others."""
    key = await scene.guarded.app.keys.create("carol", SCOPES)
    suites = {holding["suite"]: holding for holding in (await scene.page("/console/api/holdings", key)).json["suites"]}
    assert set(suites["memory"]["counts"].values()) == {0}
    assert suites["memory"]["as_of"] is None
    own = {
        holding["suite"]: holding
        for holding in (await scene.page("/console/api/holdings", scene.guarded.alice)).json["suites"]
    }
    assert own["memory"]["counts"]["memories"] >= 1


async def test_a_cursor_works_only_for_its_caller_and_query(scene: Scene) -> None:
    first = (await scene.connection.call_tool("get_tasks", {"limit": 1}, scene.guarded.alice)).json["data"]
    cursor = first["next_cursor"]
    assert cursor
    for tool, arguments in (("search_tasks", {"query": "x"}), ("get_projects", {}), ("tool.ingest.status", {})):
        assert (await scene.bob(tool, **arguments, cursor=cursor)).status == 400
    for place in range(0, len(cursor), 5):
        changed = cursor[:place] + ("A" if cursor[place] != "A" else "B") + cursor[place + 1 :]
        assert (await scene.bob("get_tasks", limit=1, cursor=changed)).status == 400


async def test_a_request_id_of_another_caller_returns_none_of_their_answers(scene: Scene, grpc: GrpcClient) -> None:
    connection, alice, bob = scene.connection, scene.guarded.alice, scene.guarded.bob
    asked = {"query": "purple heron"}
    await connection.call_tool("get_memory", asked, alice, request_id="the-same")
    again = await connection.call_tool("get_memory", asked, bob, request_id="the-same")
    assert again.json["meta"]["replayed"] is False
    assert scene.private.memory_id not in again.body.decode()
    status, answer = await grpc.call("get_memory", bob, (("x-request-id", "the-same-2"),), **asked)
    assert (status, answer.receipt.replayed) == ("OK", False)
    reused = await connection.call_tool("send_memory", {"content": "Bob likes tea."}, bob, request_id="first")
    assert _is_refused(reused), "the id stands for other words of his own by now"


async def _alike(scene: Scene, tool: str, arguments: dict[str, Any]) -> None:
    """The answer for Alice's data equals the answer for unknown data."""
    absent = Private(_ABSENT_MEMORY, "call_" + "0" * 22, "job_" + "0" * 22, "")
    real = await scene.bob(tool, **_filled(arguments, scene.private))
    made_up = await scene.bob(tool, **_filled(arguments, absent))
    assert (real.status, _said(real, scene.private)) == (made_up.status, _said(made_up, absent)), (tool, arguments)
    assert _is_refused(real), real.body


def _is_refused(reply: Reply) -> bool:
    """The memory suite reports a refusal as an answer."""
    body = reply.json
    return not body["ok"] or body["data"].get("status") in ("error", "rejected") or bool(body["data"].get("error_code"))


def _filled(arguments: Any, private: Private) -> Any:
    if isinstance(arguments, dict):
        return {name: _filled(value, private) for name, value in arguments.items()}
    if isinstance(arguments, list):
        return [_filled(item, private) for item in arguments]
    names = {"{memory}": private.memory_id, "{job}": private.job_id, "{undo}": private.undo}
    return names.get(arguments, arguments) if isinstance(arguments, str) else arguments


def _said(reply: Reply, private: Private) -> str:
    body = reply.json
    said = str(body["error"] or body["data"])
    for id in (private.memory_id, private.undo, private.job_id):
        said = said.replace(id, "ID")
    return re.sub(r"'audit': \{.*?\}", "", said)


def _masked(reply: Reply, id: str) -> tuple[int, str]:
    return reply.status, str(reply.json["error"]["message"]).replace(id, "ID")
