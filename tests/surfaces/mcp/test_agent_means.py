"""What the surface adds for agents: its own tools, links to resources, portable names in every text, instructions."""

from __future__ import annotations

import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import orjson
import pytest
import pytest_asyncio
from mcp import Client, types
from mcp.types import CallToolResult, ResourceLink, TextContent, TextResourceContents

import sanya
from sanya.app import App
from sanya.surfaces.mcp.arguments.name_choices import apply_choices
from sanya.surfaces.mcp.calls import CallReader
from sanya.surfaces.mcp.endpoint import McpEndpoint
from sanya.surfaces.mcp.server import build_server
from tests.surfaces.mcp.asgi_requests import META, message, modern_headers, post
from tests.surfaces.mcp.conftest import hold_in_one_task

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def app(indexed_home: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[App]:
    home = shutil.copytree(indexed_home, tmp_path_factory.mktemp("agents") / "home")
    async with sanya.open(home, log_level="error") as opened:
        yield opened


@asynccontextmanager
async def connect(app: App, mode: str, *, portable: bool = False, **more: Any) -> AsyncIterator[Client]:
    reader = CallReader(app.kernel.catalogue, 25_000)
    async with Client(build_server(app.kernel, reader, portable=portable), mode=mode, **more) as client:
        yield client


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["legacy", "auto"])
async def client(request: pytest.FixtureRequest, app: App) -> AsyncIterator[Client]:
    async with hold_in_one_task(connect(app, request.param)) as connected:
        yield connected


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def portable(app: App) -> AsyncIterator[Client]:
    async with hold_in_one_task(connect(app, "auto", portable=True)) as connected:
        yield connected


def read_text(result: CallToolResult) -> str:
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))


async def test_further_tools_are_told_described_and_called(client: Client) -> None:
    told = await client.call_tool("more_tools", {})
    assert "rank_rmf_funds" in [tool["name"] for tool in told.structured_content["tools"]]
    described = await client.call_tool("more_tools", {"tool": "rank_rmf_funds"})
    assert described.structured_content["inputSchema"]["required"] == ["measure"]
    ranked = described.structured_content["outputSchema"]["properties"]["funds"]
    assert ranked["items"]["properties"]["riskLevel"] == {"type": "integer"}
    arguments = {"measure": "fee", "limit": 2}
    reached = await client.call_tool("more_tools", {"tool": "rank_rmf_funds", "arguments": arguments})
    direct = await client.call_tool("rank_rmf_funds", arguments)
    assert reached.structured_content == direct.structured_content
    assert reached.meta is not None
    assert direct.meta is not None
    assert reached.meta["sanya/audit"]["in_hash"] == direct.meta["sanya/audit"]["in_hash"]


async def test_arguments_sent_as_text_reach_the_further_tool(client: Client) -> None:
    sent = {"tool": "papers.related", "arguments": '{"doc_id": "9900000001", "limit": "2"}'}
    assert len((await client.call_tool("more_tools", sent)).structured_content["documents"]) == 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"tool": "forget_memory", "arguments": {"memory_id": "mem_0123456789abcdef"}}, "changes data"),
        ({"tool": "send_memory", "arguments": {"content": "a"}}, "Call it by its own name."),
        ({"tool": "rank_funds"}, "rank_rmf_funds"),
        ({"name": "rank_rmf_funds"}, "more_tools takes: tool, arguments"),
        ({"tool": "rank_rmf_funds", "measure": "fee"}, '"arguments": {'),
        ({"tool": "rank_rmf_funds", "arguments": [1]}, "must be an object"),
        ({"tool": "rank_rmf_funds", "arguments": {}}, "measure is required"),
    ],
)
async def test_a_wrong_use_of_further_tools_says_what_to_change(
    client: Client, arguments: dict[str, Any], says: str
) -> None:
    result = await client.call_tool("more_tools", arguments)
    assert result.is_error
    assert says in read_text(result)


