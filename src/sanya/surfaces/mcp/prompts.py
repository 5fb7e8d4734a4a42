"""`prompts/get` and `completion/complete`: what a person picks from, and what is offered while they type."""

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
    known = [one.name for one in prompt.arguments]
    for argument in given:
        if argument not in known:
            takes = ", ".join(known) or "no arguments"
            raise MCPError(types.INVALID_PARAMS, f"unknown argument {argument}; {name} takes: {takes}")
        if len(given[argument]) > _MAX_ARGUMENT_CHARS:
            raise MCPError(types.INVALID_PARAMS, f"{argument} takes at most {_MAX_ARGUMENT_CHARS} characters")
    for one in prompt.arguments:
        if one.required and not given.get(one.name, "").strip():
            raise MCPError(types.INVALID_PARAMS, f"{one.name} is required; give it a value")
    message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=prompt.render(given)))
    return types.GetPromptResult(description=prompt.description, messages=[message])


async def complete(catalogue: Catalogue, params: types.CompleteRequestParams, caller: Caller) -> types.CompleteResult:
    """Offers values that begin as the caller has begun; none where the caller may not read the suite."""
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
        raise MCPError(types.INVALID_PARAMS, f"there is no prompt {name[:128]!r}; there are: {known}")
    return prompt


def _find_completer(catalogue: Catalogue, params: types.CompleteRequestParams) -> tuple[str, Completer | None]:
    match params.ref:
        case types.PromptReference(name=name):
            prompt = _find_prompt(catalogue, name)
            offered = {one.name: one.complete for one in prompt.arguments}
            return prompt.suite, offered.get(params.argument.name)
        case types.ResourceTemplateReference(uri=uri):
            for resource in catalogue.resources:
                if resource.uri == uri:
                    return resource.suite, resource.complete.get(params.argument.name)
            raise MCPError(types.INVALID_PARAMS, f"there is no resource template {uri[:128]!r}")
