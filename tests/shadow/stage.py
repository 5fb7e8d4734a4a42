"""A home, a second one that it was moved to, and a server on the first with the second as its shadow."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

import sanya
from sanya.settings import Settings, load_settings
from sanya.shadow.report import ReportStore, ToolReport, TrialReport
from sanya.shadow.trial import Trial, run_trial
from sanya.surfaces.http.server import serve
from sanya.transfer import move
from tests.surfaces.mcp.asgi_requests import MODERN, tool_call

WAIT_S = 120.0


def settings_of(home: Path, **more: Any) -> Settings:
    return load_settings({"home": home, **more}, {})


async def moved(home: Path, to: str) -> None:
    """Makes a home with starter data, and the same at another place."""
    async with sanya.open(home):
        pass
    await move(settings_of(home), to)


@dataclass(frozen=True)
class Served:
    app: sanya.App
    trial: Trial
    client: httpx.AsyncClient

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Over the gateway."""
        answer = await self.client.post(f"/tools/{tool}", json={"args": arguments})
        assert answer.status_code == 200, answer.text
        return dict(answer.json()["data"])

    async def call_mcp(self, tool: str, **arguments: Any) -> dict[str, Any]:
        headers = {
            "accept": "application/json, text/event-stream",
            "mcp-protocol-version": MODERN,
            "mcp-method": "tools/call",
            "mcp-name": tool,
        }
        answer = await self.client.post("/mcp", json=tool_call(tool, arguments), headers=headers)
        assert answer.status_code == 200, answer.text
        return dict(answer.json()["result"])

    async def followed(self) -> None:
        await asyncio.wait_for(self.trial.ready.wait(), WAIT_S)

    async def report(self) -> TrialReport:
        """When the shadow has come to every call."""
        await asyncio.wait_for(self.trial.queue.wait_until_empty(), WAIT_S)
        await self.trial.save()
        (report,) = await ReportStore(self.app.database).read()
        return report

    async def ledger(self) -> list[tuple[str, str]]:
        await self.app.ledger.flush()
        return [(link.entry.tool, link.entry.surface) async for link in self.app.ledger_store.read_links("main")]


@asynccontextmanager
async def served(home: Path, **settings: Any) -> AsyncIterator[Served]:
    async with sanya.open(home, port=0, grpc="off", **settings) as app, run_trial(app) as trial:
        assert trial is not None
        ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        stop = asyncio.Event()
        serving = asyncio.create_task(serve(app, on_ready=ready.set_result, stop=stop))
        try:
            url = await asyncio.wait_for(ready, WAIT_S)
            async with httpx.AsyncClient(base_url=url, timeout=WAIT_S, trust_env=False) as client:
                yield Served(app, trial, client)
        finally:
            stop.set()
            await asyncio.wait_for(serving, WAIT_S)


def of_tool(report: TrialReport, name: str) -> ToolReport:
    return next(tool for tool in report.tools if tool.tool == name)


def counted(report: TrialReport, name: str) -> dict[str, int]:
    """How many calls of the tool came to what."""
    return {kind: calls for kind, calls in of_tool(report, name).calls.items() if calls}
