"""The default list of tools stays within its budget, as every transport sends it in both eras."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import orjson
import pytest
from mcp import Client, StdioServerParameters
from mcp.types import ListToolsResult

import sanya
from sanya.surfaces.http.server import serve
from sanya.surfaces.mcp.listing.lists import MAX_LIST_TOKENS
from sanya.surfaces.mcp.listing.token_estimates import estimate_tokens

ERAS = ("legacy", "auto")
# Counted with the vocabulary o200k_base.
COUNTED = [
    ('{"limit":{"default":50,"description":"Tasks per page, e.g. 20","minimum":1,"maximum":500,"type":"integer"}}', 31),
    (
        "Recalls memories by words and meaning, Thai or English, best first, with rating, sources and contradictions.",
        22,
    ),
    ("ขมิ้นชันใช้สำหรับท้องอืด ท้องเฟ้อ (หลักฐาน: อยู่ในบัญชียาหลักแห่งชาติ ชนิดยาเดี่ยว)", 37),
    ('{"id":"andrographis-paniculata/use-0052","uri":"kg://herb/andrographis-paniculata","used":true}', 32),
]
PROMISED = {
    *("get_tasks", "get_projects", "get_weekly_review", "search_tasks", "get_task_changelogs"),
    *("get_rmf_funds", "search_rmf_funds", "get_rmf_fund_detail", "get_rmf_fund_performance"),
    *("get_rmf_fund_nav_history", "compare_rmf_funds"),
    *("send_memory", "get_memory", "correct_memory"),
    *("tool.query_kg", "tool.hybrid_search", "tool.rag_answer", "tool.find_contraindications"),
    *("rag.search", "rag.get"),
}
"""The tools of the five contracts, but for those of operators."""


@asynccontextmanager
async def on_stdio(home: Path, mode: str) -> AsyncIterator[Client]:
    # The folder of the compiled modules and settings of the tests reach the server by the environment.
    environment = {**os.environ, "SANYA_HOME": str(home)}
    parameters = StdioServerParameters(command=sys.executable, args=["-m", "sanya", "mcp"], env=environment)
    async with Client(parameters, mode=mode) as client:
        yield client


@asynccontextmanager
async def over_http(home: Path, mode: str) -> AsyncIterator[Client]:
    address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    stop = asyncio.Event()
    async with sanya.open(home, port=0, log_level="error") as app:
        serving = asyncio.create_task(serve(app, on_ready=address.set_result, stop=stop))
        try:
            async with Client(f"{await address}/mcp", mode=mode) as client:
                yield client
        finally:
            stop.set()
            await serving


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize("way", [on_stdio, over_http])
async def test_the_default_list_keeps_its_budget(
    way: Callable[[Path, str], AbstractAsyncContextManager[Client]], mode: str, filled_home: Path, tmp_path: Path
) -> None:
    async with way(shutil.copytree(filled_home, tmp_path / "home"), mode) as client:
        listed: ListToolsResult = await client.list_tools()
    written = orjson.dumps(listed.model_dump(by_alias=True, mode="json", exclude_none=True)).decode("utf-8")
    assert estimate_tokens(written) <= MAX_LIST_TOKENS
    schemas = {tool.name: tool.output_schema or {} for tool in listed.tools}
    assert {*PROMISED, "more_tools"} <= schemas.keys()
    # Every answer has a schema; which of them have room for fields depends on what the arguments leave.
    assert [name for name in PROMISED if schemas[name].get("type") != "object"] == []
    assert sum("properties" in schemas[name] for name in PROMISED) >= len(PROMISED) * 3 // 4


@pytest.mark.parametrize(("text", "counted"), COUNTED)
def test_the_estimate_is_near_what_a_tokenizer_counts(text: str, counted: int) -> None:
    assert estimate_tokens(text) == pytest.approx(counted, rel=0.25)
