"""Every tool of our suites has Thai words for its title, description and arguments, and nothing else changes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import orjson
import pytest

import sanya
from sanya.app import App
from sanya.kernel.contracts.catalogue import Catalogue
from sanya.kernel.contracts.tool import Tool
from sanya.surfaces.http.application import _build_endpoint
from sanya.surfaces.http.catalogue import list_tools as list_contracts
from sanya.surfaces.mcp.listing.lists import MAX_LIST_TOKENS, list_tools
from sanya.surfaces.mcp.listing.token_estimates import estimate_tokens
from sanya.surfaces.mcp.listing.toolset_settings import read_toolset
from sanya.surfaces.mcp.listing.toolsets import Toolset
from sanya.surfaces.tool_texts import load_texts, read_example_title, read_tool_text
from tests.surfaces.mcp.asgi_requests import META, message, modern_headers, post
from tests.surfaces.mcp.conftest import hold_in_one_task

SUITES = ("herbs", "papers", "memory", "funds", "tasks")
MAX_THAI_TOKENS = 7_900
"""What the agent's list may take in Thai."""
THAI = re.compile("[ก-๛]")
EXAMPLE = re.compile(r", e\.g\. ([^;]*)")
WORDS = {"title", "description"}


@pytest.fixture
def catalogue(home: App) -> Catalogue:
    return home.kernel.catalogue


@pytest.fixture
async def home(tmp_path: Path) -> Any:
    async with sanya.open(tmp_path) as app:
        yield app


def iter_descriptions(schema: dict[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    if path and "description" in schema:
        yield path, schema["description"]
    for name, field in schema.get("properties", {}).items():
        yield from iter_descriptions(field, f"{path}.{name}" if path else name)
    if isinstance(schema.get("items"), dict):
        yield from iter_descriptions(schema["items"], f"{path}[]")


def drop_words(value: Any) -> Any:
    """Return the document without what a translation may change. An argument may be called `description` itself."""
    if isinstance(value, list):
        return [drop_words(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: drop_words(item) for key, item in value.items() if key not in WORDS or not isinstance(item, str)}


def find_problems(tool: Tool, tool_names: list[str]) -> list[str]:
    text = read_tool_text(tool, "th")
    thai, english = dict(iter_descriptions(text.input_schema)), dict(iter_descriptions(tool.input_schema))
    problems = [f"{tool.name}.{path} is not in Thai" for path, words in thai.items() if not THAI.search(words)]
    problems += [
        f"{tool.name}.{path} lacks the example {example[1]}"
        for path, words in english.items()
        for example in [EXAMPLE.search(words)]
        if example and f"เช่น {example[1]}".replace(" or ", " หรือ ") not in thai[path]
    ]
    problems += [f"{tool.name} has no Thai {part}" for part in WORDS if not THAI.search(getattr(text, part))]
    if list_named(text.description, tool_names) != list_named(tool.description, tool_names):
        problems.append(f"{tool.name} names other tools in Thai")
    problems += [
        f"the example {example.title!r} of {tool.name} is not in Thai"
        for example in tool.examples
        if not THAI.search(read_example_title(tool, example.title, "th"))
    ]
    return problems


def list_named(description: str, tool_names: list[str]) -> set[str]:
    return set(re.findall(r"[a-z_]+(?:\.[a-z_]+)*", description)) & set(tool_names)


def test_every_tool_and_argument_has_thai_words_with_the_same_examples_and_neighbours(catalogue: Catalogue) -> None:
    tool_names = [tool.name for tool in catalogue.tools]
    ours = [tool for tool in catalogue.tools if tool.suite in SUITES]
    assert [problem for tool in ours for problem in find_problems(tool, tool_names)] == []


def test_no_thai_words_are_left_of_what_is_gone(catalogue: Catalogue) -> None:
    tools = {tool.name: tool for tool in catalogue.tools}
    resources = {resource.uri for resource in catalogue.resources}
    for suite in SUITES:
        texts = load_texts(suite)
        assert texts["tools"].keys() == {tool.name for tool in catalogue.tools if tool.suite == suite}
        assert texts["resources"].keys() <= resources
        used: set[str] = set()
        for name, text in texts["tools"].items():
            paths = dict(iter_descriptions(tools[name].input_schema)).keys()
            assert text.get("arguments", {}).keys() <= paths, name
            used |= paths - text.get("arguments", {}).keys()
        assert texts["arguments"].keys() <= used, suite
    assert {file.name for file in (files("sanya.surfaces") / "thai_texts").iterdir()} == {
        *(f"{suite}.json" for suite in SUITES),
        "server.json",
    }


@pytest.mark.parametrize("audience", ["agent", "all"])
def test_a_thai_list_differs_in_words_alone(catalogue: Catalogue, audience: Any) -> None:
    english, thai = (
        list_tools(catalogue, toolset=Toolset(audience, (), language)).model_dump(mode="json", by_alias=True)
        for language in ("en", "th")
    )
    assert drop_words(thai) == drop_words(english)
    assert [tool["name"] for tool in thai["tools"] if not THAI.search(tool["title"] + tool["description"])] == []
    assert drop_words(list_contracts(catalogue, "th")) == drop_words(list_contracts(catalogue))


def test_the_thai_list_of_an_agent_keeps_its_own_budget(catalogue: Catalogue) -> None:
    listed = list_tools(catalogue, toolset=Toolset(language="th"))
    written = orjson.dumps(listed.model_dump(by_alias=True, mode="json", exclude_none=True)).decode("utf-8")
    assert MAX_LIST_TOKENS < estimate_tokens(written) <= MAX_THAI_TOKENS


async def test_a_setting_or_a_header_asks_for_thai(home: App, tmp_path: Path) -> None:
    endpoint = _build_endpoint(home, portable=False)

    async def ask_title(*headers: tuple[str, str]) -> str:
        sent = [*modern_headers("tools/list", None), *((name.encode(), value.encode()) for name, value in headers)]
        answer: Any = (await post(endpoint, message("tools/list", {"_meta": META}), sent)).json
        if "error" in answer:
            return str(answer["error"]["message"])
        return str(next(tool["title"] for tool in answer["result"]["tools"] if tool["name"] == "rag.search"))

    async with hold_in_one_task(endpoint.running()):
        assert await ask_title() == "Search papers"
        assert await ask_title(("sanya-language", "th")) == "ค้นหาบทความ"
        assert await ask_title(("accept-language", "th-TH,th;q=0.9,en;q=0.8")) == "ค้นหาบทความ"
        assert await ask_title(("accept-language", "en, th;q=0.9")) == "Search papers"
        assert await ask_title(("accept-language", "th"), ("sanya-language", "en")) == "Search papers"
        assert "Use: en, th" in await ask_title(("sanya-language", "thai"))
    async with sanya.open(tmp_path / "thai", listing_language="th") as app:
        assert read_toolset(app).language == "th"
