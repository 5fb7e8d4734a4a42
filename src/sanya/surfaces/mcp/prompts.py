"""`prompts/get` and `completion/complete`: renders prompts and completes their arguments."""

from __future__ import annotations

from collections.abc import Mapping

from mcp import MCPError, types

from sanya.kernel.call import Caller
from sanya.kernel.catalogue import Catalogue
from sanya.kernel.shapes import is_text
from sanya.kernel.suite import Completer, Prompt

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


async def complete(catalogue: Catalogue, params: types.CompleteRequestParams, caller: Caller) -> types.CompleteResult:
    """Complete the value that the caller has typed so far. A caller who may not read the suite gets no values."""
    suite, completer = _find_completer(catalogue, params)
    values: list[str] = []
    if completer is not None and caller.may(f"{suite}:read") and is_text(params.argument.value):
        others = params.context.arguments if params.context and params.context.arguments else {}
        values = await completer(params.argument.value, others, caller)
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


def _find_completer(catalogue: Catalogue, params: types.CompleteRequestParams) -> tuple[str, Completer | None]:
    match params.ref:
        case types.PromptReference(name=name):
            prompt = _find_prompt(catalogue, name)
            completers = {argument.name: argument.complete for argument in prompt.arguments}
            return prompt.suite, completers.get(params.argument.name)
        case types.ResourceTemplateReference(uri=uri):
            for resource in catalogue.resources:
                if resource.uri == uri:
                    return resource.suite, resource.complete.get(params.argument.name)
            raise MCPError(types.INVALID_PARAMS, f"Unknown resource template {uri[:128]!r}")
