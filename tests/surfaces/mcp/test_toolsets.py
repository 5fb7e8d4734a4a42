"""Toolsets: operators' tools are listed when asked for, and can always be called."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import sanya
from sanya.app import App
from sanya.settings import BadSetting
from sanya.surfaces.http.application import _build_endpoint
from sanya.surfaces.mcp.endpoint import McpEndpoint
from sanya.surfaces.mcp.listing.toolset_settings import read_toolset
from tests.surfaces.mcp.asgi_requests import META, call, message, modern_headers, post
from tests.surfaces.mcp.conftest import hold_in_one_task

OPERATOR_TOOLS = {
    "corpus.checkpoint.create",
    "corpus.checkpoint.get",
    "corpus.checkpoint.list",
    "papers.fulltext.fetch",
    "pubmed.fetch",
    "pubmed.sync.incremental",
    "pubmed.sync_delta",
    "tool.eval.run",
    "tool.ingest.cancel",
    "tool.ingest.rollback",
    "tool.ingest.run",
    "tool.ingest.status",
}
SPECIALIST_TOOLS = {
    "corpus.status",
    "get_entity",
    "list_memories",
    "papers.cite",
    "papers.fulltext.get",
    "papers.fulltext.search",
    "papers.mesh",
    "papers.related",
    "papers.resolve",
    "plan_rmf_contribution",
    "portfolio_rmf",
    "rank_rmf_funds",
    "simulate_rmf_dca",
}
WRITING_TOOLS = {"send_memory", "correct_memory", "forget_memory"}
READING = {"read_resource"}
"""The surface's own tool, which is in every list."""
SUITES = ("herbs", "papers", "memory", "funds", "tasks")
SENTENCE_END = re.compile(r"[.;](?: |$)")


@pytest.fixture
async def home(tmp_path: Path, filled_home: Path) -> Path:
    return shutil.copytree(filled_home, tmp_path / "home")


async def ask(endpoint: McpEndpoint, *headers: tuple[str, str]) -> dict[str, Any]:
    sent = [*modern_headers("tools/list", None), *((name.encode(), value.encode()) for name, value in headers)]
    answer: dict[str, Any] = (await post(endpoint, message("tools/list", {"_meta": META}), sent)).json
    return answer


def names_of(answer: dict[str, Any]) -> set[str]:
    return {tool["name"] for tool in answer["result"]["tools"]}


def list_undescribed(answer: dict[str, Any]) -> list[str]:
    return [
        f"{tool['name']}.{name}"
        for tool in answer["result"]["tools"]
        for name, argument in tool["inputSchema"].get("properties", {}).items()
        if not argument.get("description")
    ]


async def test_a_header_chooses_the_list_and_unlisted_tools_can_be_called(home: Path) -> None:
    async with sanya.open(home) as app:
        endpoint = _build_endpoint(app, portable=False)
        every = {tool.name for tool in app.kernel.catalogue.tools}
        async with hold_in_one_task(endpoint.running()):
            default = names_of(await ask(endpoint))
            assert every - default == OPERATOR_TOOLS | SPECIALIST_TOOLS
            assert default - every == READING | {"more_tools"}
            assert names_of(await ask(endpoint, ("sanya-tools", "all"))) == every | READING
            assert names_of(await ask(endpoint, ("sanya-tools", "operator"))) == OPERATOR_TOOLS | READING
            assert every - names_of(await ask(endpoint, ("sanya-tools", "read"))) == OPERATOR_TOOLS | WRITING_TOOLS
            for suite in SUITES:
                answer = await ask(endpoint, ("sanya-suites", suite))
                assert list_undescribed(answer) == []
                alone = names_of(answer)
                assert alone - READING == {tool.name for tool in app.kernel.catalogue.tools if tool.suite == suite} - (
                    OPERATOR_TOOLS
                )
            assert not (await call(endpoint, "corpus.checkpoint.list", {}))["isError"]
            told = await call(endpoint, "more_tools", {"tool": "papers.related"})
            assert list_undescribed({"result": {"tools": [{"name": "", **told["structuredContent"]}]}}) == []


@pytest.mark.parametrize("header", [("sanya-tools", "some"), ("sanya-suites", "herbs,stars")])
async def test_an_unknown_choice_is_refused_with_the_known_ones(home: Path, header: tuple[str, str]) -> None:
    async with sanya.open(home) as app:
        endpoint = _build_endpoint(app, portable=False)
        async with hold_in_one_task(endpoint.running()):
            error = (await ask(endpoint, header))["error"]
    assert header[0] in error["message"]
    assert ("operator" if header[0] == "sanya-tools" else "papers") in error["message"]


async def test_portable_lists_name_the_neighbours_as_they_are_listed(home: Path) -> None:
    async with sanya.open(home) as app:
        endpoint = _build_endpoint(app, portable=True)
        async with hold_in_one_task(endpoint.running()):
            listed = (await ask(endpoint, ("sanya-tools", "all")))["result"]["tools"]
        dotted = [tool.name for tool in app.kernel.catalogue.tools if "." in tool.name]
    told = {tool["name"]: tool["description"] for tool in listed}
    assert [(name, other) for name, text in told.items() for other in dotted if other in text] == []
    assert "papers_fulltext_search" in told["rag_search"]


async def test_settings_choose_the_list(home: Path) -> None:
    async with sanya.open(home, tools="read", suites="funds, tasks") as app:
        chosen = read_toolset(app).choose_tools(app.kernel.catalogue)
        assert {tool.suite for tool in chosen} == {"funds", "tasks"}
    async with sanya.open(home, suites="stars") as app:
        with pytest.raises(BadSetting, match="stars"):
            read_toolset(app)


async def test_every_tool_and_argument_says_what_it_needs_to(home: Path) -> None:
    async with sanya.open(home) as app:
        assert [
            problem for tool in app.kernel.catalogue.tools for problem in find_description_problems(app, tool)
        ] == []


def find_description_problems(app: App, tool: Any) -> list[str]:
    """Return the breaches of the rules: two sentences, a neighbour, a limit; three words for an argument."""
    neighbours = [other.name for other in app.kernel.catalogue.tools if other is not tool]
    problems = []
    if len(SENTENCE_END.findall(tool.description)) < 2:
        problems.append(f"{tool.name}: fewer than two sentences")
    if not any(name in tool.description for name in neighbours):
        problems.append(f"{tool.name}: names no neighbour")
    if not re.search(r"\bnever\b|Finished documents stay", tool.description):
        problems.append(f"{tool.name}: does not say what it never does")
    if len(tool.description) > 260:
        problems.append(f"{tool.name}: description is longer than 260 characters")
    return problems + [
        f"{tool.name}.{name}"
        for name, text in iter_arguments(tool.input_schema)
        if len(text.split(", e.g.")[0].split()) < 3
    ]


def iter_arguments(schema: dict[str, Any], above: str = "") -> list[tuple[str, str]]:
    found = []
    for name, field in schema.get("properties", {}).items():
        found.append((above + name, field.get("description", "")))
        found += iter_arguments(field, f"{above}{name}.")
        found += iter_arguments(field.get("items", {}), f"{above}{name}[].")
    return found