async def test_a_link_of_an_answer_is_read_with_the_tool(client: Client) -> None:
    found = await client.call_tool("tool.hybrid_search", {"query": "ขมิ้นชัน", "top_k": 3, "detail": "short"})
    links = [part for part in found.content if isinstance(part, ResourceLink)]
    assert str(links[0].uri) == "kg://herb/curcuma-longa"
    read = await client.call_tool("read_resource", {"uri": str(links[0].uri)})
    resource = (await client.read_resource(str(links[0].uri))).contents[0]
    assert isinstance(resource, TextResourceContents)
    assert json.loads(read_text(read))["names"] == json.loads(resource.text)["names"]


async def test_memories_and_papers_are_linked(client: Client) -> None:
    sent = await client.call_tool("send_memory", {"content": "Malee keeps bees behind the temple."})
    recalled = await client.call_tool("get_memory", {"query": "Who keeps bees?"})
    memories = [str(part.uri) for part in recalled.content if isinstance(part, ResourceLink)]
    assert f"memory://{sent.structured_content['memory_id']}" in memories
    found = await client.call_tool("rag.search", {"query": "weekly injection for weight loss", "top_k": 2})
    papers = [str(part.uri) for part in found.content if isinstance(part, ResourceLink)]
    assert papers[0] == "resource://pubmed/paper/9900000001"
    for uri in (memories[0], papers[0]):
        assert not (await client.call_tool("read_resource", {"uri": uri})).is_error


@pytest.mark.parametrize("uri", ["kg://herb/no-such-herb", "https://example.org/", ""])
async def test_an_address_that_is_no_resource_is_refused(client: Client, uri: str) -> None:
    assert (await client.call_tool("read_resource", {"uri": uri})).is_error


async def test_portable_names_stand_in_errors_prompts_and_instructions(app: App, portable: Client) -> None:
    dotted = [tool.name for tool in app.kernel.catalogue.tools if "." in tool.name]
    texts = [portable.instructions or ""]
    texts += [f"{tool.description} {tool.input_schema}" for tool in (await portable.list_tools()).tools]
    for prompt in (await portable.list_prompts()).prompts:
        given = {argument.name: "1" for argument in prompt.arguments or ()}
        texts.append(str((await portable.get_prompt(prompt.name, given)).messages))
    for tool in app.kernel.catalogue.tools:
        texts.append(read_text(await portable.call_tool(tool.portable_name, {"nothing": 1})))
    assert [name for name in dotted for text in texts if f"{name} " in text or f"{name}." in text] == []


async def test_who_calls_by_a_portable_name_is_told_portable_names(client: Client) -> None:
    refused = read_text(await client.call_tool("rag_get", {"doc_id": "pmid:1", "checkpoint_id": "cp_none"}))
    assert "corpus.checkpoint" not in refused


async def test_the_instructions_tell_what_no_tool_repeats(client: Client) -> None:
    told = client.instructions or ""
    assert all(word in told for word in ("detail: short", "more_tools", "No warning on record never means safe"))
    assert "rank_rmf_funds" in told


