"""A replay shows its asker no more than a call of their own would, for every tool and resource, on every surface."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import orjson
import pytest_asyncio

from sanya.kernel.calls.call import OWNER, Call
from sanya.kernel.calls.replay import replay
from tests.attacks.conftest import SCOPES, GuardedServer
from tests.attacks.grpc_client import GrpcClient
from tests.attacks.raw_http import RawConnection, Reply, bearer

SECRET = "The vault of Victoria opens with crimson-otter-31."

# Arguments with which a tool would show the victim's data if a replay had more rights than its asker. Every other
# reading tool is replayed with the arguments of its first example.
READS: dict[str, dict[str, Any]] = {
    "get_memory": {"query": SECRET, "include_sources": True},
    "list_memories": {},
    "get_entity": {"entity": SECRET},
    "tool.ingest.status": {"job_id": "{job}"},
    "search_tasks": {"query": "crimson-otter"},
    "get_task_changelogs": {"task_id": "{memory}"},
    "get_rmf_fund_detail": {"fundCode": "{memory}"},
    "tool.query_kg": {"start": "{memory}"},
    "tool.hybrid_search": {"query": "crimson-otter"},
    "tool.rag_answer": {"question": "What opens the vault of Victoria?"},
    "rag.search": {"query": "crimson-otter"},
    "corpus.checkpoint.get": {"checkpoint_id": "{memory}"},
}


def list_reads(guarded: GuardedServer) -> dict[str, dict[str, Any]]:
    reading = [tool for tool in guarded.app.kernel.catalogue.tools if tool.effect == "read"]
    examples = {tool.name: dict(tool.examples[0].arguments) if tool.examples else {} for tool in reading}
    assert examples.keys() >= READS.keys()
    return {**examples, **READS}


@dataclass(frozen=True)
class ReplayScene:
    """`victim` has a memory and an ingest job; `thief` has the same scopes, `auditor` may also read the ledger, and
    `reader` may read herbs alone."""

    guarded: GuardedServer
    connection: RawConnection
    victim: str
    thief: str
    auditor: str
    reader: str
    memory_id: str
    job_id: str

    def fill(self, text: str) -> Any:
        return orjson.loads(text.replace("{memory}", self.memory_id).replace("{job}", self.job_id))

    async def replay(self, call_id: str, key: str) -> Reply:
        return await self.connection.request("POST", f"/console/api/replay?id={call_id}", bearer(key))

    async def read_last_id(self, key: str) -> str:
        reply = await self.connection.request("GET", "/console/api/ledger?limit=1", bearer(key))
        return str(reply.json["calls"][0]["id"])

    def check_nothing_leaked(self, reply: Reply, what: object) -> None:
        shown = reply.body.decode()
        assert "crimson-otter-31" not in shown.replace(SECRET, ""), what
        assert "otter-notes.txt" not in shown, what


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def replay_scene(guarded: GuardedServer) -> AsyncIterator[ReplayScene]:
    create = guarded.app.keys.create
    victim, thief = await create("victoria", SCOPES), await create("thief", SCOPES)
    auditor, reader = await create("auditor", [*SCOPES, "audit:read"]), await create("reader", ["herbs:read"])
    async with RawConnection(guarded.port) as connection:
        sent = await connection.call_tool("send_memory", {"content": SECRET}, victim)
        batch = [{"uri": f"file://{guarded.home}/inbox/otter-notes.txt"}]
        job = await connection.call_tool("tool.ingest.run", {"batch": batch, "wait_s": 10}, victim)
        ids = sent.json["data"]["memory_id"], job.json["data"]["job_id"]
        yield ReplayScene(guarded, connection, victim, thief, auditor, reader, *ids)


async def test_a_replayed_call_shows_what_a_call_shows(replay_scene: ReplayScene) -> None:
    scene, compared, reads = replay_scene, 0, list_reads(replay_scene.guarded)
    for key in (scene.thief, scene.auditor, scene.reader):
        for tool, arguments in reads.items():
            filled = scene.fill(orjson.dumps(arguments).decode())
            direct = await scene.connection.call_tool(tool, filled, key)
            replayed = await scene.replay(direct.json["meta"]["call_id"], key)
            assert replayed.status in (200, 400), (tool, replayed.body)
            scene.check_nothing_leaked(replayed, (tool, key))
            if replayed.status == 200:
                compared += 1
                assert replayed.json["same"] is True, (tool, replayed.json)
    assert compared >= len(reads)


async def test_a_replayed_resource_shows_what_a_read_shows(replay_scene: ReplayScene, grpc: GrpcClient) -> None:
    scene = replay_scene
    resources = scene.guarded.app.kernel.catalogue.resources
    addresses = [re.sub(r"\{\w+\}", quote(scene.job_id), resource.uri) for resource in resources]
    query = "query($uri: String!) { resource(uri: $uri) { text } }"
    replays = 0
    for key in (scene.thief, scene.reader):
        for uri in addresses:
            await scene.connection.send_mcp("resources/read", {"uri": uri}, key)
            ids = [await scene.read_last_id(key)]
            await scene.connection.post("/graphql", {"query": query, "variables": {"uri": uri}}, key)
            ids.append(await scene.read_last_id(key))
            await grpc.read(uri, key)
            ids.append(await scene.read_last_id(key))
            for id in set(ids):
                replayed = await scene.replay(id, key)
                assert replayed.status in (200, 400), (uri, replayed.body)
                assert replayed.status == 400 or replayed.json["same"] is True, (uri, replayed.json)
                scene.check_nothing_leaked(replayed, uri)
                replays += 1
    assert replays >= 3 * len(addresses)


async def test_a_replay_of_anothers_call_gives_no_answer_and_names_both(replay_scene: ReplayScene) -> None:
    scene = replay_scene
    made = await scene.connection.call_tool("tool.ingest.status", {"job_id": scene.job_id}, scene.victim)
    id = made.json["meta"]["call_id"]
    assert (await scene.replay(id, scene.thief)).status == 404
    replayed = await scene.replay(id, scene.auditor)
    assert (replayed.status, replayed.json["answer"], replayed.json["same"]) == (200, None, True)
    row = (
        await scene.connection.request(
            "GET", f"/console/api/call?id={replayed.json['now']['id']}", bearer(scene.auditor)
        )
    ).json
    victim, auditor = (f"key:{key.split('_')[1]}" for key in (scene.victim, scene.auditor))
    assert (row["surface"], row["caller"], row["asked_by"]) == ("replay", victim, auditor)
    assert "audit:read" not in row["scopes"], "the first caller did not have it"
    blind = await scene.guarded.app.keys.create("blind", ["audit:read"])
    assert (await scene.replay(id, blind)).status == 403


async def test_the_owner_replays_a_call_as_it_was_and_not_as_the_owner(replay_scene: ReplayScene) -> None:
    """The owner may see the victim's job, the thief may not; the replay of the thief's call is the thief's refusal."""
    scene, app = replay_scene, replay_scene.guarded.app
    refused = await scene.connection.call_tool("tool.ingest.status", {"job_id": scene.job_id}, scene.thief)
    await app.ledger.flush()
    again = await replay(app.kernel, app.ledger, app.ledger_store, refused.json["meta"]["call_id"], OWNER)
    assert (again.same, again.past.entry.fault) == (True, "not_found")
    owned = await app.kernel.call(Call("tool.ingest.status", {"job_id": scene.job_id}))
    assert owned.stamp.status == "ok"
