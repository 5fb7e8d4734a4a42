"""Makes the calls of the jobs through the official MCP client, as an agent with the default list of tools does."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from mcp import Client, MCPError
from mcp.types import CallToolResult, TextContent

from benchmarks.agent_jobs.jobs import Job, fill_references
from sanya import App
from sanya.kernel.contracts.detail import DETAIL, Detail
from sanya.surfaces.mcp.calls import CallReader
from sanya.surfaces.mcp.listing.server_tools import MORE_TOOLS
from sanya.surfaces.mcp.listing.token_estimates import estimate_tokens
from sanya.surfaces.mcp.server import build_server


class Answer(NamedTuple):
    """`text` is what a model reads; `structured` is what a program reads."""

    text: str
    structured: Any
    is_error: bool


@dataclass(frozen=True, slots=True)
class JobResult:
    """`refused` names the calls that were refused, and `sizes` has the tokens of each answer, by tool."""

    job: Job
    missing: list[str]
    refused: list[str]
    sizes: list[tuple[str, int]]
    told: str

    @property
    def is_right(self) -> bool:
        return not self.missing

    @property
    def calls(self) -> int:
        return len(self.sizes)

    @property
    def tokens(self) -> int:
        return sum(tokens for _, tokens in self.sizes)


@asynccontextmanager
async def connect(app: App, *, portable: bool = False) -> AsyncIterator[Client]:
    """Connect the official client to a server of this app, in the process."""
    kernel = app.kernel
    reader = CallReader(kernel.catalogue, app.settings.max_result_tokens)
    async with Client(build_server(kernel, reader, portable=portable)) as client:
        yield client


async def run_jobs(app: App, jobs: Iterable[Job], *, detail: Detail = "short") -> list[JobResult]:
    async with connect(app) as client:
        agent = ScriptedAgent(client, detail)
        await agent.read_tools()
        return [await agent.do(job) for job in jobs]


@dataclass(slots=True)
class ScriptedAgent:
    """Calls what is listed, and reaches the other tools by `more_tools`, once it was told what they take."""

    client: Client
    detail: Detail
    _schemas: dict[str, dict[str, Any]] = field(default_factory=dict)

    async def read_tools(self) -> None:
        self._schemas = {tool.name: tool.input_schema for tool in (await self.client.list_tools()).tools}

    async def do(self, job: Job) -> JobResult:
        answers: list[Answer] = []
        refused = []
        texts = []
        sizes = []
        for call in job.calls:
            arguments = fill_references(call.arguments, [answer.structured for answer in answers])
            for answer in await self._use(call.tool, arguments):
                texts.append(answer.text)
                sizes.append((call.tool, estimate_tokens(answer.text)))
            answers.append(answer)
            if answer.is_error:
                refused.append(f"{call.tool}: {answer.text[:200]}")
        told = "\n".join(texts)
        return JobResult(job, job.find_missing_facts(told), refused, sizes, told)

    async def _use(self, tool: str, arguments: dict[str, Any]) -> list[Answer]:
        """Call the tool, and return the answers on the way to it."""
        if tool in self._schemas:
            return [await call_tool(self.client, tool, self._add_detail(arguments, self._schemas[tool]))]
        told = await call_tool(self.client, MORE_TOOLS, {"tool": tool})
        if told.is_error or "inputSchema" not in told.structured:
            return [told]
        given = self._add_detail(arguments, told.structured["inputSchema"])
        return [told, await call_tool(self.client, MORE_TOOLS, {"tool": tool, "arguments": given})]

    def _add_detail(self, arguments: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
        if self.detail == "full" or DETAIL not in schema.get("properties", {}):
            return arguments
        return {DETAIL: self.detail, **arguments}


async def call_tool(client: Client, tool: str, arguments: dict[str, Any]) -> Answer:
    try:
        result = await client.call_tool(tool, arguments)
    except MCPError as error:
        return Answer(str(error), None, is_error=True)
    return Answer(read_text(result), result.structured_content, is_error=bool(result.is_error))


def read_text(result: CallToolResult) -> str:
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))
