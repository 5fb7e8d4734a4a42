"""The fixtures of the official conformance suite that the kernel can serve, as an ordinary suite."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from sanya.kernel.calls.call import Caller, Context, Progress
from sanya.kernel.contracts.dialect import McpParts
from sanya.kernel.contracts.shapes import Shape, Text
from sanya.kernel.contracts.suite import Content, Prompt, PromptArgument, Resource, Suite
from sanya.kernel.contracts.tool import Handler, Tool
from sanya.kernel.faults import Fault, InvalidArgument
from sanya.suites.tasks.dialect import DIALECT as TASKS

PAUSE_S = 0.05  # the suite expects notifications in separate events


class Nothing(Shape):
    """No arguments."""


class Region(Shape):
    region: Annotated[Text, Field(json_schema_extra={"x-mcp-header": "Region"})]
    """Mirrored in the header Mcp-Param-Region."""


class TextOutput(Shape):
    text: str
    """The sentence."""


class FixtureDialect:
    """The tasks dialect, except that the text content is the body's own sentence."""

    codes = TASKS.codes
    stamp_in_body = False

    def get_code(self, fault: type[Fault]) -> str:
        return TASKS.get_code(fault)

    def render_fault(self, fault: Fault, tool: Tool | None) -> Any:
        return TASKS.render_fault(fault, tool)

    def to_mcp_parts(self, body: dict[str, Any]) -> McpParts:
        return McpParts(text=body["text"], structured=body, meta={})

    def to_mcp_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        return schema


async def _say(request: Nothing, context: Context) -> TextOutput:
    return TextOutput(text="This is a simple text response for testing.")


async def _name_region(request: Region, context: Context) -> TextOutput:
    return TextOutput(text=f"The region is {request.region}.")


async def _refuse(request: Nothing, context: Context) -> TextOutput:
    raise InvalidArgument("This tool intentionally returns an error for testing")


async def _make_progress(request: Nothing, context: Context) -> TextOutput:
    for done in (0, 50, 100):
        context.progress(Progress(done, 100))
        await asyncio.sleep(PAUSE_S)
    return TextOutput(text="All of it is done.")


async def _read_text(parts: Mapping[str, str], context: Context) -> Content:
    return Content(text="This is the content of the static text resource.", mime_type="text/plain")


async def _read_data(parts: Mapping[str, str], context: Context) -> Content:
    return Content(data={"id": parts["id"], "templateTest": True, "data": f"Data for ID: {parts['id']}"})


async def _complete_place(begun: str, others: Mapping[str, str], caller: Caller) -> list[str]:
    return [place for place in ("paris", "park", "party") if place.startswith(begun)]


def build_fixture_suite() -> Suite:
    return Suite(
        name="test",
        title="Test",
        dialect=FixtureDialect(),
        tools=(
            _tool("test_simple_text", Nothing, _say),
            _tool("test_region_header", Region, _name_region),
            _tool("test_error_handling", Nothing, _refuse),
            _tool("test_tool_with_progress", Nothing, _make_progress),
        ),
        resources=(
            _resource("test://static-text", _read_text, mime_type="text/plain"),
            _resource("test://watched-resource", _read_text, mime_type="text/plain"),
            _resource("test://template/{id}/data", _read_data),
        ),
        prompts=_prompts(),
    )


def _tool(name: str, input: type[Shape], handler: Handler) -> Tool:
    described = f"Does what the scenario of {name} wants."
    return Tool(
        name=name,
        suite="test",
        title=name,
        description=described,
        input=input,
        output=TextOutput,
        handler=handler,
        dialect=FixtureDialect(),
    )


def _resource(uri: str, read: Any, **more: Any) -> Resource:
    return Resource(uri=uri, suite="test", name=uri, title=uri, description="For the scenarios.", read=read, **more)


def _prompts() -> tuple[Prompt, ...]:
    def simple(given: Mapping[str, str]) -> str:
        return "This is a simple prompt for testing."

    def with_arguments(given: Mapping[str, str]) -> str:
        return f"Prompt with arguments: arg1='{given['arg1']}', arg2='{given['arg2']}'"

    arguments = (
        PromptArgument("arg1", "The first.", required=True, complete=_complete_place),
        PromptArgument("arg2", "The second.", required=True),
    )
    return (
        _prompt("test_simple_prompt", (), simple),
        _prompt("test_prompt_with_arguments", arguments, with_arguments),
    )


def _prompt(name: str, arguments: tuple[PromptArgument, ...], render: Any) -> Prompt:
    return Prompt(
        name=name, suite="test", title=name, description="For the scenarios.", arguments=arguments, render=render
    )
