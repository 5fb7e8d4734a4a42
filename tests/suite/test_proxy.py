"""A proxy suite: another server's tools through our kernel, and what happens when that server changes or goes."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import MCPError
from mcp.client.client import Client

import sanya
from sanya.app import App, CallRefused
from sanya.assembly.guests import open_server
from sanya.kernel.calls.call import OWNER, Answered, Call, Caller, Progress, Refused
from sanya.kernel.calls.replay import replay
from sanya.kernel.ledger.chain import MAIN_CHAIN
from sanya.suite.proxy import write_listing
from sanya.suite.servers import McpServerAddress, ServerListing
from sanya.surfaces.mcp.endpoint import McpEndpoint
from sanya.surfaces.suite_checks import find_suite_problems
from tests.suite.conftest import Installer

SERVER = Path(__file__).with_name("changing_server.py")
ONLY_GUESTS = "tasks,funds,memory,herbs,papers"
READ = {"readOnlyHint": True}


def tool(name: str, properties: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties or {}, "required": list(properties or {})}
    return {"name": name, "description": f"Does {name}.", "inputSchema": schema, **more}


TOOLS = [
    tool("say", {"text": {"type": "string"}}, annotations=READ),
    tool("put-down", {"dueDate": {"type": "string"}}),
    tool("stop", annotations=READ),
    tool("wait", annotations=READ),
    tool("fail"),
    tool("progress", annotations=READ),
    tool(
        "promise",
        {"given": {"type": "integer"}},
        annotations=READ,
        outputSchema={"type": "object", "properties": {"total": {"type": "integer", "maximum": 9}}},
    ),
]

LISTING = ServerListing(
    server={"name": "changing"},
    tools=TOOLS,
    resources=[
        {"uri": "file:///dot.png", "name": "dot", "mimeType": "image/png"},
        {"uri": "memo://hello", "name": "hello", "mimeType": "text/plain"},
    ],
    prompts=[{"name": "greet", "arguments": [{"name": "name", "description": "Whom to greet", "required": True}]}],
)


class ChangingServer:
    def __init__(self, folder: Path, install: Installer) -> None:
        self.tools = folder / "tools.json"
        self.listing = folder / "listing.json"
        self.command = [sys.executable, str(SERVER), str(self.tools)]
        self.offer(TOOLS)
        source = (
            "from pathlib import Path\nfrom sanya.suite import ProxySuite\n"
            f"suite = ProxySuite('behind', command={self.command!r}, listing=Path({str(self.listing)!r}))\n"
        )
        install("behind", source)

    def offer(self, tools: list[dict[str, Any]]) -> None:
        self.tools.write_text(json.dumps(tools), "utf-8")

    async def save_listing(self) -> None:
        server = open_server("behind", McpServerAddress(command=self.command))
        try:
            self.listing.write_bytes(write_listing(await server.list_all()))
        finally:
            await server.close()


@pytest.fixture
def behind(tmp_path: Path, install: Installer) -> ChangingServer:
    server = ChangingServer(tmp_path, install)
    server.listing.write_bytes(write_listing(LISTING))
    return server


@asynccontextmanager
async def open_guests_alone(home: Path) -> AsyncIterator[App]:
    async with sanya.open(home, suites_disabled=ONLY_GUESTS, log_level="error") as app:
        assert [guest.reason for guest in app.guests if guest.reason] == []
        yield app


async def refuse(app: App, tool: str, arguments: dict[str, Any], **more: Any) -> CallRefused:
    with pytest.raises(CallRefused) as refused:
        await app.call(tool, arguments, **more)
    return refused.value


async def test_a_proxied_tool_is_validated_answered_and_recorded(behind: ChangingServer, tmp_path: Path) -> None:
    async with open_guests_alone(tmp_path / "home") as app:
        answer = await app.call("behind.say", {"text": "สวัสดี"})
        assert json.loads(answer["content"][0]["text"]) == {"tool": "say", "arguments": {"text": "สวัสดี"}}
        assert "did you mean text" in str(await refuse(app, "behind.say", {"txt": "a"}))
        assert "U+0000" in str(await refuse(app, "behind.say", {"text": "a\0"}))
        assert "maxLength 100000" in str(await refuse(app, "behind.say", {"text": "x" * 100_001}))
        assert "must be string" in str(await refuse(app, "behind.say", {"text": 5}))
        assert await app.call("behind.promise", {"given": 7}) == {"total": 7}
        failed = await refuse(app, "behind.fail", {})
        assert (failed.error["code"], failed.error["message"]) == ("UPSTREAM_FAILED", "the disk is full")
        assert "10 is greater than the maximum" in str(await refuse(app, "behind.promise", {"given": 10}))
        await app.ledger.flush()
        (first, *_) = [link async for link in app.ledger_store.read_links(MAIN_CHAIN, tool="behind.say")]
        assert first.entry.out_hash == answer.stamp.out_hash
        assert (await replay(app.kernel, app.ledger, app.ledger_store, first.entry.id, OWNER)).same
        assert await find_suite_problems(app, app.guests[0]) == [
            "the package ships no published contracts; run `sanya suite lock behind`"
        ]


async def test_a_tool_that_the_server_does_not_call_read_only_needs_the_scope_to_write(
    behind: ChangingServer, tmp_path: Path
) -> None:
    async with open_guests_alone(tmp_path / "home") as app:
        reader = Caller("reader", frozenset({"behind:read"}))
        call = Call("behind_put-down", {"dueDate": "2026-01-01"}, caller=reader)
        refused = await app.kernel.call(call)
        assert isinstance(refused, Refused)
        assert refused.error["code"] == "FORBIDDEN"
        assert isinstance(
            await app.kernel.call(call._replace(caller=Caller("w", frozenset({"behind:write"})))), Answered
        )
        steps: list[Progress] = []
        await app.call("behind.progress", {}, progress=steps.append)
        assert steps == [Progress(1, 2, "half")]


async def test_prompts_and_resources_come_through_with_their_messages_and_bytes(
    behind: ChangingServer, tmp_path: Path
) -> None:
    async with open_guests_alone(tmp_path / "home") as app:
        endpoint = McpEndpoint(app.kernel, portable=False, max_body_bytes=65_536, max_result_tokens=25_000)
        async with Client(endpoint.server) as client:
            prompt = await client.get_prompt("behind_greet", {"name": "Nok"})
            assert [message.role for message in prompt.messages] == ["user", "assistant"]
            with pytest.raises(MCPError, match="name is required"):
                await client.get_prompt("behind_greet", {})
            uris = sorted(resource.uri for resource in (await client.list_resources()).resources)
            assert uris == ["behind://file//dot.png", "behind://memo/hello"]
            (dot,) = (await client.read_resource("behind://file//dot.png")).contents
            assert (getattr(dot, "blob", None), dot.mime_type) == ("iVBORw==", "image/png")
            (page,) = (await client.read_resource("behind://memo/hello")).contents
            assert getattr(page, "text", None) == "sawasdee"
            said = await client.call_tool("behind.say", {"text": "a"})
            assert json.loads(said.content[0].text)["tool"] == "say"  # type: ignore[union-attr]


async def test_a_changed_tool_is_refused_by_name_and_the_others_answer(behind: ChangingServer, tmp_path: Path) -> None:
    changed = tool("say", {"text": {"type": "string", "enum": ["yes"]}}, annotations=READ)
    behind.offer([changed, *TOOLS[2:], tool("another")])  # put-down is gone, another is new
    async with open_guests_alone(tmp_path / "home") as app:
        refused = await refuse(app, "behind.say", {"text": "a"})
        assert refused.error["code"] == "UPSTREAM_FAILED"
        assert "the server changed behind.say: " in str(refused)
        assert "sanya suite refresh behind" in str(refused)
        assert "put-down" in str(await refuse(app, "behind.put-down", {"dueDate": "x"}))
        assert await app.call("behind.promise", {"given": 1}) == {"total": 1}
        problems = "\n".join(await find_suite_problems(app, app.guests[0]))
        assert "behind.say" in problems
        assert "behind.another is new on the server" in problems
        tool_now = app.kernel.catalogue.find_tool("behind.say")
        assert tool_now is not None
        assert "enum" not in tool_now.input_schema["properties"]["text"], "models see what was saved"
    await behind.save_listing()
    async with open_guests_alone(tmp_path / "home") as app:
        assert await app.call("behind.say", {"text": "yes"})
        assert await app.call("behind.another", {})


async def test_a_server_that_stops_is_named_and_started_again(behind: ChangingServer, tmp_path: Path) -> None:
    async with open_guests_alone(tmp_path / "home") as app:
        assert await app.call("behind.say", {"text": "a"})
        stopped = await refuse(app, "behind.stop", {})
        assert (stopped.error["code"], stopped.error["retry_after_ms"]) == ("UNAVAILABLE", 1000)
        assert "the server behind" in str(stopped)
        assert await app.call("behind.say", {"text": "b"})
        slow = await refuse(app, "behind.wait", {}, timeout_ms=300)
        assert slow.error["code"] == "TIMEOUT"
        assert await asyncio.gather(*(app.call("behind.say", {"text": str(number)}) for number in range(20)))


async def test_a_server_that_is_not_there_takes_nobody_down(
    install: Installer, behind: ChangingServer, tmp_path: Path
) -> None:
    behind.command[0] = str(tmp_path / "missing")
    (tmp_path / "home").mkdir()
    settings = f'log_level = "error"\n[behind]\ncommand = ["{tmp_path / "missing"}"]\n'
    (tmp_path / "home" / "sanya.toml").write_text(settings, "utf-8")
    install("glossary")
    async with open_guests_alone(tmp_path / "home") as app:
        gone = await refuse(app, "behind.say", {"text": "a"})
        assert gone.error["code"] == "UNAVAILABLE"
        assert "missing" in str(gone)
        assert await app.call("glossary.count") == {"result": 0}