AMBIGUOUS = {"herb_ids": ["อบเชย"], "drugs": ["warfarin"]}


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize(("action", "checked"), [("accept", 1), ("decline", 5)])
async def test_a_name_with_several_meanings_is_asked_about(
    app: App, mode: str, action: Literal["accept", "decline"], checked: int
) -> None:
    asked: list[types.ElicitRequestFormParams] = []

    async def choose(_: Any, params: Any) -> types.ElicitResult:
        asked.append(params)
        if action == "decline":
            return types.ElicitResult(action=action)
        return types.ElicitResult(action=action, content={"herb_ids:อบเชย": "cinnamomum-verum"})

    async with connect(app, mode, elicitation_callback=choose) as client:
        result = await client.call_tool("tool.find_contraindications", AMBIGUOUS)
    (form,) = asked
    choices = form.requested_schema["properties"]["herb_ids:อบเชย"]["oneOf"]
    assert {"const": "cinnamomum-verum", "title": "อบเชยเทศ"} in choices
    verified = [pair["entity_id"] for pair in result.structured_content["pairs"]]
    assert len(verified) == checked
    assert "cinnamomum-verum" in verified


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_the_common_beginning_of_many_names_is_asked_about(app: App, mode: str) -> None:
    titles: list[str] = []

    async def choose(_: Any, params: Any) -> types.ElicitResult:
        titles.extend(choice["title"] for choice in params.requested_schema["properties"]["herb_ids:โกฐ"]["oneOf"])
        return types.ElicitResult(action="accept", content={"herb_ids:โกฐ": "angelica-sinensis"})

    async with connect(app, mode, elicitation_callback=choose) as client:
        result = await client.call_tool(
            "tool.find_contraindications", {"herb_ids": ["โกฐ"], "drugs": ["warfarin"], "detail": "short"}
        )
    assert len(set(titles)) == len(titles) >= 12
    assert {"โกฐเขมา", "โกฐน้ำเต้า (rheum-palmatum)"} <= set(titles)
    (pair,) = result.structured_content["pairs"]
    assert (pair["entity_id"], pair["verdict"]) == ("angelica-sinensis", "warned")


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize(
    ("tool", "arguments", "key", "title"),
    [
        ("tool.query_kg", {"start": {"type": "herb", "id": "โกฐ"}, "max_depth": 1}, "start.id:โกฐ", "โกฐเชียง"),
        ("tool.rag_answer", {"question": "โกฐกินกับ warfarin ได้ไหม"}, "question:โกฐ", "(Angelica sinensis)"),
    ],
)
async def test_every_herb_tool_asks_which_plant_is_meant(
    app: App, mode: str, tool: str, arguments: dict[str, Any], key: str, title: str
) -> None:
    titles: dict[str, str] = {}

    async def choose(_: Any, params: Any) -> types.ElicitResult:
        choices = params.requested_schema["properties"][key]["oneOf"]
        titles.update({choice["const"]: choice["title"] for choice in choices})
        return types.ElicitResult(action="accept", content={key: "angelica-sinensis"})

    async with connect(app, mode, elicitation_callback=choose) as client:
        result = await client.call_tool(tool, arguments)
    assert title in titles["angelica-sinensis"]
    assert not result.is_error
    assert "โกฐเชียง" in orjson.dumps(result.structured_content).decode("utf-8")
    assert not result.structured_content.get("withheld")


@pytest.mark.parametrize("question", ["โกฐกินกับ warfarin ได้ไหม", "โกฐกับโกฐสอกินกับ warfarin ได้ไหม"])
async def test_an_answer_names_the_plants_that_a_name_may_mean(client: Client, question: str) -> None:
    body = (await client.call_tool("tool.rag_answer", {"question": question})).structured_content
    (meant,) = [name for name in body["ambiguous"] if name["name"] == "โกฐ"]
    assert {"angelica-sinensis", "angelica-dahurica"} <= {herb["id"] for herb in meant["candidates"]}
    assert body["withheld"] is None or "Angelica sinensis" in body["withheld"]["advice"]


async def test_a_name_that_stands_twice_in_a_question_is_not_replaced() -> None:
    asked = {"question": "โกฐกับโกฐสอ", "start": {"type": "herb", "id": "โกฐ"}}
    assert apply_choices(asked, {"question:โกฐ": "angelica-sinensis", "missing.id:โกฐ": "x"}) == asked
    assert apply_choices(asked, {"start.id:โกฐ": "angelica-sinensis"})["start"]["id"] == "angelica-sinensis"


async def test_a_client_that_cannot_ask_gets_the_candidates(client: Client) -> None:
    result = await client.call_tool("tool.find_contraindications", AMBIGUOUS)
    assert len(result.structured_content["unresolved"][0]["candidates"]) > 1


async def test_the_hot_path_leaves_a_call_that_may_ask_to_the_sdk(app: App) -> None:
    endpoint = McpEndpoint(app.kernel, portable=False, max_body_bytes=64 * 1024, max_result_tokens=25_000)
    meta = {**META, "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}}
    params = {"name": "tool.find_contraindications", "arguments": AMBIGUOUS, "_meta": meta}
    async with hold_in_one_task(endpoint.running()):
        reply = await post(
            endpoint, message("tools/call", params), modern_headers("tools/call", "tool.find_contraindications")
        )
    (answer,) = reply.events or [reply.json]
    assert answer["result"]["resultType"] == "input_required"
