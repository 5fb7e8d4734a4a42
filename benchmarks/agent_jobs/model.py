"""Lets a model do the jobs: any endpoint that speaks OpenAI's chat completions, with our tools over MCP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import httpx
import orjson
from mcp import Client

from benchmarks.agent_jobs.jobs import Job
from benchmarks.agent_jobs.runner import Answer, JobResult, call_tool
from sanya.surfaces.mcp.listing.token_estimates import estimate_tokens

MAX_TURNS = 8
_TIMEOUT_S = 180.0


@dataclass(frozen=True, slots=True)
class Endpoint:
    """`url` ends before `/chat/completions`, e.g. `http://localhost:11434/v1`."""

    url: str
    model: str
    key: str = ""


@dataclass(slots=True)
class ModelAgent:
    """Gives the model the instructions and the tools of the server, and makes the calls that it asks for."""

    client: Client
    endpoint: Endpoint
    http: httpx.AsyncClient
    _tools: list[dict[str, Any]] | None = None

    async def do(self, job: Job) -> JobResult:
        """Return what the model told in the end. The facts must stand there, not only in the answers that it read."""
        messages: list[dict[str, Any]] = [
            {"role": "system", "content": self.client.instructions or ""},
            {"role": "user", "content": job.ask},
        ]
        read: list[tuple[str, Answer]] = []
        for _ in range(MAX_TURNS):
            message = await self._ask(messages)
            messages.append(message)
            if not message.get("tool_calls"):
                break
            for wanted in message["tool_calls"]:
                name, answer = await self._make_call(wanted["function"])
                read.append((name, answer))
                messages.append({"role": "tool", "tool_call_id": wanted["id"], "content": answer.text})
        told = str(messages[-1].get("content") or "")
        sizes = [(name, estimate_tokens(answer.text)) for name, answer in read]
        refused = [f"{name}: {answer.text[:200]}" for name, answer in read if answer.is_error]
        return JobResult(job, job.find_missing_facts(told), refused, sizes, told)

    async def _ask(self, messages: list[dict[str, Any]]) -> dict[str, Any]:
        if self._tools is None:
            self._tools = [_describe_function(tool) for tool in (await self.client.list_tools()).tools]
        headers = {"Authorization": f"Bearer {self.endpoint.key}"} if self.endpoint.key else {}
        reply = await self.http.post(
            f"{self.endpoint.url.rstrip('/')}/chat/completions",
            json={"model": self.endpoint.model, "messages": messages, "tools": self._tools, "temperature": 0},
            headers=headers,
            timeout=_TIMEOUT_S,
        )
        reply.raise_for_status()
        message: dict[str, Any] = reply.json()["choices"][0]["message"]
        return message

    async def _make_call(self, function: dict[str, Any]) -> tuple[str, Answer]:
        """Call the tool. A model may send arguments that are no JSON: it is told so, as a server would tell it."""
        name = str(function["name"])
        try:
            arguments = orjson.loads(function.get("arguments") or "{}")
        except orjson.JSONDecodeError as error:
            return name, Answer(f"the arguments are not valid JSON: {error}", None, is_error=True)
        return name, await call_tool(self.client, name, arguments)


def _describe_function(tool: Any) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
    return {"type": "function", "function": function}
