"""All tools, resources and prompts of a server, found by contract name or portable name."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import ConfigDict

from sanya.kernel.calls.call import Context
from sanya.kernel.contracts.completions import build_completion_tools
from sanya.kernel.contracts.name_suggestions import suggest_name
from sanya.kernel.contracts.shapes import Shape, Text
from sanya.kernel.contracts.suite import Prompt, Resource, Suite
from sanya.kernel.contracts.tool import Tool


class ResourceRequest(Shape):
    uri: Text
    """The address of the resource."""


class ResourceBody(Shape):
    """The content of a resource, which no contract restricts."""

    model_config = ConfigDict(extra="allow")


class Catalogue:
    def __init__(self, suites: Iterable[Suite]) -> None:
        self.suites = tuple(suites)
        self._private_suites = frozenset(suite.name for suite in self.suites if suite.is_private)
        self.tools = tuple(tool for suite in self.suites for tool in suite.tools)
        self.resources = tuple(resource for suite in self.suites for resource in suite.resources)
        self.prompts: dict[str, Prompt] = {prompt.name: prompt for suite in self.suites for prompt in suite.prompts}
        self._by_name = _index_names(self.tools)
        self._resource_tools = {
            resource.uri: _as_tool(suite, resource) for suite in self.suites for resource in suite.resources
        }

        self._completion_tools = dict(pair for suite in self.suites for pair in build_completion_tools(suite))

    def find_completion_tool(self, ref: str, argument: str) -> Tool | None:
        """Return the tool that completes this argument of a prompt (its name) or a resource (its URI)."""
        return self._completion_tools.get((ref, argument))

    def find_tool(self, name: str) -> Tool | None:
        return self._by_name.get(name)

    def has_public_citations(self, tool: Tool) -> bool:
        """Return whether the ledger may keep which papers an answer names. What a contract redacts stays unknown."""
        return not tool.redacted_paths and tool.suite not in self._private_suites

    async def open_prompt(self, name: str) -> None:
        """Open the suite of this prompt: only an open suite can render it."""
        for suite in self.suites:
            if any(prompt.name == name for prompt in suite.prompts):
                await suite.open()

    def find_resource(self, uri: str) -> Resource | None:
        """Return the resource at this address. A plain resource wins over a template that matches as well."""
        plain_first = sorted(self.resources, key=lambda resource: resource.is_template)
        return next((resource for resource in plain_first if resource.match(uri) is not None), None)

    def find_resource_tool(self, uri: str) -> Tool | None:
        resource = self.find_resource(uri)
        return None if resource is None else self._resource_tools[resource.uri]

    def suggest(self, name: str) -> str:
        return suggest_name(name, self.tools, [resource.uri for resource in self.resources if resource.is_template])


def _index_names(tools: Iterable[Tool]) -> dict[str, Tool]:
    names: dict[str, Tool] = {}
    for tool in tools:
        for name in {tool.name, tool.portable_name}:
            if name in names:
                raise ValueError(f"two tools answer to {name}: {names[name].name} and {tool.name}")
            names[name] = tool
    return names


def _as_tool(suite: Suite, resource: Resource) -> Tool:
    """Wrap a resource as a tool, so that reading it takes the same path as a call."""

    async def handle(request: ResourceRequest, context: Context) -> ResourceBody:
        parts = resource.match(request.uri) or {}
        content = await resource.read(parts, context)
        if content.data is not None:
            return ResourceBody.model_validate(content.data)
        blob = {} if content.blob is None else {"blob": content.blob}
        return ResourceBody.model_validate({"text": content.text, "mime_type": content.mime_type, **blob})

    return Tool(
        name=resource.uri,
        suite=suite.name,
        title=resource.title,
        description=resource.description,
        input=ResourceRequest,
        output=ResourceBody,
        handler=handle,
        dialect=suite.dialect,
    )
