"""All tools, resources and prompts of the house, found by contract name or portable name."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from pydantic import ConfigDict

from sanya.kernel.call import Context
from sanya.kernel.shapes import Shape, Text
from sanya.kernel.suite import Prompt, Resource, Suite
from sanya.kernel.tool import Tool


class ResourceRequest(Shape):
    uri: Text
    """The address of the resource."""


class ResourceBody(Shape):
    """Whatever the resource holds; its own contract says what that is."""

    model_config = ConfigDict(extra="allow")


class Catalogue:
    def __init__(self, suites: Iterable[Suite]) -> None:
        self.suites = tuple(suites)
        self.tools = tuple(tool for suite in self.suites for tool in suite.tools)
        self.resources = tuple(one for suite in self.suites for one in suite.resources)
        self.prompts: dict[str, Prompt] = {one.name: one for suite in self.suites for one in suite.prompts}
        self._by_name = _names_of(self.tools)
        self._resource_tools = {
            resource.uri: _as_tool(suite, resource) for suite in self.suites for resource in suite.resources
        }

    def tool(self, name: str) -> Tool | None:
        return self._by_name.get(name)

    async def open_prompt(self, name: str) -> None:
        """Opens the suite of this prompt, if there is one: only an open suite can put it into words."""
        for suite in self.suites:
            if any(one.name == name for one in suite.prompts):
                await suite.opened()

    def resource(self, uri: str) -> Resource | None:
        """The resource at this address; a plain one is found before a template that would match as well."""
        plain_first = sorted(self.resources, key=lambda one: one.is_template)
        return next((one for one in plain_first if one.match(uri) is not None), None)

    def resource_tool(self, uri: str) -> Tool | None:
        resource = self.resource(uri)
        return None if resource is None else self._resource_tools[resource.uri]

    def suggest(self, name: str) -> str:
        close = get_close_matches(name[:128], self._by_name, n=3)
        hint = f"did you mean {', '.join(close)}?" if close else "`sanya tools` lists them all"
        return f"no tool or resource is called {name[:128]!r}; {hint}"


def _names_of(tools: Iterable[Tool]) -> dict[str, Tool]:
    names: dict[str, Tool] = {}
    for tool in tools:
        for name in {tool.name, tool.portable_name}:
            if name in names:
                raise ValueError(f"two tools answer to {name}: {names[name].name} and {tool.name}")
            names[name] = tool
    return names


def _as_tool(suite: Suite, resource: Resource) -> Tool:
    """A resource is read on the same way as a tool is called."""

    async def handle(request: ResourceRequest, context: Context) -> ResourceBody:
        parts = resource.match(request.uri) or {}
        content = await resource.read(parts, context)
        if content.data is not None:
            return ResourceBody.model_validate(content.data)
        return ResourceBody.model_validate({"text": content.text, "mime_type": content.mime_type})

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
