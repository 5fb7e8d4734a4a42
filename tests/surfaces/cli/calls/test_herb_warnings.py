"""The examples of the safety check give their warning over MCP, HTTP, GraphQL, gRPC and the command line."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import sanya
from sanya.parity.comparison import Case
from sanya.parity.transports import open_transports
from tests.surfaces.cli.conftest import PROGRAM

CHECK = "tool.find_contraindications"
EXAMPLES: tuple[dict[str, Any], ...] = (
    {"herb_ids": ["ขิง"], "drugs": ["Coumadin", "metformin"]},
    {"herb_ids": ["กัญชา"], "drugs": ["warfarin"]},
    {"herb_ids": ["ชะเอมเทศ"], "conditions": ["ความดันสูง"]},
    {"herb_ids": ["มะระขี้นก"], "conditions": ["เบาหวาน"]},
    {"formulation_ids": ["ยาถ่ายดีเกลือฝรั่ง"], "drugs": ["digoxin"]},
    {"herb_ids": ["รางจืด"], "drugs": ["ritonavir"]},
    {"herb_ids": ["บอระเพ็ด"], "conditions": ["โรคตับ"]},
    {"herb_ids": ["กระท่อม"], "drugs": ["diazepam"]},
    {"herb_ids": ["ยี่โถ"]},
)
SURFACES = {"MCP stdio", "MCP modern", "MCP legacy", "MCP portable", "gateway", "GraphQL", "gRPC", "CLI"}


async def test_every_example_is_warned_about_on_every_surface(indexed_home: Path, tmp_path: Path) -> None:
    home = shutil.copytree(indexed_home, tmp_path / "asked")
    async with sanya.open(home) as app:
        tool = app.kernel.catalogue.find_tool(CHECK)
    assert tool is not None
    async with open_transports([str(PROGRAM)], home) as transports:
        assert {transport.name for transport in transports} == SURFACES
        for transport in transports:
            for arguments in EXAMPLES:
                body = (await transport.ask(Case(tool, "example", arguments))).payload
                _check_warned(body, f"{transport.name}: {arguments}")


def _check_warned(body: Mapping[str, Any], where: str) -> None:
    assert not body["pairs"] or body["pairs"][0]["verdict"] == "warned", where
    assert body["results"][0]["severity"], where
    assert all(result["sources"] for result in body["results"]), where
