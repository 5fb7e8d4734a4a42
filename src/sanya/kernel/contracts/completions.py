"""Completions of prompt and resource arguments, as tools: so they take the path of every call, with its limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from sanya.kernel.calls.call import Context
from sanya.kernel.contracts.shapes import Shape, Text
from sanya.kernel.contracts.suite import Completer, Suite
from sanya.kernel.contracts.tool import Tool

COMPLETION = "completion/complete"
MAX_TYPED_CHARS = 1_000
_MAX_NAME_CHARS = 500
_MAX_CHOSEN = 20
_TIMEOUT_MS = 5_000

CompletionKey = tuple[str, str]
"""A prompt's name or a resource's URI, and the name of its argument."""


class CompletionRequest(Shape):
    ref: Annotated[Text, Field(max_length=_MAX_NAME_CHARS)]
    """The name of the prompt, or the URI of the resource template."""
    argument: Annotated[Text, Field(max_length=_MAX_NAME_CHARS)]
    """The argument to complete."""
    value: Annotated[Text, Field(max_length=MAX_TYPED_CHARS)] = ""
    """The text typed so far."""
    chosen: Annotated[dict[str, Annotated[Text, Field(max_length=MAX_TYPED_CHARS)]], Field(max_length=_MAX_CHOSEN)] = (
        Field(default_factory=dict)
    )
    """The arguments chosen so far."""


class CompletionBody(Shape):
    values: list[str]
    """The completions."""


def build_completion_tools(suite: Suite) -> Iterator[tuple[CompletionKey, Tool]]:
    for prompt in suite.prompts:
        for argument in prompt.arguments:
            if argument.complete is not None:
                yield (prompt.name, argument.name), _build_tool(suite, argument.complete)
    for resource in suite.resources:
        for name, completer in resource.complete.items():
            yield (resource.uri, name), _build_tool(suite, completer)


def _build_tool(suite: Suite, completer: Completer) -> Tool:
    async def handle(request: CompletionRequest, context: Context) -> CompletionBody:
        return CompletionBody(values=await completer(request.value, request.chosen, context.caller))

    return Tool(
        name=COMPLETION,
        suite=suite.name,
        title="Complete an argument",
        description="Returns completions of the text typed so far.",
        input=CompletionRequest,
        output=CompletionBody,
        handler=handle,
        dialect=suite.dialect,
        timeout_ms=_TIMEOUT_MS,
        # What somebody types before they choose is nobody's business later.
        redacted=("value",),
    )
