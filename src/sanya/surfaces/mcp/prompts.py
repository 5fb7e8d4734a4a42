"""`prompts/get` and `completion/complete`: renders prompts and completes their arguments."""

from __future__ import annotations

from collections.abc import Mapping

from mcp import MCPError, types

from sanya.kernel.call import Answered, Call, Caller
from sanya.kernel.catalogue import Catalogue
from sanya.kernel.completions import COMPLETION
from sanya.kernel.dispatch import Kernel
from sanya.kernel.faults import Forbidden, InvalidArgument
from sanya.kernel.shapes import is_text
from sanya.kernel.suite import Prompt
from sanya.surfaces.mcp.calls import SURFACE

_MAX_COMPLETIONS = 100  # the protocol's own bound
_MAX_ARGUMENT_CHARS = 10_000


def get_prompt(catalogue: Catalogue, name: str, given: Mapping[str, str]) -> types.GetPromptResult:
    prompt = _find_prompt(catalogue, name)
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
    message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=prompt.render(given)))
    return types.GetPromptResult(description=prompt.description, messages=[message])


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
