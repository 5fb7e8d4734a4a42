"""`prompts/get` and `completion/complete`: renders prompts and completes their arguments."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping, Sequence

from mcp import MCPError, types

from sanya.kernel.calls.call import Answered, Call, Caller
from sanya.kernel.calls.dispatch import Kernel
from sanya.kernel.contracts.catalogue import Catalogue
from sanya.kernel.contracts.completions import COMPLETION
from sanya.kernel.contracts.shapes import is_text
from sanya.kernel.contracts.suite import Prompt, PromptMessage
from sanya.kernel.faults import Fault, Forbidden, InvalidArgument
from sanya.surfaces.mcp.calls import SURFACE
from sanya.surfaces.mcp.listing.tool_names import ToolNames

_MAX_COMPLETIONS = 100  # the protocol's own bound
_MAX_ARGUMENT_CHARS = 10_000
_FETCH_TIMEOUT_S = 60.0


async def get_prompt(
    catalogue: Catalogue, name: str, given: Mapping[str, str], caller: Caller, names: ToolNames
) -> types.GetPromptResult:
    prompt = _find_prompt(catalogue, name)
    _check_arguments(prompt, given)
    if prompt.fetch is not None:
        if not caller.may(f"{prompt.suite}:read"):
            raise MCPError(types.INVALID_PARAMS, f"{prompt.name} needs the scope {prompt.suite}:read")
        messages = await _fetch_messages(prompt, prompt.fetch(given))
    else:
        content = types.TextContent(type="text", text=names.write(prompt.render(given)))
        messages = [types.PromptMessage(role="user", content=content)]
    return types.GetPromptResult(description=names.write(prompt.description), messages=messages)


async def _fetch_messages(prompt: Prompt, fetched: Awaitable[Sequence[PromptMessage]]) -> list[types.PromptMessage]:
    """Return the messages that another server has for a prompt."""
    try:
        async with asyncio.timeout(_FETCH_TIMEOUT_S):
            messages = await fetched
    except Fault as fault:
        code = types.INVALID_PARAMS if isinstance(fault, InvalidArgument) else types.INTERNAL_ERROR
        raise MCPError(code, fault.message) from None
    except TimeoutError:
        raise MCPError(types.INTERNAL_ERROR, f"{prompt.name} was not answered in time; try again") from None
    return [types.PromptMessage.model_validate({"role": role, "content": content}) for role, content in messages]


def _check_arguments(prompt: Prompt, given: Mapping[str, str]) -> None:
    name = prompt.name
    known = [declared.name for declared in prompt.arguments]
    for argument in given:
        if argument not in known:
            accepted = ", ".join(known) or "no arguments"
            raise MCPError(types.INVALID_PARAMS, f"Unknown argument {argument}. {name} accepts: {accepted}.")
        if len(given[argument]) > _MAX_ARGUMENT_CHARS:
            raise MCPError(types.INVALID_PARAMS, f"{argument} must be at most {_MAX_ARGUMENT_CHARS} characters")
    for declared in prompt.arguments:
        if declared.required and not given.get(declared.name, "").strip():
            raise MCPError(types.INVALID_PARAMS, f"{declared.name} is required and must not be empty")


async def complete(kernel: Kernel, params: types.CompleteRequestParams, caller: Caller) -> types.CompleteResult:
    """Complete the value that the caller has typed so far. A caller who may not read the suite gets no values."""
    ref = _find_reference(kernel.catalogue, params)
    if kernel.catalogue.find_completion_tool(ref, params.argument.name) is None or not is_text(params.argument.value):
        return _build_completion([])
    chosen = params.context.arguments if params.context and params.context.arguments else {}
    arguments = {"ref": ref, "argument": params.argument.name, "value": params.argument.value, "chosen": chosen}
    outcome = await kernel.complete(Call(COMPLETION, arguments, caller, SURFACE))
    if isinstance(outcome, Answered):
        return _build_completion(outcome.body["values"])
    if isinstance(outcome.fault, Forbidden):
        return _build_completion([])
    code = types.INVALID_PARAMS if isinstance(outcome.fault, InvalidArgument) else types.INTERNAL_ERROR
    raise MCPError(code, outcome.message, {"error": outcome.error})


def _build_completion(values: list[str]) -> types.CompleteResult:
    shown = values[:_MAX_COMPLETIONS]
    return types.CompleteResult(
        completion=types.Completion(values=shown, total=len(values), has_more=len(values) > len(shown))
    )


def _find_prompt(catalogue: Catalogue, name: str) -> Prompt:
    prompt = catalogue.prompts.get(name)
    if prompt is None:
        known = ", ".join(catalogue.prompts) or "none"
        raise MCPError(types.INVALID_PARAMS, f"Unknown prompt {name[:128]!r}. Available: {known}.")
    return prompt


def _find_reference(catalogue: Catalogue, params: types.CompleteRequestParams) -> str:
    match params.ref:
        case types.PromptReference(name=name):
            return _find_prompt(catalogue, name).name
        case types.ResourceTemplateReference(uri=uri):
            if not any(resource.uri == uri for resource in catalogue.resources):
                raise MCPError(types.INVALID_PARAMS, f"Unknown resource template {uri[:128]!r}")
            return uri
