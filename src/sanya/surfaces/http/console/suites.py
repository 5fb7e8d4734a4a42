"""A suite as the console's generated page shows it: its tools, resources and prompts, and the package it came with."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sanya.kernel.contracts.suite import Prompt, Resource, Suite
from sanya.kernel.faults import Forbidden, InvalidArgument, NotFound
from sanya.surfaces.http.asgi import HttpRequest, HttpResponse
from sanya.surfaces.http.catalogue import describe_tool, read_language
from sanya.surfaces.http.console.api import respond_json
from sanya.surfaces.http.console.ledger import read_query
from sanya.surfaces.tool_texts import ListingLanguage, read_resource_text

if TYPE_CHECKING:
    from sanya.app import App


class ConsoleSuites:
    def __init__(self, app: App) -> None:
        self._app = app

    async def show(self, request: HttpRequest) -> HttpResponse:
        """Show the suite `?name=` in the language `?lang=`, to callers who may read it."""
        name = read_query(request, {"name", "lang"}).get("name", "")
        if not name:
            raise InvalidArgument("name is required: the name of a suite", field="name")
        suite = self._find_suite(name)
        scope = f"{suite.name}:read"
        if not request.caller.may(scope):
            raise Forbidden(f"The suite {suite.name} needs the scope {scope}.", details={"scope": scope})
        return respond_json(self._describe(await suite.open(), read_language(request)))

    def _find_suite(self, name: str) -> Suite:
        suites = self._app.kernel.catalogue.suites
        for suite in suites:
            if suite.name == name:
                return suite
        raise NotFound(f"No such suite. Use one of {', '.join(suite.name for suite in suites)}.")

    def _describe(self, suite: Suite, language: ListingLanguage) -> dict[str, Any]:
        package = next((guest for guest in self._app.guests if guest.name == suite.name), None)
        return {
            "name": suite.name,
            "title": suite.title,
            "package": package and {"name": package.package, "version": package.version},
            "tools": [describe_tool(tool, language) for tool in suite.tools],
            "resources": [_describe_resource(resource, language) for resource in suite.resources],
            "prompts": [_describe_prompt(prompt) for prompt in suite.prompts],
        }


def _describe_resource(resource: Resource, language: ListingLanguage) -> dict[str, Any]:
    """Describe a resource. Its parts are the names that a template's address has in braces."""
    title, description = read_resource_text(resource, language)
    return {
        "uri": resource.uri,
        "title": title,
        "description": description,
        "mime_type": resource.mime_type,
        "parts": [{"name": part, "completes": part in resource.complete} for part in _find_parts(resource.uri)],
    }


def _find_parts(uri: str) -> list[str]:
    return re.findall(r"\{(\w+)\}", uri)


def _describe_prompt(prompt: Prompt) -> dict[str, Any]:
    return {
        "name": prompt.name,
        "title": prompt.title,
        "description": prompt.description,
        "arguments": [
            {"name": argument.name, "description": argument.description, "required": argument.required}
            for argument in prompt.arguments
        ],
    }
